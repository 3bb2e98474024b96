"""What commands print, compared with files that were read by a person. Owns the masks and the form of a story."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.cli.commands import Result

__all__ = ["matches", "story"]

_FOLDER = Path(__file__).with_name("snapshots")
_MASKS = (
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ"), "2026-11-30 09:00:00Z"),
    (re.compile(r"\b(run|op|ref|plan|msg)_[0-9a-f]{32}\b"), rf"\1_{'0' * 32}"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "0" * 64),
    (re.compile(r"\b[0-9a-f]{12}$", re.MULTILINE), "0" * 12),
    (re.compile(r"\b\d{13}\b"), "0" * 13),
    (re.compile(r"(stage_us +).*"), r"\1run 1, admit 1"),
    (re.compile(r"(owner +)[0-9a-f]{16}$", re.MULTILINE), r"\g<1>0000000000000000"),
    (re.compile(r"(total_us +)\d+"), r"\g<1>1"),
    (re.compile(r"127\.0\.0\.1:\d+"), "127.0.0.1:8765"),
    (re.compile(r"^(ok +(?:python|fourfold|mcp|pydantic|cryptography) +).*", re.MULTILINE), r"\g<1>1.2.3"),
    (re.compile(r"(newest first: )[0-9a-f-]{17}"), r"\g<1>2026-11-30-000000"),
)


def story(run: Callable[..., Result], *commands: Sequence[str]) -> str:
    """The commands, one after the other, each with what it printed and how it ended."""
    return "\n".join(_told(words, run(*words)) for words in commands)


def matches(name: str, text: str) -> bool:
    """Whether `text` is what the file has, times and ids aside. WRITE_SNAPSHOTS=1 writes the file instead."""
    path = _FOLDER / f"{name}.txt"
    for pattern, replacement in _MASKS:
        text = pattern.sub(replacement, text)
    if os.environ.get("WRITE_SNAPSHOTS"):
        path.write_text(text, "utf-8")
    expected = path.read_text("utf-8")
    assert text == expected
    return True


def _told(words: Sequence[str], result: Result) -> str:
    parts = [f"$ {shlex.join(['fourfold', *words])}\n{result.out}"]
    if result.err:
        parts.append(f"--- stderr\n{result.err}")
    return "".join([*parts, f"--- exit code {result.code}\n"])
