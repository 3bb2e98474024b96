"""`fourfold lock` and `fourfold diff`, as a team uses them: lock, change, see what the change does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Result, fourfold

Run = Callable[..., Result]
REWORDED = "the description changed: a model may choose it for other things"

TOOL: dict[str, Any] = {
    "name": "room_list",
    "description": "List rooms.",
    "inputSchema": {"type": "object", "properties": {"floor": {"type": "integer", "maximum": 9}}},
}


@pytest.fixture
def tools(workspace: Path) -> Callable[..., None]:
    """Writes `tools.json` with these tools."""

    def write(*listed: dict[str, Any]) -> None:
        (workspace / "tools.json").write_text(json.dumps({"tools": listed}), "utf-8")

    return write


def test_what_changed_is_classed_and_fails_where_it_breaks(run: Run, tools: Callable[..., None]) -> None:
    """D4: a lock, a change of each class, and the exit codes that a pipeline needs."""
    tools(TOOL)
    locked = run("lock", "tools.json", "--reviewed-by", "ana")
    clean = run("diff", "tools.json")
    floors = {"type": "object", "properties": {"floor": {"type": "integer", "maximum": 3}}}
    tools({**TOOL, "description": "List all rooms.", "inputSchema": floors}, {**TOOL, "name": "room_get"})
    broken = run("diff", "tools.json")

    assert (locked.code, locked.out.startswith("fourfold.lock.json: 1 tools, ")) == (0, True)
    assert locked.out.endswith(", reviewed by ana\n")
    assert (clean.code, clean.out) == (0, "nothing changed\n")
    assert (broken.code, broken.out.splitlines()) == (
        1,
        [
            "breaking input-narrowed room_list at /inputSchema/properties/floor/maximum: maximum was 9 and is 3",
            f"routing text-changed room_list at /description: {REWORDED}",
            "additive tool-added room_get: a new tool to choose from",
            "1 breaking, 1 routing, 1 additive",
        ],
    )


@pytest.mark.parametrize(("fail_on", "code"), [("breaking", 0), ("routing", 1), ("additive", 1)])
def test_a_pipeline_chooses_what_fails(run: Run, tools: Callable[..., None], fail_on: str, code: int) -> None:
    """D4: changed words alone fail only where the team says so."""
    tools(TOOL)
    run("lock", "tools.json")
    tools({**TOOL, "description": "Rooms."})

    assert run("diff", "tools.json", "--fail-on", fail_on).code == code


def test_reviews_are_kept_and_name_what_was_looked_at(run: Run, tools: Callable[..., None], workspace: Path) -> None:
    """D4: locking again keeps who reviewed which digest; the new digest has no review of its own."""
    tools(TOOL)
    run("lock", "tools.json", "--reviewed-by", "ana")
    tools({**TOOL, "description": "Rooms."})
    again = run("lock", "tools.json")

    lock = json.loads((workspace / "fourfold.lock.json").read_text("utf-8"))
    assert again.out.endswith("1 changes since it was written last\n")
    assert [review["by"] for review in lock["reviews"]] == ["ana"]
    assert lock["reviews"][0]["digest"] != lock["digest"]


def test_a_comparison_for_a_pull_request_is_markdown(run: Run, tools: Callable[..., None]) -> None:
    """D4: foreign text in it stays text."""
    tools(TOOL)
    run("lock", "tools.json")
    tools(TOOL, {**TOOL, "name": "evil|<img>"})

    assert run("diff", "tools.json", "--format", "markdown").out == (
        "## Tool contracts: 0 breaking, 0 routing, 1 additive\n"
        "\n"
        "| tool | impact | change | place | reason |\n"
        "|---|---|---|---|---|\n"
        "| evil\\|\\<img\\> | additive | tool-added |  | a new tool to choose from |\n"
    )


def test_a_catalog_that_changed_under_its_version_is_named(run: Run, workspace: Path) -> None:
    """D4: the same version and another contract is an error, even where nothing breaks."""
    run("lock", "shop:catalog")
    lock = workspace / "fourfold.lock.json"
    shop = workspace / "shop.py"
    shop.write_text(shop.read_text("utf-8").replace("le=100", "le=1000"), "utf-8")
    assert "le=1000" in shop.read_text("utf-8")

    result = fourfold("diff", "shop:catalog", "--against", str(lock))  # a process of its own, which imports it anew

    assert result.code == 1
    assert "(under the same version)" in result.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["diff", "tools.json"], "fourfold.lock.json cannot be read: No such file or directory"),
        (["lock", "nothing.json"], "nothing.json cannot be read: No such file or directory"),
        (["lock"], "name a target"),
        (["lock", "tools.json", "more"], "unexpected 'more'"),
    ],
)
def test_misuse_says_what_to_do(run: Run, tools: Callable[..., None], words: list[str], said: str) -> None:
    """D4: no lock, no target, too many words."""
    tools(TOOL)

    result = run(*words)

    assert (result.code, result.out) == (2, "")
    assert said in result.err


def test_a_contract_that_breaks_the_lock_is_not_served_without_a_major_step(run: Run, workspace: Path) -> None:
    """D4: the server does not start, and says what broke and what to do; with the step it starts."""
    run("lock", "shop:catalog")
    shop = workspace / "shop.py"
    kept = shop.read_text("utf-8")
    shop.write_text(kept.replace("le=100", "le=10"), "utf-8")
    refused = fourfold("serve", "shop:catalog")
    shop.write_text(kept, "utf-8")
    served = fourfold("serve", "shop:catalog")  # its input is empty, so it ends at once

    assert (refused.code, refused.out, served.code) == (1, "", 0)
    assert "order_create: /inputSchema/properties/pieces/maximum: maximum was" in refused.err
    assert "step the version's first number and run fourfold lock, or take the change back" in refused.err
    assert refused.err.count("[unversioned_break]") == 1


def test_a_lock_of_another_target_stops_no_server(run: Run, tools: Callable[..., None], workspace: Path) -> None:
    """D4: the folder may hold the lock of a server that the project depends on."""
    tools(TOOL)
    run("lock", "tools.json")

    assert fourfold("serve", "shop:catalog").code == 0
