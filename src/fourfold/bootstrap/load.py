"""Finds the catalog that a target such as `billing:catalog` names."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from fourfold.catalog.build import BuiltCatalog
from fourfold.catalog.declare import Catalog
from fourfold.errors import ConfigError

__all__ = ["LoadedCatalog", "is_catalog_target", "load_catalog"]


class LoadedCatalog:
    """A built catalog and the folder of the module that it came from."""

    __slots__ = ("built", "folder")

    def __init__(self, built: BuiltCatalog, folder: Path | None) -> None:
        self.built = built
        self.folder = folder


def is_catalog_target(target: str) -> bool:
    """Whether `target` has the form `module:catalog`."""
    module, separator, name = target.partition(":")
    return bool(separator) and name.isidentifier() and all(part.isidentifier() for part in module.split("."))


def load_catalog(target: str) -> LoadedCatalog:
    """Import the module of `target` and build its catalog. The current folder is searched first.

    Raises:
        ConfigError: there is no such module or catalog; the message says which of the two.
        ContractError: the catalog does not build.
    """
    if not is_catalog_target(target):
        raise ConfigError(f"{target!r} is not module:catalog, such as billing:catalog")
    module_name, _, name = target.partition(":")
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise  # the module is there; something that it imports is not
        raise ConfigError(f"there is no module {module_name!r}; install it, or run from its folder") from None
    catalog = getattr(module, name, None)
    if not isinstance(catalog, Catalog):
        found = [key for key, value in vars(module).items() if isinstance(value, Catalog)]
        hint = f"; it has {', '.join(found)}" if found else ""
        raise ConfigError(f"{module_name!r} has no Catalog named {name!r}{hint}")
    return LoadedCatalog(catalog.build(), Path(module.__file__).parent if module.__file__ else None)
