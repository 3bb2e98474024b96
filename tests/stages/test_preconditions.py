"""The preconditions stage: versions and objects, looked at inside the transaction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fourfold import Create, WrongState
from fourfold.testing import caller, open_kit
from tests.stages.desk import Said, SaidOnce, one_tool
from tests.stages.serving import serving
from tests.stages.shelf import Doc, DocRef, Docs, find_doc, shelf

KEY = "a-key-of-16-signs"


def edit(version: Any = "v1", body: str = "new") -> dict[str, Any]:
    """Arguments that change Ann's document."""
    return {"doc_id": "doc-1", "expected_version": version, "body": body}


@pytest.mark.parametrize("tool", ["doc_edit", "doc_drop"])
def test_the_right_version_goes_through(tool: str) -> None:
    """C8, B4: an update, and a destruction whose plan is waived."""
    with open_kit(shelf()) as kit:
        assert kit.call(tool, edit()).ok
        assert kit.writes == 1


@pytest.mark.parametrize("tool", ["doc_edit", "doc_drop"])
@pytest.mark.parametrize("version", ["v0", "v2", "V1", "v1 ", "é"])
def test_another_version_is_stale(tool: str, version: str) -> None:
    """C8, B7: the fault says what the version is now, and to read again; nothing is written."""
    with open_kit(shelf()) as kit:
        answer = kit.call(tool, edit(version))

        assert (answer.kind, answer.code) == ("rejected", "stale_version")
        assert answer.fault is not None
        assert (answer.fault.current_version, answer.fault.retry) == ("v1", "refresh")
        assert kit.writes == 0


@pytest.mark.parametrize("version", [{}, {"expected_version": None}, {"expected_version": ""}])
def test_a_missing_version_is_refused(version: dict[str, Any]) -> None:
    """C8, A2: a write to an object says which one it has read."""
    with open_kit(shelf()) as kit:
        answer = kit.call("doc_edit", {"doc_id": "doc-1", **version})

        assert (answer.code, answer.paths) == ("invalid_arguments", ["expected_version"])


def test_a_stale_call_succeeds_with_the_version_that_it_was_told() -> None:
    """C8, D1: under the same key even, since a stale version settles nothing."""
    with open_kit(shelf()) as kit:
        kit.call("doc_edit", edit(body="other"))
        stale = kit.call("doc_edit", edit(), key=KEY)
        assert stale.fault is not None

        assert stale.fault.current_version == "v2"
        assert kit.call("doc_edit", edit("v2"), key=KEY).structured["version"] == "v3"


def test_the_version_is_part_of_the_intent() -> None:
    """D1: the same key with another version is a conflict, not a replay."""
    with open_kit(shelf()) as kit:
        kit.call("doc_edit", edit(), key=KEY)

        assert kit.call("doc_edit", edit(), key=KEY).replayed
        assert kit.call("doc_edit", edit("v2"), key=KEY).code == "idempotency_conflict"


@pytest.mark.anyio
@pytest.mark.parametrize("stored", ["memory:", "sqlite"])
async def test_one_of_many_editors_of_one_version_wins(tmp_path: Path, stored: str) -> None:
    """C8: the version is compared where it is changed, so that nobody is in between."""
    url = stored if stored == "memory:" else f"sqlite:///{tmp_path}/docs.db"
    async with serving(shelf(), store=url) as served:
        answers = await served.together([("doc_edit", edit(body=f"by {number}")) for number in range(12)])

        assert sorted(answer.code for answer in answers) == ["", *["stale_version"] * 11]
        (won,) = (answer for answer in answers if answer.ok)
        assert (await served.call("doc_get", {"doc_id": "doc-1"})).structured == won.structured


def test_what_a_handler_wrote_before_a_fault_is_undone() -> None:
    """B4, C5: a rule of the domain that fails late leaves the version as it was."""

    def edit_then_refuse(request: DocRef, docs: Docs) -> Doc:
        docs.edit(request.doc_id, request.body)
        raise WrongState("Publish the document first")

    with open_kit(shelf(edit=edit_then_refuse)) as kit:
        answer = kit.call("doc_edit", edit())

        assert (answer.code, answer.fault and answer.fault.message) == ("wrong_state", "Publish the document first")
        assert kit.call("doc_get", {"doc_id": "doc-1"}).structured["version"] == "v1"


def test_an_object_of_another_tenant_is_absent() -> None:
    """B18: whatever version is guessed."""
    with open_kit(shelf()) as kit:
        answer = kit.call("doc_edit", edit(), by=caller(tenant="globex"))

        assert answer.code == "no_doc"
        assert kit.writes == 0


def test_an_object_that_a_new_record_belongs_to_has_no_version_to_expect() -> None:
    """B4: a Create with resource= needs the object, and takes no expected_version."""

    def comment_add(request: DocRef, docs: Docs) -> Said:
        return Said(text=f"on {request.doc_id}")

    catalog = shelf()
    catalog.tool(
        name="comment_add",
        version="1.0",
        does="Adds a comment to a document",
        use_when="the user comments",
        not_for="changing the body",
        effect=Create(),
        missing=shelf().declarations[0].missing,
        resource=find_doc,
    )(comment_add)
    with open_kit(catalog) as kit:
        assert kit.call("comment_add", {"doc_id": "doc-1"}).structured == {"text": "on doc-1"}
        assert kit.call("comment_add", {"doc_id": "doc-9"}).code == "no_doc"
        assert "expected_version" in kit.call("comment_add", edit()).paths


def test_a_write_without_an_object_has_no_preconditions() -> None:
    """B4: nothing to find, nothing to compare."""

    def word_add(request: SaidOnce) -> Said:
        return Said(text=request.word)

    with open_kit(one_tool(word_add, Create())) as kit:
        assert kit.call("note_add", {"word": "x"}).ok
