"""The table of lines and checks: complete, and the same as the page."""

from __future__ import annotations

from fourfold.prove.registry import all_checks
from tests.prove.protocol_lines import LINES, PAGE, page, protocol_checks


def test_the_page_says_what_the_table_does() -> None:
    """B13: after a change to a check or a line: python -m tests.prove.protocol_lines."""
    assert PAGE.read_text("utf-8") == page()


def test_every_line_has_a_check_or_says_why_not() -> None:
    """B13: what is not looked at is said, and most lines are looked at."""
    assert [line.number for line in LINES] == [*range(1, 61)]
    assert [line.number for line in LINES if not line.checks and not line.left] == []
    assert sum(bool(line.checks) for line in LINES) == 46


def test_lines_and_checks_name_each_other() -> None:
    """B13: no check without a line, and no line with a check that isn't there."""
    named = {name for line in LINES for name in line.checks}
    assert named <= {check.name for check in all_checks()}
    assert {check.name for check in protocol_checks()} <= named


def test_a_check_weighs_what_its_lines_weigh() -> None:
    """B13: one must among them makes it a must; our own promise about our own schemas is one, too."""
    of_must = {name for line in LINES if line.weight == "M" for name in line.checks} | {"protocol-schema-verbatim"}
    partly = {"protocol-list-pages"}
    light = {check.name for check in protocol_checks() if check.weight == "should"}
    assert light == {check.name for check in protocol_checks()} - of_must - partly


def test_every_check_has_the_address_of_what_it_checks() -> None:
    """B13: whoever is told of a fault can read why it is one."""
    without = [check.name for check in protocol_checks() if not check.requires[0].startswith("https://modelcontext")]
    assert without == []
