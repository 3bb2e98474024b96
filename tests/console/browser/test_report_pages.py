"""The pages that commands write, in a real browser: readable at both widths, for everybody, from one file."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path

import pytest

from tests.cli import conftest as workspace
from tests.cli.commands import fourfold
from tests.cli.suites import FALLEN
from tests.console.browser.chromium import LARGE, SMALL, Watch
from tests.console.browser.places import is_readable
from tests.selection.suites import replay_text, shop_suite, suite_text

HOSTILE = '<script>document.title="taken"</script><img src=x onerror=alert(1)>\u202e'
"""A text that is a program where it isn't escaped."""

LONG = "read_the_balance_of_an_account_for_a_customer_in_the_currency_of_the_contract"


def tool(name: str, words: str) -> Mapping[str, object]:
    """A tool with faults of many kinds."""
    tenant = {"tenant_id": {"type": "string"}, "customer": {"type": "string", "description": words}}
    return {"name": name, "description": words, "inputSchema": {"type": "object", "properties": tenant}}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one page of each command."""
    folder = tmp_path_factory.mktemp("pages")
    shutil.copy(Path(workspace.__file__).with_name("catalogs") / "shop.py", folder)
    names = [LONG, f"{LONG}_now", "delete_account", "send", HOSTILE]
    listing = {"tools": [tool(name, f"Get the balance of a customer's account. {HOSTILE}") for name in names]}
    (folder / "tools.json").write_text(json.dumps(listing), "utf-8")
    (folder / "suite.jsonl").write_text(suite_text(shop_suite()), "utf-8")
    (folder / "wrong.jsonl").write_text(replay_text(shop_suite(), failing=FALLEN, samples=2), "utf-8")
    chosen = ["suite.jsonl", "shop:catalog", "--chooser", "replay:wrong.jsonl", "--samples", "2"]
    with chdir(folder):
        write("review", "tools.json")
        write("prove", "shop:catalog", "--only", "valid-is-answered", "--only", "list-is-stable", "--seed", "7")
        write("select", "run", *chosen)
    return folder


def write(*words: str) -> None:
    """Write the page of a command as `<command>.html`."""
    result = fourfold(*words, "--format", "html")
    assert result.out.startswith("<!DOCTYPE html>"), result.err
    Path(f"{words[0]}.html").write_text(result.out, "utf-8")


@pytest.mark.usefixtures("axe_installed")
@pytest.mark.parametrize("width", [SMALL, LARGE])
@pytest.mark.parametrize("name", ["review", "prove", "select"])
def test_a_report_is_readable_by_everybody(pages: Path, watch: Watch, name: str, width: int) -> None:
    """C6: at both widths no barrier, nothing to the side, no script, no request."""
    address = (pages / f"{name}.html").as_uri()
    page, _ = watch.page(address, width=width)

    page.goto(address)

    is_readable(page, f"report-{name}-{width}")
    assert page.title() != "taken"
    assert page.locator("script, img").count() == 0
