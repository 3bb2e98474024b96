"""A console in a process of its own, as `fourfold console` starts it, with people and records. Owns no browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

import anyio
from playwright.sync_api import Page

from benchmarks.made_runs import Made
from benchmarks.seeding import fold, seed
from fourfold.adapters.clock import SystemClock
from fourfold.bootstrap.service import open_store
from fourfold.model.run import Run
from tests.cli import people
from tests.cli.commands import FOURFOLD
from tests.cli.people import token_of
from tests.cli.suites import FALLEN
from tests.selection.suites import replay_text, shop_suite, suite_text

__all__ = ["Console", "House", "announced", "caller_token", "console", "sign_in", "token_of"]

_CALLERS = ("clerk@acme", "clerk@globex")
_HOUSE = Path(people.__file__).with_name("catalogs") / "house.py"


def caller_token(principal: str) -> str:
    """The bearer token of a caller, as long as a real one."""
    return f"caller-token-of-{principal}-0123456789abcdef"


def _caller(principal: str) -> str:
    name, _, tenant = principal.partition("@")
    digest = sha256(caller_token(principal).encode()).hexdigest()
    return (
        f'[[caller]]\nname = "{name}-of-{tenant}"\ntenant = "{tenant}"\nprincipal = "{principal}"\n'
        f'scopes = []\ntoken_sha256 = "{digest}"\n'
    )


_CONFIGURATION = '[serve]\ncaller = "clerk-of-acme"\n' + "".join(map(_caller, _CALLERS)) + people.OPERATORS


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """A folder with a catalog, people and a store, which commands are run in."""

    folder: Path
    target: str

    @classmethod
    def furnished(cls, folder: Path, *, made: int = 0, catalog: Path = _HOUSE) -> House:
        """With so many made-up runs, the last of them just now, and their sums."""
        path = folder / "fourfold.toml"
        path.write_text(_CONFIGURATION, "utf-8")
        path.chmod(0o600)
        for module in (catalog, _HOUSE.with_name("shop.py")):
            shutil.copy(module, folder)
        house = cls(folder=folder, target=f"{catalog.stem}:catalog")
        days = 30 if made > 1_000 else 1
        seed(house.url, Made(runs=made, days=days, end_ms=house.now_ms()))
        house.sum_up()
        return house

    @property
    def url(self) -> str:
        """Of the store."""
        return f"sqlite:///{self.folder}/store.db"

    def now_ms(self) -> int:
        """The time that the console will go by."""
        return SystemClock().now_ms()

    def sum_up(self) -> None:
        """Every run that is in no sum yet."""
        with ThreadPoolExecutor(1) as aside:  # the browser's loop holds this thread
            aside.submit(anyio.run, partial(fold, self.url)).result()

    def add(self, *runs: Run) -> None:
        """Store these runs, too."""

        async def added() -> None:
            store = open_store(self.url, clock=SystemClock()).store
            for run in runs:
                store.runs.append(run)
            await store.runs.flush()
            await store.aclose()

        with ThreadPoolExecutor(1) as aside:
            aside.submit(anyio.run, added).result()
        self.sum_up()

    def run(self, *words: str) -> None:
        """Run a command in the folder. It may say no (1), and must neither be misused nor break."""
        done = subprocess.run([FOURFOLD, *words], cwd=self.folder, env=_environment(), capture_output=True, check=False)
        assert done.returncode in {0, 1}, done.stderr.decode()

    def call(self, tool: str, **arguments: object) -> None:
        """Call a tool of the catalog, whatever it answers."""
        self.run("call", self.target, tool, json.dumps(arguments), "--store", self.url)

    def happen(self) -> None:
        """What a week leaves behind: a plan that waits, an unknown operation, two suites chosen, a changed contract."""
        self.call("room_clear_plan", room="attic", expected_version="1", reason="spring")
        hangs_up = self.folder / "bank-hangs-up"
        hangs_up.touch()
        self.call("transfer_make", account="A1")
        hangs_up.unlink()
        self._choose()
        self.run("lock", self.target)
        catalog = self.folder / _HOUSE.name
        catalog.write_text(catalog.read_text("utf-8").replace("Posts a letter", "Posts one letter, stamped"), "utf-8")

    def _choose(self) -> None:
        (self.folder / "suite.jsonl").write_text(suite_text(shop_suite()), "utf-8")
        for number, failing in enumerate([(), FALLEN]):
            (self.folder / "replay.jsonl").write_text(replay_text(shop_suite(), failing=failing), "utf-8")
            words = ["suite.jsonl", "shop:catalog", "--chooser", "replay:replay.jsonl", "--out", f"{number}.jsonl"]
            self.run("select", "run", *words, "--store", self.url)


@dataclass(frozen=True, slots=True, kw_only=True)
class Console:
    """A console that is up: where, and the link that it printed, which signs one person in who sees everything."""

    origin: str
    link: str


@contextmanager
def console(house: House) -> Generator[Console]:
    """`fourfold console` over the house's store, until the block ends."""
    command = [FOURFOLD, "console", house.target, "--http", "127.0.0.1:0", "--store", house.url]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=house.folder, stderr=pipe, text=True, env=_environment()) as process:
        assert process.stderr is not None
        try:
            yield announced(process.stderr)
        finally:
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=30)
    assert "Traceback" not in said, said


def _environment() -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("FOURFOLD_")}
    return {**inherited, "PYTHONDONTWRITEBYTECODE": "1"}


def announced(lines: Iterable[str]) -> Console:
    """The console that says there that it is up."""
    seen: list[str] = []
    for line in lines:
        seen.append(line)
        found = re.search(r"(http://\S+)/sign-in\?link=\S+", line)
        if found:
            return Console(origin=found[1], link=found[0])
    raise AssertionError(f"the console did not start: {''.join(seen)}")


def sign_in(page: Page, console: Console, token: str) -> None:
    """Through the form, as a person does."""
    page.goto(f"{console.origin}/sign-in")
    page.get_by_label("Your token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{console.origin}/")
