"""The authorize stage: the policy, and objects that a caller may not know of."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold import Decision, Fault, PolicyQuestion, Resource, Retry
from fourfold.model.fault import FaultDetail
from fourfold.testing import Kit, caller, open_kit
from tests.stages.desk import Fixed, desk
from tests.stages.shelf import DocRef, NoDoc, Owners, shelf

KEY = "a-key-of-16-signs"
ANN = caller("ann")
ABSENT, OF_BOB, OF_GLOBEX = "doc-404", "doc-2", "doc-3"


class Broken:
    """Fails whenever a call is made."""

    def decide(self, question: PolicyQuestion) -> Decision:
        """Never, for a call."""
        if question.arguments is None:
            return Decision(verdict="allow")
        raise LookupError("no rules for password=hunter2")


def edit(doc_id: str, version: str = "v1") -> dict[str, Any]:
    """Arguments that change a document."""
    return {"doc_id": doc_id, "expected_version": version, "body": "new"}


@pytest.mark.parametrize(("verdict", "kind"), [("allow", "done"), ("deny", "denied"), ("depends", "denied")])
def test_a_call_without_an_object_needs_an_allow(verdict: str, kind: str) -> None:
    """B18: with the arguments at hand, depends is no yes."""
    with open_kit(desk(Fixed(verdict))) as kit:
        answer = kit.call("word_say", {"word": "x"})

        assert (answer.kind, answer.code) == (kind, "" if kind == "done" else "not_permitted")


@pytest.mark.parametrize("verdict", ["deny", "depends"])
def test_an_object_needs_an_allow(verdict: str) -> None:
    """B18: of the policy that has seen the object, in reads and in writes."""
    with open_kit(shelf(Fixed(verdict))) as kit:
        assert kit.call("doc_get", {"doc_id": "doc-1"}, by=ANN).code == "no_doc"
        assert kit.call("doc_edit", edit("doc-1"), by=ANN).code == "no_doc"
        assert kit.writes == 0


def test_a_denial_keeps_its_reason_for_the_run() -> None:
    """B18: the caller learns nothing, the operator everything."""
    with open_kit(desk(Fixed("deny", "the shop is closed"))) as kit:
        answer = kit.call("word_say", {"word": "x"})

        assert answer.fault is not None
        assert answer.fault.text == "not_permitted: You may not do this. Report it to the user; do not try another way."
        assert kit.runs()[0].note == "policy: the shop is closed"


def test_a_policy_that_breaks_denies() -> None:
    """B18: and the run says what broke, redacted."""
    with open_kit(desk(Broken())) as kit:
        assert kit.call("word_say", {"word": "x"}).code == "not_permitted"
        assert kit.runs()[0].note == "policy: the policy raised LookupError: no rules for password=[redacted]"


def test_the_policy_sees_the_arguments_that_run() -> None:
    """B18, MP-104: defaults filled in and repairs made, not what was sent."""
    policy = Owners()
    with open_kit(shelf(policy)) as kit:
        kit.call("doc_get", {"doc_id": "doc-1", "body": None}, by=ANN)

        listing, call = policy.asked
        assert listing.arguments is None
        assert call.arguments == {"doc_id": "doc-1", "body": ""}
        assert call.resource == Resource(id="doc-1", version="v1", facts={"owner": "ann"})


def test_owners_get_at_their_objects() -> None:
    """B18: the policy decides on the facts of the object."""
    with open_kit(shelf(Owners())) as kit:
        assert kit.call("doc_get", {"doc_id": "doc-1"}, by=ANN).structured["body"] == "first"
        assert kit.call("doc_edit", edit("doc-1"), by=ANN).structured["version"] == "v2"


def attempts(kit: Kit, tool: str, doc_id: str, *, key: str | None) -> list[tuple[FaultDetail | None, bool, list[str]]]:
    """Fault, replay mark and stages of four attempts in a row."""
    arguments = {"doc_id": doc_id} if tool == "doc_get" else edit(doc_id)
    answers = [kit.call(tool, arguments, by=ANN, key=key) for _ in range(4)]
    runs = kit.runs()[3::-1]
    return [(answer.fault, answer.replayed, list(run.stage_us)) for answer, run in zip(answers, runs, strict=True)]


@pytest.mark.parametrize("key", [None, KEY])
@pytest.mark.parametrize("tool", ["doc_get", "doc_edit", "doc_drop"])
@pytest.mark.parametrize("hidden", [OF_BOB, OF_GLOBEX])
def test_a_hidden_object_is_answered_as_an_absent_one(tool: str, hidden: str, key: str | None) -> None:
    """A5, B18: the same fault through the same stages, however often it is tried, with a key and without."""
    with open_kit(shelf(Owners())) as absent, open_kit(shelf(Owners())) as denied:
        found = attempts(denied, tool, hidden, key=key)

        assert found == attempts(absent, tool, ABSENT, key=key)
        assert [fault.code for fault, _, _ in found if fault] == ["no_doc"] * 4
        assert denied.writes == 0


@pytest.mark.parametrize("tool", ["doc_get", "doc_edit"])
def test_the_policy_is_asked_as_often_about_an_absent_object(tool: str) -> None:
    """B18: a question less would be a shorter answer."""
    asked: list[int] = []
    for doc_id in (ABSENT, OF_BOB):
        policy = Owners()
        with open_kit(shelf(policy)) as kit:
            kit.call(tool, {"doc_id": doc_id} if tool == "doc_get" else edit(doc_id), by=ANN)
        asked.append(len(policy.asked))

    assert asked[0] == asked[1]


def test_the_run_knows_a_denial_from_an_absence() -> None:
    """A9: what is hidden from the caller is not hidden from the operator."""
    with open_kit(shelf(Owners())) as kit:
        for doc_id in (ABSENT, OF_BOB):
            kit.call("doc_get", {"doc_id": doc_id}, by=ANN)
            kit.call("doc_edit", edit(doc_id), by=ANN)

        assert [run.outcome for run in kit.runs()] == ["denied", "denied", "rejected", "rejected"]
        assert [run.note for run in kit.runs()] == ["policy: not the owner", "policy: not the owner", "", ""]


def test_a_tenant_does_not_reach_the_objects_of_another() -> None:
    """B18: Ann of `globex` owns a document of the same name's owner, and sees no other."""
    ann_of_globex = caller("ann", tenant="globex")
    with open_kit(shelf(Owners())) as kit:
        assert kit.call("doc_get", {"doc_id": OF_GLOBEX}, by=ann_of_globex).ok
        assert kit.call("doc_get", {"doc_id": "doc-1"}, by=ann_of_globex).code == "no_doc"


def test_a_replay_asks_the_policy_about_the_object_again() -> None:
    """B18, D1: who lost the right to an object loses its stored answers too."""
    policy = Owners()
    with open_kit(shelf(policy)) as kit:
        assert kit.call("doc_edit", edit("doc-1"), by=ANN, key=KEY).ok
        assert kit.call("doc_edit", edit("doc-1"), by=ANN, key=KEY).replayed
        policy.barred.add("ann")
        answer = kit.call("doc_edit", edit("doc-1"), by=ANN, key=KEY)

        assert (answer.kind, answer.code, answer.replayed) == ("denied", "no_doc", False)


def test_a_replay_outlives_its_object() -> None:
    """D1: a repeated destruction is answered as the first, though nothing is left to look at."""
    with open_kit(shelf(Owners())) as kit:
        first = kit.call("doc_drop", edit("doc-1"), by=ANN, key=KEY)
        again = kit.call("doc_drop", edit("doc-1"), by=ANN, key=KEY)

        assert again.replayed
        assert again.structured == first.structured


def test_a_key_tells_nothing_about_hidden_objects() -> None:
    """A5, D1: used for another object, it conflicts, whether that one is absent or denied."""
    with open_kit(shelf(Owners())) as kit:
        kit.call("doc_edit", edit("doc-1"), by=ANN, key=KEY)
        denied, absent = (kit.call("doc_edit", edit(doc_id), by=ANN, key=KEY) for doc_id in (OF_BOB, ABSENT))

        assert denied.fault == absent.fault
        assert denied.code == "idempotency_conflict"


def raises_missing(request: DocRef) -> Resource | None:
    """Says itself that there is none."""
    raise NoDoc("doc-2 belongs to Bob")


def raises_another(request: DocRef) -> Resource | None:
    """Raises what nobody declared."""
    raise ShelfGone


def returns_text(request: DocRef) -> Resource | None:
    """Returns what is no resource."""
    text: Any = request.doc_id
    return text


class ShelfGone(Fault):
    """Not declared by any tool: the shelf is gone."""

    code, retry, next_step = "shelf_gone", Retry.NEVER, "Look for the shelf"


@pytest.mark.parametrize("tool", ["doc_get", "doc_edit"])
def test_a_resource_that_raises_missing_is_absent(tool: str) -> None:
    """B18: and in the words of the contract, not in its own."""
    with open_kit(shelf(Owners(), resource=raises_missing)) as kit:
        answer = kit.call(tool, edit("doc-1") if tool == "doc_edit" else {"doc_id": "doc-1"}, by=ANN)

        assert answer.fault == NoDoc().detail()


@pytest.mark.parametrize("tool", ["doc_get", "doc_edit"])
@pytest.mark.parametrize(
    ("resource", "told"),
    [
        (raises_another, "resource= raised ShelfGone; return None for an absent object"),
        (returns_text, "resource= returned str, not a Resource or None"),
    ],
)
def test_a_resource_that_breaks_its_word_is_ours_to_mend(tool: str, resource: Any, told: str) -> None:
    """A5: nothing undeclared reaches the caller; the run tells the author."""
    with open_kit(shelf(Owners(), resource=resource)) as kit:
        answer = kit.call(tool, edit("doc-1") if tool == "doc_edit" else {"doc_id": "doc-1"}, by=ANN)

        assert answer.code == "internal"
        assert told in kit.runs()[0].note
