"""`ReplayChooser`: answers that were recorded, so that a suite is scored again without asking any model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fourfold.errors import ConfigError
from fourfold.model.chosen import Choice, OfferedTool, Sampling
from fourfold.model.contract import JsonObject
from fourfold.selection.digest import messages_digest
from fourfold.selection.recorded import read_recorded

__all__ = ["ReplayChooser"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayChooser:
    """A `Chooser` that finds an answer by the conversation and the number of the sample, whatever tools are offered.

    A conversation that was changed since has no answer any more: it fails with `not_recorded`.
    """

    name: str
    answers: Mapping[tuple[str, int], Choice]

    @classmethod
    def of(cls, path: Path) -> ReplayChooser:
        """The answers in a file that `fourfold select run` has written; of several to one sample the last.

        Raises:
            ConfigError: it can't be read, or a line is broken.
        """
        try:
            with path.open("rb") as lines:
                found = [*read_recorded(lines, name=str(path))]
        except OSError as error:
            raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
        if not found:
            raise ConfigError(f"{path} holds no answers; `fourfold select run` writes such a file")
        return cls(name=f"replay:{path.name}", answers={(each.messages, each.sample): each.choice for each in found})

    async def choose(
        self,
        messages: Sequence[JsonObject],
        tools: Sequence[OfferedTool],  # noqa: ARG002  # what was chosen was chosen
        *,
        sampling: Sampling,  # noqa: ARG002
        sample: int = 0,
    ) -> Choice:
        """The recorded answer."""
        return self.answers.get((messages_digest(messages), sample), Choice(failure="not_recorded"))
