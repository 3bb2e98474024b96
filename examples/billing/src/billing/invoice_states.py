"""What may be done with an invoice, and when: one table, which reads show and writes check.

A new action is a row here, a name in `Action` and a tool of that name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fourfold import WrongState

__all__ = ["Action", "State", "actions_in", "state_after"]

State = Literal["draft", "final"]
"""`draft`: has no number and obliges nobody. `final`: has its number, and its figures stay as they are."""

Action = Literal["invoice_finalize"]
"""What may be done with an invoice that exists: names of tools."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Transition:
    """`tool` leads from one state to another; `None` is before there is an invoice."""

    tool: Action | Literal["invoice_create"]
    comes_from: State | None
    leads_to: State


_TRANSITIONS = (
    _Transition(tool="invoice_create", comes_from=None, leads_to="draft"),
    _Transition(tool="invoice_finalize", comes_from="draft", leads_to="final"),
)


def actions_in(state: State) -> list[Action]:
    """What may be done with an invoice in `state`."""
    return [row.tool for row in _TRANSITIONS if row.comes_from == state and row.tool != "invoice_create"]


def state_after(action: Action, state: State) -> State:
    """The state that `action` leads to from `state`.

    Raises:
        WrongState: it is not allowed there; the message names the action that comes first.
    """
    rows = [row for row in _TRANSITIONS if row.tool == action]
    for row in rows:
        if row.comes_from == state:
            return row.leads_to
    wanted = rows[0].comes_from
    first = next(row.tool for row in _TRANSITIONS if row.leads_to == wanted)
    raise WrongState(f"The invoice is {state}, and {action} takes one that is {wanted}: {first} comes first")
