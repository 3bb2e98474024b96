"""What is hashed and signed of a run and of an entry of the chain, byte for byte, and how a head is written in a line.

Both are JSON objects in the canonical form of RFC 8785: keys in order, no white space, UTF-8. A run is all columns of
its row in `fourfold_run` by their names, as they are stored: whole numbers and texts. `FORMS` says which; a column
that is added later makes a new form, so that what was sealed before still checks.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from fourfold.model.seal import Head, Seal, SignedSeal
from fourfold.ports.signer import Verifier

__all__ = [
    "FORM",
    "FORMS",
    "digest_of",
    "head_line",
    "head_of",
    "heads_in",
    "row_bytes",
    "seal_bytes",
    "signature_holds",
]

_FIRST = (
    "seq run_id at_ms tenant principal caller tool contract_version wire_digest lock_digest subject outcome code "
    "operation_id replayed transport revision client trace_id span_id stage_us bytes_in bytes_out tokens_in tokens_out "
    "arguments_digest counted reference note retry tokens_definition charges filled"
)
FORMS: Mapping[int, tuple[str, ...]] = {1: tuple(_FIRST.split())}
"""The columns of a run by the number of the form."""

FORM = max(FORMS)
"""The form in which runs are sealed now."""

_SEAL_PREFIX = b"fourfold/seal/v1\x00"
_HEAD = re.compile(r"fourfold-head/v1 (\d{1,18}) ([0-9a-f]{64}) ([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)")


def row_bytes(row: Mapping[str, Any], form: int) -> bytes:
    """The bytes of a run that its leaf is the hash of."""
    return _canonical({name: row[name] for name in FORMS[form]})


def seal_bytes(seal: Seal) -> bytes:
    """The bytes of an entry that are signed. The prefix keeps them apart from anything else that is ever signed."""
    return _SEAL_PREFIX + _canonical(asdict(seal))


def digest_of(seal: Seal) -> str:
    """The digest (SHA-256, hex) of an entry, which the next one holds."""
    return hashlib.sha256(seal_bytes(seal)).hexdigest()


def signature_holds(entry: SignedSeal, verifier: Verifier) -> bool | None:
    """Whether the signature of `entry` is that of its key; `None` when the key is not known."""
    try:
        signature = bytes.fromhex(entry.signature)
    except ValueError:
        return False
    return verifier.accepts(entry.seal.kid, seal_bytes(entry.seal), signature=signature)


def head_of(entry: SignedSeal, verifier: Verifier) -> Head | None:
    """The head that `entry` is, if its key is known."""
    key = verifier.public_key(entry.seal.kid)
    if key is None:
        return None
    return Head(no=entry.seal.no, digest=digest_of(entry.seal), kid=entry.seal.kid, public_key=key)


def head_line(head: Head) -> str:
    """A head as one line, for logs and files."""
    key = base64.b64encode(head.public_key).decode("ascii")
    return f"fourfold-head/v1 {head.no} {head.digest} {head.kid}:{key}"


def heads_in(text: str) -> list[Head]:
    """Every head that stands in `text`, in order: what `runs head` printed, or the log of a server."""
    return [
        Head(no=int(no), digest=digest, kid=kid, public_key=base64.b64decode(key))
        for no, digest, kid, key in _HEAD.findall(text)
    ]


def _canonical(value: Mapping[str, Any]) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_foreign)
    return text.encode("utf-8", "surrogatepass")


def _foreign(value: object) -> object:
    """What no honest row holds, such as bytes that somebody put in place of a text, as what no honest row is like."""
    return {type(value).__name__: repr(value)}
