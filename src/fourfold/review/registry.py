"""Every rule, found in `review.rules`: one module each, which holds it as `RULE`."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from fourfold.review import rules
from fourfold.review.rule import Rule

__all__ = ["all_rules", "rule_named"]


@cache
def all_rules() -> tuple[Rule, ...]:
    """The rules by id.

    Raises:
        ValueError: two of them have one id or one symbol.
    """
    modules = [import_module(f"{rules.__name__}.{module.name}") for module in pkgutil.iter_modules(rules.__path__)]
    found: list[Rule] = sorted((module.RULE for module in modules), key=lambda rule: rule.id)
    for key in ({rule.id for rule in found}, {rule.symbol for rule in found}):
        if len(key) != len(found):
            raise ValueError("two rules have one id or one symbol")
    return tuple(found)


def rule_named(name: str) -> Rule | None:
    """The rule of that id or symbol."""
    return next((rule for rule in all_rules() if name in (rule.id, rule.symbol)), None)
