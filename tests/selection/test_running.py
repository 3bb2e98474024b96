"""A suite that is run: several at once, within a budget, killed and gone on with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path

import anyio
import pytest
from anyio.lowlevel import checkpoint

from fourfold.adapters.choosers import ReplayChooser
from fourfold.budget.prices import custom_price
from fourfold.errors import ConfigError
from fourfold.model.case import Case, Expectation
from fourfold.model.chosen import Choice, ChosenCall, OfferedTool, Sampling, Usage
from fourfold.model.contract import JsonObject
from fourfold.selection.recorded import read_run
from fourfold.selection.running import RunOutcome, RunProgress, RunTerms, run_suite
from fourfold.selection.spending import SpendingCap
from fourfold.testing import FixedClock

pytestmark = pytest.mark.anyio

TOOLS = [OfferedTool(name="refund", description="Pays back.", input_schema={"type": "object"})]
TERMS = RunTerms(samples=2, at_once=1)
EVERY = {(f"case-{number}", sample) for number in range(3) for sample in range(2)}
CHOICE = Choice(
    calls=(
        ChosenCall(name="refund", arguments={"id": "INV-7", "note": None}),
        ChosenCall(name="x", arguments=None, raw="{"),
    ),
    text="At once, é.",
    model="m-1",
    usage=Usage(input_tokens=1_000, output_tokens=100),
    first_token_s=0.5,
    seconds=1.5,
)


def case(number: int) -> Case:
    """A case whose conversation is its own."""
    said: JsonObject = {"role": "user", "content": f"refund INV-{number}"}
    return Case(id=f"case-{number}", case_class="ask", messages=(said,), expect=Expectation(decisions=("ask",)))


CASES = [case(number) for number in range(3)]


@dataclass(slots=True)
class Scripted:
    """A chooser that gives its choices one after the other, and the last one for good; it notes what it is asked."""

    choices: Sequence[Choice] = (CHOICE,)
    name: str = "scripted"
    asked: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    now: int = 0
    most: int = 0

    async def choose(
        self, messages: Sequence[JsonObject], tools: Sequence[OfferedTool], *, sampling: Sampling, sample: int = 0
    ) -> Choice:
        """The next one."""
        self.now += 1
        self.most = max(self.most, self.now)
        choice = self.choices[min(len(self.asked), len(self.choices) - 1)]
        self.asked.append((str(messages[-1]["content"]), sample))
        await checkpoint()
        self.now -= 1
        return choice


async def run(file: Path, chooser: Scripted | ReplayChooser, terms: RunTerms = TERMS) -> RunOutcome:
    """Run the three cases."""
    return await run_suite(CASES, TOOLS, chooser=chooser, terms=terms, file=file, clock=FixedClock())


def answers(file: Path) -> dict[tuple[str, int], Choice]:
    """What the file holds."""
    with file.open("rb") as lines:
        return {(each.case, each.sample): each.choice for each in read_run(lines, name="file")[1]}


async def test_every_sample_of_every_case_is_asked_once_and_written_as_it_came(tmp_path: Path) -> None:
    """A8: names, arguments, texts, tokens and times are the same when they are read again."""
    outcome = await run(tmp_path / "run.jsonl", Scripted())

    assert outcome == RunOutcome(answered=6, failed=0, left=0, spent=Decimal(0))
    assert answers(tmp_path / "run.jsonl") == dict.fromkeys(EVERY, CHOICE)
    assert (tmp_path / "run.jsonl").stat().st_mode & 0o777 == 0o600


async def test_the_first_line_says_what_the_result_depends_on(tmp_path: Path) -> None:
    """B14: two results are compared by it."""
    terms = replace(TERMS, sampling=Sampling(temperature=Decimal("0.7"), system="Be brief."))
    await run(tmp_path / "run.jsonl", Scripted(), terms)
    with (tmp_path / "run.jsonl").open("rb") as lines:
        facts, _ = read_run(lines, name="file")

    digests = (facts.suite, facts.catalog, facts.system, facts.tools["refund"])
    assert {len(each) for each in digests} == {len("sha256:") + 64}
    assert (facts.cases, facts.samples, facts.chooser, facts.temperature, facts.max_tokens, facts.scorer) == (
        3, 2, "scripted", "0.7", 1_024, "1"
    )  # fmt: skip


@pytest.mark.parametrize("lost", range(0, 400, 23))
async def test_a_run_that_was_killed_goes_on_where_it_was(lost: int, tmp_path: Path) -> None:
    """Wherever the last line was cut, what stands before it is not asked again, and nothing is missing at the end."""
    whole, file = tmp_path / "whole.jsonl", tmp_path / "run.jsonl"
    await run(whole, Scripted())
    content = whole.read_bytes()
    file.write_bytes(content[: len(content) - lost])
    kept = max(content[: len(content) - lost].count(b"\n") - 1, 0)

    chooser = Scripted()
    await run(file, chooser)

    assert len(chooser.asked) == len(EVERY) - kept
    assert file.read_bytes() == content


async def test_what_the_provider_did_not_answer_is_asked_again(tmp_path: Path) -> None:
    """A run that goes on leaves no gap; the last answer to a sample counts."""
    limited = Choice(failure="rate_limited")
    first = await run(tmp_path / "run.jsonl", Scripted((CHOICE, limited, CHOICE)))
    chooser = Scripted()
    second = await run(tmp_path / "run.jsonl", chooser)

    assert (first.answered, first.failed, second.answered, second.failed) == (5, 1, 6, 0)
    assert chooser.asked == [("refund INV-0", 1)]
    assert answers(tmp_path / "run.jsonl") == dict.fromkeys(EVERY, CHOICE)


async def test_a_file_of_another_run_is_not_added_to(tmp_path: Path) -> None:
    """It says what differs."""
    await run(tmp_path / "run.jsonl", Scripted())
    with pytest.raises(ConfigError, match="is of another run: chooser differ"):
        await run(tmp_path / "run.jsonl", Scripted(name="other"))


@pytest.mark.parametrize("content", [b"{}\n", b"[]\n", b"no json\n", b'{"format": "fourfold/select-run/v1"}\n'])
async def test_a_file_that_is_no_run_is_left_alone(content: bytes, tmp_path: Path) -> None:
    """It may be somebody's suite."""
    (tmp_path / "run.jsonl").write_bytes(content)
    with pytest.raises(ConfigError, match=r"run\.jsonl"):
        await run(tmp_path / "run.jsonl", Scripted())

    assert (tmp_path / "run.jsonl").read_bytes() == content


async def test_no_more_are_asked_at_once_than_was_said(tmp_path: Path) -> None:
    """Providers count requests at once."""
    chooser = Scripted()
    await run(tmp_path / "run.jsonl", chooser, replace(TERMS, at_once=4))

    assert (len(chooser.asked), chooser.most) == (6, 4)


CAP = SpendingCap(most=Decimal("0.01"), price=custom_price("1.00"), output=Decimal("2.00"))
"""An answer of `CHOICE` costs $0.0012, and the reserve for it is $0.0001 of input and $0.002048 of output."""


async def test_a_cap_in_money_is_never_passed(tmp_path: Path) -> None:
    """What is left after four answers does not hold the reserve of a fifth; the file goes on with more money."""
    small = replace(TERMS, cap=replace(CAP, most=Decimal("0.006")), at_once=3)
    first = await run(tmp_path / "run.jsonl", Scripted(), small)
    assert first == RunOutcome(answered=4, failed=0, left=2, spent=Decimal("0.0048"), stopped="budget")

    second = await run(tmp_path / "run.jsonl", Scripted(), replace(small, cap=CAP))
    assert second == RunOutcome(answered=6, failed=0, left=0, spent=Decimal("0.0072"))


async def test_an_answer_without_a_count_costs_its_reserve_and_a_refused_request_nothing(tmp_path: Path) -> None:
    """Nobody knows what a request cost that ran out of time."""
    terms = RunTerms(samples=1, at_once=1, cap=CAP)
    late, limited = Choice(failure="timeout"), Choice(failure="rate_limited")
    outcome = await run(tmp_path / "run.jsonl", Scripted((late, limited, CHOICE)), terms)

    assert (outcome.answered, outcome.failed) == (1, 2)
    assert Decimal("0.0012") + Decimal("0.002048") < outcome.spent < Decimal("0.0034")


async def test_a_key_that_is_refused_ends_the_run(tmp_path: Path) -> None:
    """No other case would be answered."""
    refused = Choice(failure="http_401", text="Incorrect API key")
    outcome = await run(tmp_path / "run.jsonl", Scripted((refused,)))

    assert outcome == RunOutcome(answered=0, failed=1, left=5, spent=Decimal(0), stopped="http_401: Incorrect API key")


async def test_progress_tells_how_long_it_will_take(tmp_path: Path) -> None:
    """From the pace of this run: two seconds an answer."""
    clock, told = FixedClock(), list[RunProgress]()

    @dataclass(slots=True)
    class Slow(Scripted):
        async def choose(self, messages: Sequence[JsonObject], tools: Sequence[OfferedTool], **more: object) -> Choice:
            clock.advance(2.0)
            return CHOICE

    await run_suite(
        CASES, TOOLS, chooser=Slow(), terms=TERMS, file=tmp_path / "run.jsonl", clock=clock, tell=told.append
    )

    assert [(each.done, each.total, each.seconds_left) for each in told] == [
        (1, 6, 10.0), (2, 6, 8.0), (3, 6, 6.0), (4, 6, 4.0), (5, 6, 2.0), (6, 6, 0.0)
    ]  # fmt: skip


async def test_a_run_is_replayed_without_any_model(tmp_path: Path) -> None:
    """A8: the same answers to the same conversations; a case that was changed has none."""
    await run(tmp_path / "run.jsonl", Scripted())
    replay = ReplayChooser.of(tmp_path / "run.jsonl")
    await run(tmp_path / "again.jsonl", replay)
    unknown = await replay.choose(case(9).messages, TOOLS, sampling=Sampling())

    assert replay.name == "replay:run.jsonl"
    assert answers(tmp_path / "again.jsonl") == dict.fromkeys(EVERY, CHOICE)
    assert unknown == Choice(failure="not_recorded")


@pytest.mark.parametrize("content", [b"", b"{}\n", b'{"case": "a", "sample": -1, "choice": {}}\n', b"\xff\n"])
def test_a_broken_recording_is_named_with_its_line(content: bytes, tmp_path: Path) -> None:
    """Nothing of it is replayed."""
    (tmp_path / "run.jsonl").write_bytes(content)
    with pytest.raises(ConfigError, match=r"run\.jsonl(, line 1: | holds no answers)"):
        ReplayChooser.of(tmp_path / "run.jsonl")


async def test_a_run_that_is_cancelled_keeps_what_came(tmp_path: Path) -> None:
    """Ctrl-C is how long runs end."""
    with anyio.CancelScope() as scope:

        @dataclass(slots=True)
        class Interrupted(Scripted):
            async def choose(
                self, messages: Sequence[JsonObject], tools: Sequence[OfferedTool], **more: object
            ) -> Choice:
                self.asked.append(("", 0))
                if len(self.asked) == 4:
                    scope.cancel()
                    await checkpoint()
                return CHOICE

        await run(tmp_path / "run.jsonl", Interrupted())

    assert len(answers(tmp_path / "run.jsonl")) == 3
