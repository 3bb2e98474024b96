"""What an input check says about wrong arguments, in a form that tests compare."""

from __future__ import annotations

from typing import Any

from fourfold.contracts.base import Input
from fourfold.contracts.check import CheckedInput, InputCheck
from fourfold.contracts.schema import canonical, published
from tests.contracts.declaring import input_with

__all__ = ["problems"]


def problems(arguments: Any, of: type[Input] | None = None, /, **fields: Any) -> list[tuple[str, str, str]]:
    """Path, code and expectation of everything that is wrong with `arguments`."""
    model = of or input_with(**fields)
    found = InputCheck(model, None, published(canonical(model))).check(arguments)
    assert not isinstance(found, CheckedInput), "the arguments were accepted"
    return [(problem.pointer, problem.code, problem.expected) for problem in found]
