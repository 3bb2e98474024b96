"""Keeping arguments and results: what a contract opts in to, and nothing else."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import Field

from fourfold import Catalog, Create, Input, Output, Personal, Read, Secret, Unit, Waiver
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.effects import Blind, Impact, PlanTerms
from fourfold.errors import ContractError
from fourfold.model.effect import Effect
from fourfold.model.kept import KeptCall
from fourfold.model.retention import Retention
from fourfold.runs.kept import find_kept
from fourfold.stages.purge import purge
from fourfold.testing import FixedClock, caller
from tests.stages.serving import Served, serving

pytestmark = pytest.mark.anyio

DAY = 86_400


class Door(Input):
    """Which door, and how it opens."""

    door: Annotated[str, Field(max_length=20)]
    code: Annotated[str, Field(max_length=20), Secret()] = ""
    floors: Annotated[list[Annotated[int, Field(ge=0, le=9)]], Field(max_length=9)] = Field(default_factory=list[int])


class Opened(Output):
    """What is behind it."""

    room: Annotated[str, Field(max_length=20)]
    owner: Annotated[str, Field(max_length=20), Personal(unmask="people:read")]


def open_door(request: Door) -> Opened:
    """Open it, unless it is stuck."""
    if request.door == "stuck":
        raise RuntimeError(f"{request!r} is stuck")
    return Opened(room="attic", owner="ada")


def write_door(request: Door, unit: Unit) -> Opened:
    """Open it, in a transaction."""
    return open_door(request)


def impact_of(request: Door, unit: Unit) -> Impact:
    """What it would open."""
    return Impact(summary="opens the attic")


def doors(effect: Effect | None = None, **contract: Any) -> Catalog:
    """A catalog of one tool."""
    catalog = Catalog("doors")
    catalog.tool(
        name="door_open",
        version="1.0",
        does="Opens one door of the house",
        use_when="the user wants to go in",
        not_for="closing doors",
        effect=effect or Read(),
        **contract,
    )(write_door if effect is not None else open_door)
    return catalog


async def kept_by(served: Served) -> KeptCall | None:
    """What is kept of the newest run."""
    ports = served.service.ports
    run = (await served.records())[0].run
    found = await find_kept(ports.runs, run, sealer=ports.sealer, now_ms=ports.clock.now_ms())
    return found.call if found is not None else None


async def test_nothing_is_kept_unless_the_contract_says_so() -> None:
    """D7: of reads and of writes."""
    for effect in (None, Create()):
        async with serving(doors(effect)) as served:
            await served.call("door_open", {"door": "front"})

            assert await kept_by(served) is None


@pytest.mark.parametrize("effect", [None, Create()])
async def test_what_was_sent_is_kept_without_its_secrets(effect: Effect | None) -> None:
    """D7: with the caller's scopes, and without the identity."""
    async with serving(doors(effect, keep={"arguments"})) as served:
        by = caller(scopes=["b", "a"])
        await served.call("door_open", {"door": "front", "code": "4711", "floors": [1]}, by=by)
        kept = await kept_by(served)

    assert kept is not None
    assert kept.arguments is not None
    assert (kept.arguments.value, kept.arguments.redacted) == (
        {"door": "front", "code": "[redacted]", "floors": [1]},
        ("/code",),
    )
    assert (kept.result, kept.scopes, kept.has_meta_key) == (None, ("a", "b"), False)


async def test_a_result_is_kept_without_what_its_caller_might_see() -> None:
    """D7: personal data is never kept, whoever asked for it."""
    async with serving(doors(keep={"results"})) as served:
        answer = await served.call("door_open", {"door": "front"}, by=caller(scopes=["people:read"]))
        kept = await kept_by(served)

    assert answer.structured == {"room": "attic", "owner": "ada"}
    assert kept is not None
    assert kept.result is not None
    assert (kept.arguments, kept.result.value) == (None, {"room": "attic", "owner": "[redacted]"})


@pytest.mark.parametrize(
    ("sent", "code", "value"),
    [
        ({"door": "stuck"}, "internal", {"door": "stuck"}),
        ({"door": [7], "code": 4711}, "invalid_arguments", {"door": [], "code": "[redacted]"}),
        ({"door": "a", "cod": "4711"}, "invalid_arguments", {"door": "a", "cod": "[left out]"}),
        ({"door": "a", "floors": "[1, 2]"}, "", {"door": "a", "floors": [1, 2]}),
        ({"door": "x" * 70_000}, "argument_too_large", {"door": "x" * 7_999 + "…"}),
    ],
)
async def test_refused_and_failed_calls_are_kept_as_well(sent: dict[str, Any], code: str, value: object) -> None:
    """D7: a value that nobody declared is not, and JSON in a text is kept as it was understood."""
    async with serving(doors(keep={"arguments"})) as served:
        assert (await served.call("door_open", sent)).code == code
        kept = await kept_by(served)

    assert kept is not None
    assert kept.arguments is not None
    assert kept.arguments.value == value


async def test_a_key_is_kept_by_its_place_alone() -> None:
    """D7: whoever has it could repeat the call."""
    async with serving(doors(Create(), keep={"arguments"})) as served:
        await served.call("door_open", {"door": "a", "idempotency_key": "key-0123456789abcdef"})
        named = await kept_by(served)
        await served.call("door_open", {"door": "b"}, key="key-fedcba9876543210")
        beside = await kept_by(served)

    assert named is not None
    assert named.arguments is not None
    assert named.arguments.value["idempotency_key"] == "[redacted]"
    assert (named.has_meta_key, beside is not None and beside.has_meta_key) == (False, True)


async def test_a_write_that_reaches_outside_keeps_both_ways() -> None:
    """D7: with its settlement, and where nobody knows what became of it."""
    catalog = Catalog("doors")

    async def knock(request: Door, upstream: Blind) -> Opened:
        async with upstream.once():
            return open_door(request)
        raise AssertionError("the block does not swallow anything")

    catalog.tool(
        name="door_knock",
        version="1.0",
        does="Knocks at a door of another house",
        use_when="the user wants somebody to open",
        not_for="doors of this house",
        effect=Create(reach="outside"),
        keep=["arguments", "results"],
        waivers=[Waiver(rule="no_plan", where="door_knock", reason="the test is about what is kept")],
    )(knock)
    async with serving(catalog) as served:
        assert (await served.call("door_knock", {"door": "front"})).ok
        done = await kept_by(served)
        assert (await served.call("door_knock", {"door": "stuck"})).code == "outcome_unknown"
        unknown = await kept_by(served)

    assert done is not None
    assert unknown is not None
    assert (done.result and done.result.value) == {"room": "attic", "owner": "[redacted]"}
    assert (unknown.arguments and unknown.arguments.value, unknown.result) == ({"door": "stuck"}, None)


async def test_both_halves_of_a_pair_keep_what_came_to_them() -> None:
    """D7: the plan is kept, what it is good for is not."""
    effect = Create(plan=PlanTerms(impact=impact_of, approval="none"))
    async with serving(doors(effect, keep={"arguments"})) as served:
        plan = (await served.call("door_open_plan", {"door": "a", "code": "4711"})).structured
        planned = await kept_by(served)
        await served.call("door_open_execute", {"plan_id": plan["plan_id"], "digest": plan["digest"]})
        executed = await kept_by(served)

    assert planned is not None
    assert executed is not None
    assert (planned.arguments and planned.arguments.value) == {"door": "a", "code": "[redacted]"}
    assert (executed.arguments and executed.arguments.value) == {"plan_id": "[redacted]", "digest": "[redacted]"}


async def test_what_is_kept_opens_with_its_own_keys_and_for_its_time() -> None:
    """D7: sealed for its run; what is past its days is gone, and until it is purged it cannot be read."""
    clock = FixedClock()
    async with serving(doors(keep="arguments"), clock=clock) as served:
        ports = served.service.ports
        await served.call("door_open", {"door": "front"})
        run = (await served.records())[0].run
        other = AesGcmSealer(KeyRing.of(("other", b"another key of thirty-two bytes!")))

        async def look(sealer: AesGcmSealer | None) -> tuple[bool, str]:
            found = await find_kept(ports.runs, run, sealer=sealer, now_ms=clock.now_ms())
            assert found is not None
            return found.call is not None, found.why

        assert isinstance(ports.sealer, AesGcmSealer)
        assert await look(ports.sealer) == (True, "")
        assert await look(other) == (False, "it is kept, but sealed with other keys, or its time is up")
        assert await look(None) == (False, "it is kept sealed, and the keys are not here")
        clock.advance(30 * DAY)
        assert (await look(ports.sealer))[0] is False
        assert (await purge(ports, clock=clock, retention=Retention())).kept == 0
        clock.advance(1)
        assert (await purge(ports, clock=clock, retention=Retention())).kept == 1
        assert await kept_by(served) is None


def test_only_arguments_and_results_are_kept() -> None:
    """D7: another word is refused when the catalog is built."""
    with pytest.raises(ContractError, match="keep= has 'result'") as refused:
        doors(keep={"result", "arguments"}).build()

    assert [problem.rule for problem in refused.value.problems] == ["unknown_keep"]


def test_keeping_is_in_the_lock_and_not_on_the_wire() -> None:
    """D7: whoever reviews the lock sees it; calls, seals and cursors do not change."""
    plain = doors().build().tools["door_open"].contract
    keeping = doors(keep={"arguments"}).build().tools["door_open"].contract
    more = doors(keep={"results", "arguments"}).build().tools["door_open"].contract

    assert plain.wire_digest == keeping.wire_digest == more.wire_digest
    assert len({plain.lock_digest, keeping.lock_digest, more.lock_digest}) == 3
