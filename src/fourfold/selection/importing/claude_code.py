"""Transcripts of Claude Code: lines that point at the one before them, and never name the tools that were offered.

A line holds one block of an answer, so that lines with one message id are one answer. Results of calls made together
hang on different branches; they are found by the call's id. Only the last lines are kept, so that a transcript of any
length takes the same memory: an answer whose conversation began before them is counted as cut off.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from fourfold.model.contract import JsonObject
from fourfold.selection.importing.anthropic import chat_of_turns
from fourfold.selection.importing.chat import decided
from fourfold.selection.importing.decision import Found, Hindrance, Place
from fourfold.selection.importing.messages import MOST_MESSAGES
from fourfold.selection.wire.anthropic_messages import ANTHROPIC_MESSAGES
from fourfold.selection.wire.values import object_of, objects_of, text_of

__all__ = ["LINE_TYPES", "TranscriptReader"]

LINE_TYPES = frozenset({"assistant", "user", "system", "summary", "attachment", "progress", "queue-operation"}) | {
    "file-history-snapshot"
}
"""What the `type` of a line is; only the first two are of the conversation."""

_KEPT_LINES = 4_096
_KEPT_CHARACTERS = 16 * 1024 * 1024
_MOST_WAITING = 64
_LONGEST_ID = 200

_Kept = TypeVar("_Kept")


@dataclass(slots=True)
class _Last(Generic[_Kept]):
    """The last things that were put in, as many as there is room for."""

    found: OrderedDict[str, tuple[_Kept, int]] = field(default_factory=OrderedDict[str, "tuple[_Kept, int]"])
    size: int = 0

    def put(self, key: str, value: _Kept, *, size: int) -> None:
        self.size += size - self.found.pop(key, (value, 0))[1]
        self.found[key] = (value, size)
        while len(self.found) > _KEPT_LINES or self.size > _KEPT_CHARACTERS:
            self.size -= self.found.popitem(last=False)[1][1]

    def get(self, key: str) -> _Kept | None:
        kept = self.found.get(key)
        return None if kept is None else kept[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """One line of the conversation. `turn` is empty where the line says nothing of its own."""

    parent: str
    message: str
    turn: JsonObject


@dataclass(slots=True, kw_only=True)
class _Answer:
    """An answer of which more lines may come. `parent` is the line before its first one."""

    place: Place
    parent: str
    ids: JsonObject
    blocks: list[JsonObject]
    ended: str
    failed: bool


_Scope = tuple[str, str]


@dataclass(slots=True)
class TranscriptReader:
    """Reads transcripts, of several sessions too."""

    lines: _Last[_Line] = field(default_factory=_Last[_Line])
    results: _Last[JsonObject] = field(default_factory=_Last[JsonObject])
    waiting: OrderedDict[tuple[_Scope, str], _Answer] = field(default_factory=OrderedDict[tuple[_Scope, str], _Answer])

    def read(self, record: JsonObject, place: Place) -> Iterator[tuple[Place, Found]]:
        """The answers of which `record` shows that they are whole."""
        uuid, kind = text_of(record.get("uuid")), record.get("type")
        if not uuid:
            return
        message = object_of(record.get("message"))
        turn = message if kind in ("assistant", "user") and message.get("role") == kind else object_of(None)
        self._keep(uuid, record, turn)
        scope = text_of(record.get("sessionId")), text_of(record.get("agentId")) or str(record.get("isSidechain"))
        if turn and kind == "assistant":
            yield from self._answer((scope, text_of(turn.get("id")) or uuid), record, place=place)
        # Results come between the lines of one answer; what a person says ends it.
        elif turn and not _is_only_results(turn):
            yield from self._whole(scope)

    def end(self) -> Iterator[tuple[Place, Found]]:
        """The answers that stand last."""
        for key in [*self.waiting]:
            yield self._decided(key)

    def _keep(self, uuid: str, record: JsonObject, turn: JsonObject) -> None:
        parent = text_of(record.get("parentUuid"))
        size = len(str(turn.get("content")))
        self.lines.put(uuid, _Line(parent=parent, message=text_of(turn.get("id")), turn=turn), size=size)
        for block in objects_of(turn.get("content")):
            if block.get("type") == "tool_result":
                self.results.put(text_of(block.get("tool_use_id")), block, size=len(str(block.get("content"))))

    def _answer(self, key: tuple[_Scope, str], record: JsonObject, *, place: Place) -> Iterator[tuple[Place, Found]]:
        if key not in self.waiting:
            yield from self._whole(key[0])
            self.waiting[key] = _Answer(
                place=place,
                parent=text_of(record.get("parentUuid")),
                ids=_ids(record),
                blocks=[],
                ended="",
                failed=bool(record.get("isApiErrorMessage")),
            )
        answer, turn = self.waiting[key], object_of(record.get("message"))
        answer.blocks += _blocks(turn)
        answer.ended = text_of(turn.get("stop_reason")) or answer.ended
        # Threads that end in the middle of the file would wait for its end.
        if len(self.waiting) > _MOST_WAITING:
            yield self._decided(next(iter(self.waiting)))

    def _whole(self, scope: _Scope) -> Iterator[tuple[Place, Found]]:
        """The answers after which something else was said in the same thread."""
        for key in [key for key in self.waiting if key[0] == scope]:
            yield self._decided(key)

    def _decided(self, key: tuple[_Scope, str]) -> tuple[Place, Found]:
        answer = self.waiting.pop(key)
        if answer.failed:
            return answer.place, "failed"
        messages = self._conversation(answer.parent)
        if isinstance(messages, str):
            return answer.place, messages
        choice = ANTHROPIC_MESSAGES.read({"content": answer.blocks, "stop_reason": answer.ended})
        return answer.place, decided(choice, messages, tools=(), ids=answer.ids)

    def _conversation(self, uuid: str) -> list[JsonObject] | Hindrance:
        """The chat messages of the lines that lead to one, and that one."""
        turns: list[tuple[str, JsonObject]] = []
        steps = 0
        while uuid:
            line, steps = self.lines.get(uuid), steps + 1
            if line is None:
                return "truncated"
            if steps > MOST_MESSAGES:
                return "too_long"
            if line.turn:
                turns.append((line.message, line.turn))
            uuid = line.parent
        messages = chat_of_turns(None, [*self._with_results(turns[::-1])])
        return "media" if messages is None else messages

    def _with_results(self, turns: Sequence[tuple[str, JsonObject]]) -> Iterator[JsonObject]:
        """The turns, those of one answer joined, with the results of its calls after it."""
        answer: list[JsonObject] = []
        last = ""
        for message, turn in turns:
            if turn.get("role") == "assistant":
                if message != last:
                    yield from self._answered(answer)
                    answer = []
                answer, last = [*answer, *_blocks(turn)], message
            elif not _is_only_results(turn):
                yield from self._answered(answer)
                answer, last = [], ""
                yield {**turn, "content": [block for block in _blocks(turn) if block.get("type") != "tool_result"]}
        yield from self._answered(answer)

    def _answered(self, answer: Sequence[JsonObject]) -> Iterator[JsonObject]:
        if answer:
            yield {"role": "assistant", "content": [*answer]}
        called = [text_of(block.get("id")) for block in answer if block.get("type") == "tool_use"]
        results = [result for call in called if (result := self.results.get(call)) is not None]
        if results:
            yield {"role": "user", "content": results}


def _blocks(turn: JsonObject) -> list[JsonObject]:
    content = turn.get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else objects_of(content)


def _ids(record: JsonObject) -> JsonObject:
    found = {
        "session": text_of(record.get("sessionId"))[:_LONGEST_ID],
        "uuid": text_of(record.get("uuid"))[:_LONGEST_ID],
    }
    return {name: value for name, value in found.items() if value}


def _is_only_results(turn: JsonObject) -> bool:
    return all(block.get("type") == "tool_result" for block in _blocks(turn))
