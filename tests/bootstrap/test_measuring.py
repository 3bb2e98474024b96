"""A suite is asked of a provider on a loopback port, scored, kept, compared and judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fourfold.bootstrap.measuring import Asking, ask_case, measure
from fourfold.bootstrap.selecting import ChooserSpec, Provider, load_result, opened_chooser
from fourfold.budget.prices import custom_price
from fourfold.errors import ConfigError
from fourfold.model.case import Case
from fourfold.model.chosen import Sampling
from fourfold.selection.running import RunProgress, RunTerms
from fourfold.selection.spending import SpendingCap
from tests.selection.providers import Reply, anthropic_body, openai_body, provider
from tests.selection.suites import TOOLS, case, eq

pytestmark = pytest.mark.anyio

CASES = [case(f"c-{at}", f"Is ABC-100{at} there?", tool="stock_get", args={"sku": eq("ABC-1000")}) for at in range(3)]
PRICES = SpendingCap(most=Decimal("Infinity"), price=custom_price("2"), output=Decimal(10))


def openai_call(name: str = "stock_get", arguments: str = '{"sku": "ABC-1000"}', **facts: str) -> Reply:
    """An answer that calls a tool."""
    call: dict[str, Any] = {"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}
    found = openai_body({"tool_calls": [call]}, ended="tool_calls")
    body = found.body.replace(b"m-2026-11-30", facts.get("model", "m-2026-11-30").encode())
    return replace(found, body=body)


def asking(file: Path, url: str, *, kind: str = "openai", cases: Sequence[Case] = CASES, **more: Any) -> Asking:
    """What is asked of the provider at `url`."""
    found = Asking(
        suite="suite.jsonl",
        target="shop",
        cases=cases,
        tools=TOOLS,
        spec=ChooserSpec.parse(f"{kind}:m"),
        provider=Provider(base_url=f"{url}/v1"),
        terms=RunTerms(samples=1, at_once=1),
        rule="exact",
        file=file,
        prices=PRICES,
    )
    return replace(found, **more)


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
async def test_a_model_is_asked_scored_and_paid_for(tmp_path: Path, kind: str) -> None:
    """A8, B14: over either wire format, with the version that has answered, tokens and money."""
    block = {"type": "tool_use", "id": "1", "name": "stock_get", "input": {"sku": "ABC-1000"}}
    reply = openai_call() if kind == "openai" else anthropic_body(block)
    told: list[RunProgress] = []
    async with provider(reply) as served:
        found = await measure(asking(tmp_path / "run.jsonl", served.url, kind=kind), tell=told.append)

    assert (found.tally.overall.passed, found.tally.overall.counted) == (3, 3)
    assert found.models == ({"openai": "m-2026-11-30", "anthropic": "c-2026-11-30"}[kind],)
    assert (found.effort.input_tokens, found.effort.output_tokens, found.effort.counted) == (360, 27, 3)
    assert found.effort.cost == Decimal("0.00099")
    assert (found.is_whole, found.gate.failures, [each.done for each in told]) == (True, (), [1, 2, 3])
    assert load_result(tmp_path / "run.jsonl").tally.overall.passed == 3


async def test_a_case_that_was_right_and_is_wrong_is_told_against_the_earlier_result(tmp_path: Path) -> None:
    """B14: one of three is a warning."""
    file, later = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    async with provider(openai_call()) as served:
        await measure(asking(file, served.url))
    async with provider(openai_call("order_create"), openai_call()) as served:
        found = await measure(asking(later, served.url, against=load_result(file)))

    assert found.comparison is not None
    assert (found.comparison.broken, found.against) == (("c-0",), str(file))
    assert found.gate.failures == ()
    assert found.gate.warnings == ("some cases were broken, and it may be chance: 1 broken, 0 fixed, p = 1",)


async def test_a_version_that_changed_beside_something_else_is_found_out_afterwards(tmp_path: Path) -> None:
    """B14: nobody could know before; the run is kept, not compared, and does not pass."""
    file, later = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    async with provider(openai_call()) as served:
        await measure(asking(file, served.url))
    terms = RunTerms(samples=1, at_once=1, sampling=Sampling(system="Be brief."))
    async with provider(openai_call(model="m-2026-12-24")) as served:
        found = await measure(asking(later, served.url, against=load_result(file), terms=terms))
        forced = await measure(asking(later, served.url, against=load_result(file), terms=terms, force=True))

    assert found.comparison is None
    (failure,) = found.gate.failures
    assert "2 things" in failure
    assert "system prompt (another one, or none); model version (m-2026-11-30 to m-2026-12-24). Change" in failure
    assert (forced.comparison is not None, forced.gate.failures) == (True, ())


async def test_two_things_that_are_known_to_differ_are_refused_before_anything_is_asked(tmp_path: Path) -> None:
    """B14: an answer costs money."""
    file = tmp_path / "a.jsonl"
    async with provider(openai_call()) as served:
        await measure(asking(file, served.url))
    async with provider(openai_call()) as served:
        again = asking(tmp_path / "b.jsonl", served.url, against=load_result(file), rule="lenient", tools=TOOLS[:1])
        with pytest.raises(ConfigError, match=r"catalog \(removed order_create\); rule \(exact to lenient\)"):
            await measure(again)

    assert served.posts == []


async def test_a_key_that_is_refused_ends_the_run_and_leaves_it_open(tmp_path: Path) -> None:
    """A8: the same file goes on where the provider has answered again."""
    file = tmp_path / "run.jsonl"
    refusal = Reply(body=b'{"error": {"message": "no such key"}}', status=401)
    async with provider(openai_call(), refusal) as served:
        stopped = await measure(asking(file, served.url))
        with pytest.raises(ConfigError, match="has no verdicts; run it to its end"):
            load_result(file)
        asked = len(served.posts)
    async with provider(openai_call()) as served:
        whole = await measure(asking(file, served.url))
        again = len(served.posts)

    assert (stopped.is_whole, stopped.outcome.left, asked) == (False, 1, 2)
    assert "the run ended early (http_401: no such key); the same command" in stopped.remarks[-1]
    assert (whole.is_whole, whole.tally.overall.counted, again) == (True, 3, 2)


async def test_a_case_that_must_pass_and_was_not_answered_does_not_pass(tmp_path: Path) -> None:
    """B14: never green without having looked."""
    must = replace(CASES[0], must_pass=True)
    broken = Reply(body=b"<html>", status=200)
    async with provider(broken, openai_call()) as served:
        found = await measure(asking(tmp_path / "run.jsonl", served.url, cases=[must, *CASES[1:]]))

    assert found.gate.failures == ("c-0 must pass, and no sample of it has a verdict",)
    assert (found.tally.reasons, found.outcome.failed) == ({"infra_error": 1}, 1)


async def test_several_versions_in_one_run_are_told(tmp_path: Path) -> None:
    """B14: figures of two models together are figures of none."""
    async with provider(openai_call(), openai_call(model="m-2026-12-24")) as served:
        found = await measure(asking(tmp_path / "run.jsonl", served.url))

    assert "several models or versions have answered: m-2026-11-30, m-2026-12-24" in found.remarks


async def test_one_case_is_asked_and_judged_by_itself() -> None:
    """A8: for a test runner that chooses among cases; each sample has its verdict."""
    async with (
        provider(openai_call(), openai_call(arguments='{"sku": 5}')) as served,
        opened_chooser(ChooserSpec.parse("openai:m"), Provider(base_url=f"{served.url}/v1")) as chooser,
    ):
        found = await ask_case(CASES[0], TOOLS, chooser=chooser, samples=2, sampling=Sampling(), rule="exact")

    assert [(each.sample, each.passed, each.said) for each in found] == [(0, True, ""), (1, False, "type:sku")]
