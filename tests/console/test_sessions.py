"""Sessions and links under any order of use."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fourfold.console.sessions import Links, Sessions
from fourfold.console.viewer import Viewer
from fourfold.testing import FixedClock

VIEWER = Viewer.of_store()


@given(st.text(max_size=80))
def test_what_was_never_given_opens_nothing(guess: str) -> None:
    """D5: whatever text it is, lone surrogates too."""
    clock = FixedClock()
    sessions, links = Sessions(clock), Links(clock)
    cookie, secret = sessions.begin(VIEWER), links.new(VIEWER)
    if guess not in (cookie, secret):
        assert sessions.find(guess) is None
        assert links.use(guess) is None
    session = sessions.find(cookie)
    assert session is not None
    assert session.has_csrf(guess) is (guess == session.csrf)


def test_neither_sessions_nor_links_grow_without_end() -> None:
    """D5: of a thousand, the one that was used longest ago makes room."""
    clock = FixedClock()
    sessions, links = Sessions(clock), Links(clock)
    first, link = sessions.begin(VIEWER), links.new(VIEWER)
    clock.advance(1)
    newer = [(sessions.begin(VIEWER), links.new(VIEWER)) for _ in range(1_000)]
    assert sessions.find(first) is None
    assert links.use(link) is None
    assert sessions.find(newer[0][0]) is not None
    assert links.use(newer[0][1]) is VIEWER


def test_no_secret_is_shown_by_a_session() -> None:
    """D5, B18: neither in a log nor in a traceback."""
    sessions = Sessions(FixedClock())
    cookie = sessions.begin(VIEWER)
    session = sessions.find(cookie)
    assert session is not None
    assert session.csrf not in repr(session)
    assert cookie not in repr(vars(sessions))
