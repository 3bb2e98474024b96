"""Key rings: what they hold, where they come from, and that nobody else sees them."""

from __future__ import annotations

import base64
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fourfold.adapters.sealing.keys import Key, KeyRing, KeySecret, key_file
from fourfold.errors import ConfigError

SECRET = bytes(range(32))
ENCODED = base64.b64encode(SECRET).decode()


def test_a_secret_is_shown_nowhere() -> None:
    """B16: neither in logs nor in tracebacks."""
    ring = KeyRing.of(("k1", SECRET))
    shown = f"{ring} {ring!r} {ring.keys[0]} {ring.keys[0].secret} {ring.keys[0].secret!r} {vars(Key).keys()}"

    assert "<secret>" in shown
    assert ENCODED not in shown
    assert repr(SECRET) not in shown
    assert ring.keys[0].secret.reveal() == SECRET


def test_the_text_of_the_environment_is_read_newest_first() -> None:
    """B10: FOURFOLD_KEYS, as several replicas share it."""
    ring = KeyRing.from_text(f" new:{ENCODED} , old:{base64.b64encode(b'x' * 40).decode()},")

    assert [(key.kid, key.secret.reveal()) for key in ring.keys] == [("new", SECRET), ("old", b"x" * 40)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " , ",
        ENCODED,
        f"k1:{ENCODED},k1:{ENCODED}",
        f":{ENCODED}",
        f"a key:{ENCODED}",
        f"{'k' * 33}:{ENCODED}",
        f"k1:{ENCODED[:-4]}",
        f"k1:{ENCODED[:-1]}",
        "k1:not/base64!",
        f"k1:{ENCODED}é",
    ],
)
def test_a_wrong_ring_is_refused_without_being_quoted(text: str) -> None:
    """B10, A5: a mistyped secret is still a secret."""
    with pytest.raises(ConfigError) as caught:
        KeyRing.from_text(text)

    assert ENCODED[:12] not in str(caught.value)
    assert "base64" in str(caught.value) or "key" in str(caught.value) or "secret" in str(caught.value)


def test_a_short_secret_is_refused() -> None:
    """B10: fewer bytes than the key that is derived from them."""
    with pytest.raises(ConfigError, match="at least 32 bytes"):
        KeySecret(b"x" * 31)


def test_a_missing_key_file_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    """B10: a first start needs no setup, and the second finds the same key."""
    path = tmp_path / "new" / "keys"
    first, second = key_file(path), key_file(path)

    assert first.keys[0].kid == second.keys[0].kid
    assert first.keys[0].secret.reveal() == second.keys[0].secret.reveal()
    assert len(first.keys[0].secret.reveal()) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == ["keys"]


def test_a_key_is_rotated_by_a_line_in_front(tmp_path: Path) -> None:
    """B10: the old one goes on opening."""
    path = tmp_path / "keys"
    old = key_file(path).keys[0].kid
    path.write_text(f"new:{ENCODED}\n{path.read_text()}")

    assert [key.kid for key in key_file(path).keys] == ["new", old]


def test_a_key_that_only_opens_does_not_seal() -> None:
    """B10: it is there before it is used, so that every process opens what the first one seals with it."""
    ring = KeyRing.from_text(f"new:{ENCODED}:opens, old:{base64.b64encode(b'x' * 40).decode()}")

    assert [(key.kid, key.opens_only) for key in ring.keys] == [("new", True), ("old", False)]
    assert ring.sealing.kid == "old"


@pytest.mark.parametrize(
    "text", [f"k1:{ENCODED}:opens", f"k1:{ENCODED}:seals", f"k1:{ENCODED}:", f"k1:{ENCODED}:opens:x"]
)
def test_a_ring_that_nobody_can_seal_with_is_refused(text: str) -> None:
    """B10: and so is a word that says nothing."""
    with pytest.raises(ConfigError) as caught:
        KeyRing.from_text(text)

    assert ENCODED[:12] not in str(caught.value)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_key_file_that_others_can_reach_is_refused(tmp_path: Path, mode: int) -> None:
    """B10: who can read the key can forge every token; the fix is in the message."""
    path = tmp_path / "keys"
    key_file(path)
    path.chmod(mode)

    with pytest.raises(ConfigError, match="chmod 600"):
        key_file(path)


def test_a_key_file_that_is_none_is_refused(tmp_path: Path) -> None:
    """B10: a directory, another kind of file, a place that cannot be written."""
    (tmp_path / "folder").mkdir(mode=0o700)
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    (tmp_path / "binary").chmod(0o600)
    for path in (tmp_path / "folder", tmp_path / "binary", tmp_path / "binary" / "keys"):
        with pytest.raises(ConfigError):
            key_file(path)


def test_starters_that_race_to_make_the_file_end_with_one_key(tmp_path: Path) -> None:
    """B10: replicas that start together must open each other's tokens."""
    racers = 8
    for number in range(5):
        path, start = tmp_path / f"keys-{number}", threading.Barrier(racers)
        with ThreadPoolExecutor(racers) as threads:
            racing = [threads.submit(after, start, path) for _ in range(racers)]
        assert len({racer.result().keys[0].secret.reveal() for racer in racing}) == 1

    assert len(list(tmp_path.iterdir())) == 5, "drafts of those who came second are gone"


def after(start: threading.Barrier, path: Path) -> KeyRing:
    """The ring of `path`, asked for when everybody is ready."""
    start.wait(30)
    return key_file(path)
