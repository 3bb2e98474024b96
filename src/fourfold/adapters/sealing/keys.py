"""`KeyRing`: the secrets that seals are made from, and where they come from.

Owns loading (environment text, key file) and the rule of rotation: put a new key in front, keep the old ones
behind it until nothing sealed with them has to open any more. Does not seal.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from fourfold.adapters.private import make_private_directory
from fourfold.errors import ConfigError

__all__ = ["Key", "KeyRing", "KeySecret", "key_file"]

SECRET_BYTES = 32
"""The least that a secret may hold: as much as the AES-256 key that is derived from it."""

_KID = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)
_HOW = "write it as kid:base64, newest first, separated by commas; make a secret with `openssl rand -base64 32`"


class KeySecret:
    """Secret bytes that no `repr`, `str` or format shows."""

    __slots__ = ("_value",)

    def __init__(self, value: bytes) -> None:
        if len(value) < SECRET_BYTES:
            raise ConfigError(f"a secret needs at least {SECRET_BYTES} bytes; make one with `openssl rand -base64 32`")
        self._value = value

    def __repr__(self) -> str:
        return "<secret>"

    def reveal(self) -> bytes:
        """The bytes, for deriving keys and for nothing else."""
        return self._value


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One secret and its id. The id travels in the open, the secret never does."""

    kid: str
    secret: KeySecret

    def __post_init__(self) -> None:
        if not _KID.fullmatch(self.kid):
            raise ConfigError("a key id is 1 to 32 letters, digits, '_' or '-'")


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Keys, newest first: the newest seals, all of them open, the oldest makes the stable digests."""

    keys: tuple[Key, ...]

    def __post_init__(self) -> None:
        kids = [key.kid for key in self.keys]
        if not kids:
            raise ConfigError(f"the key ring is empty; {_HOW}")
        if len(set(kids)) != len(kids):
            raise ConfigError("two keys of the ring have the same id; give each its own")

    @classmethod
    def of(cls, *pairs: tuple[str, bytes]) -> KeyRing:
        """A ring of `(kid, secret)` pairs, newest first."""
        return cls(tuple(Key(kid=kid, secret=KeySecret(secret)) for kid, secret in pairs))

    @classmethod
    def from_text(cls, text: str) -> KeyRing:
        """The ring of `kid:base64,kid:base64`, as the environment variable FOURFOLD_KEYS holds it.

        Raises:
            ConfigError: the text is not such a list. The message never quotes it.
        """
        entries = [entry.strip() for entry in re.split(r"[,\n]", text)]
        return cls.of(*(_pair(entry) for entry in entries if entry))


def key_file(path: Path) -> KeyRing:
    """The ring that `path` holds; a missing file is made, with one new key, for its owner alone.

    Processes that race to make it end with the same key: the file appears with its content or not at all, and
    the first one wins.

    Raises:
        ConfigError: the file can be read by others, cannot be read or made, or holds no key ring.
    """
    try:
        if not path.exists():
            _create(path)
        return KeyRing.from_text(_read_private(path))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the key file {path} cannot be used: {type(error).__name__}") from error


def _pair(entry: str) -> tuple[str, bytes]:
    """`kid:base64` taken apart."""
    kid, separator, encoded = entry.partition(":")
    if not separator:
        raise ConfigError(f"an entry of the key ring has no ':'; {_HOW}")
    try:
        return kid.strip(), base64.b64decode(encoded.strip(), validate=True)
    except (binascii.Error, ValueError):
        raise ConfigError(f"an entry of the key ring is not base64; {_HOW}") from None


def _read_private(path: Path) -> str:
    """The text of `path`, checked on the open file so that it cannot be exchanged in between."""
    with path.open(encoding="ascii") as file:
        if os.fstat(file.fileno()).st_mode & 0o077:
            raise ConfigError(f"the key file {path} can be read by others; run `chmod 600` on it and change the key")
        return file.read()


def _create(path: Path) -> None:
    """Make `path` with a new key, unless somebody else is quicker."""
    make_private_directory(path.parent)
    # Written under another name first: O_EXCL on the name itself would let others read an empty file.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(_new_entry())
            file.flush()
            os.fsync(file.fileno())
        _publish(draft, path)
    finally:
        draft.unlink()


def _publish(draft: Path, path: Path) -> None:
    """Give the written `draft` its name. Unlike a rename, a hard link never replaces what is there."""
    with suppress(FileExistsError):
        path.hardlink_to(draft)


def _new_entry() -> str:
    """A new random key, as a line of the file."""
    secret = base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode("ascii")
    return f"{secrets.token_hex(4)}:{secret}\n"
