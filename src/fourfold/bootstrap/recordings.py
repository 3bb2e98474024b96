"""The file of a recorded run of `fourfold prove`: JSON Lines of a head, what was asked and answered, and an end."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, cast

from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.proving import Terms
from fourfold.bootstrap.targets import of_catalog
from fourfold.contracts.lock import lock_of
from fourfold.errors import ConfigError
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedCatalog
from fourfold.prove.desk import Desk, Seat
from fourfold.prove.recording import Recorder, recorded
from fourfold.prove.replaying import Replay, ReplayedTarget, ReplayedWire
from fourfold.prove.stand_ins import StandIns
from fourfold.review.saved import listed

__all__ = ["Recording", "read_recording", "recording"]

_SCHEMA = "fourfold/prove-recording/v1"
_TERMS = ("seed", "max_calls", "writes", "examples")
_ABILITIES = ("counter", "approve", "refuse", "restart", "advance")
"""What a desk can have done at the server beside calling it, where the target is a catalog of ours."""

_HEAD = frozenset(
    {"schema", "target", "only", *_TERMS, "tools", "facts", "digest"} | {"revision", "callers", "wire", "can"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A recorded run.

    Attributes:
        head: the target and what it listed, the seed and the selection, who called and what could be counted.
        entries: what was asked, with the answers.
    """

    path: Path
    head: dict[str, Any]
    entries: tuple[JsonObject, ...]

    @property
    def only(self) -> tuple[str, ...]:
        """The checks, families and tools that the run was of."""
        return tuple(self.head["only"])

    @property
    def terms(self) -> Terms:
        """The terms of the run."""
        return Terms(**{name: self.head[name] for name in _TERMS})

    @asynccontextmanager
    async def replayed(self, loaded: LoadedCatalog | None, *, target: str) -> AsyncGenerator[Desk]:
        """A desk that the recording answers; `loaded` is the catalog, where it was of one.

        Raises:
            ConfigError: the recording is of something else, or has no answer to what was asked.
        """
        catalog = self._catalog(loaded, target)
        tools = [tool.definition for tool in catalog.tools]
        # What the catalog holds in clear gets the numbers that it had in the recording.
        replay = Replay.of(self.entries, after={**self.head, "tools": tools})
        try:
            yield self._desk(catalog, replay)
        finally:
            # A check may have taken it for a failure of the server's.
            if replay.missed is not None:
                raise replay.missed

    def _catalog(self, loaded: LoadedCatalog | None, target: str) -> ListedCatalog:
        head = self.head
        if head["target"] != StandIns().clean(target) or bool(head["can"]) is not (loaded is not None):
            raise ConfigError(f"{self.path} is a recording of {head['target']}, not of {target}: name that one")
        if loaded is None:
            return listed(head["tools"], target=target, facts=head["facts"])
        catalog = of_catalog(loaded, target=target)
        if lock_of(catalog).digest != head["digest"]:
            raise ConfigError(f"the tools of {target} have changed since {self.path} was recorded: record it again")
        return catalog

    def _desk(self, catalog: ListedCatalog, replay: Replay) -> Desk:
        head, terms = self.head, self.terms
        can: list[str] = head["can"]
        seats = {
            name: Seat(name=name, target=ReplayedTarget(replay=replay, caller=name, listed=head["tools"]))
            for name in head["callers"]
        }
        return Desk(
            catalog=catalog,
            seats=seats,
            seed=terms.seed,
            max_calls=terms.max_calls,
            writes=terms.writes,
            examples=terms.examples,
            revision=head["revision"],
            wire=ReplayedWire(replay=replay, **head["wire"]) if head["wire"] else None,
            counter=replay.rows if "counter" in can else None,
            approve=replay.approve if "approve" in can else None,
            refuse=replay.refuse if "refuse" in can else None,
            restart=replay.restart if "restart" in can else None,
            advance=(lambda _: None) if "advance" in can else None,
        )


@asynccontextmanager
async def recording(
    opening: AbstractAsyncContextManager[Desk], path: Path, *, target: str, only: Sequence[str]
) -> AsyncGenerator[Desk]:
    """The desk that `opening` opens, while a new file keeps what is asked and answered, for its owner to read.

    Raises:
        ConfigError: the file is there already, or cannot be written.
    """
    count = 0
    with _new_file(path) as file, _undone(path, unless=lambda: count > 0):

        def keep(entry: JsonObject) -> None:
            nonlocal count
            count += 1
            _write(file, entry)

        async with opening as desk:
            recorder = Recorder(keep=keep)
            _write(file, recorder.clean(_head(desk, target=target, only=only)))
            yield recorded(desk, recorder)
            _write(file, {"end": count})


@contextmanager
def _undone(path: Path, *, unless: Callable[[], bool]) -> Generator[None]:
    """Take a file away that came to hold nothing."""
    try:
        yield
    finally:
        if not unless():
            path.unlink(missing_ok=True)


def read_recording(path: Path) -> Recording:
    """A recording, whole.

    Raises:
        ConfigError: it cannot be read, is no recording, or was cut short.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {getattr(error, 'strerror', 'it is no text')}") from None
    head = _entry(lines[0]) if lines else {}
    if head.get("schema") != _SCHEMA or not _HEAD.issubset(head):
        raise ConfigError(f"{path} is no recording of this version: make one with fourfold prove --record FILE")
    *entries, end = [_entry(line) for line in lines[1:]] or [{}]
    if end != {"end": len(entries)} or not all({"asked", "answer"} <= {*entry} for entry in entries):
        raise ConfigError(f"{path} is cut short, since its run did not come to an end: record it again")
    return Recording(path=path, head=head, entries=tuple(entries))


def _entry(line: str) -> dict[str, Any]:
    """A line, if it is an object; else an empty one."""
    try:
        found: object = json.loads(line)
    except ValueError:
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _new_file(path: Path) -> TextIO:
    try:
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8")
    except FileExistsError:
        raise ConfigError(f"{path} is there already; name another file for the recording") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from None


def _write(file: TextIO, entry: object) -> None:
    file.write(json.dumps(entry) + "\n")


def _head(desk: Desk, *, target: str, only: Sequence[str]) -> Mapping[str, object]:
    catalog, wire = desk.catalog, desk.wire
    return {
        "schema": _SCHEMA,
        "target": target,
        "only": [*only],
        **{name: getattr(desk, name) for name in _TERMS},
        "tools": [tool.definition for tool in catalog.tools],
        "facts": {**catalog.facts, "instructions": catalog.instructions, "serverInfo": {"name": catalog.server}},
        "digest": lock_of(catalog).digest,
        "revision": desk.revision,
        "callers": [*desk.seats],
        "wire": wire and {"transport": wire.transport, "revision": wire.revision, "has_token": wire.has_token},
        "can": [name for name in _ABILITIES if getattr(desk, name) is not None],
    }
