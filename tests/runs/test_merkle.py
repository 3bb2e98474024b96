"""Merkle trees: the reference vectors of Certificate Transparency, and what holds for every tree."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.runs.merkle import inclusion_path, leaf_hash, root_from_path, root_of

_ENTRIES = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
"""Entries of the reference tree of Certificate Transparency (github.com/google/certificate-transparency), hex."""

_ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""The root over the first 0, 1, 2 … of them."""

_PATHS = (
    (0, 1, ()),
    (
        0,
        8,
        (
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ),
    ),
    (
        5,
        8,
        (
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ),
    ),
    (2, 3, ("fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",)),
    (
        1,
        5,
        (
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ),
    ),
)
"""Inclusion proofs of the same source: the index, the size, the path."""

_LEAVES = [leaf_hash(bytes.fromhex(entry)) for entry in _ENTRIES]

leaves = st.lists(st.binary(min_size=32, max_size=32), min_size=1, max_size=70)


@pytest.mark.parametrize("size", range(9))
def test_roots_are_those_of_the_reference(size: int) -> None:
    """D6: RFC 6962 and RFC 9162, section 2.1.1."""
    assert root_of(_LEAVES[:size]).hex() == _ROOTS[size]


@pytest.mark.parametrize(("index", "size", "path"), _PATHS)
def test_paths_are_those_of_the_reference(index: int, size: int, path: tuple[str, ...]) -> None:
    """D6: RFC 9162, section 2.1.3.1, and back (2.1.3.2)."""
    made = inclusion_path(_LEAVES[:size], index)
    led = root_from_path(_LEAVES[index], index, size=size, path=[bytes.fromhex(step) for step in path])

    assert [step.hex() for step in made] == [*path]
    assert led is not None
    assert led.hex() == _ROOTS[size]


@given(found=leaves)
def test_a_root_is_that_of_the_definition(found: list[bytes]) -> None:
    """D6: the tree splits at the largest power of two that is smaller than its size."""

    def defined(part: list[bytes]) -> bytes:
        if len(part) == 1:
            return part[0]
        half = 1 << (len(part) - 1).bit_length() - 1
        return hashlib.sha256(b"\x01" + defined(part[:half]) + defined(part[half:])).digest()

    assert root_of(found) == defined(found)


@given(found=leaves, data=st.data())
def test_every_leaf_is_led_to_the_root(found: list[bytes], data: st.DataObject) -> None:
    """D6: with a path no longer than the tree is high."""
    index = data.draw(st.integers(0, len(found) - 1))
    path = inclusion_path(found, index)

    assert root_from_path(found[index], index, size=len(found), path=path) == root_of(found)
    assert len(path) <= (len(found) - 1).bit_length()


@given(found=st.lists(st.binary(min_size=32, max_size=32), min_size=2, max_size=40, unique=True), data=st.data())
def test_no_other_leaf_place_or_path_leads_there(found: list[bytes], data: st.DataObject) -> None:
    """D6: a proof is of one run at one place, and none of its bytes can be changed."""
    index = data.draw(st.integers(0, len(found) - 1))
    other = data.draw(st.integers(0, len(found) - 1).filter(lambda place: place != index))
    path = inclusion_path(found, index)
    step = data.draw(st.integers(0, len(path) - 1))
    bent = [bytes([each[0] ^ 1]) + each[1:] if at == step else each for at, each in enumerate(path)]
    root, size = root_of(found), len(found)

    assert root_from_path(found[other], index, size=size, path=path) != root
    assert root_from_path(found[index], other, size=size, path=path) != root
    assert root_from_path(found[index], index, size=size, path=bent) != root
    assert root_from_path(found[index], index, size=size, path=path[:-1]) != root
    assert root_from_path(found[index], index, size=size, path=[*path, found[0]]) != root


@pytest.mark.parametrize("index", [-1, 3])
def test_there_is_no_path_from_a_leaf_that_is_not_there(index: int) -> None:
    """D6: a number from somebody else is not trusted."""
    assert root_from_path(_LEAVES[0], index, size=3, path=[]) is None
    with pytest.raises(IndexError):
        inclusion_path(_LEAVES[:3], index)


def test_a_node_is_no_leaf() -> None:
    """D6: whoever offers the two halves of a node as an entry gets another hash."""
    assert leaf_hash(_LEAVES[0] + _LEAVES[1]) != root_of(_LEAVES[:2])
