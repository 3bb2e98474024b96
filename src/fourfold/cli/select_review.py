"""`fourfold select review`: walks through the cases that nobody has reviewed, in the terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import click

from fourfold.bootstrap.files import write_whole
from fourfold.cli.context import config_option
from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import plain, styled
from fourfold.cli.select_words import section_of, suite_of
from fourfold.contracts.case_file import CaseProblem, case_line, read_case
from fourfold.errors import ConfigError
from fourfold.model.case import CASE_CLASSES, Case, CaseClass, Decision
from fourfold.model.contract import JsonObject
from fourfold.selection.reports.lines import Line, shown

__all__ = ["command"]

_KEYS = "[a]ccept, [w]ords, [c]lass, [e]xpectation, [n]ote, [s]kip, [q]uit"
_DECISIONS: Mapping[str, Decision] = {"ask": "ask", "abstain": "abstain"}
"""What a class without a call says of the decision."""

_LONGEST = 600


@click.command("review", cls=StrictCommand)
@click.argument("words", nargs=-1, metavar="[SUITE]")
@config_option
def command(words: tuple[str, ...], *, config_path: Path | None) -> int:
    """Walk through the cases of SUITE that nobody has reviewed: accept, change what is wrong with them, skip, quit.

    The answers are read from standard input, one a line. After each of them the file is whole; other lines stay as
    they are. What an import takes from a model is what the model did: accept it only if it was right. On a terminal
    the expectation is opened in $EDITOR; elsewhere it is a line of JSON.

    \b
    Examples
      fourfold select review suite.jsonl
    """
    suite, rest = suite_of(words, section_of(config_path))
    if rest:
        raise click.UsageError(f"unexpected {rest[0]!r} after the suite")
    session = _Session.of(suite)
    waiting = [at for at, case in session.cases.items() if not case.reviewed]
    for number, at in enumerate(waiting, 1):
        click.echo("\n".join(shown(_case_lines(session.cases[at], number, len(waiting)), style=styled, plain=plain)))
        if not session.decide(at):
            break
    left = sum(not case.reviewed for case in session.cases.values())
    click.echo(f"{session.accepted} accepted, {left} of {len(session.cases)} cases are not reviewed")
    return 0


@dataclass(slots=True)
class _Session:
    """A suite that is being reviewed: its lines, and the case on each that is one."""

    path: Path
    lines: list[str]
    cases: dict[int, Case]
    accepted: int = field(default=0)

    @classmethod
    def of(cls, path: Path) -> _Session:
        """The suite in a file.

        Raises:
            ConfigError: it can't be read, or a line is no case.
        """
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path} cannot be read: {error}") from None
        cases: dict[int, Case] = {}
        for number, line in enumerate(lines, 1):
            found = read_case(line.encode(), number) if line.strip() else None
            if isinstance(found, CaseProblem):
                raise ConfigError(f"{path}, {found}")
            if found is not None:
                cases[number] = found
        return cls(path, lines, cases)

    def decide(self, at: int) -> bool:
        """Ask about one case until it is decided; whether to go on."""
        while True:
            match _ask(f"{_KEYS}? ", otherwise="q"):
                case "a":
                    self.accepted += 1
                    self._keep(at, replace(self.cases[at], reviewed=True))
                    return True
                case "w":
                    self._keep(at, _reworded(self.cases[at], _ask("the user's last words: ")))
                case "c":
                    self._keep(at, _classed(self.cases[at], _ask(f"class ({', '.join(CASE_CLASSES)}): ")))
                case "e":
                    self._keep(at, _expecting(self.cases[at]))
                case "n":
                    self._keep(at, replace(self.cases[at], note=_ask("note: ")))
                case "s":
                    return True
                case "q":
                    return False
                case other:
                    click.echo(f"{plain(other)!r} is none of {_KEYS}")

    def _keep(self, at: int, case: Case | None) -> None:
        """Write the file with the case in it, if it is one."""
        line = "" if case is None else case_line(case)
        # Read again: what a person has typed has to be a case, and hold no secret.
        found = read_case(line.encode(), at) if case is not None else None
        if isinstance(found, CaseProblem):
            click.echo(f"not kept: {plain(found.what)}")
        elif found is not None:
            self.cases[at], self.lines[at - 1] = found, line
            write_whole(self.path, "".join(f"{each}\n" for each in self.lines))


def _ask(text: str, *, otherwise: str = "") -> str:
    """A line of standard input; `otherwise` where it has ended."""
    # A pipe echoes no end of line, as a terminal does.
    click.echo(text, nl=not sys.stdin.isatty())
    line = sys.stdin.readline()
    return line.strip() if line else otherwise


def _classed(case: Case, name: str) -> Case | None:
    """The case in another class; `None`, and why, if it can't be there."""
    if name not in CASE_CLASSES:
        click.echo(f"{plain(name)!r} is no class")
        return None
    decision = _DECISIONS.get(name)
    if decision is not None and case.expect.calls:
        click.echo(f"a case of class {name} calls nothing; take the calls out of its line first")
        return None
    expect = case.expect if decision is None else replace(case.expect, decisions=(decision,))
    return replace(case, case_class=cast("CaseClass", name), expect=expect)


def _expecting(case: Case) -> Case | None:
    """The case with another expectation; `None`, and why, if it is none."""
    whole: dict[str, object] = json.loads(case_line(case))
    typed = _edited(whole["expect"])
    if not typed:
        click.echo("nothing is changed")
        return None
    try:
        found = read_case(json.dumps({**whole, "expect": json.loads(typed)}).encode(), 1)
    except ValueError as error:
        click.echo(f"not kept: is no JSON ({plain(str(error))})")
        return None
    if isinstance(found, CaseProblem):
        click.echo(f"not kept: {plain(found.what)}, at {plain(found.pointer)}")
        return None
    return found


def _edited(expect: object) -> str:
    """What a person makes of an expectation; empty if nothing."""
    if sys.stdin.isatty():
        return click.edit(json.dumps(expect, indent=2, ensure_ascii=False) + "\n", extension=".json") or ""
    return _ask('expectation, such as {"decision": "ask"}: ')


def _reworded(case: Case, words: str) -> Case | None:
    at = next((at for at in reversed(range(len(case.messages))) if case.messages[at].get("role") == "user"), None)
    if at is None or not words:
        click.echo("nothing is changed")
        return None
    messages = [*case.messages]
    messages[at] = {**messages[at], "content": words}
    return replace(case, messages=tuple(messages))


def _case_lines(case: Case, number: int, total: int) -> Iterator[Line | str]:
    yield ""
    yield Line("heading", f"{number} of {total}: {case.id}", f" ({case.case_class}: {CASE_CLASSES[case.case_class]})")
    if case.source:
        yield f"from     {json.dumps(dict(case.source), ensure_ascii=False)}"
    for message in case.messages:
        yield from _message_lines(message)
    yield f"expects  {' or '.join(case.expect.decisions)}{_called(case)}"
    if case.expect.forbid:
        yield f"forbids  {', '.join(case.expect.forbid)}"
    if case.note:
        yield f"note     {case.note}"


def _message_lines(message: JsonObject) -> Iterator[str]:
    content: object = message.get("content")
    said = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False) if content else ""
    calls = cast("Sequence[JsonObject]", message.get("tool_calls") or ())
    more = f" calls {json.dumps(calls, ensure_ascii=False)}" if calls else ""
    text = f"{said}{more}"
    yield f"{message['role']:9}{text if len(text) <= _LONGEST else f'{text[:_LONGEST]}…'}"


def _called(case: Case) -> str:
    written = json.loads(case_line(case))["expect"].get("calls", [])
    return f": {json.dumps(written, ensure_ascii=False)}" if written else ""
