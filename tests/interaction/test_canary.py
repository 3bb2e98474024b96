"""Distinctive secrets in every place of a served catalog that keeps what it may; nothing of them is found afterwards.

Traces have their own test, and so have the pages of the console.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

from tests.interaction.serving import ROOT
from tests.postgres.cluster import Cluster

pytestmark = pytest.mark.anyio

PLACES = (
    "secret", "personal", "holder-secret", "holder-personal", "plain", "bearer", "key", "meta-key", "meta", "header",
    "query", "unknown", "unknown-inside", "wrong-type", "wrong-type-secret", "answer", "credential", "other-bearer",
)  # fmt: skip
CANARIES = {place: f"cnry-{place}-{sha256(place.encode()).hexdigest()[:12]}" for place in PLACES}
"""What must be found nowhere, by where it is put."""

KEYS_BY_DESIGN = {CANARIES["key"], CANARIES["meta-key"]}
"""An idempotency key names an operation: its claim has it as it is, for whoever looks for that operation."""

VISIBLE = "box-seen-by-everybody"
"""A Subject, which every record has in the clear: if it isn't found, neither would the others be."""

PERSON: dict[str, Any] = {
    "box": VISIBLE,
    "pin": CANARIES["secret"],
    "name": CANARIES["personal"],
    "item": CANARIES["plain"],
    "holders": [{"pin": CANARIES["holder-secret"], "name": CANARIES["holder-personal"]}],
}


@pytest.fixture
def anyio_backend() -> str:
    """The client runs on asyncio."""
    return "asyncio"


class _Bank(BaseHTTPRequestHandler):
    """Answers with an error that repeats what it was sent."""

    def do_POST(self) -> None:
        """One request."""
        body = self.rfile.read(int(self.headers["content-length"]))
        said = f"500 for {self.headers['authorization']} and {body.decode()}".encode()
        self.send_response(500)
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name is the base class's
        """Nothing is logged here."""


@contextmanager
def bank() -> Generator[str]:
    """The URL of a bank that leaks."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Bank) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@dataclass(frozen=True, slots=True)
class Place:
    """A folder with a served catalog in it, and the environment of its commands."""

    folder: Path
    store: str
    environment: dict[str, str]

    def fourfold(self, *words: str) -> str:
        """What one command prints."""
        command = [sys.executable, "-m", "fourfold.cli", *words]
        done = subprocess.run(
            command, capture_output=True, text=True, env=self.environment, cwd=self.folder, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def serving(self) -> Generator[str]:
        """Serve until the block ends; the log stays."""
        path = self.folder / "log.txt"
        command = [sys.executable, "-m", "fourfold.cli", "serve", "tests.interaction.canary_catalog:catalog"]
        with path.open("w") as log:
            process = subprocess.Popen(
                [*command, "--http", "127.0.0.1:0", "--store", self.store],
                stderr=log,
                env=self.environment,
                cwd=self.folder,
            )
        try:
            yield self._announced(process, path)
        finally:
            process.terminate()
            process.wait(60)

    @staticmethod
    def _announced(process: subprocess.Popen[bytes], path: Path) -> str:
        while process.poll() is None:
            lines = [line for line in path.read_text("utf-8").splitlines() if line.startswith("serving ")]
            if lines:
                return next(word for word in lines[0].split() if word.startswith("http://"))
        raise AssertionError(path.read_text("utf-8"))


@contextmanager
def place(folder: Path, store: str) -> Generator[Place]:
    """A folder with a configuration; beside it a bank."""
    token = sha256(CANARIES["bearer"].encode()).hexdigest()
    caller = f'[[caller]]\nname = "clerk"\ntenant = "acme"\nprincipal = "clerk@acme"\ntoken_sha256 = "{token}"\n'
    (folder / "fourfold.toml").write_text(caller, "utf-8")
    with bank() as url:
        more = {
            "PYTHONPATH": str(ROOT),
            "FOURFOLD_KEYS": f"k1:{base64.b64encode(b'k' * 32).decode()}",
            "CANARY_BANK": url,
            "CANARY_CREDENTIAL": CANARIES["credential"],
        }
        yield Place(folder, store, {**os.environ, **more})


META = {"com.example/note": CANARIES["meta"]}
BROKEN = {**PERSON, "box": "box-broken", "item": "what an error may say"}
Sent = tuple[str, dict[str, Any], dict[str, Any], str]
CALLS: list[Sent] = [
    ("item_put", {**PERSON, "idempotency_key": CANARIES["key"]}, META, ""),
    ("item_put", {**PERSON, "idempotency_key": CANARIES["key"]}, META, ""),
    ("item_put", {**PERSON, "pieces": 2}, {**META, "fourfold/idempotencyKey": CANARIES["meta-key"]}, ""),
    ("item_put", {**PERSON, "box": "box-full", "pieces": 3}, META, "box_full"),
    ("item_put", BROKEN, META, "internal"),
    ("item_get", PERSON, META, ""),
    ("item_get", {**PERSON, "extra": CANARIES["unknown"]}, META, "invalid_arguments"),
    ("item_get", {**PERSON, "extra": {"a": [CANARIES["unknown-inside"]]}}, META, "invalid_arguments"),
    ("item_get", {"box": VISIBLE, "pieces": CANARIES["wrong-type"]}, META, "invalid_arguments"),
    ("item_get", {"box": VISIBLE, "pin": [CANARIES["wrong-type-secret"]]}, META, "invalid_arguments"),
    ("item_get", {**PERSON, "holders": json.dumps(PERSON["holders"])}, META, ""),
    ("box_move", PERSON, META, ""),
    ("rent_pay", {**BROKEN, "box": VISIBLE}, META, "outcome_unknown"),
]
"""What is called, with what, with which `_meta`, and the code of the answer."""


async def person(context: Any, params: Any) -> ElicitResult:
    """Answers what is asked."""
    return ElicitResult(action="accept", content={"floor": CANARIES["answer"]})


async def answered(client: Client, tool: str, sent: dict[str, Any], meta: Any = None) -> tuple[str, dict[str, Any]]:
    """The code and the result of one call."""
    result = await client.call_tool(tool, sent, meta=meta)
    fault = (result.meta or {}).get("fourfold/fault")
    return fault["code"] if fault else "", result.structured_content or {}


async def call_everything(url: str) -> None:
    """Every kind of call, with a canary in each place."""
    headers = {"authorization": f"Bearer {CANARIES['bearer']}", "x-note": CANARIES["header"]}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(
            streamable_http_client(f"{url}?note={CANARIES['query']}", http_client=http),
            mode="2026-07-28",
            elicitation_callback=person,
        ) as client,
    ):
        for tool, sent, meta, code in CALLS:
            assert (await answered(client, tool, sent, meta))[0] == code
        for sent, code in ((PERSON, ""), (BROKEN, "internal")):
            _, plan = await answered(client, "box_empty_plan", sent)
            terms = {"plan_id": plan["plan_id"], "digest": plan["digest"]}
            assert (await answered(client, "box_empty_execute", terms))[0] == code
    async with httpx2.AsyncClient(headers={"authorization": f"Bearer {CANARIES['other-bearer']}"}) as stranger:
        assert (await stranger.post(url, json={"secret": CANARIES["unknown"]})).status_code == 401


def found_in(*haystacks: bytes) -> set[str]:
    """The canaries that stand in the clear, as they are or as base64 and JSON would have a part of them."""
    return {
        canary
        for canary in CANARIES.values()
        for haystack in haystacks
        if canary.encode() in haystack or any(part in haystack for part in _encoded(canary))
    }


def _encoded(canary: str) -> Iterator[bytes]:
    """`canary` in base64, wherever it starts in what was encoded."""
    for shift in range(3):
        yield base64.b64encode(b"\0" * shift + canary.encode())[4:-4]


def files_below(*folders: Path) -> dict[str, bytes]:
    """Every file, by its name: the database with its free pages and its log, and the log of the server."""
    paths = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return {str(path): path.read_bytes() for path in paths}


def told(at: Place) -> list[bytes]:
    """What the commands print and write about the runs, with the keys and all details."""
    printed = [
        at.fourfold("runs", "export", "--store", at.store),
        at.fourfold("runs", "list", "--json", "--store", at.store),
    ]
    runs = json.loads(printed[1])["runs"]
    printed += [at.fourfold("runs", "failures", "--json", "--store", at.store)]
    printed += [at.fourfold("plans", "list", "--json", "--store", at.store)]
    target = "tests.interaction.canary_catalog:catalog"
    printed += [at.fourfold("runs", "to-test", "--failed", target, "--output", "cases", "--store", at.store)]
    assert VISIBLE in printed[0]
    assert len(runs) == 18
    return [text.encode() for text in printed]


async def test_no_canary_is_found_in_sqlite_or_in_what_is_printed(tmp_path: Path) -> None:
    """D7, B16, B18, A9: files with WAL and free pages, log at debug level, exports, cases; while it runs and after."""
    store = f"sqlite:///{tmp_path / 'store.db'}"
    with place(tmp_path, store) as at:
        with at.serving() as url:
            await call_everything(url)
            running = files_below(tmp_path)
        printed = await anyio.to_thread.run_sync(told, at)
        at.fourfold("runs", "prune", "--before", "0s", "--store", store)
        stopped = files_below(tmp_path)

    in_stores = [text for files in (running, stopped) for name, text in files.items() if "store.db" in name]
    logs = [files[str(tmp_path / "log.txt")] for files in (running, stopped)]
    assert any(VISIBLE.encode() in text for text in in_stores)
    assert b"DEBUG" in logs[0]
    assert found_in(*in_stores) == KEYS_BY_DESIGN
    assert found_in(*logs, *printed) == set()
    assert found_in(*stopped.values()) == {CANARIES["plain"], *KEYS_BY_DESIGN}


@pytest.mark.usefixtures("postgres")
async def test_no_canary_is_found_in_postgresql(tmp_path: Path, postgres: Cluster) -> None:
    """D7, B16, B18: the dump, the files of the database and its log, WAL included."""
    store = postgres.store()
    with place(tmp_path, store) as at:
        with at.serving() as url:
            await call_everything(url)
        printed = await anyio.to_thread.run_sync(told, at)
    postgres.execute("CHECKPOINT")
    dump = postgres.dump(store)

    assert VISIBLE.encode() in dump
    files = files_below(postgres.folder / "data/base", postgres.folder / "data/pg_wal")
    assert any(VISIBLE.encode() in text for text in files.values())
    log = (postgres.folder / "log").read_bytes()
    assert found_in(dump, log, *files.values()) == KEYS_BY_DESIGN
    assert found_in((tmp_path / "log.txt").read_bytes(), *printed) == set()
