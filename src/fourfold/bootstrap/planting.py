"""What is laid out for a server that is started to be proved: a secret in its environment, a link out of its folder."""

from __future__ import annotations

import os
import secrets
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

__all__ = ["canary", "links_out"]

_VARIABLE = "FOURFOLD_PROVE_CANARY"
_LINK = "fourfold-prove-link"
_OUTSIDE = Path("/etc")


@contextmanager
def canary() -> Generator[str]:
    """A secret in this process's environment, which every process that it starts inherits; the secret."""
    before, secret = os.environ.get(_VARIABLE), secrets.token_hex(16)
    os.environ[_VARIABLE] = secret
    try:
        yield secret
    finally:
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before


@contextmanager
def links_out(command: Sequence[str]) -> Generator[tuple[str, ...]]:
    """A link to `/etc` in each folder that the command names, as long as the block; where they are.

    What is there already under that name is left alone, and so is a folder that cannot be written to.
    """
    folders = [Path(word) for word in command[1:] if Path(word).is_dir()]
    planted = [link for folder in folders if (link := _planted(folder.absolute() / _LINK)) is not None]
    try:
        yield tuple(each for link in planted for each in (str(link), _LINK))
    finally:
        for link in planted:
            link.unlink(missing_ok=True)


def _planted(link: Path) -> Path | None:
    try:
        link.symlink_to(_OUTSIDE, target_is_directory=True)
    except OSError:
        return None
    return link
