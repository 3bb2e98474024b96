"""From an Authorization header to a caller."""

from __future__ import annotations

from hashlib import sha256

import pytest

from fourfold.edge.identity import KnownToken, TokenIdentity
from fourfold.errors import ConfigError
from fourfold.model.caller import Caller
from tests.edge.conftest import Connect
from tests.edge.edge_service import ANNA, EdgeService
from tests.edge.wire import headers_of, modern, post

BEN = Caller(principal="ben", tenant="globex")


def _known(caller: Caller, token: str) -> KnownToken:
    return KnownToken(caller=caller, token_sha256=sha256(token.encode()).hexdigest())


IDENTITY = TokenIdentity([_known(ANNA, "anna-token"), _known(BEN, "ben-token")])


@pytest.mark.parametrize(
    ("header", "caller"),
    [
        ("Bearer anna-token", ANNA),
        ("bearer  ben-token ", BEN),
        ("Bearer ben-token2", None),
        ("Basic anna-token", None),
        ("anna-token", None),
        ("Bearer", None),
        ("Bearer ", None),
        ("Bearer \ud800 \xff", None),
        ("", None),
        (None, None),
    ],
)
def test_a_token_is_its_callers_and_nobody_elses(header: str | None, caller: Caller | None) -> None:
    """B18: the caller comes from the token alone."""
    assert IDENTITY.identify(header) == caller


@pytest.mark.parametrize("digest", ["", "abc", "g" * 64, sha256(b"").hexdigest()])
def test_a_digest_that_cannot_be_of_a_token_is_a_configuration_error(digest: str) -> None:
    """B18: the digest of nothing would let everybody in who sends no token."""
    with pytest.raises(ConfigError, match="'anna' must be 64 hexadecimal digits"):
        TokenIdentity([KnownToken(caller=ANNA, token_sha256=digest)])


def test_two_callers_cannot_share_a_token() -> None:
    """B18: who acts would depend on the order of the configuration."""
    with pytest.raises(ConfigError, match="same token_sha256"):
        TokenIdentity([_known(ANNA, "one"), _known(BEN, "one")])


@pytest.mark.anyio
async def test_every_bad_token_gets_the_same_bytes(connect: Connect) -> None:
    """B18: the answer does not tell a missing, a malformed and an unknown token apart."""
    body = modern("tools/list")
    answers: set[tuple[int, str | None, bytes]] = set()
    async with connect(identity=IDENTITY) as client:
        for header in (None, "Bearer wrong", "Basic x", "Bearer"):
            headers = headers_of(body) if header is None else {**headers_of(body), "authorization": header}
            answer = await post(client, body, headers)
            answers.add((answer.status_code, answer.headers.get("www-authenticate"), answer.content))
    assert answers == {(401, "Bearer", b'{"error":"unauthorized"}')}


@pytest.mark.anyio
async def test_a_call_runs_as_the_caller_of_its_token(connect: Connect, service: EdgeService) -> None:
    """B18: no session, so each request says who it is from."""
    body = modern("tools/call", {"name": "list_hosts"})
    async with connect(identity=IDENTITY) as client:
        for token in ("anna-token", "ben-token"):
            await post(client, body, {**headers_of(body), "authorization": f"Bearer {token}"})
    assert [call.caller for call in service.calls] == [ANNA, BEN]
