"""Server-sent events as models stream them (WHATWG HTML, 9.2): only the data, and only where it is a JSON object."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fourfold.contracts.strict_json import StrictJsonError, parse
from fourfold.model.contract import JsonObject
from fourfold.selection.wire.values import object_of

__all__ = ["EventReader"]


@dataclass(slots=True)
class EventReader:
    """Puts bytes together that come in pieces of any size. What comes before its end is not an event yet."""

    _line: bytearray = field(default_factory=bytearray)
    _data: list[bytes] = field(default_factory=list[bytes])

    def read(self, chunk: bytes) -> Iterator[JsonObject]:
        """The events that end in `chunk`. `[DONE]`, which is no JSON, is left out; so are comments and names."""
        *ended, rest = (bytes(self._line) + chunk).split(b"\n")
        self._line[:] = rest
        for line in ended:
            event = self._take(line.removesuffix(b"\r"))
            if event:
                yield event

    def _take(self, line: bytes) -> JsonObject:
        if line.startswith(b"data:"):
            self._data.append(line[len(b"data:") :].removeprefix(b" "))
        # An empty line ends an event. Without data it is none: servers send them to keep a connection open.
        if line or not self._data:
            return {}
        data = b"\n".join(self._data)
        self._data.clear()
        try:
            return object_of(parse(data).value)
        except StrictJsonError:
            return {}
