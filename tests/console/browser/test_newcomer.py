"""What somebody does who has never seen Fourfold: from the demo to a refund that a second person agreed to."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.cli.commands import FOURFOLD
from tests.console.browser.chromium import Watch, save
from tests.console.browser.house import Console, announced, sign_in

PICTURES = Path(__file__).resolve().parents[3] / "docs/images"
"""Written by `WRITE_SNAPSHOTS=1`, for docs/console.md."""

ACCOUNT = "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60"
REFUND = {
    "payment_id": "PAY-000009",
    "currency": "EUR",
    "amount_minor": 80_000,
    "reason": "Returned goods",
    "expected_version": "1",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """The demo after its story: where its server is, its console, and who the manager is."""

    folder: Path
    url: str
    console: Console
    manager_token: str

    def call(self, tool: str, arguments: Mapping[str, object]) -> Mapping[str, str]:
        """What the clerk's agent gets for a call of a tool."""
        words = [FOURFOLD, "call", self.url, tool, json.dumps(arguments), "--json"]
        environment = {**os.environ, "FOURFOLD_TOKEN": "demo-acme-clerk"}
        done = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True, check=True)
        answer: Mapping[str, str] = json.loads(done.stdout)["structured"]
        return answer


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Generator[Demo]:
    """`scripts/demo`, and the command that it says to look with."""
    folder = tmp_path_factory.mktemp("newcomer")
    with up([sys.executable, "-m", "billing.demo"], folder=folder) as told:
        said = list(until(told, "fourfold console "))
        (command,) = [line.split() for line in said if "fourfold console " in line]
        (url,) = re.findall(r"answers at (\S+),", said[0])
        (token_file,) = re.findall(r"token in (\S+)", "".join(said))
        with up([FOURFOLD, *command[1:], "--http", "127.0.0.1:0"], folder=folder) as announcing:
            yield Demo(
                folder=folder,
                url=url,
                console=announced(announcing),
                manager_token=Path(token_file).read_text("utf-8").strip(),
            )


@contextmanager
def up(command: list[str], *, folder: Path) -> Generator[Iterable[str]]:
    """A command that stays up until the block ends; what it prints."""
    pipe, both = subprocess.PIPE, subprocess.STDOUT
    with subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=both, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=60)


def until(lines: Iterable[str], words: str) -> Generator[str]:
    """The lines up to the first that holds these words."""
    for line in lines:
        yield line
        if words in line:
            return
    raise AssertionError(f"nobody said {words!r}")


def picture(page: Page, name: str, *, whole: bool = False) -> None:
    """Keep what is seen at this step."""
    path = save(page, f"newcomer-{name}", whole=whole)
    if os.environ.get("WRITE_SNAPSHOTS") == "1":
        PICTURES.mkdir(exist_ok=True)
        shutil.copy(path, PICTURES / f"console-{name}.png")
        assert path.stat().st_size <= 150_000


def test_a_newcomer_finds_the_failing_account_and_leaves_a_test_behind(demo: Demo, watch: Watch) -> None:
    """D5, A9: from the first page to the call that failed, what it cost, and a test that has its arguments."""
    page, _ = watch.page(demo.console.origin, width=1200)
    page.goto(demo.console.link)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Failures", exact=True).click()
    picture(page, "failures")
    page.get_by_role("row", name="price_below_hard_floor").get_by_role("link", name="run_").click()
    page.wait_for_url("**/runs/run_*")
    picture(page, "run")
    said = page.locator("main").inner_text()
    page.get_by_role("link", name="Turn into a regression case").click()
    picture(page, "case")
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Download").click()
    case = Path(downloading.value.path()).read_text("utf-8")

    assert ACCOUNT in said
    assert "price_below_hard_floor" in said
    assert re.search(r"Definition\s+\d+ tokens", said)
    assert "'unit_price_minor': 2249" in case
    assert passes(case, folder=demo.folder)


def passes(case: str, *, folder: Path) -> bool:
    """Whether pytest runs that file to the end without a failure."""
    (folder / "test_case.py").write_text(case, "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_case.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return "1 passed" in done.stdout


def test_a_second_person_approves_a_refund_and_sees_it_executed(demo: Demo, watch: Watch) -> None:
    """D5, C7: the agent plans, the manager reads and approves, the agent executes, and the page says who did what."""
    planned = demo.call("payment_plan_refund", REFUND)
    plan = {name: planned[name] for name in ("plan_id", "digest")}
    page, _ = watch.page(demo.console.origin, width=1200)
    sign_in(page, demo.console, demo.manager_token)
    page.get_by_role("link", name="1 plan waits for approval").click()
    page.get_by_role("link", name=plan["plan_id"]).click()
    page.get_by_label("Reason").fill("The goods came back")
    picture(page, "approval", whole=True)
    page.get_by_role("button", name="Approve").click()
    page.get_by_text("The goods came back").wait_for()
    executed = demo.call("payment_execute_refund", plan)
    page.reload()
    picture(page, "executed", whole=True)
    said = page.locator("main").inner_text()
    page.locator("main a[href^='/claims/']").click()
    page.locator("main a[href^='/runs/']").click()

    assert executed["refund_id"] == "re_000002"
    assert "approved by manager" in said
    assert page.get_by_role("heading", level=1).inner_text().split() == ["payment_execute_refund", "done"]
