"""The pages that users read are true: their blocks run and print what they say, their links lead somewhere."""

from __future__ import annotations

import doctest
import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType

import pytest

from tests.docs.pages import Block, blocks_in, pages, steps_in
from tests.meta.repository import ROOT, committed_files

NOT_RUN = 0
"""How many blocks carry a reason not to run. It only shrinks."""

_RUN = {"bash", "console", "python"}
_SHOWN = {"http", "json", "mermaid", "sql", "text", "toml"}
_LINK = re.compile(r"\]\((?!https?://|mailto:|#)([^)#\s]+)[^)]*\)")
_PAGES = [pytest.param(page, id=page.relative_to(ROOT).as_posix()) for page in pages(ROOT)]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks run in an empty folder, with the commands of this environment first on the path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize("page", _PAGES)
def test_every_block_says_what_it_is(page: Path) -> None:
    """A block in a language of no name would run nowhere, and nobody would notice."""
    unknown = [(block.line, block.language) for block in _blocks(page) if block.language not in _RUN | _SHOWN]

    assert not unknown


@pytest.mark.parametrize("page", _PAGES)
def test_python_blocks_run_in_page_order(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They share one module, as a reader types them one after another."""
    module = ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)

    for block in _blocks(page):
        if block.language == "python" and not block.title and block.not_run is None:
            exec(compile("\n" * (block.line - 1) + block.text, page, "exec"), module.__dict__)  # noqa: S102


@pytest.mark.parametrize("page", _PAGES)
def test_commands_print_what_the_page_says(page: Path) -> None:
    """The lines below a command are its output; `...` stands for anything. Files of the page are there by then."""
    with ExitStack() as until_the_page_ends:
        for block in _blocks(page):
            if block.language != "console":
                _write_file(block)
            elif block.title == "server":
                until_the_page_ends.enter_context(_server(block))
            elif block.not_run is None:
                _check_console(block)


@pytest.mark.parametrize("page", _PAGES)
def test_shell_blocks_succeed(page: Path) -> None:
    """Each is one script that stops at its first failure."""
    scripts = [block.text for block in _blocks(page) if block.language == "bash" and block.not_run is None]

    for script in scripts:
        subprocess.run(["bash", "-euo", "pipefail", "-c", script], check=True, timeout=60)


def test_few_blocks_are_shown_without_running() -> None:
    """Lower NOT_RUN when one of them learns to run."""
    not_run = [block.not_run for page in pages(ROOT) for block in _blocks(page) if block.not_run]

    assert len(not_run) == NOT_RUN


def test_links_between_pages_lead_to_a_file() -> None:
    """A moved page takes its readers along."""
    written = [path for path in committed_files() if path.suffix == ".md"]
    links = [(path, target) for path in written for target in _LINK.findall(path.read_text("utf-8"))]

    assert not [f"{path.relative_to(ROOT)}: {target}" for path, target in links if not (path.parent / target).exists()]


def _blocks(page: Path) -> list[Block]:
    return list(blocks_in(page.read_text("utf-8")))


def _write_file(block: Block) -> None:
    if block.title:
        Path(block.title).write_text(block.text, "utf-8")


@contextmanager
def _server(block: Block) -> Generator[None]:
    """Start a command that stays up, and end it as a reader does: with Ctrl-C, after which nothing went wrong."""
    (step,) = steps_in(block)
    # Whoever runs the tests in the background may have Ctrl-C ignored, which every process inherits.
    command = ["env", "--default-signal=INT", "bash", "-c", f"exec {step.command}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            printed = "".join(process.stdout.readline() for _ in step.output.splitlines())
            assert doctest.OutputChecker().check_output(step.output, printed, doctest.ELLIPSIS), printed
            yield
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0


def _check_console(block: Block) -> None:
    for step in steps_in(block):
        if step.command.startswith("cd "):
            os.chdir(step.command.removeprefix("cd "))
            continue
        done = subprocess.run(["bash", "-c", step.command], capture_output=True, text=True, check=False, timeout=60)
        printed = done.stdout + done.stderr
        assert step.output or done.returncode == 0, printed
        assert not step.output or doctest.OutputChecker().check_output(step.output, printed, doctest.ELLIPSIS), printed
