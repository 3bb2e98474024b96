"""`pytest --fourfold TARGET`, seen from a pytest of its own: a test for each check and tool, and the fixtures."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.cli.commands import FOURFOLD
from tests.meta.repository import ROOT

pytest_plugins = ["pytester"]

# The environment with the lowest versions has the sources on its path and no installed package.
_LOADED = [] if entry_points(group="pytest11", name="fourfold") else ["-p", "fourfold.pytest_plugin"]
_ANSWERED = ["--fourfold", "shop:catalog", "-k", "valid-is-answered"]
_EXAMPLE = '[[prove.example]]\ntool = "stock_get"\narguments = { sku = "LOW-0002" }\n'
_CALLERS = '[serve]\ncaller = "clerk"\n[[caller]]\nname = "clerk"\ntenant = "acme"\nprincipal = "clerk@acme"\n'
_OWN_TESTS = """
def test_a_low_stock(call, caller, counting_store, fixed_clock, two_tenants):
    acme, globex = two_tenants
    assert call("stock_get", {"sku": "LOW-0002"}, by=acme).structured["level"] == "low"
    ordered = call("order_create", {"customer": "C001", "sku": "LOW-0002", "pieces": 1}, by=caller("ana"))
    assert ordered.ok
    assert counting_store.writes == 2
    assert counting_store.clock is fixed_clock
    assert (acme.tenant, globex.tenant) == ("acme", "globex")
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with the catalog of a shop, and with nothing else."""
    shutil.copy(ROOT / "tests/cli/catalogs/shop.py", pytester.path)
    return pytester


def run(project: pytest.Pytester, *words: str) -> pytest.RunResult:
    """A pytest in the project, in a process of its own."""
    return project.runpytest_subprocess(*_LOADED, "-p", "no:cacheprovider", *words)


def test_each_check_and_tool_is_a_test(project: pytest.Pytester) -> None:
    """B12: chosen with -k; one fails with what should hold, what was seen, and the call."""
    result = run(project, *_ANSWERED, "-v")

    result.stdout.fnmatch_lines(["fourfold::valid-is-answered?stock_get? PASSED*"])
    result.stdout.fnmatch_lines(["fourfold::valid-is-answered?report_make? FAILED*"])
    result.stdout.fnmatch_lines(["should hold: *", "fourfold call shop:catalog report_make '{}'"])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*codes-declared*")
    assert result.ret == 1


def test_where_nothing_fails_the_run_is_green(project: pytest.Pytester) -> None:
    """B12: with an example from fourfold.toml, every read of the tool is answered as it says."""
    (project.path / "fourfold.toml").write_text(_EXAMPLE, "utf-8")

    result = run(project, "--fourfold", "shop:catalog", "-k", "output-conforms and stock_get or list-is-stable")

    assert result.parseoutcomes() == {"passed": 2, "deselected": result.parseoutcomes()["deselected"]}
    assert result.ret == 0


def test_what_was_not_tested_fails_unless_somebody_allows_it(project: pytest.Pytester) -> None:
    """B12: a skipped test would look green."""
    chosen = ["--fourfold", "shop:catalog", "-k", "same-key-one-effect and not concurrent"]
    against = run(project, *chosen)
    (project.path / "fourfold.toml").write_text('[prove]\nallow_untested = ["same-key-one-effect"]\n', "utf-8")
    allowed = run(project, *chosen, "-rs")

    against.stdout.fnmatch_lines(["not tested: *; to test it: allow it with --fourfold-writes*allow_untested in*"])
    assert against.parseoutcomes()["failed"] >= 1
    allowed.stdout.fnmatch_lines(["SKIPPED*not tested: *"])
    assert allowed.ret == 0


def test_the_tests_run_in_several_processes(project: pytest.Pytester) -> None:
    """B12: each worker opens the target for itself, and finds the same tests in the same order."""
    result = run(project, *_ANSWERED, "-n", "2", "--durations", "1")

    found = result.parseoutcomes()
    assert (found["failed"] >= 1, found["passed"] >= 1, result.ret) == (True, True, 1)
    result.stdout.fnmatch_lines(["created: 2/2 workers", "2 workers *"])
    assert "KeyboardInterrupt" not in result.stderr.str()


def test_a_mark_tells_them_from_the_tests_of_the_project(project: pytest.Pytester) -> None:
    """B12, A7: and the fixtures are the test kit, over the same catalog."""
    project.makepyfile(test_own=_OWN_TESTS)

    result = run(project, "--fourfold", "shop:catalog", "-m", "not fourfold")

    assert result.parseoutcomes()["passed"] == 1
    assert result.ret == 0


def test_any_server_is_a_target(project: pytest.Pytester) -> None:
    """B12: a command in quotes; what is not tested of it is skipped, since nobody knows its effects."""
    (project.path / "fourfold.toml").write_text(_CALLERS, "utf-8")

    result = run(project, "--fourfold", f"{FOURFOLD} serve shop:catalog", "-k", "list-is-stable or same-key-one-effect")

    assert result.parseoutcomes()["passed"] == 1
    assert result.ret == 0


def test_a_warning_is_an_expected_failure_unless_warnings_count(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B13: shown with -rx, and red only where fourfold.toml says so."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    target = f"{sys.executable} -m tests.prove.small_server_main stdio no_mirror"
    words = ["--fourfold", target, "-k", "protocol-text-mirror", "-rx"]

    warned = run(project, *words)
    (project.path / "fourfold.toml").write_text('[prove]\nfail_on = "warning"\n', "utf-8")
    failed = run(project, *words)

    assert (warned.ret, warned.parseoutcomes()["xfailed"]) == (0, 1)
    warned.stdout.fnmatch_lines(["*does not stand in a text block; it should*"])
    assert (failed.ret, failed.parseoutcomes()["failed"]) == (1, 1)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("shop:catalogg", "'shop' has no Catalog named 'catalogg'"),
        ("no_such_module:catalog", "there is no module 'no_such_module'"),
        ("http://127.0.0.1:9/mcp", "could not be reached"),
    ],
)
def test_a_target_that_is_none_is_misuse(project: pytest.Pytester, target: str, said: str) -> None:
    """No traceback, and the exit code of a wrong option."""
    result = run(project, "--fourfold", target)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: --fourfold {target}: *{said}*"])


def test_a_fixture_without_a_catalog_says_what_to_name(project: pytest.Pytester) -> None:
    """A7: a project may define its own catalog fixture instead."""
    project.makepyfile(test_own=_OWN_TESTS)

    result = run(project)

    result.stdout.fnmatch_lines(["*name the catalog with --fourfold module:catalog, or define a fixture*"])


def test_loading_the_plugin_costs_next_to_nothing(tmp_path: Path) -> None:
    """A7: every pytest run of the environment loads it, whatever it tests."""
    program = (
        "import sys, pytest\nbefore = {*sys.modules}\nimport fourfold.pytest_plugin\nprint(*{*sys.modules} - before)"
    )

    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert {*loaded.split()} == {"fourfold", "fourfold.pytest_plugin"}
