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

Action = Literal[
    "invoice_update_draft",
    "invoice_finalize",
    "invoice_plan_delete_draft",
    "invoice_plan_send",
    "credit_note_create",
]
"""What may be done with an invoice that exists: names of tools; of those that come in pairs, the one that plans."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Transition:
    """`tool` leads from one state to another; `None` is before there is an invoice, and after.

    `first` tells somebody to use the tool, `before` is how its use is called. `needs_rest` is for what is pointless
    once all of the invoice is credited.
    """

    tool: Action | Literal["invoice_create"]
    comes_from: State | None
    leads_to: State | None
    before: str
    first: str = ""
    needs_rest: bool = False


_TRANSITIONS = (
    _Transition(
        tool="invoice_create", comes_from=None, leads_to="draft", first="draft an invoice", before="drafting one"
    ),
    _Transition(tool="invoice_update_draft", comes_from="draft", leads_to="draft", before="changing a draft"),
    _Transition(
        tool="invoice_finalize",
        comes_from="draft",
        leads_to="final",
        first="finalize the invoice",
        before="finalizing it",
    ),
    _Transition(tool="invoice_plan_delete_draft", comes_from="draft", leads_to=None, before="deleting a draft"),
    _Transition(tool="invoice_plan_send", comes_from="final", leads_to="final", before="sending it"),
    _Transition(
        tool="credit_note_create",
        comes_from="final",
        leads_to="final",
        before="issuing a credit note",
        needs_rest=True,
    ),
)


def actions_in(state: State, *, has_rest: bool) -> list[Action]:
    """What may be done with an invoice in `state`. `has_rest` is whether any of it is not credited yet."""
    return [
        row.tool
        for row in _TRANSITIONS
        if row.comes_from == state and row.tool != "invoice_create" and (has_rest or not row.needs_rest)
    ]


def state_after(action: Action, state: State) -> State | None:
    """The state that `action` leads to from `state`; `None` if the invoice is gone after it.

    Raises:
        WrongState: it is not allowed there; the message names the action that comes first.
    """
    wanted = next(row for row in _TRANSITIONS if row.tool == action)
    if wanted.comes_from == state:
        return wanted.leads_to
    first = next(row for row in _TRANSITIONS if row.leads_to == wanted.comes_from and row.comes_from != row.leads_to)
    raise WrongState(f"The invoice is {state}: {first.first} before {wanted.before} ({first.tool} comes first)")
