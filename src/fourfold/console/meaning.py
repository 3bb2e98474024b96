"""What a code means and what is to be done about it, in the words that the caller had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fourfold.model.contract import ToolContract
from fourfold.model.fault import FRAMEWORK_CODES, FaultSpec, Retry
from fourfold.model.run import Run

__all__ = ["Meaning", "meaning_of"]

_REPEATS: Mapping[str, str] = {
    Retry.NEVER: "A repeat does not help.",
    Retry.AFTER_FIX: "The caller may call again once the arguments are corrected.",
    Retry.AFTER: "The caller may call again after waiting.",
    Retry.SAME_KEY: "The caller may call again with the same key.",
    Retry.REFRESH: "The caller may call again after reading the resource.",
    Retry.REPLAN: "The caller may make a new plan.",
    Retry.ASK_HUMAN: "A person has to look at it first.",
}

_PROTOCOL: Mapping[str, tuple[str, str]] = {
    "unknown_tool": ("No tool of this name is listed for this caller.", "The caller lists the tools again."),
    "missing_scope": ("The caller's token lacks a scope of this tool.", "The caller signs in for more scopes."),
    "missing_capability": (
        "The tool asks a person something, and this client cannot be asked.",
        "The caller uses a client that can.",
    ),
    "invalid_request_state": (
        "The state of a round was changed, is too old, or is another call's.",
        "The caller begins again.",
    ),
    "cancelled": (
        "The caller left before there was an answer, and the call was stopped.",
        "Nothing was saved.",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a code says.

    Attributes:
        says: what happened.
        next_step: what whoever called was told to do; "" where nothing is declared.
        repeat: whether the same call may help later.
        source: whose words these are.
    """

    says: str
    next_step: str
    repeat: str
    source: str


def meaning_of(run: Run, contract: ToolContract | None) -> Meaning | None:
    """What the code of `run` means; `None` for a success, and for a code that is declared nowhere that is known here.

    `contract` is the one that the tool has now, if the console was told of it.
    """
    if run.code in _PROTOCOL:
        says, next_step = _PROTOCOL[run.code]
        return Meaning(says=says, next_step=next_step, repeat=_repeat_of(run), source="the protocol")
    spec = FRAMEWORK_CODES.get(run.code)
    if spec is not None:
        return _declared(run, spec, "Fourfold, for every tool")
    declared = _specs_of(contract).get(run.code)
    if contract is None or declared is None:
        return None
    return _declared(run, declared, f"the contract of {contract.name}, version {contract.version}")


def _specs_of(contract: ToolContract | None) -> Mapping[str, FaultSpec]:
    if contract is None:
        return {}
    missing = () if contract.missing is None else (contract.missing,)
    return {spec.code: spec for spec in (*contract.faults, *missing)}


def _declared(run: Run, spec: FaultSpec, source: str) -> Meaning:
    repeat = _repeat_of(run) or _REPEATS[spec.retry]
    return Meaning(says=_sentence(spec.message), next_step=_sentence(spec.next_step), repeat=repeat, source=source)


def _repeat_of(run: Run) -> str:
    return _REPEATS.get(run.retry, "")


def _sentence(text: str) -> str:
    return text if not text or text[-1] in ".?!" else f"{text}."
