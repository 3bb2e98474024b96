"""Every `--json` output has its schema in docs/schemas, and so has the fault on the wire."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import jsonschema_rs
import pytest

from fourfold.edge.target import wire_answer
from fourfold.model.fault import FRAMEWORK_CODES, FaultDetail, Problem
from fourfold.model.outcome import Rejected
from tests.cli.commands import FOURFOLD, TOKEN, Result, fourfold, serving
from tests.cli.people import token_of
from tests.cli.suites import write_results
from tests.meta.repository import ROOT

Run = Callable[..., Result]

_SCHEMAS = ROOT / "docs/schemas"
_ORDER = '{"customer": "C001", "sku": "ABC-1234", "pieces": 3}'
_HOUSE = "sqlite:///house.db"
_ROOM = '{"room": "attic", "expected_version": "1"}'
_AGAINST = ["--samples", "2", "--against", "right-result.jsonl"]
_OUTPUTS = [
    ("tools", ["tools", "shop:catalog"]),
    ("listed-tools", ["tools", "--", FOURFOLD, "serve", "shop:catalog"]),
    ("call", ["call", "shop:catalog", "order_create", _ORDER]),
    ("call", ["call", "shop:catalog", "order_create", "{}"]),
    ("call", ["call", "shop:catalog", "report_make"]),
    ("runs-list", ["runs", "list"]),
    ("runs-failures", ["runs", "failures"]),
    ("runs-counts", ["runs", "counts"]),
    ("runs-counts", ["runs", "counts", "--by-month"]),
    ("runs-last", ["runs", "last", "--model", "gpt-4o", "--output-price", "10"]),
    ("runs-retry-rate", ["runs", "retry-rate", "--by", "week"]),
    ("runs-retry-change", ["runs", "retry-rate", "--around", "1h"]),
    ("runs-report", ["runs", "report"]),
    ("runs-cost", ["runs", "cost", "--by", "day", "--price", "2.50"]),
    ("runs-accounts", ["runs", "accounts"]),
    ("runs-fill", ["runs", "fill"]),
    ("runs-prune", ["runs", "prune", "--before", "90d"]),
    ("runs-rebuild", ["runs", "rebuild"]),
    ("review", ["review", "shop:catalog"]),
    ("proof", ["prove", "shop:catalog", "--only", "valid-is-answered", "--only", "list-is-stable"]),
    ("locked", ["lock", "shop:catalog"]),
    ("checklist", ["checklist", "shop:catalog"]),
    ("selection", ["select", "run", "suite.jsonl", "shop:catalog", "--chooser", "replay:wrong.jsonl", *_AGAINST]),
    ("selection-check", ["select", "check", "suite.jsonl", "house:catalog", "--least", "2"]),
    ("selection-comparison", ["select", "compare", "right-result.jsonl", "wrong-result.jsonl"]),
    ("selection-status", ["select", "status", "suite.jsonl", "house:catalog", "--result", "right-result.jsonl"]),
    ("selection-history", ["select", "history", "."]),
    ("selection-import", ["select", "import", "suite.jsonl", "--out", "new.jsonl"]),
    ("selection-new", ["select", "new", "shop:catalog", "--out", "new.jsonl"]),
    ("fixed-schemas", ["review", "shop:catalog", "--fix-schema"]),
    ("budget", ["budget", "shop:catalog", "--model", "gpt-4o", "--against", "house:catalog"]),
    ("budget-what-if", ["budget", "--tools", "14", "--tokens-per-tool", "90", "--price", "2.50"]),
    ("keys-list", ["keys", "list"]),
    ("claims-list", ["claims", "list", "--store", _HOUSE]),
    ("plans-list", ["plans", "list", "--store", _HOUSE]),
    ("outbox-list", ["outbox", "list", "--store", _HOUSE]),
    ("outbox-relay", ["outbox", "relay", "house:catalog", "--store", _HOUSE]),
    ("purge", ["purge", "--store", _HOUSE]),
    ("migrate", ["migrate"]),
    ("new-server", ["new", "garden"]),
    ("doctor", ["doctor"]),
]
_DECIDED = {"claims-settle", "claims-show", "outbox-retry", "outbox-show", "plans-decide", "plans-show"}
_LOCKED = {"diff", "evidence", "lock", "survey"}
_SEALS = {"runs-head", "runs-proof", "runs-proof-check", "runs-seal", "runs-verify"}
_PARTS = {"audit-entry", "case", "claim", "decision", "fault", "message", "plan", "run", "spending"}
_FREE = {
    "args",
    "arguments",
    "source",
    "Message",
    "input_schema",
    "output_schema",
    "structured",
    "stage_us",
    "items",
    "definition",
    "contract",
    "filled",
    "questions",
    "results",
    "schema",
    "value",
}
"""Where objects of others stand: schemas, definitions, a tool's arguments and result, chat messages, names of stages
and of tools."""


@pytest.mark.parametrize(("name", "words"), _OUTPUTS)
def test_what_json_prints_fits_its_schema(run: Run, name: str, words: list[str]) -> None:
    """A9, A17: a program can rely on the fields; the schema's name and version come with them."""
    run("call", "shop:catalog", "order_create", _ORDER)
    run("call", "shop:catalog", "order_create", "{}")
    if "select" in words:
        write_results(run, samples=2)
    if _HOUSE in words:
        run("call", "house:catalog", "room_clear_plan", _ROOM, "--store", _HOUSE)
        run("call", "house:catalog", "letter_post", '{"to": "ada"}', "--store", _HOUSE)
    at = words.index("--") if "--" in words else len(words)
    called = fourfold if "--" in words else run  # a started server needs a standard error that is a file

    printed = json.loads(called(*words[:at], "--json", *words[at:]).out)

    assert _faults_in(name, printed) == []
    assert printed["schema"] == f"fourfold/{name}/v1"


def test_one_run_fits_its_schema(run: Run) -> None:
    """A9: with every field, empty or not."""
    run("call", "shop:catalog", "report_make")
    listed = json.loads(run("runs", "list", "--json").out)["runs"]

    shown = json.loads(run("runs", "show", listed[0]["run_id"], "--json").out)

    assert _faults_in("runs-show", shown) == []
    assert shown["run"] == listed[0]


@pytest.mark.usefixtures("house")
def test_what_people_on_call_decide_fits_its_schema(run: Run) -> None:
    """C7, D1: each decision, and what is shown after it."""
    token = f"{token_of('ana')}\n"
    for verdict in ("approve", "deny"):
        made = json.loads(run("call", "house:catalog", "room_clear_plan", _ROOM, "--json").out)["structured"]
        decided = run("plans", verdict, made["plan_id"], "--comment", "x", "--token-stdin", "--json", stdin=token)
        shown = run("plans", "show", made["plan_id"], "--json")
        assert [
            _faults_in("plans-decide", json.loads(decided.out)),
            _faults_in("plans-show", json.loads(shown.out)),
        ] == [
            [],
            [],
        ]


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("trouble", "call", "decide"),
    [
        ("bank-hangs-up", ["transfer_make", '{"account": "A1"}'], ["claims", "settle"]),
        ("mailbox-refuses", ["letter_post", '{"to": "ada"}'], ["outbox", "retry"]),
    ],
)
def test_what_is_settled_or_tried_again_fits_its_schema(
    run: Run, workspace: Path, *, trouble: str, call: list[str], decide: list[str]
) -> None:
    """B4, D1: the row after the decision, and with who decided."""
    (workspace / trouble).touch()
    run("call", "house:catalog", *call)
    run("outbox", "relay", "house:catalog")
    kind, verb = decide
    (row,) = json.loads(run(kind, "list", "--json").out)[{"claims": "claims", "outbox": "messages"}[kind]]
    at = row["operation_id"] if kind == "claims" else row["message_id"]
    said = ["--happened", "--evidence", "x"] if kind == "claims" else []

    decided = run(kind, verb, at, *said, "--token-stdin", "--json", stdin=f"{token_of('ana')}\n")
    shown = run(kind, "show", at, "--json")

    assert _faults_in(f"{kind}-{verb}", json.loads(decided.out)) == []
    assert _faults_in(f"{kind}-show", json.loads(shown.out)) == []
    assert json.loads(shown.out)["audit"][0]["actor"] == "ana@acme"


def test_a_new_tool_fits_its_schema(run: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A7: inside a project, which is the only place for one."""
    run("new", "garden")
    monkeypatch.chdir(workspace / "garden")

    printed = json.loads(run("new", "tool", "leaf_get", "--json").out)

    assert _faults_in("new-tool", printed) == []


def test_a_lock_and_what_changed_since_fit_their_schemas(run: Run, workspace: Path) -> None:
    """D4: the file, and the comparison with it."""
    run("lock", "shop:catalog", "--reviewed-by", "ana")
    changed = run("diff", "house:catalog", "--format", "json")

    assert _faults_in("lock", json.loads((workspace / "fourfold.lock.json").read_text("utf-8"))) == []
    assert _faults_in("diff", json.loads(changed.out)) == []
    assert _faults_in("evidence", json.loads(Path(".fourfold/evidence/lock.json").read_text("utf-8"))) == []


def test_seals_and_what_is_found_about_them_fit_their_schemas(run: Run, workspace: Path) -> None:
    """D6: clean, with findings, with runs that are not sealed yet; and the proof of one run."""
    run("call", "shop:catalog", "order_create", _ORDER)
    printed = {"runs-verify": run("runs", "verify", "--json").out, "runs-seal": run("runs", "seal", "--json").out}
    run_id = json.loads(run("runs", "list", "--json").out)["runs"][0]["run_id"]
    printed |= {
        "runs-head": run("runs", "head", "--json").out,
        "runs-proof": run("runs", "proof", run_id, "--json").out,
    }
    (workspace / "proof.json").write_text(printed["runs-proof"], "utf-8")
    printed["runs-proof-check"] = run("runs", "verify", "--proof", "proof.json", "--json").out
    with closing(sqlite3.connect(workspace / ".fourfold/shop.db")) as database, database:
        database.execute("UPDATE fourfold_run SET note = 'x'")
    found = run("runs", "verify", "--json")

    assert [_faults_in(name, json.loads(text)) for name, text in printed.items()] == [[]] * 5
    assert (found.code, _faults_in("runs-verify", json.loads(found.out))) == (1, [])


def test_a_survey_fits_its_schema(run: Run, workspace: Path) -> None:
    """C6: every measure, with its figures for each catalog."""
    (workspace / "saved").mkdir()
    (workspace / "saved/one.json").write_text('{"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}', "utf-8")

    surveyed = json.loads(run("review", "--survey", "saved", "--json").out)

    assert _faults_in("survey", surveyed) == []
    assert (surveyed["catalogs"], surveyed["tools"]) == (1, 1)


def test_the_schemas_are_those_that_are_printed() -> None:
    """A9: none is missing and none is left over; some are parts of others."""
    names = {name for name, _ in _OUTPUTS} | {"new-tool", "runs-show"} | _DECIDED | _LOCKED | _SEALS | _PARTS

    assert {path.stem for path in _SCHEMAS.iterdir()} == names


@pytest.mark.parametrize("path", sorted(_SCHEMAS.glob("*.json")), ids=lambda path: path.stem)
def test_every_schema_is_closed(path: Path) -> None:
    """C1: a field that nobody has described is a fault of ours, not a surprise for a reader."""
    schema = json.loads(path.read_text("utf-8"))
    jsonschema_rs.meta.validate(schema)

    open_objects = [at for at, found in _objects(schema) if found.get("additionalProperties") is not False]

    assert {at.rpartition("/")[2] for at in open_objects} <= _FREE


def test_a_call_in_process_and_over_the_wire_print_the_same(run: Run) -> None:
    """A3, B7: results and faults; only the ids differ."""
    calls = [("stock_get", '{"sku": "LOW-0002"}'), ("order_create", '{"pieces": 0}'), ("stock_get", '{"sku": "X"}')]
    with serving("--http", "127.0.0.1:0") as server:
        for tool, arguments in calls:
            live = fourfold("call", server.url, tool, arguments, "--json", token=TOKEN)
            assert live == Result(*_fields(run("call", "shop:catalog", tool, arguments, "--json"))), tool


@pytest.mark.parametrize("code", FRAMEWORK_CODES)
def test_every_fault_on_the_wire_fits_its_schema(code: str) -> None:
    """B7: `_meta["fourfold/fault"]` of every code, with every field that it may have."""
    spec = FRAMEWORK_CODES[code]
    problem = Problem(pointer="/lines/0/sku", code="pattern_mismatch", expected="text of 3 capital letters")
    least = FaultDetail(code=code, retry=spec.retry, message=spec.message, next_step=spec.next_step)
    most = replace(
        least,
        retry_after_ms=1000,
        problems=(problem,),
        operation_id="op_1",
        reference="ref_1",
        current_version="7",
    )

    for fault in (least, most):
        meta = wire_answer(Rejected(fault=fault, run_id="run_1")).meta
        assert _faults_in("fault", meta["fourfold/fault"]) == []


def test_the_documented_fault_fits_its_schema() -> None:
    """B7: the example of docs/errors.md."""
    (example,) = (ROOT / "docs/errors.md").read_text("utf-8").split("```json\n")[1:]

    assert _faults_in("fault", json.loads(example.partition("```")[0])) == []


def _fields(result: Result) -> tuple[int, str, str]:
    """A result in process, as a process of its own prints it: the handler's own print is the server's there."""
    return result.code, result.out, result.err.replace("looking into the shelves\n", "")


def _faults_in(name: str, value: object) -> list[str]:
    schema = json.loads((_SCHEMAS / f"{name}.json").read_text("utf-8"))
    validator = jsonschema_rs.Draft202012Validator(
        schema, base_uri=f"docs:///{name}.json", retriever=_retrieve, validate_formats=True
    )
    return [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(value)]


def _retrieve(uri: str) -> Any:
    return json.loads((_SCHEMAS / uri.rpartition("/")[2]).read_text("utf-8"))


def _objects(schema: object, at: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema of an object, with where it stands."""
    if isinstance(schema, list):
        for each in cast("list[object]", schema):
            yield from _objects(each, at)
    if isinstance(schema, dict):
        found = cast("dict[str, Any]", schema)
        if found.get("type") == "object":
            yield at, found
        for name, each in found.items():
            yield from _objects(each, f"{at}/{name}")
