"""Who calls: a principal in a tenant with scopes, always from the transport and never from the model."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Caller"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The authenticated identity behind a call (requirement B18).

    `principal` is who acts, `tenant` whose data it is, `scopes` what was granted. `name` is the entry in the
    configuration that it came from, for people who read runs.
    """

    principal: str
    tenant: str
    scopes: frozenset[str] = field(default_factory=frozenset[str])
    name: str = ""

    def __post_init__(self) -> None:
        if not self.principal or not self.tenant:
            raise ValueError("a caller needs a principal and a tenant; an anonymous caller is refused, not guessed")

    def holds(self, scopes: frozenset[str]) -> bool:
        """Whether every one of `scopes` was granted."""
        return scopes <= self.scopes
