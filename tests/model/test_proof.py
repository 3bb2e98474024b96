"""What counts against a target that was proved, and what somebody may allow."""

from __future__ import annotations

import pytest

from fourfold.model.proof import Proved, SentCall, Status, Verdict
from fourfold.model.survey import Counted


def _verdict(status: Status, *, crashed: bool = False) -> Verdict:
    return Verdict(check="pages-end", family="contract", tool="note_list", status=status, tried=2, crashed=crashed)


def _against(verdict: Verdict, *, strict: bool = False, warnings_count: bool = False, allowed: str = "") -> bool:
    names = (allowed,) if allowed else ()
    proved = Proved(
        target="t",
        revision="r",
        seed=1,
        verdicts=(verdict,),
        strict=strict,
        warnings_count=warnings_count,
        allowed=names,
    )
    assert (proved.count(verdict.status), proved.calls, proved.crashed) == (1, 2, verdict.crashed)
    return proved.against == (verdict,)


def test_a_failure_counts_and_a_success_does_not() -> None:
    """B12."""
    assert (_against(_verdict("failed")), _against(_verdict("passed"))) == (True, False)


def test_a_warning_counts_where_the_team_says_so() -> None:
    """B12."""
    assert (_against(_verdict("warned")), _against(_verdict("warned"), warnings_count=True)) == (False, True)


@pytest.mark.parametrize("allowed", ["pages-end", "contract", "note_list"])
def test_what_was_not_tested_counts_for_a_catalog_unless_it_is_allowed(allowed: str) -> None:
    """B12: by the name of its check, its family or its tool."""
    untested = _verdict("not_tested")
    assert (_against(untested), _against(untested, strict=True)) == (False, True)
    assert not _against(untested, strict=True, allowed=allowed)
    assert _against(untested, strict=True, allowed="another")


def test_a_broken_check_counts_whatever_is_allowed() -> None:
    """B12: nobody can allow a bug of ours."""
    assert _against(_verdict("not_tested", crashed=True), allowed="pages-end")


def test_a_call_is_what_can_be_made_again() -> None:
    """B12."""
    assert SentCall(tool="a", arguments={"b": 1}) == SentCall(tool="a", arguments={"b": 1}, caller="")


@pytest.mark.parametrize(
    ("each", "expected"),
    [
        (((1, 2), (0, 0), (2, 2), (0, 4)), (3, 1, 0.25, 0.5, 0.75)),
        (((1, 4),), (1, 0, 0.25, 0.25, 0.25)),
        (((0, 0),), (0, 0, 0.0, 0.0, 0.0)),
    ],
)
def test_catalogs_without_anything_to_count_have_no_share(
    each: tuple[tuple[int, int], ...], expected: tuple[float, ...]
) -> None:
    """D3: quartiles of the shares of the others, both ends included."""
    counted = Counted(name="n", of="o", found=sum(a for a, _ in each), total=sum(b for _, b in each), each=each)
    spread = counted.spread
    assert (spread.catalogs, spread.none, spread.low, spread.median, spread.high) == expected
    assert counted.share == (counted.found / counted.total if counted.total else 0.0)
