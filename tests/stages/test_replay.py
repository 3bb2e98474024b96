"""The replay stage: what a key answers when it comes again, and to whom."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, SecretStr

from fourfold import Caller, Create, Fault, Input, Retry, Secret, Unit
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.model.claim import Claim, ClaimState
from fourfold.model.outcome import Done, Rejected
from fourfold.ports.claims import Claims
from fourfold.testing import Kit, caller, open_kit
from tests.stages.desk import ACCOUNT, Said, SaidOnce, desk, one_tool, said
from tests.stages.serving import over, serving

KEY = "a-key-of-16-signs"
HI = {"account_id": ACCOUNT, "text": "hi"}


class Login(Input):
    """A secret in the arguments, and one inside a list."""

    word: Annotated[str, Field(max_length=20)] = ""
    pin: Annotated[SecretStr, Field(max_length=20), Secret()]
    pins: Annotated[list[Annotated[str, Field(max_length=20), Secret()]], Field(max_length=3)] = Field(
        default_factory=list[str]
    )


def login_add(request: Login) -> Said:
    """Nothing but success."""
    return Said(text="ok")


def test_the_same_key_gets_the_same_answer(kit: Kit) -> None:
    """D1: byte for byte, with the run and operation of the first; one write."""
    first = kit.call("note_add", HI, key=KEY)
    again = kit.call("note_add", HI, key=KEY)

    assert isinstance(first.outcome, Done)
    assert isinstance(again.outcome, Done)
    assert again.outcome.structured == first.outcome.structured
    assert again.outcome.run_id == first.outcome.run_id
    assert (again.operation_id, again.replayed, first.replayed) == (first.operation_id, True, False)
    assert kit.writes == 1


def test_a_replay_has_a_run_of_its_own(kit: Kit) -> None:
    """A9, A14: two runs, one operation, and the words of the result counted once."""
    kit.call("note_add", {**HI, "copies": 2}, key=KEY)
    kit.call("note_add", {**HI, "copies": 2}, key=KEY)

    again, first = kit.runs()
    assert again.run_id != first.run_id
    assert again.operation_id == first.operation_id
    assert (again.replayed, again.counted) == (True, ())
    assert (first.replayed, first.counted) == (False, (("flags", "copied"),))


@pytest.mark.parametrize(
    "arguments",
    [
        {"text": "hi", "account_id": ACCOUNT},
        {**HI, "copies": 1},
        {**HI, "copies": None},
    ],
)
def test_what_means_the_same_is_the_same_call(kit: Kit, arguments: dict[str, Any]) -> None:
    """D1, MP-086: the order of arguments, a default that is sent, and null for one that is not."""
    kit.call("note_add", HI, key=KEY)

    assert kit.call("note_add", arguments, key=KEY).replayed
    assert kit.writes == 1


@pytest.mark.parametrize("changed", [{"text": "ho"}, {"copies": 2}, {"account_id": "acct-2"}])
def test_a_key_with_other_arguments_is_a_conflict(kit: Kit, changed: dict[str, Any]) -> None:
    """D1, MP-086: nothing is written, and the other request is never answered with the first result."""
    first = kit.call("note_add", HI, key=KEY)
    answer = kit.call("note_add", {**HI, **changed}, key=KEY)

    assert (answer.kind, answer.code) == ("rejected", "idempotency_conflict")
    assert answer.operation_id == first.operation_id
    assert answer.structured == {}
    assert kit.writes == 1


@pytest.mark.parametrize("by", [caller("other"), caller(tenant="globex")])
def test_a_key_is_of_one_principal_in_one_tenant(by: Caller) -> None:
    """D1, B18, MP-086: somebody else's key is another key."""
    with open_kit(one_tool(login_add, Create())) as kit:
        first = kit.call("note_add", {"pin": "1"}, key=KEY)
        theirs = kit.call("note_add", {"pin": "1"}, by=by, key=KEY)

        assert theirs.ok
        assert not theirs.replayed
        assert theirs.operation_id != first.operation_id


def test_a_key_is_of_one_tool() -> None:
    """D1: the same key for another tool is another operation."""
    catalog = desk()
    catalog.tool(
        name="pin_set",
        version="1.0",
        does="Sets the pin of the door",
        use_when="somebody changes it",
        not_for="opening the door",
        effect=Create(),
    )(login_add)
    with open_kit(catalog) as kit:
        assert not kit.call("note_add", HI, key=KEY).replayed
        assert not kit.call("pin_set", {"pin": "1"}, key=KEY).replayed
        assert kit.call("pin_set", {"pin": "1"}, key=KEY).replayed


def test_a_final_fault_is_replayed_under_its_key(kit: Kit) -> None:
    """D1: errors included; the handler does not run again."""
    first = kit.call("note_add", {**HI, "text": "closed"}, key=KEY)
    again = kit.call("note_add", {**HI, "text": "closed"}, key=KEY)

    assert isinstance(again.outcome, Rejected)
    assert again.replayed
    assert again.fault == first.fault
    assert again.outcome.run_id == first.outcome.run_id
    assert list(kit.runs()[0].stage_us)[-1] == "claim"


@pytest.mark.parametrize(("secret", "code"), [("1", ""), ("2", "idempotency_conflict")])
def test_a_secret_argument_is_part_of_the_call(secret: str, code: str) -> None:
    """D1, B3: as a keyed digest, wherever it stands."""
    with open_kit(one_tool(login_add, Create())) as kit:
        kit.call("note_add", {"pin": "1", "pins": ["1"]}, key=KEY)

        assert kit.call("note_add", {"pin": secret, "pins": ["1"]}, key=KEY).code == code
        assert kit.call("note_add", {"pin": "1", "pins": [secret]}, key=KEY).code == code


@pytest.mark.anyio
@pytest.mark.parametrize(("version", "replayed"), [("1.9", True), ("2.0", False)])
async def test_a_new_major_starts_new_operations(tmp_path: Path, version: str, replayed: bool) -> None:
    """D1: a deploy of a minor version keeps retries working; over a breaking one, nothing is done twice."""
    store = f"sqlite:///{tmp_path}/notes.db"
    async with serving(desk(), store=store) as served:
        await served.call("note_add", HI, key=KEY)
    async with serving(desk(version=version), store=store) as served:
        again = await served.call("note_add", HI, key=KEY)

        assert again.replayed == replayed
        assert again.code == ("" if replayed else "idempotency_conflict")


@dataclass(frozen=True, slots=True)
class Standing:
    """Claims of a store, all in one state."""

    real: Claims
    state: ClaimState

    def take(self, unit: Unit, claim: Claim) -> Claim | None:
        """The claim that has the key, as if it stood in that state."""
        found = self.real.take(unit, claim)
        return replace(found, state=self.state, outcome=None) if found else None


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("state", "kind", "code"),
    [
        ("running", "rejected", "in_progress"),
        ("unknown", "unknown", "outcome_unknown"),
        ("tombstone", "rejected", "idempotency_expired"),
        ("done", "rejected", "idempotency_expired"),
    ],
)
async def test_a_claim_without_an_outcome_is_never_run_again(state: ClaimState, kind: str, code: str) -> None:
    """D1: running, unknown and forgotten operations are named, and left alone."""
    async with serving(desk()) as served:
        first = await served.call("note_add", HI, key=KEY)
        standing = over(served, claims=Standing(served.service.ports.claims, state))
        answer = await standing.call("note_add", HI, key=KEY)

        assert (answer.kind, answer.code, answer.operation_id) == (kind, code, first.operation_id)
        assert (await served.call("note_count")).structured == {"text": "1"}


@pytest.mark.anyio
async def test_a_running_operation_says_how_long_to_wait() -> None:
    """B7, D1: however often it is asked for, waiting stays right."""
    async with serving(desk()) as served:
        await served.call("note_add", HI, key=KEY)
        standing = over(served, claims=Standing(served.service.ports.claims, "running"))
        answers = [await standing.call("note_add", HI, key=KEY) for _ in range(4)]

        assert {(answer.fault.retry, answer.fault.retry_after_ms) for answer in answers if answer.fault} == {
            (Retry.AFTER, 1_000)
        }


@pytest.mark.anyio
async def test_an_outcome_that_no_key_opens_has_expired() -> None:
    """B10, D1: once a key is out of the ring, what it sealed is gone, but the operation is not run again."""
    async with serving(desk()) as served:
        await served.call("note_add", HI, key=KEY)
        other = AesGcmSealer(KeyRing.of(("other", b"another ring with other secrets!")))
        answer = await over(served, sealer=other).call("note_add", HI, key=KEY)

        assert answer.code == "idempotency_expired"
        assert (await served.records())[
            0
        ].run.note == "the stored outcome does not open: was its key dropped from the ring?"


class Full(Fault):
    """The drawer is full."""

    code, retry, next_step = "drawer_full", Retry.NEVER, "Empty it"


@settings(deadline=None, max_examples=50)
@given(message=st.text(min_size=1), version=st.none() | st.text(), at=st.none() | st.just("/word"))
def test_every_final_fault_is_replayed_as_it_was(message: str, version: str | None, at: str | None) -> None:
    """D1: whatever the handler says in it."""

    def full(request: SaidOnce) -> Said:
        raise Full(message, current_version=version, at=at)

    with open_kit(one_tool(full, Create(), faults=[Full])) as kit:
        first, again = (kit.call("note_add", {}, key=KEY).fault for _ in range(2))

        assert first is not None
        assert again == first
        assert (first.message, first.current_version) == (message, version)


@settings(deadline=None, max_examples=50)
@given(word=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=100))
def test_every_result_is_replayed_as_it_was(word: str) -> None:
    """D1: byte for byte, whatever letters are in it."""
    with open_kit(one_tool(said, Create(), says="Said {text}")) as kit:
        first, again = (kit.call("note_add", {"word": word}, key=KEY).outcome for _ in range(2))

        assert isinstance(first, Done)
        assert again == replace(first, replayed=True)
