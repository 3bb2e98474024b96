"""`KeyRing`: the secrets that seals are made from, and where they come from.

Owns loading (environment text, key file) and the rule of rotation: a new key stands in front, where it only opens
until every process has it; then it seals. The old ones stay behind it until nothing sealed with them has to open any
more. Does not seal.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.private import make_private_directory
from fourfold.errors import ConfigError

__all__ = ["Key", "KeyRing", "KeySecret", "key_file", "new_entry", "rotate_file"]

SECRET_BYTES = 32
"""The least that a secret may hold: as much as the AES-256 key that is derived from it."""

_OPENS = ":opens"
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
    """One secret and its id. The id travels in the open, the secret never does.

    `opens_only` is for a key that not every process has yet: what it sealed, others could not open.
    """

    kid: str
    secret: KeySecret
    opens_only: bool = False

    def __post_init__(self) -> None:
        if not _KID.fullmatch(self.kid):
            raise ConfigError("a key id is 1 to 32 letters, digits, '_' or '-'")


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Keys, newest first: the newest that may seals, all of them open, the oldest makes the stable digests."""

    keys: tuple[Key, ...]

    def __post_init__(self) -> None:
        kids = [key.kid for key in self.keys]
        if not kids:
            raise ConfigError(f"the key ring is empty; {_HOW}")
        if len(set(kids)) != len(kids):
            raise ConfigError("two keys of the ring have the same id; give each its own")
        if all(key.opens_only for key in self.keys):
            raise ConfigError("no key of the ring seals; take :opens off one of them")

    @property
    def sealing(self) -> Key:
        """The key that seals."""
        return next(key for key in self.keys if not key.opens_only)

    @classmethod
    def of(cls, *pairs: tuple[str, bytes]) -> KeyRing:
        """A ring of `(kid, secret)` pairs, newest first."""
        return cls(tuple(Key(kid=kid, secret=KeySecret(secret)) for kid, secret in pairs))

    @classmethod
    def from_text(cls, text: str) -> KeyRing:
        """The ring of `kid:base64,kid:base64`, as the environment variable FOURFOLD_KEYS holds it.

        `kid:base64:opens` is a key that does not seal yet.

        Raises:
            ConfigError: the text is not such a list. The message never quotes it.
        """
        entries = [entry.strip() for entry in re.split(r"[,\n]", text)]
        return cls(tuple(_key(entry) for entry in entries if entry))


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


def rotate_file(path: Path) -> KeyRing:
    """Take one step with the ring in `path`: add a key that only opens, or let the one that was added seal.

    Raises:
        ConfigError: the file is not there, can be read by others, or holds no key ring.
    """
    if not path.exists():
        raise ConfigError(f"there is no key file {path}; a server makes it when it is first started")
    # A file that holds no ring, or that others can read, is left as it is.
    key_file(path)
    text = _read_private(path)
    first, _, rest = text.lstrip().partition("\n")
    if first.rstrip().endswith(_OPENS):
        text = f"{first.rstrip().removesuffix(_OPENS)}\n{rest}"
    else:
        text = f"{new_entry()}{_OPENS}\n{text}"
    draft = _draft(path, text)
    try:
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return key_file(path)


def new_entry() -> str:
    """A new random key as an entry of a ring; its id says on which day it was made."""
    day = datetime.fromtimestamp(SystemClock().now_ms() // 1000, UTC)
    secret = base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode("ascii")
    return f"{day:%Y-%m-%d}-{secrets.token_hex(3)}:{secret}"


def _key(entry: str) -> Key:
    """`kid:base64`, or `kid:base64:opens`, taken apart."""
    kid, *rest = (part.strip() for part in entry.split(":"))
    if len(rest) not in (1, 2) or rest[1:] not in ([], [_OPENS[1:]]):
        raise ConfigError(f"an entry of the key ring is not kid:base64; {_HOW}")
    try:
        secret = KeySecret(base64.b64decode(rest[0], validate=True))
    except (binascii.Error, ValueError):
        raise ConfigError(f"an entry of the key ring is not base64; {_HOW}") from None
    return Key(kid=kid, secret=secret, opens_only=len(rest) == 2)


def _read_private(path: Path) -> str:
    """The text of `path`, checked on the open file so that it cannot be exchanged in between."""
    with path.open(encoding="ascii") as file:
        if os.fstat(file.fileno()).st_mode & 0o077:
            raise ConfigError(f"the key file {path} can be read by others; run `chmod 600` on it and change the key")
        return file.read()


def _create(path: Path) -> None:
    """Make `path` with a new key, unless somebody else is quicker."""
    make_private_directory(path.parent)
    draft = _draft(path, f"{new_entry()}\n")
    try:
        _publish(draft, path)
    finally:
        draft.unlink()


def _draft(path: Path, text: str) -> Path:
    """`text` in a file beside `path`, for its owner alone, and on the disk."""
    # Under another name first: O_EXCL on the name itself would let others read an empty file.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return draft


def _publish(draft: Path, path: Path) -> None:
    """Give the written `draft` its name. Unlike a rename, a hard link never replaces what is there."""
    with suppress(FileExistsError):
        path.hardlink_to(draft)
