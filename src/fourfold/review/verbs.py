"""What a tool's name says that it does. The tables are data; a name that says nothing is no read."""

from __future__ import annotations

from typing import Literal

from fourfold.contracts.names import words

__all__ = ["WEAK", "Action", "action_of", "verb_of"]

Action = Literal["read", "write", "destroy"]

_VERBS: dict[Action, str] = {
    "read": """
        get list search find read fetch show describe query lookup view check count browse preview explain
        summarize summarise analyze analyse validate estimate compare inspect status whoami help ping
        discover retrieve report suggest recommend calculate diff history stats overview info details wait
        watch test verify resolve peek plan simulate propose
    """,
    "write": """
        create add insert update set edit write put post send upload save move rename copy assign unassign
        merge publish reply comment invite schedule book enable disable start stop run execute submit
        approve import restore apply upsert register patch fork push commit lock unlock subscribe
        unsubscribe share transition link unlink append attach detach pay charge transfer refund finalize
        finalise close reopen open archive unarchive mark toggle request trigger deploy rollback scale
        restart resume pause install configure modify change replace sync migrate click type press fill
        drag navigate reset accept reject decline complete store log record release promote duplicate clone
        make generate build crop issue grant
    """,
    "destroy": """
        delete remove drop destroy purge wipe clear cancel revoke truncate erase kill terminate uninstall
        ban void evict discard prune deactivate unpublish expunge del rm flush overwrite forget
    """,
}
_ACTIONS: dict[str, Action] = {verb: action for action, verbs in _VERBS.items() for verb in verbs.split()}


_WEAK = """
    issue log commit comment record schedule type store share release patch fork book link lock trigger toggle label
    request transfer charge refund import open close build make generate run execute apply navigate click start stop
    report view test watch status info details history stats overview help count estimate reply post import plan sync
"""
_PREVIEWS = frozenset({"preview", "simulate", "propose"})
WEAK = frozenset(_WEAK.split())
"""Verbs that a name may hold as a noun (`jira_get_issue`, `pods_log`) or for a read (`open_nodes`, `run_query`)."""


def verb_of(name: str) -> str | None:
    """The verb of a tool's name: its first word, its last one, or the first in between that is a verb.

    A weak verb counts only where there is no other. What plans or previews a verb is a plan or a preview.
    """
    parts = words(name)
    ordered = [*parts[:1], *parts[-1:], *parts[1:-1]]
    # A log is kept by `log_set` and shown by `pods_log`.
    verbs = [word for word in ordered if word in _ACTIONS and (word != "log" or parts[0] == word)]
    strong = next((word for word in verbs if word not in WEAK), verbs[0] if verbs else None)
    return _planned(parts) or strong


def _planned(parts: tuple[str, ...]) -> str | None:
    """`plan` for `invoice_plan_send` and `invoice_send_plan`, but not for `plan_create` and `delete_plan`."""
    for before, verb, after in zip(("", *parts), parts, (*parts[1:], ""), strict=False):
        if verb in _PREVIEWS and after in _ACTIONS:
            return verb
        if (
            verb == "plan"
            and before
            and (after in _ACTIONS or (not after and before in _ACTIONS and before != parts[0]))
        ):
            return verb
    return None


def action_of(name: str) -> Action | None:
    """What a tool of that name does; `None` if the name doesn't say."""
    verb = verb_of(name)
    return _ACTIONS[verb] if verb is not None else None
