"""`fourfold select`: a regression suite for what a model chooses. Each command is a module `select_NAME`."""

from __future__ import annotations

import click

from fourfold.cli.lazy import LazyGroup

__all__ = ["command"]

_COMMANDS = {
    "import": "Make cases of decisions that were recorded elsewhere.",
    "record": "Pass an agent's requests on, and write each decision down as a case.",
    "new": "Propose cases for the tools of a target, without a model.",
    "review": "Walk through the cases that nobody has reviewed.",
    "check": "Whether a suite fits a target, without a model.",
    "run": "Ask a chooser for every case, and score what it chose.",
    "compare": "What changed between two results, and whether it is chance.",
    "status": "Whether a result still holds: exits with 1 if not.",
    "history": "One line for each result, oldest first.",
}


@click.group("select", cls=LazyGroup, table=_COMMANDS, prefix="fourfold.cli.select_")
def command() -> None:
    """Score what a model chooses against decisions that people have reviewed.

    \b
    Examples
      fourfold select check suite.jsonl billing:catalog
      fourfold select run suite.jsonl billing:catalog --chooser bm25
      fourfold select compare before.jsonl after.jsonl
    """
