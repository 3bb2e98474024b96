"""The errors of Fourfold: one tree, and nothing raised outside it on purpose.

```
FourfoldError
├── ContractError    a catalog that does not build; carries every problem, each with its fix
├── ConfigError      fourfold.toml, an option or the environment is wrong
├── StoreError       the database refused or failed
│   ├── StoreBusy        another process holds the writer, or the file is locked
│   │   └── StoreContended   another transaction holds what this one needs, a running key above all
│   ├── DeadlineExceeded the work was stopped and rolled back
│   ├── CommitUnknown    the answer to COMMIT was lost and could not be read again
│   └── ClaimLost        somebody else owns or has settled the operation; what was done is undone
├── DecisionError    a person may not decide this, or it can be decided no more
├── SealError        a sealed token is forged, foreign, expired or for another purpose
└── TargetError      a server could not be started, reached or understood
    └── NoAnswer         a call was sent, and no answer came that says what it did
```

Errors are for people who build and run a server. What a model sees is an `Outcome`, never one of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = [
    "BuildProblem",
    "ClaimLost",
    "CommitUnknown",
    "ConfigError",
    "ContractError",
    "DeadlineExceeded",
    "DecisionError",
    "FourfoldError",
    "NoAnswer",
    "SealError",
    "StoreBusy",
    "StoreContended",
    "StoreError",
    "TargetError",
]


class FourfoldError(Exception):
    """The root of every error that Fourfold raises on purpose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildProblem:
    """One broken contract: what is wrong, where, why it hurts, and the fix.

    `rule` is a stable word such as `unbounded_string`; `where` is `tool` or `tool: /lines/0/sku`.
    `severity` is `error` (the catalog does not build) or `warning`.
    """

    rule: str
    where: str
    what: str
    why: str
    fix: str
    severity: str = "error"

    def __str__(self) -> str:
        return f"{self.where}: {self.what}\n    why: {self.why}\n    fix: {self.fix}  [{self.rule}]"


class ContractError(FourfoldError):
    """A catalog broke its contracts; `problems` lists all of them, not only the first."""

    def __init__(self, catalog: str, problems: Sequence[BuildProblem]) -> None:
        self.catalog = catalog
        self.problems = tuple(problems)
        count = len(self.problems)
        head = f"catalog {catalog!r} does not build: {count} problem{'' if count == 1 else 's'}"
        super().__init__("\n".join([head, *(f"  {problem}" for problem in self.problems)]))

    def __reduce__(self) -> tuple[type[ContractError], tuple[str, tuple[BuildProblem, ...]]]:
        return type(self), (self.catalog, self.problems)


class ConfigError(FourfoldError):
    """Configuration is missing or wrong; the message says what to set and where."""


class StoreError(FourfoldError):
    """The store refused or failed; its text stays in logs and runs, never on the wire."""


class StoreBusy(StoreError):
    """Another process writes to this store, or its file stayed locked for too long."""


class StoreContended(StoreBusy):
    """Another transaction holds what this one needs, a running key most likely; nothing was saved."""


class DeadlineExceeded(StoreError):
    """The work passed its deadline, was stopped, and everything it did was rolled back."""


class CommitUnknown(StoreError):
    """COMMIT failed and the store could not be read again, so the effect may or may not have happened."""


class ClaimLost(StoreError):
    """Somebody else owns or has settled the operation, so this process must undo what it did for it."""


class DecisionError(FourfoldError):
    """A person may not decide this, or it can be decided no more; the message says which, and nothing was changed."""


class SealError(FourfoldError):
    """A sealed token does not open here: forged, expired, foreign or for another purpose.

    The reasons share one message, so that an answer built from it tells an attacker nothing.
    """

    def __init__(self) -> None:
        super().__init__("this token is not valid here")


class TargetError(FourfoldError):
    """A target could not be started, reached or understood; the message says what to check."""


class NoAnswer(TargetError):
    """A request was sent, and no answer came that says what it did: it may have happened, or not."""
