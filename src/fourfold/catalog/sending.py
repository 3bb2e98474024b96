"""What the build asks of a tool that sends: it writes, and somebody is declared to send."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from fourfold.catalog.declaration import Declaration
from fourfold.catalog.problem import tool_problem
from fourfold.catalog.provide import Binding
from fourfold.errors import BuildProblem
from fourfold.model.effect import Effect

__all__ = ["sending_problems"]

_READING = ("resource", "impact", "ask")
"""Functions that run before anything happens, and may run more than once."""


def sending_problems(
    declaration: Declaration, bindings: Mapping[str, Binding], *, topics: Collection[str]
) -> Iterator[BuildProblem]:
    """What is wrong with how a tool takes the outbox. `bindings` are its functions, by the keyword of each."""
    taking = [name for name, binding in bindings.items() if "outbox" in binding.taken]
    for name in taking:
        if name in _READING or (name == "handler" and not _writes(declaration)):
            yield _in_read(declaration, name)
    if taking and not topics:
        yield tool_problem(
            declaration.name,
            "no_sender",
            what="it takes the Outbox, and the catalog has no sender",
            why="what it sends would wait for ever",
            fix='declare who sends each topic: @catalog.sender("mail")',
        )


def _writes(declaration: Declaration) -> bool:
    effect = declaration.effect
    return isinstance(effect, Effect) and effect.writes  # pyright: ignore[reportUnnecessaryIsInstance]  # authors may not check types


def _in_read(declaration: Declaration, name: str) -> BuildProblem:
    return tool_problem(
        declaration.name,
        "outbox_in_read",
        what=f"{'the handler' if name == 'handler' else f'{name}='} takes the Outbox and only reads",
        why="a message commits with an effect, and a read has none",
        fix="send from the handler of a write, or from its record=; read through what takes no Outbox",
    )
