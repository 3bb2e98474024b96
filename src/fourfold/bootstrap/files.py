"""Files that a command writes beside the project: all of a file or nothing of it, and the time that stands in it."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

from fourfold.errors import ConfigError

__all__ = ["timestamp", "write_whole"]


def write_whole(path: Path, text: str) -> None:
    """Write all of `text`, or leave what was there.

    Raises:
        ConfigError: the folder cannot be made or written to.
    """
    beside = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, "utf-8")
        beside.replace(path)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from None


def timestamp() -> str:
    """Now, as ISO 8601 in UTC, to the second: `2026-11-30T10:00:00Z`."""
    return f"{datetime.fromtimestamp(time.time(), UTC):%Y-%m-%dT%H:%M:%SZ}"
