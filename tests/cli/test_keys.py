"""`fourfold keys`: a ring by its ids, a rotation in two steps, and servers that must share one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from fourfold.adapters.sealing.keys import KeyRing, key_file
from fourfold.adapters.sealing.sealer import AesGcmSealer
from tests.cli.commands import Result, fourfold

pytestmark = pytest.mark.usefixtures("workspace")

Run = Callable[..., Result]

_STORE = ("--store", "sqlite:///shop.db")


def uses(run: Run) -> list[str]:
    """What each key is used for, newest first."""
    return [re.split(r"  +", line)[2] for line in run("keys", "list", *_STORE).out.splitlines()[1:]]


def test_a_new_ring_is_printed_once_and_can_be_used(run: Run) -> None:
    """B10: on standard output alone, so that it can go straight to where secrets are kept."""
    first, second = run("keys", "new"), run("keys", "new")
    ring = KeyRing.from_text(first.out)
    assert (first.code, len(ring.keys), first.out == second.out) == (0, 1, False)
    assert len(ring.keys[0].secret.reveal()) == 32
    assert "kept nowhere" in first.err
    assert not list(Path().glob("*.keys"))


def test_keys_are_listed_by_id_and_age_and_never_shown(run: Run) -> None:
    """B10, B16: of the file, and of the environment."""
    key_file(Path("shop.keys"))
    secret = Path("shop.keys").read_text("ascii").strip().split(":")[1]
    listed = run("keys", "list", *_STORE)
    assert re.fullmatch(r"id +age +use\n\d{4}-\d\d-\d\d-[0-9a-f]{6}  [01] days  seals and opens\n", listed.out)
    assert secret not in listed.out + listed.err
    old = f"from-elsewhere:{secret}"
    shared = fourfold("keys", "list", *_STORE, FOURFOLD_KEYS=old)
    assert shared.out.splitlines()[1].split("  ") == ["from-elsewhere", "unknown", "seals and opens"]


def test_listing_makes_no_keys(run: Run) -> None:
    """B10: a question changes nothing."""
    missing = run("keys", "list", *_STORE)
    assert (missing.code, list(Path().glob("*.keys"))) == (2, [])
    assert "a server makes them when it is first started" in missing.err


def test_a_rotation_opens_first_and_seals_then(run: Run) -> None:
    """B10: so that no server gets what another one has sealed with a key that it lacks."""
    path = Path("shop.keys")
    before = AesGcmSealer(key_file(path))
    first = run("keys", "rotate", *_STORE)
    added = AesGcmSealer(key_file(path))
    assert uses(run) == ["opens, seals next", "seals and opens"]
    assert "only opens" in first.out
    token = added.seal("cursor", b"x", bind=())
    assert before.open("cursor", token, bind=(), now_ms=0) == b"x"

    second = run("keys", "rotate", *_STORE)
    rotated = AesGcmSealer(key_file(path))
    assert uses(run) == ["seals and opens", "opens"]
    assert "seals from the next start" in second.out
    assert rotated.open("cursor", token, bind=(), now_ms=0) == b"x"
    assert added.open("cursor", rotated.seal("cursor", b"y", bind=()), bind=(), now_ms=0) == b"y"
    assert before.tag("arguments", b"z") == rotated.tag("arguments", b"z")


def test_a_rotated_file_stays_its_owners(run: Run) -> None:
    """B10: and nothing is left beside it."""
    key_file(Path("shop.keys"))
    run("keys", "rotate", *_STORE)
    assert Path("shop.keys").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in Path().iterdir() if "keys" in path.name] == ["shop.keys"]


def test_a_ring_that_is_nowhere_or_in_the_environment_is_not_rotated_here(run: Run) -> None:
    """B10: the message says where, and the ring is not shown."""
    ring = run("keys", "new").out.strip()
    assert run("keys", "rotate", *_STORE).code == 2
    shared = fourfold("keys", "rotate", *_STORE, FOURFOLD_KEYS=ring)
    assert shared.code == 2
    assert "put the output of `fourfold keys new`" in shared.err
    assert ring.split(":")[1] not in shared.err


@pytest.mark.parametrize("given", [["--replicas", "2"], []])
def test_replicas_refuse_to_start_without_a_shared_ring(workspace: Path, given: list[str]) -> None:
    """B8, B10: neither with a key file nor with a key of one process; by option and by configuration."""
    configuration = workspace / "fourfold.toml"
    if not given:
        text = configuration.read_text("utf-8")
        configuration.write_text(text.replace("[serve]\n", "[serve]\nreplicas = 2\n"), "utf-8")
    words = ("serve", "shop:catalog", "--http", "127.0.0.1:0", *given)
    on_file = fourfold(*words, *_STORE)
    in_memory = fourfold(*words, "--store", "memory:")
    assert (on_file.code, in_memory.code) == (2, 2)
    assert "2 replicas need the same keys" in on_file.err
    assert "2 replicas need the same store" in in_memory.err
    assert not list(workspace.glob("*.keys"))
