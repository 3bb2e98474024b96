"""Every check, found in `prove.checks`: one module each, which holds it as `CHECK`."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from fourfold.model.proof import FAMILIES, CheckFacts
from fourfold.prove import checks
from fourfold.prove.check import Check

__all__ = ["ENDED", "all_checks"]

ENDED = CheckFacts(
    name="server-answers",
    family="protocol",
    proves="the server answers every call, and does not end",
    requires=("https://modelcontextprotocol.io/specification/2026-07-28/basic",),
)
"""What a server fails by not answering any more. It is no check of its own: nothing can be checked after it."""


@cache
def all_checks() -> tuple[Check, ...]:
    """The checks in the order in which they run: by family, then those that write last, then by name.

    Raises:
        ValueError: two of them have one name.
    """
    modules = [import_module(f"{checks.__name__}.{module.name}") for module in pkgutil.iter_modules(checks.__path__)]
    found: list[Check] = [module.CHECK for module in modules]
    if len({check.name for check in found}) != len(found):
        raise ValueError("two checks have one name")
    return tuple(sorted(found, key=lambda check: (FAMILIES.index(check.family), check.writes, check.name)))
