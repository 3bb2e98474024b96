"""Times a run of 1,000 cases with 3 samples each, chosen by `bm25` among 157 tools, and what starts it again.

Usage: python -m benchmarks.choosing
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import anyio

from benchmarks.many_tools import RESOURCES, catalog
from fourfold.adapters.clock import SystemClock
from fourfold.model.case import Case, Expectation, ExpectedCall
from fourfold.model.chosen import OfferedTool
from fourfold.model.contract import JsonObject
from fourfold.selection.baselines import Bm25Chooser
from fourfold.selection.exact import score_exact
from fourfold.selection.recorded import read_run
from fourfold.selection.running import RunTerms, run_suite

CASES, SAMPLES = 1_000, 3
VERBS = ("create", "list", "preview", "rename")


def tools() -> list[OfferedTool]:
    """The tools of the large catalog, as a model is told of them."""
    contracts = [tool.contract for tool in catalog.build().tools.values()]
    return [
        OfferedTool(name=each.name, description=each.description, input_schema=each.input_schema) for each in contracts
    ]


def case(number: int) -> Case:
    """A case that asks for one of the resources."""
    verb, resource = VERBS[number % len(VERBS)], RESOURCES[number // len(VERBS) % len(RESOURCES)]
    said: JsonObject = {"role": "user", "content": f"{verb} the {resource} number {number} of Nordic Supply"}
    expect = Expectation(decisions=("call",), calls=(ExpectedCall(name=f"{resource}_{verb}"),))
    return Case(id=f"case-{number}", case_class="positive", messages=(said,), expect=expect)


async def run(cases: list[Case], offered: list[OfferedTool], file: Path) -> float:
    """Seconds of one run into `file`."""
    begun = time.perf_counter()
    terms = RunTerms(samples=SAMPLES)
    outcome = await run_suite(cases, offered, chooser=Bm25Chooser(), terms=terms, file=file, clock=SystemClock())
    assert (outcome.answered, outcome.left) == (CASES * SAMPLES, 0)
    return time.perf_counter() - begun


def main() -> None:
    """Print the times of a run, of one with nothing left to do, and of scoring."""
    offered, cases = tools(), [case(number) for number in range(CASES)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.jsonl"
        first, again = (anyio.run(run, cases, offered, file) for _ in range(2))
        begun = time.perf_counter()
        with file.open("rb") as lines:
            _, answers = read_run(lines, name="run")
        by_id, by_name = {each.id: each for each in cases}, {tool.name: tool for tool in offered}
        verdicts = [score_exact(by_id[each.case], each.choice, tools=by_name, sample=each.sample) for each in answers]
        scored = time.perf_counter() - begun
        size = file.stat().st_size
    right = sum(verdict.expected == verdict.chosen for verdict in verdicts) / len(verdicts)
    print(f"{CASES:,} cases x {SAMPLES} samples among {len(offered)} tools: {first:.2f} s to run ({size:,} bytes)")
    print(f"{again:.2f} s to find that nothing is left; {scored:.2f} s to read and score; right tool {right:.1%}")


if __name__ == "__main__":
    main()
