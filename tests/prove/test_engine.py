"""A run goes on after what nobody planned: a call without an answer, and a check that is broken itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.prove.shelf import at_stranger

CRASHING = '''"""A check with a bug."""

from fourfold.prove.check import Check

async def _run(desk, tool):
    await desk.call(tool.name, {})
    {}["nothing"]

CHECK = Check(name="crashes", family="contract", proves="nothing", requires=("B12",), run=_run, whole=True)
'''
RUN = """
import sys
from fourfold.prove import checks
checks.__path__.append(sys.argv.pop(1))
from fourfold.cli.main import main
main()
"""


@pytest.mark.anyio
async def test_a_call_without_an_answer_is_a_verdict_and_not_the_end() -> None:
    """B12: what the other checks find out is not lost, and the call is named."""
    found = await at_stranger("output-conforms", "definitions-are-for-all", faults=["leaves-alone"], timeout_s=1)
    unanswered = [each for each in found if each.check == "server-answers"]
    assert [(each.status, each.calls[0].tool) for each in unanswered] == [("failed", "note_measure")]
    assert "output-conforms of note_measure: shelf did not answer in time" in unanswered[0].detail
    said = {(each.check, each.tool): each.status for each in found}
    assert said["output-conforms", "note_measure"] == "not_tested"
    assert (said["output-conforms", "note_get"], said["definitions-are-for-all", ""]) == ("passed", "passed")


def test_a_broken_check_is_named_and_costs_no_report(tmp_path: Path) -> None:
    """B12: the report says what the sound checks found, and the exit says that it is a bug of ours."""
    (tmp_path / "crashes.py").write_text(CRASHING)
    server = str(Path(__file__).with_name("errand_server.py"))
    words = ["prove", "--json", "--only", "crashes", "--only", "list-is-stable"]
    target = ["--", sys.executable, server, str(tmp_path / "errands.json"), "ada"]
    command = [sys.executable, "-c", RUN, str(tmp_path), *words, *target]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    verdicts = {each["check"]: each for each in json.loads(done.stdout)["verdicts"]}
    assert (done.returncode, verdicts["list-is-stable"]["status"]) == (3, "passed")
    assert verdicts["crashes"]["status"] == "not_tested"
    assert verdicts["crashes"]["detail"] == "the check has a bug: KeyError: 'nothing' (crashes.py, line 7)"
