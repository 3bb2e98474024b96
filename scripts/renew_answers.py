"""Fits written answers to their suite again, after the conversation of a case was edited.

Usage: python scripts/renew_answers.py SUITE ANSWERS...

Each answer is found by the id of its case, and gets the digest of the conversation as it is now. The answers themselves
stay as they are: whether they still say what they are meant to say is for a person to read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fourfold.contracts.case_file import read_cases
from fourfold.selection.digest import messages_digest


def main(suite: Path, *files: Path) -> None:
    """Rewrite `files` as answers to the cases of `suite`."""
    with suite.open("rb") as lines:
        digests = {case.id: messages_digest(case.messages) for case in read_cases(lines, name=suite.name)}
    for file in files:
        renewed = "".join(f"{line}\n" for line in _renewed(file, digests))
        file.write_text(renewed, "utf-8")


def _renewed(file: Path, digests: Mapping[str, str]) -> Iterator[str]:
    left = {*digests}
    for line in file.read_text("utf-8").splitlines():
        value: dict[str, Any] = json.loads(line)
        if "case" in value:
            if value["case"] not in digests:
                raise SystemExit(f"{file.name} answers {value['case']}, which the suite does not hold")
            value["messages"] = digests[value["case"]]
            left.discard(value["case"])
        yield json.dumps(value, ensure_ascii=False)
    if left:
        raise SystemExit(f"{file.name} has no answer to {', '.join(sorted(left))}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
