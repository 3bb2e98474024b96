"""One HTML page out of a template: everything foreign in it is escaped, and a name that is missing is an error."""

from __future__ import annotations

from typing import Any

from fourfold.errors import ConfigError

__all__ = ["page"]


def page(template: str, **values: Any) -> str:
    """The page of that template in `report/templates`.

    Raises:
        ConfigError: the library for templates is not installed.
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ModuleNotFoundError:
        raise ConfigError("an HTML report needs Jinja: pip install 'fourfold[html]'") from None
    environment = Environment(
        loader=PackageLoader("fourfold.report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template(template).render(**values)
