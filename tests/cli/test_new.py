"""`fourfold new`: what it makes works at once, and what it refuses leaves nothing behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import pytest

from fourfold.bootstrap.configuration import read_configuration
from fourfold.cli.scaffold import make_folder
from tests.cli.commands import FOURFOLD, Result, fourfold, serving

Run = Callable[..., Result]

_TOOLS = {
    "invoice_get": "read",
    "order_create": "create",
    "invoice_rename": "update",
    "group_of_very_long_resource_na_show": "read",
    "group_of_very_long_resource_na_save": "create",
    "group_of_very_long_resource_na_edit": "update",
}
"""A short and the longest name for each effect; `order` and `group` are words of SQL."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new server with a tool of each effect added to it."""
    folder = tmp_path_factory.mktemp("scaffold")
    subprocess.run([FOURFOLD, "new", "garden"], cwd=folder, check=True, capture_output=True)
    for tool in _TOOLS:
        subprocess.run([FOURFOLD, "new", "tool", tool], cwd=folder / "garden", check=True, capture_output=True)
    return folder / "garden"


@pytest.fixture
def garden(workspace: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    """A new server, in whose folder the test runs."""
    assert run("new", "garden").code == 0
    monkeypatch.chdir(workspace / "garden")
    return workspace / "garden"


def test_a_new_server_has_a_read_a_write_and_a_caller(run: Run, workspace: Path) -> None:
    """A7, B18: the folder is whole; the token is printed once, and only its digest is kept."""
    made = json.loads(run("new", "garden", "--json").out)
    folder = workspace / "garden"
    (caller,) = read_configuration(folder / "fourfold.toml").caller

    assert sorted(made["files"]) == [
        ".gitignore",
        "README.md",
        "fourfold.toml",
        "garden/__init__.py",
        "garden/catalog.py",
        "garden/note_create.py",
        "garden/note_get.py",
        "pyproject.toml",
        "tests/conftest.py",
        "tests/selection.jsonl",
        "tests/test_note_create.py",
        "tests/test_note_get.py",
        "tests/test_selection.py",
    ]
    assert caller.token_sha256 == sha256(made["token"].encode()).hexdigest()
    assert not [name for name in made["files"] if made["token"] in (folder / name).read_text("utf-8")]


def test_two_new_servers_have_different_tokens(run: Run) -> None:
    """B18: a token that comes with the product would be everybody's."""
    tokens = {json.loads(run("new", name, "--json").out)["token"] for name in ("garden", "orchard")}

    assert len(tokens) == 2


@pytest.mark.parametrize("tool", _TOOLS)
def test_a_new_tool_has_six_tests_that_pass_at_once(project: Path, tool: str) -> None:
    """A7: three of its schema, two of its domain, one of its handler alone, whatever it does."""
    done = _python(project, "-m", "pytest", "-q", f"tests/test_{tool}.py")

    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout


def test_all_tests_of_a_project_pass_together(project: Path) -> None:
    """A7: tools of one resource share its table."""
    done = _python(project, "-m", "pytest", "-q")

    assert done.returncode == 0, done.stdout
    assert f"{6 * (len(_TOOLS) + 2) + 3} passed" in done.stdout


def test_a_new_server_is_proved_from_the_first_minute(run: Run, workspace: Path) -> None:
    """B12, A7: every check of every tool, with nothing failed, nothing untested and nothing to allow."""
    run("new", "garden")
    proved = subprocess.run(
        [FOURFOLD, "prove", "garden:catalog", "--writes"],
        cwd=workspace / "garden", check=False, capture_output=True, text=True,
    )  # fmt: skip

    assert proved.returncode == 0, proved.stdout
    assert " 0 failed, 0 not tested; " in proved.stdout.splitlines()[-1]


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=lambda command: command[0])
def test_the_code_of_a_project_passes_ruff(project: Path, command: list[str]) -> None:
    """A7: by the rules that come with it; nobody starts with findings of ours."""
    done = _python(project, "-m", "ruff", *command, "--no-cache", ".")

    assert done.returncode == 0, done.stdout


def test_the_code_of_a_project_passes_pyright_strict(project: Path) -> None:
    """A7: its own configuration is the strict one."""
    done = _python(project, "-m", "pyright", "--pythonpath", sys.executable, "--project", ".")

    assert done.returncode == 0, done.stdout
    assert "0 errors, 0 warnings" in done.stdout


def test_the_catalog_of_a_project_builds_without_a_warning(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A7, B1, B5: every contract is whole, and every effect is the one that was asked for."""
    monkeypatch.chdir(project)

    result = fourfold("tools", "garden:catalog", "--json")

    assert (result.code, result.err) == (0, "")
    effects = {tool["name"]: tool["effect"] for tool in json.loads(result.out)["tools"]}
    assert effects == {"note_create": "create", "note_get": "read", "operation_status": "read", **_TOOLS}


def test_a_new_server_serves_its_caller_over_http(run: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A7, B9, B18: with the token that was printed, and with no other."""
    token = json.loads(run("new", "garden", "--json").out)["token"]
    monkeypatch.chdir(workspace / "garden")
    with serving("--http", "127.0.0.1:0", target="garden:catalog") as server:
        saved = fourfold("call", server.url, "note_create", '{"title": "Sow beans"}', token=token)
        shown = fourfold("call", server.url, "note_get", '{"number": 1}', token=token)
        guessed = fourfold("call", server.url, "note_get", '{"number": 1}', token="guessed")

    assert saved.out.startswith("note 1 saved: Sow beans\n")
    assert shown.out.startswith("note 1: Sow beans\n")
    assert guessed.code == 2


def test_tools_are_loaded_in_the_order_of_their_names(run: Run, garden: Path) -> None:
    """A3: one line for each, and no other change."""
    before = (garden / "garden/__init__.py").read_text("utf-8").splitlines()
    for tool in ("zebra_get", "moth_get", "apple_create"):
        run("new", "tool", tool)
    after = (garden / "garden/__init__.py").read_text("utf-8").splitlines()

    assert [line for line in after if line.startswith("from garden import ")] == [
        "from garden import apple_create as apple_create",
        "from garden import moth_get as moth_get",
        "from garden import note_create as note_create",
        "from garden import note_get as note_get",
        "from garden import zebra_get as zebra_get",
    ]
    assert [line for line in after if line in before] == before


def test_an_effect_is_taken_where_the_name_promises_none(run: Run, garden: Path) -> None:
    """B4: it is said, never guessed."""
    made = json.loads(run("new", "tool", "invoice_close", "--effect", "update", "--json").out)

    assert made["files"] == ["garden/invoice_close.py", "tests/test_invoice_close.py"]
    assert "effect=Update()," in (garden / "garden/invoice_close.py").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a-b"], "'a-b' names no package"),
        (["1st"], "'1st' names no package"),
        (["Shop"], "'Shop' names no package"),
        (["../shop"], "'../shop' names no package"),
        (["a" * 31], "names no package: use 2 to 30 lower-case letters"),
        (["café"], "'café' names no package"),
        (["shop\n"], "'shop\\n' names no package"),
        ([""], "'' names no package"),
        ([".."], "'..' names no package"),
        (["class"], "class is a word of Python"),
        (["match"], "match is a word of Python"),
        (["json"], "json would hide a package of that name"),
        (["anyio"], "anyio would hide a package of that name"),
        (["tests"], "tests would hide a package of that name"),
        (["server", "server"], "server would hide a package of that name"),
        (["server"], "Missing argument 'NAME'"),
        (["tool"], "Missing argument 'RESOURCE_ACTION'"),
        (["tols", "invoice_get"], "Got unexpected extra argument (invoice_get)"),
        (["tool", "invoice"], "'invoice' is not RESOURCE_ACTION"),
        (["tool", "Invoice_get"], "'Invoice_get' is not RESOURCE_ACTION"),
        (["tool", "../invoice_get"], "'../invoice_get' is not RESOURCE_ACTION"),
        (["tool", "sqlite_row_get"], "sqlite_row_get would have a table among those of the store"),
        (["tool", "fourfold_run_get"], "fourfold_run_get would have a table among those of the store"),
        (["tool", f"{'a' * 32}_get"], "in at most 35 lower-case characters"),
        (["tool", "invoice_close"], "invoice_close does not say what a call does: add --effect read, create or update"),
        (["tool", "operation_status", "--effect", "read"], "operation_status comes with every catalog that writes"),
        (["tool", "invoice_get", "--effect", "create"], "invoice_get promises to read; name it otherwise"),
        (["tool", "invoice_get", "--effect", "destroy"], "'destroy' is not one of 'read', 'create', 'update'"),
        (["tool", "invoice_get"], "no pyproject.toml here names a project"),
    ],
)
def test_a_word_that_new_does_not_take_is_explained(run: Run, workspace: Path, words: list[str], message: str) -> None:
    """B9: what is wrong and what is taken; nothing is made."""
    before = sorted(workspace.iterdir())

    result = run("new", *words)

    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert sorted(workspace.iterdir()) == before


def test_what_is_there_already_is_left_alone(run: Run, workspace: Path) -> None:
    """A7: a folder with something in it, a file, a link; an empty folder is filled."""
    (workspace / "full").mkdir()
    (workspace / "full/mine.txt").write_text("mine", "utf-8")
    (workspace / "file").write_text("mine", "utf-8")
    (workspace / "empty").mkdir()
    (workspace / "link").symlink_to("empty")

    refused = [run("new", name) for name in ("full", "file", "link")]
    filled = run("new", "empty")

    assert [result.code for result in refused] == [2, 2, 2]
    assert "full is there already and is not an empty folder; choose another name" in refused[0].err
    assert [path.name for path in (workspace / "full").iterdir()] == ["mine.txt"]
    assert (filled.code, (workspace / "empty/fourfold.toml").is_file()) == (0, True)


class _Interrupted(Mapping[str, str]):
    """Files of which the second is never written, because Ctrl-C comes before."""

    def __getitem__(self, name: str) -> str:
        if name == "second.txt":
            raise KeyboardInterrupt
        return name

    def __iter__(self) -> Iterator[str]:
        return iter(("first.txt", "second.txt"))

    def __len__(self) -> int:
        return 2


@pytest.mark.parametrize(
    "script",
    ["ulimit -f 0; exec fourfold new garden", "mkdir gone; cd gone; rmdir ../gone; exec fourfold new garden"],
    ids=["a-disk-that-takes-nothing", "a-folder-that-is-gone"],
)
def test_a_server_that_cannot_be_written_leaves_nothing(workspace: Path, script: str) -> None:
    """A7: the reason, and no draft beside it."""
    before = sorted(workspace.iterdir())
    place = {**os.environ, "PATH": f"{Path(FOURFOLD).parent}{os.pathsep}{os.environ['PATH']}"}

    done = subprocess.run(["bash", "-c", script], env=place, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("fourfold: garden cannot be made: ")
    assert sorted(workspace.iterdir()) == before


def test_an_interrupt_leaves_no_half_of_a_server(workspace: Path) -> None:
    """A7: the folder appears as a whole; the draft beside it is gone."""
    before = sorted(workspace.iterdir())

    with pytest.raises(KeyboardInterrupt):
        make_folder(workspace / "garden", _Interrupted())

    assert sorted(workspace.iterdir()) == before


def _writing(name: str, text: str, *, encoding: str = "utf-8") -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text, encoding)


def _without_catalog(folder: Path) -> None:
    (folder / "garden/catalog.py").unlink()


def _with_draft_in_the_way(folder: Path) -> None:
    """What is to load the tool cannot be replaced; by then its files are written."""
    (folder / "garden/__init__.draft").mkdir()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_writing("tests/test_leaf_get.py", "mine"), "tests/test_leaf_get.py is there already"),
        (_writing("garden/leaf_get.py", "mine"), "leaf_get is there already"),
        (_writing("garden/leaves.py", 'TOOL = dict(name="leaf_get")'), "leaf_get is there already"),
        (_writing("garden/__init__.py", "mine"), "has no line `from garden.catalog import catalog`"),
        (_writing("garden/leaves.py", "# \xe9", encoding="latin-1"), "garden/leaves.py cannot be read as UTF-8 text"),
        (_writing("pyproject.toml", "[project"), "no pyproject.toml here names a project"),
        (_writing("pyproject.toml", 'project = "garden"'), "no pyproject.toml here names a project"),
        (_writing("pyproject.toml", '[project]\nname = "orchard"'), "there is no orchard/__init__.py here"),
        (_without_catalog, "there is no garden/catalog.py here"),
        (_with_draft_in_the_way, "leaf_get cannot be added"),
    ],
)
def test_a_tool_that_cannot_be_added_leaves_the_project_as_it_was(
    run: Run, garden: Path, spoil: Callable[[Path], object], message: str
) -> None:
    """A7: nothing of the author's is overwritten, and no file is left without its partner."""
    spoil(garden)
    before = {path: path.read_bytes() for path in garden.rglob("*") if path.is_file()}

    result = run("new", "tool", "leaf_get")

    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert {path: path.read_bytes() for path in garden.rglob("*") if path.is_file()} == before


def _python(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False)
