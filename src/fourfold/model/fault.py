"""Faults: declared domain errors, the retry verbs, and the closed table of codes that the framework itself uses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from inspect import cleandoc
from types import MappingProxyType
from typing import ClassVar

__all__ = [
    "CODE_PATTERN",
    "FRAMEWORK_CODES",
    "Fault",
    "FaultDetail",
    "FaultSpec",
    "HandleInvalid",
    "PlanMismatch",
    "Problem",
    "Retry",
    "StaleVersion",
    "UpstreamRejected",
    "UpstreamUnavailable",
    "WrongState",
]

CODE_PATTERN = re.compile(r"[a-z][a-z0-9_]{2,40}")
"""What a domain code looks like, matched in full."""


class Retry(StrEnum):
    """Whether a repeat may help, and how. The verbs of design.md, one meaning each."""

    NEVER = "never"
    AFTER_FIX = "after_fix"
    AFTER = "after"
    SAME_KEY = "same_key"
    REFRESH = "refresh"
    REPLAN = "replan"
    ASK_HUMAN = "ask_human"

    @property
    def settles(self) -> bool:
        """Whether a fault with this verb is final, so that its claim keeps it (design.md, "One call")."""
        return self is Retry.NEVER


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong with the arguments. The rejected value is never in it (requirement A2).

    `pointer` is a JSON Pointer (RFC 6901) into the arguments, `path` the same with dots, `code` a stable word
    such as `wrong_type`, `expected` what would be accepted, in words.
    """

    pointer: str
    code: str
    expected: str

    @property
    def path(self) -> str:
        """The pointer as `lines.0.sku`, the form that people and models read."""
        steps = self.pointer.split("/")[1:]
        return ".".join(step.replace("~1", "/").replace("~0", "~") for step in steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultSpec:
    """A fault as a contract declares it: code, verb, default message and safe next action."""

    code: str
    retry: Retry
    message: str
    next_step: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultDetail:
    """A fault as one call is answered with: what stands in the text and in `_meta["fourfold/fault"]`."""

    code: str
    retry: Retry
    message: str
    next_step: str
    retry_after_ms: int | None = None
    problems: tuple[Problem, ...] = ()
    operation_id: str | None = None
    reference: str | None = None
    current_version: str | None = None

    @property
    def text(self) -> str:
        """The text block: the code first, then the message, then what to do."""
        return f"{self.code}: {_sentence(self.message)} {_sentence(self.next_step)}".rstrip()


def _sentence(text: str) -> str:
    """`text` with a full stop at its end, unless it is empty or already ends a sentence."""
    return text if not text or text[-1] in ".?!" else text + "."


class Fault(Exception):
    """A declared domain error. Subclass it with `code`, `retry` and `next_step`; the docstring is the message.

    A handler raises it; the contract lists it in `faults=`. A message given to the constructor replaces the
    docstring and reaches the model as it is, so it must not contain secrets or another tenant's facts.

    Args:
        message: what happened, for the model; the class docstring when left out.
        at: JSON Pointer of the argument that caused it, if one did.
        expected: what would be accepted at that place, in words; "another value" when left out.
        retry_after_ms: milliseconds to wait, with `Retry.AFTER`.
    """

    code: ClassVar[str] = ""
    retry: ClassVar[Retry] = Retry.NEVER
    next_step: ClassVar[str] = ""

    def __init__(
        self,
        message: str | None = None,
        *,
        at: str | None = None,
        expected: str = "another value",
        retry_after_ms: int | None = None,
        current_version: str | None = None,
    ) -> None:
        self.message = message or self.spec().message
        self.at = at
        self.expected = expected
        self.retry_after_ms = retry_after_ms
        self.current_version = current_version
        super().__init__(self.message)

    @classmethod
    def spec(cls) -> FaultSpec:
        """This fault as the contract declares it."""
        doc = cleandoc(cls.__doc__ or "").split("\n\n")[0].replace("\n", " ")
        return FaultSpec(code=cls.code, retry=cls.retry, message=doc, next_step=cls.next_step)

    def detail(self) -> FaultDetail:
        """This fault as the answer to one call."""
        problems = () if self.at is None else (Problem(pointer=self.at, code=self.code, expected=self.expected),)
        return FaultDetail(
            code=self.code,
            retry=self.retry,
            message=self.message,
            next_step=self.next_step,
            retry_after_ms=self.retry_after_ms,
            problems=problems,
            current_version=self.current_version,
        )


def _framework(*rows: tuple[str, Retry, str, str]) -> Mapping[str, FaultSpec]:
    """The rows as a read-only table by code."""
    specs = (FaultSpec(code=code, retry=retry, message=message, next_step=step) for code, retry, message, step in rows)
    return MappingProxyType({spec.code: spec for spec in specs})


FRAMEWORK_CODES: Mapping[str, FaultSpec] = _framework(
    ("invalid_arguments", Retry.AFTER_FIX, "The arguments do not match the tool's schema",
     "Correct the listed arguments and call again once"),
    ("argument_too_large", Retry.AFTER_FIX, "The arguments are larger than this tool accepts",
     "Send less, or split the work into several calls"),
    ("not_permitted", Retry.NEVER, "You may not do this", "Report it to the user; do not try another way"),
    ("idempotency_conflict", Retry.NEVER, "This idempotency key was used with other arguments",
     "Use a new idempotency_key for a new intent"),
    ("idempotency_expired", Retry.NEVER, "The outcome of this key is no longer kept",
     "Read the resource to see what happened"),
    ("in_progress", Retry.AFTER, "The same operation is running",
     "Wait, then repeat the call with the same idempotency_key"),
    ("outcome_unknown", Retry.ASK_HUMAN, "It may or may not have happened",
     "Do not repeat it; read the resource or ask the user to check"),
    ("possible_duplicate", Retry.NEVER, "The same call was made just now",
     "If it is meant as a second one, send it again with a new idempotency_key"),
    ("stale_version", Retry.REFRESH, "The resource has changed since it was read",
     "Read it again and decide with the current version"),
    ("wrong_state", Retry.NEVER, "This action is not allowed now", "Do the action that comes first"),
    ("plan_expired", Retry.REPLAN, "The plan has expired", "Make a new plan"),
    ("plan_mismatch", Retry.REPLAN, "The plan is not the one that was made", "Make a new plan"),
    ("plan_used", Retry.REPLAN, "The plan was already used", "Make a new plan if it is meant again"),
    ("approval_revoked", Retry.REPLAN, "The approval was taken back", "Make a new plan and ask again"),
    ("approval_required", Retry.ASK_HUMAN, "Somebody has to approve this first", "Ask the user to approve it"),
    ("approval_denied", Retry.NEVER, "A person said no", "Report it; do not try another way"),
    ("input_declined", Retry.NEVER, "A person declined to answer", "Report it; do not ask again"),
    ("handle_invalid", Retry.AFTER_FIX, "This handle is not valid here", "Get a new one"),
    ("cursor_invalid", Retry.AFTER_FIX, "This cursor is not valid for this call",
     "Leave cursor out to start at the first page"),
    ("rate_limited", Retry.AFTER, "Too many calls in a short time", "Wait, then repeat the call"),
    ("too_busy", Retry.AFTER, "Too many calls of this tool are running", "Wait, then repeat the call"),
    ("deadline_exceeded", Retry.SAME_KEY, "The call took too long and was stopped; nothing was saved",
     "Repeat it with the same arguments and key, or ask for less"),
    ("result_too_large", Retry.AFTER_FIX, "The result is larger than this tool may return",
     "Narrow the request, or ask for fewer items a page"),
    ("query_refused", Retry.AFTER_FIX, "The query is not one that this tool runs",
     "Write the query anew within what is accepted, and call again once"),
    ("query_too_costly", Retry.AFTER_FIX, "The query took more time or memory than it may",
     "Ask for less: filter on a column, join fewer views, or aggregate"),
    ("upstream_unavailable", Retry.AFTER, "A system that this tool depends on did not answer",
     "Wait, then repeat the call"),
    ("upstream_rejected", Retry.NEVER, "A system that this tool depends on refused", "Report it to the user"),
    ("internal", Retry.NEVER, "Something went wrong on the server",
     "Report the reference to the user; repeating the call will not help"),
)  # fmt: skip
"""Every code that the framework answers with. A domain code may be none of these (design.md, "On the wire")."""


class HandleInvalid(Fault):
    """This handle is not valid here."""

    code, retry = "handle_invalid", Retry.AFTER_FIX
    next_step = FRAMEWORK_CODES["handle_invalid"].next_step


class StaleVersion(Fault):
    """The resource has changed since it was read."""

    code, retry = "stale_version", Retry.REFRESH
    next_step = FRAMEWORK_CODES["stale_version"].next_step


class WrongState(Fault):
    """This action is not allowed now."""

    code, retry = "wrong_state", Retry.NEVER
    next_step = FRAMEWORK_CODES["wrong_state"].next_step


class PlanMismatch(Fault):
    """The plan is not the one that was made, or what it would do has changed."""

    code, retry = "plan_mismatch", Retry.REPLAN
    next_step = FRAMEWORK_CODES["plan_mismatch"].next_step


class UpstreamUnavailable(Fault):
    """A system that this tool depends on did not answer."""

    code, retry = "upstream_unavailable", Retry.AFTER
    next_step = FRAMEWORK_CODES["upstream_unavailable"].next_step


class UpstreamRejected(Fault):
    """A system that this tool depends on refused."""

    code, retry = "upstream_rejected", Retry.NEVER
    next_step = FRAMEWORK_CODES["upstream_rejected"].next_step
