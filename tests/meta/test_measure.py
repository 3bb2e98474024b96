"""The counting that the budgets rest on."""

from __future__ import annotations

from tests.meta.measure import Module, percentile

_SOURCE = '''\
"""A module."""

from typing import Any, overload

LIMIT = 3
"""How many there are."""


# A comment alone on its line.
def documented(first: int, second: Any) -> int:  # and one behind code
    """One line."""

    text = """two
    lines"""
    return len(text)


class Shape:
    def bare(self, a, *rest, key: int):
        return a  # type: ignore[return-value]  # the test wants one

    def _private(self) -> None:
        pass  # pyright: ignore


@overload
def stub(a: int) -> int: ...
'''


def test_code_lines_leave_out_blanks_comments_and_docstrings() -> None:
    """A multi-line value is code on each of its lines; a docstring, also of a constant, on none."""
    functions = {function.place: function.code_lines for function in Module("m.py", _SOURCE).functions}

    assert functions == {"m.py:10 documented": 4, "m.py:19 bare": 2, "m.py:22 _private": 2}


def test_only_a_comment_alone_on_its_line_is_a_comment_line() -> None:
    """A comment behind code doesn't count twice."""
    assert Module("m.py", _SOURCE).comments == {9}


def test_what_is_public_and_undocumented_is_found() -> None:
    """Private names and overload stubs need no docstring."""
    module = Module("m.py", _SOURCE)

    assert [each.place for each in module.public if not each.documented] == ["m.py:18 Shape", "m.py:19 bare"]


def test_missing_annotations_are_named() -> None:
    """Star arguments and the return count; self doesn't."""
    functions = Module("m.py", _SOURCE).functions

    assert [each.untyped for each in functions if each.untyped] == [("a", "rest", "return")]


def test_silenced_types_need_their_rule_and_a_reason() -> None:
    """Both spellings are found, and the one without a reason is told apart."""
    module = Module("m.py", _SOURCE)

    assert module.silenced == ("m.py:20", "m.py:23")
    assert module.silenced_without_reason == ("m.py:23",)


def test_uses_of_any_are_counted_without_its_import() -> None:
    """One annotation, one import: one use."""
    assert Module("m.py", _SOURCE).any_uses == 1


def test_a_percentile_is_one_of_the_numbers() -> None:
    """Nearest rank: of ten numbers the ninth is at 90 percent."""
    assert percentile(range(1, 11), 0.9) == 9
    assert percentile([7], 0.5) == 7
