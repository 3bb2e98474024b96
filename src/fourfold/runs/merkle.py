"""Merkle trees as RFC 9162 (section 2.1) has them: roots, inclusion proofs, and checking one.

Pure functions over SHA-256. A leaf and a node are hashed with different prefixes, so that neither passes for the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

__all__ = ["inclusion_path", "leaf_hash", "root_from_path", "root_of"]

_LEAF, _NODE = b"\x00", b"\x01"


def leaf_hash(data: bytes) -> bytes:
    """The hash of one entry; 32 bytes."""
    return hashlib.sha256(_LEAF + data).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The Merkle tree hash over the hashes of entries, in their order; that of nothing is the hash of no bytes."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    level = list(leaves)
    while len(level) > 1:
        level = _above(level)
    return level[0]


def inclusion_path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """What leads from the leaf at `index` to the root: the sibling on each level, lowest first (section 2.1.3.1).

    Raises:
        IndexError: there is no such leaf.
    """
    if not 0 <= index < len(leaves):
        raise IndexError("no leaf stands there")
    path: list[bytes] = []
    level = list(leaves)
    while len(level) > 1:
        sibling = index ^ 1
        # The last of an odd level has none: it goes up as it is.
        if sibling < len(level):
            path.append(level[sibling])
        level, index = _above(level), index // 2
    return path


def root_from_path(leaf: bytes, index: int, *, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root that `path` leads to from `leaf` at `index` of `size` leaves; `None` when it cannot be such a path.

    RFC 9162, section 2.1.3.2.
    """
    if not 0 <= index < size:
        return None
    place, last, found = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            found = _node(sibling, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = _node(found, sibling)
        place, last = place >> 1, last >> 1
    return found if last == 0 else None


def _above(level: Sequence[bytes]) -> list[bytes]:
    """The level above. It is the tree of RFC 9162: its left half is the largest power of two that is smaller."""
    pairs = [_node(left, right) for left, right in zip(level[::2], level[1::2], strict=False)]
    return [*pairs, level[-1]] if len(level) % 2 else pairs


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(_NODE + left + right).digest()
