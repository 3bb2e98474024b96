"""The relay in processes of its own, with a receiver on a real socket: killed in the middle, and within a server."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
import pytest

from tests.adapters.receiving import Receiver, receiver
from tests.cli.commands import FOURFOLD, TOKEN
from tests.stages.serving import eventually

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("workspace")]

_RELAY = ("outbox", "relay", "hook:catalog")
_LETTER = ("call", "hook:catalog", "letter_post", '{"to": "ada"}')


@pytest.fixture
def anyio_backend() -> str:
    """The backend of async tests."""
    return "asyncio"


async def fourfold(hook: Receiver, *words: str, token: str = "") -> Any:
    """Run one command to its end, and read what it prints as JSON."""
    done = await anyio.run_process([FOURFOLD, *words, "--json"], env=_environment(hook, token), check=False)
    return json.loads(done.stdout)


async def started(hook: Receiver, *words: str) -> anyio.abc.Process:
    """Start one command."""
    return await anyio.open_process([FOURFOLD, *words], env=_environment(hook), stdin=None)


async def test_a_relay_that_is_killed_after_sending_sends_again_with_the_same_key(workspace: Path) -> None:
    """B4: kill -9 once the receiver has it and nobody has noted it: delivered twice, never lost, one key."""
    async with receiver(hangs=True) as hook:
        await fourfold(hook, *_LETTER)
        for number in range(1, 4):
            async with await started(hook, *_RELAY) as relay:
                await eventually(lambda number=number: len(hook.posts) == number)
                relay.kill()
                assert await relay.wait() == -signal.SIGKILL
            assert await _message(hook) == ("waiting", number)
            _let_time_pass(workspace)
        hook.hangs = False
        relayed = await fourfold(hook, *_RELAY)

        assert (relayed["sent"], relayed["waiting"], relayed["dead"]) == (1, 0, 0)
        assert (await fourfold(hook, *_RELAY))["sent"] == 0
        assert len(hook.posts) == 4
        assert len({post.headers["idempotency-key"] for post in hook.posts}) == 1
        assert {post.body for post in hook.posts} == {b'{"to":"ada"}'}


async def test_what_a_killed_relay_had_in_hand_is_kept_from_others_for_a_while() -> None:
    """B4: nobody knows yet that it is dead, so nothing is sent beside it."""
    async with receiver(hangs=True) as hook:
        await fourfold(hook, *_LETTER)
        async with await started(hook, *_RELAY) as relay:
            await eventually(lambda: len(hook.posts) == 1)
            hook.hangs = False
            assert (await fourfold(hook, *_RELAY))["sent"] == 0
            relay.kill()

        assert len(hook.posts) == 1


async def test_a_server_sends_what_its_tools_leave() -> None:
    """B4: after the commit, without anybody asking; and ends with everything noted."""
    async with receiver() as hook, await started(hook, "serve", "hook:catalog", "--http", "127.0.0.1:0") as server:
        url = await _announced(server)
        answer = await fourfold(hook, "call", url, *_LETTER[2:], token=TOKEN)
        await eventually(lambda: len(hook.posts) == 1)
        server.send_signal(signal.SIGINT)
        assert await server.wait() == 0

        assert answer["structured"] == {"to": "ada"}
        assert await _message(hook) == ("sent", 1)


async def test_a_server_sends_what_was_left_before_it_started() -> None:
    """B4: by a process that had no time to."""
    async with receiver() as hook:
        await fourfold(hook, *_LETTER)
        async with await started(hook, "serve", "hook:catalog", "--http", "127.0.0.1:0") as server:
            await eventually(lambda: len(hook.posts) == 1)
            server.send_signal(signal.SIGINT)
            assert await server.wait() == 0


async def test_a_relay_makes_no_store() -> None:
    """A9: a slip in the name must not look like an empty outbox."""
    async with receiver() as hook:
        command = [FOURFOLD, *_RELAY, "--store", "sqlite:///slip.db"]
        done = await anyio.run_process(command, env=_environment(hook), check=False)

    assert (done.returncode, await anyio.Path("slip.db").exists()) == (2, False)


async def _message(hook: Receiver) -> tuple[str, int]:
    """State and attempts of the one message that there is."""
    (message,) = (await fourfold(hook, "outbox", "list"))["messages"]
    return message["state"], message["attempts"]


def _environment(hook: Receiver, token: str = "") -> Mapping[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("FOURFOLD_")}
    given = {"FOURFOLD_TOKEN": token} if token else {}
    return {**inherited, **given, "HOOK_URL": hook.url, "PYTHONDONTWRITEBYTECODE": "1"}


async def _announced(server: anyio.abc.Process) -> str:
    """The endpoint, from the line that a server prints."""
    printed = ""
    assert server.stderr is not None
    while "Ctrl-C ends it" not in printed:
        printed += (await server.stderr.receive()).decode()
    return next(word for word in printed.split() if word.startswith("http://"))


def _let_time_pass(workspace: Path) -> None:
    """As if the minute were over in which the message is kept for the relay that took it."""
    with closing(sqlite3.connect(workspace / ".fourfold/hook.db")) as database, database:
        database.execute("UPDATE fourfold_message SET next_ms = 0")
