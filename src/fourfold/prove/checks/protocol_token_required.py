"""Without a token that is known, nothing is answered but the challenge."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking, wire_of
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_OTHERS: dict[str, str | None] = {
    "no token": None,
    "a made-up token": "Bearer made-up-by-fourfold",
    "a token under another scheme": "Basic made-up-by-fourfold",
}


async def _run(desk: Desk, _: ToolView) -> None:
    if not wire_of(desk).has_token:
        raise NotTested("the server is called without a token", next_step="name callers with tokens in --callers FILE")
    async with speaking(desk) as peer:
        for what, authorization in _OTHERS.items():
            answer = (await peer.send(peer.request("tools/list"), {"authorization": authorization})).answer
            if answer.status != 401:
                raise Broken(f"a request with {what} was answered with HTTP {answer.status}; it has to be 401")
            if not answer.headers.get("www-authenticate", "").startswith("Bearer"):
                raise Broken(f"the 401 for a request with {what} has no WWW-Authenticate: Bearer")


CHECK = Check(
    name="protocol-token-required",
    family="protocol",
    proves="a request without a valid token is refused with 401 and a challenge",
    requires=(f"{SPEC}/basic/authorization",),
    run=_run,
    whole=True,
    transport="http",
)
