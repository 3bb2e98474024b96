"""Directories that only their owner can enter, for databases and key files."""

from __future__ import annotations

from pathlib import Path

__all__ = ["make_private_directory"]


def make_private_directory(path: Path) -> None:
    """Make `path` and its missing parents with mode 0700; directories that exist keep theirs."""
    if path.is_dir():
        return
    make_private_directory(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
