"""What a model does after a tool has failed. Not the retry rate of operations, which counts what a server was asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["AfterError", "TracedCall", "retry_after_error"]


@dataclass(frozen=True, slots=True)
class TracedCall:
    """One call in a trace: which tool, and whether it answered with an error."""

    tool: str
    failed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterError:
    """What traces show.

    Attributes:
        calls: how many were made.
        errors: how many of them failed.
        retries: how often the next call after a failed one was of the same tool.
    """

    calls: int
    errors: int
    retries: int

    @property
    def error_rate(self) -> float | None:
        """Failed calls of all; `None` without calls."""
        return self.errors / self.calls if self.calls else None

    @property
    def retry_after_error(self) -> float | None:
        """Retries of the failed calls; `None` if none failed."""
        return self.retries / self.errors if self.errors else None


def retry_after_error(traces: Iterable[Sequence[TracedCall]]) -> AfterError:
    """Count over traces, each the calls of one conversation in their order."""
    calls = errors = retries = 0
    for trace in traces:
        calls += len(trace)
        errors += sum(call.failed for call in trace)
        retries += sum(call.failed and call.tool == after.tool for call, after in pairwise(trace))
    return AfterError(calls=calls, errors=errors, retries=retries)
