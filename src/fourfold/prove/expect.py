"""What an answer has to be, and the sentence that says what it was instead."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Broken
from fourfold.prove.peer import Reply

__all__ = ["expect_error", "expect_no_result", "expect_result"]


def expect_error(reply: Reply, what: str, *, code: int, status: int = 0) -> None:
    """The answer is that error, with that status over HTTP; 0 for any status.

    Raises:
        Broken: it is something else.
    """
    wanted = f"error {code}" if not (status and reply.answer.status) else f"HTTP {status} with error {code}"
    wrong_status = bool(status) and reply.answer.status not in (0, status)
    if reply.code != code or wrong_status:
        raise Broken(f"{what} was answered with {reply.shown}; it has to be {wanted}")


def expect_result(reply: Reply, what: str) -> JsonObject:
    """The answer's result.

    Raises:
        Broken: there is none.
    """
    if reply.result is None:
        raise Broken(f"{what} was answered with {reply.shown}; it has to be a result")
    return reply.result


def expect_no_result(reply: Reply, what: str) -> None:
    """The frame was refused: over HTTP with a status from 400 up, over stdio at least not with a result.

    Raises:
        Broken: it was taken.
    """
    was_taken = any("result" in message for message in reply.messages)
    if was_taken or 0 < reply.answer.status < 400:
        raise Broken(f"{what} was answered with {reply.shown}; it has to be refused")
