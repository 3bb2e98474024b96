"""`fourfold checklist`: boxes are ticked by evidence about these very definitions, and by nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Result

Run = Callable[..., Result]

IDENTITY = "Trusted identity and policy are no arguments of a model"
VERSIONED = "Input and output schemas are versioned and reviewed"
ACCESS = "Access to the object is decided before data or effects are returned"


def boxes(run: Run, target: str) -> dict[str, Any]:
    """The boxes of a target by their text."""
    return {box["text"]: box for box in json.loads(run("checklist", target, "--json").out)["boxes"]}


@pytest.mark.usefixtures("workspace")
def test_without_evidence_every_box_is_open_and_says_what_would_tick_it(run: Run) -> None:
    """B15: nothing is believed."""
    result = run("checklist", "shop:catalog")
    found = boxes(run, "shop:catalog")

    assert result.code == 1
    assert result.out.endswith("0 of 12 boxes ticked\n")
    assert len(found) == 12
    assert all(box["reason"] and box["next_step"] for box in found.values())
    assert found[IDENTITY]["next_step"] == "run fourfold review TARGET"
    assert found[ACCESS]["reason"] == "there is no evidence of tenant"


@pytest.mark.usefixtures("workspace")
def test_a_review_and_a_reviewer_tick_their_boxes(run: Run) -> None:
    """B15: the tick names the evidence, its day and the digest of the catalog."""
    run("review", "shop:catalog")
    digest = json.loads(run("lock", "shop:catalog", "--reviewed-by", "ana", "--json").out)["digest"]
    found = boxes(run, "shop:catalog")

    assert found[IDENTITY]["ticked"]
    assert found[IDENTITY]["reason"].startswith("review of 20")
    assert found[IDENTITY]["reason"].endswith(f", catalog {digest[:12]}")
    assert found[VERSIONED]["ticked"]
    assert not found[ACCESS]["ticked"]


def test_after_a_change_the_box_is_open_again(run: Run, workspace: Path) -> None:
    """B15: evidence about another state is none."""
    tools = workspace / "tools.json"
    tools.write_text('{"tools": []}', "utf-8")
    run("review", "tools.json")
    assert boxes(run, "tools.json")[IDENTITY]["ticked"]

    tools.write_text('{"tools": [{"name": "room_list", "inputSchema": {"type": "object"}}]}', "utf-8")

    assert not boxes(run, "tools.json")[IDENTITY]["ticked"]
    assert boxes(run, "tools.json")[IDENTITY]["reason"] == "the evidence of review is about another state"


def test_what_was_found_keeps_a_box_open(run: Run, workspace: Path) -> None:
    """B15: a finding is evidence against; a rule that did not look is none for."""
    asks = {"name": "a", "inputSchema": {"type": "object", "properties": {"tenant_id": {"type": "string"}}}}
    (workspace / "tools.json").write_text(json.dumps({"tools": [asks]}), "utf-8")

    run("review", "tools.json")
    against = boxes(run, "tools.json")[IDENTITY]
    run("review", "tools.json", "--ignore", "FF201")
    not_looked = boxes(run, "tools.json")[IDENTITY]

    assert (against["ticked"], against["reason"]) == (False, "1 of FF201")
    assert (not_looked["ticked"], not_looked["reason"]) == (False, "FF201 was not looked for")


def test_damaged_evidence_is_none(run: Run, workspace: Path) -> None:
    """B15: a file that is no evidence ticks nothing and breaks nothing."""
    run("review", "shop:catalog")
    (workspace / ".fourfold/evidence/review.json").write_text('{"at": 1', "utf-8")

    assert boxes(run, "shop:catalog")[IDENTITY]["reason"] == "there is no evidence of review"
