"""What an answer says without what every answer has its own of: ids of the call, instants, and what was asked."""

from __future__ import annotations

import json
import re

from fourfold.model.listed import ToolAnswer

__all__ = ["masked"]

_PER_CALL = re.compile(
    r"\b(?:op|ref|run|plan)_[0-9a-zA-Z]{8,}"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\b[0-9a-f]{32,128}\b"
    r"|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:?\d\d)?"
)
"""Ids of operations, runs and plans, UUIDs, digests, and instants."""


def masked(answer: ToolAnswer, *asked: object) -> str:
    """All that an answer says, with a mark for what is of this call, and for the values that were `asked` with."""
    said = json.dumps([answer.result, answer.refusal], sort_keys=True, ensure_ascii=False, default=str)
    for value in asked:
        said = re.sub(rf"(?<!\w){re.escape(str(value))}(?!\w)", "…", said)
    return _PER_CALL.sub("…", said)
