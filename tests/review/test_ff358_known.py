"""What a failure shows of the server, and what its caller had anyway."""

from __future__ import annotations

import pytest

from fourfold.model.listed import ListedTool, ToolAnswer
from fourfold.review.engine import review_answer
from fourfold.review.settings import ReviewSettings
from fourfold.review.view import ToolView

TOOL = ToolView(ListedTool(definition={"name": "file_read", "inputSchema": {"type": "object"}}))
COMMAND = "npx some-server --root=/srv/ana/notes/ /tmp/shared"


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("ENOENT: no such file, open '/srv/ana/notes/missing.txt'", False),
        ("'/etc/x' is outside of /tmp/shared", True),
        ("'/tmp/x' is outside of /tmp/shared", False),
        ("'x' is outside of /tmp/shared", False),
        ("ENOENT: no such file, open '/srv/ana/notes-of-greta/a.txt'", True),
        ("'/srv/ana/notes' is a folder, and /var/lib/store.db is locked", True),
        ("Field required, input_value={'path': '/srv/gre.../a.txt'}", False),
        ("The path must be absolute, e.g. '/srv/me/q1.xlsx'", False),
        ("[Errno 21] Is a directory: '/opt/env/lib/python3.11/site-packages/tzdata/zoneinfo/Europe'", True),
        ("Error: Cannot find module at /data/node_modules/left-pad/index.js", True),
    ],
)
def test_a_path_that_the_caller_has_anyway_is_no_leak(text: str, *, is_told: bool) -> None:
    """A5: what stands in the server's command, and what is given as an example, is no news; another path is."""
    result = {"content": [{"type": "text", "text": text}], "isError": True}
    answer = ToolAnswer(
        result=result, arguments={"path": "missing.txt", "of": "/srv/greta/a.txt", "to": "../x"}, told=COMMAND
    )

    found = [*review_answer(TOOL, answer, settings=ReviewSettings(select=("FF358",)))]

    assert [finding.message for finding in found] == ["the failure shows a path of the server"] * is_told


@pytest.mark.parametrize(("wanted", "is_told"), [("error", False), ("success", True)])
def test_a_text_about_errors_that_was_asked_for_is_no_failure(wanted: str, *, is_told: bool) -> None:
    """B6: a call that asks for an error message is answered with one."""
    result = {"content": [{"type": "text", "text": "Error: Operation failed"}]}
    answer = ToolAnswer(result=result, arguments={"message_type": wanted})

    found = [*review_answer(TOOL, answer, settings=ReviewSettings(select=("FF355",)))]

    assert bool(found) == is_told
