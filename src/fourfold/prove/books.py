"""`Watch`: whether something happened, judged by the rows that handlers wrote, else by what the server's lists show."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from fourfold.model.contract import JsonObject
from fourfold.prove.answered import succeeded
from fourfold.prove.check import NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.pages import entries

__all__ = ["Books", "Watch", "watching"]

_LISTS = 8
"""Reads that are looked at; each look calls all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """What there was at one moment; equal if nothing has happened in between.

    Attributes:
        rows: rows that handlers had written, or entries that the lists had.
        shown: digest of what the lists showed; empty where rows are counted.
    """

    rows: int
    shown: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What is looked at: reads by their names, with what they are called with; none if rows are counted."""

    desk: Desk
    reads: tuple[tuple[str, JsonObject], ...] = ()

    async def look(self) -> Books:
        """What there is now."""
        if self.desk.counter is not None:
            return Books(rows=self.desk.counter())
        seen = [await _seen(self.desk, name, arguments=arguments) for name, arguments in self.reads]
        shown = json.dumps([text for text, _ in seen])
        return Books(rows=sum(count for _, count in seen), shown=hashlib.sha256(shown.encode()).hexdigest())


async def watching(desk: Desk, *, besides: str = "") -> Watch:
    """Find what can be looked at: reads that answer the same twice. One of them may be set aside by its name.

    Raises:
        NotTested: there is none, so that nobody could tell whether something happened.
    """
    if desk.counter is not None:
        return Watch(desk=desk)
    steady: list[tuple[str, JsonObject]] = []
    for name, arguments in [each for each in desk.learned.items() if each[0] != besides][:_LISTS]:
        first, second = [await _seen(desk, name, arguments=arguments) for _ in range(2)]
        if first == second:
            steady.append((name, arguments))
    if not steady:
        reason = "no read answers the same twice, so that nobody could tell what happened"
        raise NotTested(reason, next_step="give arguments of a read that work in [prove]")
    return Watch(desk=desk, reads=tuple(steady))


async def _seen(desk: Desk, name: str, *, arguments: JsonObject) -> tuple[str, int]:
    answer = await desk.call(name, arguments)
    if not succeeded(answer):
        return "", 0
    shown = [answer.result.get(part) for part in ("content", "structuredContent")]
    return json.dumps(shown, sort_keys=True, default=str), len(entries(answer) or ())
