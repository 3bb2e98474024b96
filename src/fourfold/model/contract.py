"""`ToolContract`: the four contracts of one tool as one frozen value that everything else reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fourfold.model.claim import EffectClass
from fourfold.model.effect import Effect
from fourfold.model.fault import FaultSpec
from fourfold.model.sandbox import SandboxTerms

__all__ = ["KEPT", "JsonObject", "Limits", "Selection", "ToolContract", "Waiver"]

KEPT = frozenset({"arguments", "results"})
"""What a contract may opt in to keep of its calls."""

JsonObject = Mapping[str, Any]
"""A JSON object, as parsed. `Any` stands for JSON values and for nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What a model reads to decide (requirement B1). The description is rendered from these parts.

    `inputs` explains arguments whose meaning is not obvious, `returns` says what comes back and its limits.
    """

    does: str
    use_when: str
    not_for: str
    inputs: str = ""
    returns: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one tool (requirement B19). Each has a code that a caller is answered with.

    Attributes:
        arguments_bytes: size of the arguments as UTF-8 JSON; `argument_too_large`.
        result_bytes: size of the structured result as UTF-8 JSON; `result_too_large`. The default is about
            16,000 tokens.
        deadline_s: seconds of wall time; `deadline_exceeded`.
        concurrency: calls of this tool that one caller may have running; `too_busy`.
        calls_per_minute: calls of this tool that one caller may make in a minute; `rate_limited`.
    """

    arguments_bytes: int = 65_536
    result_bytes: int = 65_536
    deadline_s: float = 30.0
    concurrency: int = 64
    calls_per_minute: int = 600

    def __post_init__(self) -> None:
        for name in ("arguments_bytes", "result_bytes", "deadline_s", "concurrency", "calls_per_minute"):
            if getattr(self, name) <= 0:
                raise ValueError(f"Limits.{name} must be above 0; leave it out for the default")


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """A rule that the author set aside for one place, with the written reason; shown by `fourfold tools`."""

    rule: str
    where: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContract:
    """The selection, input, output and effect contract of one tool.

    Built once by `Catalog.build()`; the server, the review, the generated tests, the selection suite and the
    run records all read this one object.

    Attributes:
        input_schema, output_schema: canonical JSON Schema 2020-12, as published.
        framework_arguments: names that the framework added to `input_schema` and strips before the handler.
        missing: the fault that answers for an absent and for a denied object alike.
        needs: scopes that a caller must hold.
        step_up: whether a missing scope is answered with an HTTP 403 challenge instead of hiding the tool.
        subject: JSON Pointer of the argument that names the run's Subject, if the contract declares one.
        counted: output fields with a declared vocabulary, counted in run records.
        sandbox: what the query in a `Sandbox` field may do, where the tool has one.
        offers: JSON Pointers of the arguments declared as an `Offer`, such as `/lines/*/unit_price_minor`.
        questions: the forms that a person may be asked to fill in, as published, by key.
        keep: which of `KEPT` is kept of each call, beside its run.
        recovery: what can be done about an operation that was cut off in the middle.
        wire_digest: SHA-256 (hex) over schemas, effect, faults and approval; seals and cursors bind it.
        lock_digest: SHA-256 (hex) over everything; the lock file holds it.
    """

    name: str
    version: str
    selection: Selection
    effect: Effect
    input_schema: JsonObject
    output_schema: JsonObject
    description: str
    title: str = ""
    faults: tuple[FaultSpec, ...] = ()
    missing: FaultSpec | None = None
    needs: frozenset[str] = field(default_factory=frozenset[str])
    step_up: bool = False
    toolsets: frozenset[str] = field(default_factory=frozenset[str])
    limits: Limits = field(default_factory=Limits)
    waivers: tuple[Waiver, ...] = ()
    framework_arguments: tuple[str, ...] = ()
    subject: str | None = None
    counted: tuple[str, ...] = ()
    sandbox: SandboxTerms | None = None
    offers: tuple[str, ...] = ()
    questions: JsonObject = field(default_factory=dict[str, object])
    keep: frozenset[str] = field(default_factory=frozenset[str])
    recovery: EffectClass = "local"
    wire_digest: str = ""
    lock_digest: str = ""

    @property
    def major(self) -> int:
        """The major step of `version`; a change of it starts new fingerprints."""
        return int(self.version.split(".")[0])
