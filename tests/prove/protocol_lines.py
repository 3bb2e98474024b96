"""What of the specification the protocol checks look at, line by line; written as `docs/protocol-checks.md`.

`python -m tests.prove.protocol_lines` writes the page. The lines are what a tools server has to do at 2026-07-28.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fourfold.prove.check import Check
from fourfold.prove.registry import all_checks

__all__ = ["LINES", "PAGE", "Line", "page", "protocol_checks"]

PAGE = Path(__file__).parents[2] / "docs" / "protocol-checks.md"


@dataclass(frozen=True)
class Line:
    """One line: its weight (M must, S should, A advice), what it says, the checks, and what they leave out."""

    number: int
    weight: str
    says: str
    checks: tuple[str, ...] = ()
    left: str = ""


_ASKS = "takes a tool that asks a person, and a write to confirm; a server of strangers may have none"
_INSIDE = "only the server itself can see it"

LINES = (
    Line(1, "M", "Every result has `resultType`.", ("protocol-result-type",)),
    Line(2, "S", "Every result names the server in `_meta`.", ("protocol-server-info",)),
    Line(3, "M", "`server/discover` works, also as the first request.", ("protocol-discover",)),
    Line(4, "M", "Its result has `ttlMs` and `cacheScope`.", ("protocol-discover",)),
    Line(5, "M", "A request without its envelope: -32602.", ("protocol-envelope",)),
    Line(6, "M", "`clientInfo` may be missing.", ("protocol-client-info",)),
    Line(7, "M", "A version that is not spoken: -32022 with the list.", ("protocol-version-refused",)),
    Line(
        8, "M", "No request inherits what an earlier one declared.", ("protocol-no-memory",),
        "that a question is not asked because of an older request: " + _ASKS,
    ),
    Line(9, "M", "An undeclared capability: -32021.", (), _ASKS),
    Line(10, "M", "Unknown and removed methods: -32601, over HTTP 404.", ("protocol-unknown-method",)),
    Line(11, "M", "Declared capabilities work, undeclared ones are unknown.", ("protocol-capabilities",)),
    Line(12, "M", "The id comes back exactly; no other is taken.", ("protocol-id-echoed", "protocol-id-refused")),
    Line(13, "M", "An error without a known id leaves it out.", ("protocol-error-without-id",)),
    Line(14, "M", "A batch is refused.", ("protocol-batch-refused",)),
    Line(15, "M", "The server sends no requests.", ("protocol-no-requests",)),
    Line(
        16, "M", "HTTP: headers that are missing or contradict the body: -32020.",
        ("protocol-header-mismatch", "protocol-header-names"),
        "a missing version header, which a server of older revisions may take for 2025-03-26; white space around "
        "values, which HTTP clients do not send",
    ),
    Line(17, "M", "HTTP: `Mcp-Name` in base64 is decoded.", ("protocol-name-encoding",)),
    Line(
        18, "M", "HTTP: `Mcp-Param` headers match the arguments.", ("protocol-parameter-headers",),
        "arguments below the top, and equal numbers that are written differently",
    ),
    Line(19, "A", "A wrong `x-mcp-header` is refused when the tool is made.", (), _INSIDE),
    Line(20, "S", "HTTP: only POST; no sessions.", ("protocol-post-only", "protocol-no-session")),
    Line(21, "M", "HTTP: a strange Origin: 403.", ("protocol-origin",)),
    Line(22, "M", "HTTP: a notification: 202 without a body.", ("protocol-notification-accepted",)),
    Line(23, "M", "HTTP: no error with a status of its own inside a stream.", ("protocol-error-not-streamed",)),
    Line(24, "S", "HTTP: a stream is not buffered and ends with the response.", ("protocol-stream-ends",)),
    Line(25, "M", "HTTP: who leaves cancels.", (), _INSIDE + "; `tests/edge/test_gate.py` for ours"),
    Line(
        26, "M", "stdio: a cancelled request is silent; other cancellations are ignored.", ("protocol-cancel-ignored",),
        "the first half, which takes a slow tool; `tests/edge/test_stdio.py` for ours",
    ),
    Line(27, "M", "stdio: nothing but messages on standard output.", ("protocol-stdout-pure",)),
    Line(28, "S", "stdio: the process ends with its input.", ("protocol-exit-at-end",)),
    Line(29, "M", "stdio: one line of UTF-8 for each message.", ("protocol-one-line",)),
    Line(30, "M", "Pages of the list have `ttlMs` and one `cacheScope`.", ("protocol-list-caching",)),
    Line(31, "S", "The list keeps its order.", ("protocol-list-stable",)),
    Line(
        32, "M", "The list depends on neither connection nor calls; on the caller only if private.",
        ("protocol-list-stable", "protocol-list-private"),
    ),
    Line(
        33, "S", "A cursor that was never given out: -32602; pages have each tool once.",
        ("protocol-bad-cursor", "protocol-list-pages"), "the empty cursor, which may be a good one",
    ),
    Line(
        34, "M", "Schemas are valid; an input schema is of an object.", ("protocol-input-schemas",),
        "that a server refuses a dialect it does not know, which happens when a tool is made",
    ),
    Line(35, "M", "Nothing fetches what a `$ref` names.", (), _INSIDE + ", and whoever watches its connections"),
    Line(
        36, "S", "Schemas and arguments that are hard to check are bounded.", ("protocol-deep-arguments",),
        "large and expensive ones, because a check must not load the server",
    ),
    Line(37, "A", "Keywords of a schema survive.", ("protocol-schema-verbatim",), "where there is no contract of ours"),
    Line(
        38, "M", "Arguments are checked before the handler runs.",
        ("protocol-invalid-arguments", "invalid-has-no-effect"),
        "of strangers, whether the handler ran",
    ),
    Line(
        39, "A", "Unknown tools and malformed calls: -32602.", ("protocol-unknown-tool", "protocol-malformed-call"),
    ),
    Line(40, "S", "A failure inside a tool is a result with isError.", (), "the failure can't be made from outside"),
    Line(41, "M", "A success fits its output schema.", ("output-conforms",)),
    Line(
        42, "S", "Structured content stands in a text too.", ("protocol-text-mirror",),
        "values such as null, 0 and [], for which a tool has to return them",
    ),
    Line(43, "M", "A result of a call has `content`.", ("protocol-content",)),
    Line(44, "M", "Lists never ask for input.", ("protocol-result-type",), "what a question has to hold: " + _ASKS),
    Line(45, "M", "Only declared kinds of question are asked.", (), _ASKS),
    Line(46, "M", "A `requestState` that was changed is refused.", (), _ASKS),
    Line(47, "S", "Missing answers are asked for again.", (), _ASKS),
    Line(48, "M", "A state is used once.", (), _ASKS),
    Line(49, "A", "Another process takes up a question.", (), _ASKS),
    Line(50, "M", "Decline and cancel are answers.", (), _ASKS),
    Line(51, "M", "Log messages only for who asks.", ("protocol-no-logs",), "that a level filters"),
    Line(52, "M", "Progress only with a token, growing, not after the response.", ("protocol-progress",)),
    Line(
        53, "M", "A subscription is acknowledged first.", ("protocol-listen",),
        "notices themselves, for which the list has to change",
    ),
    Line(54, "S", "Notices only when the list changed.", (), "the list can't be changed from outside"),
    Line(
        55, "M", "HTTP: without a valid token 401 and a challenge.", ("protocol-token-required",),
        "audience, expiry and scopes, which take an authorization server",
    ),
    Line(56, "M", "A handle of one user is refused for another.", (), "the tenant checks try ids and handles"),
    Line(57, "M", "Calls are limited.", (), "a check must not load the server"),
    Line(58, "M", "No result type of an extension that was not declared.", ("protocol-result-type",)),
    Line(59, "M", "No reserved or retired error codes.", ("protocol-error-codes",)),
    Line(
        60, "M", "Both eras, each in its own way, at one endpoint.",
        ("protocol-legacy-handshake", "protocol-legacy-fields", "protocol-eras-together"),
    ),
)  # fmt: skip
"""The lines in the order of their numbers."""

_HEAD = """\
# Protocol checks

What `fourfold prove` asks of any server about the protocol itself, as somebody who only sees frames. Each check
writes its own frames, some of them wrong on purpose, to the URL or the command that is proved. It calls only tools
that read, sends a few kilobytes, and waits at most ten seconds for an answer. `fourfold prove TARGET --only protocol`
runs them alone.

This page is generated: `python -m tests.prove.protocol_lines` writes it, and a test fails when it says something else.

A check about HTTP gives no verdict over stdio, nor one about stdio over HTTP. Where a server speaks only older
revisions, what belongs to 2026-07-28 is `not tested`, and the rest is asked after a handshake.

A check whose lines all are a should, or prose, is a should itself: a server that breaks it is warned of it and has not
failed. So is a part of `protocol-list-stable`, the order, and of `protocol-list-pages`, names that stand there twice.

"""

_MIDDLE = """
## The lines

M: the specification says must. S: should. A: prose without such a word, or advice.

"""


def protocol_checks() -> tuple[Check, ...]:
    """The checks of the family."""
    return tuple(check for check in all_checks() if check.family == "protocol")


def page() -> str:
    """The page as it should stand in `docs`."""
    rows = [
        (f"`{check.name}`", check.proves, check.weight, check.transport or "both", _links(check.requires))
        for check in protocol_checks()
    ]
    lines = [
        (str(line.number), line.weight, line.says, ", ".join(f"`{name}`" for name in line.checks) or "-", line.left)
        for line in LINES
    ]
    checks = _table(("check", "what has to hold", "weight", "transport", "specification"), rows)
    return _HEAD + checks + _MIDDLE + _table(("line", "", "what it says", "checks", "not looked at"), lines)


def _links(addresses: tuple[str, ...]) -> str:
    return ", ".join(f"[{number}]({address})" for number, address in enumerate(addresses, 1))


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, ("---",) * len(head), *rows))


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
