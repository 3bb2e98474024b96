"""Imports literal records, as `fourfold select import` does."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from fourfold.contracts.case_file import case_line
from fourfold.model.chosen import OfferedTool
from fourfold.selection.importing.decision import Format
from fourfold.selection.importing.run import Import
from fourfold.selection.importing.to_case import CaseMaker

__all__ = ["GOOD", "REFUND", "SCHEMA", "Imported", "hindrances", "import_lines", "import_records"]

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
REFUND = OfferedTool(name="refund", description="Pay an invoice back.", input_schema=SCHEMA)

_CALL = {"id": "c", "type": "function", "function": {"name": "refund", "arguments": '{"id": "INV-7"}'}}
_ASKED = {"role": "user", "content": "Refund INV-7."}
_CALLED = {"role": "assistant", "tool_calls": [_CALL]}
_FUNCTION = {"type": "function", "function": {"name": "refund", "description": "Pay back.", "parameters": SCHEMA}}
_USE = {"type": "tool_use", "id": "t", "name": "refund", "input": {"id": "INV-7"}}
_PART = {"type": "tool_call", "id": "c", "name": "refund", "arguments": {"id": "INV-7"}}
GOOD: dict[Format, dict[str, Any]] = {
    "openai": {"tools": [_FUNCTION], "messages": [_ASKED], "response": _CALLED},
    "anthropic": {
        "system": "You help.",
        "tools": [{"name": "refund", "description": "Pay back.", "input_schema": SCHEMA}],
        "messages": [_ASKED, {"role": "assistant", "content": [_USE]}],
    },
    "claude-code": {
        "type": "user",
        "uuid": "a",
        "parentUuid": None,
        "sessionId": "s",
        "message": {"role": "user", "content": [{"type": "text", "text": "Refund INV-7."}]},
    },
    "otel": {
        "resourceSpans": [
            {
                "scopeSpans": [
                    {
                        "spans": [
                            {
                                "traceId": "t",
                                "attributes": {
                                    "gen_ai.operation.name": "chat",
                                    "gen_ai.input.messages": [
                                        {"role": "user", "parts": [{"type": "text", "content": "Refund INV-7."}]}
                                    ],
                                    "gen_ai.output.messages": [{"role": "assistant", "parts": [_PART]}],
                                    "gen_ai.tool.definitions": [_FUNCTION],
                                },
                            }
                        ]
                    }
                ]
            }
        ]
    },
    "openinference": {
        "openinference.span.kind": "LLM",
        "llm.tools": [{"tool": {"json_schema": _FUNCTION}}],
        "llm.input_messages": [{"message": _ASKED}],
        "llm.output_messages": [{"message": {"role": "assistant", "tool_calls": [{"tool_call": _CALL}]}}],
    },
    "mcp": {"msg": {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "refund"}}},
    "langsmith": {
        "id": "r",
        "run_type": "llm",
        "inputs": {"messages": [[{"id": ["HumanMessage"], "kwargs": {"content": "Refund INV-7."}}]]},
        "outputs": {
            "generations": [
                [
                    {
                        "message": {
                            "id": ["AIMessage"],
                            "kwargs": {"tool_calls": [{"name": "refund", "args": {"id": "7"}}]},
                        }
                    }
                ]
            ]
        },
        "extra": {"invocation_params": {"tools": [_FUNCTION]}},
    },
    "langfuse": {
        "id": "o",
        "type": "GENERATION",
        "input": {"messages": [_ASKED], "tools": [_FUNCTION]},
        "output": _CALLED,
    },
}
"""One record of each format from which nothing is missing; all but two give a case."""

Imported = tuple[list[dict[str, Any]], Import]
"""The cases as their lines say, and what was counted."""


def import_records(*records: Any, form: Format | None = None, tools: Iterable[OfferedTool] = ()) -> Imported:
    """Import records, each a line of its own."""
    return import_lines([json.dumps(record).encode() for record in records], form=form, tools=tools)


def import_lines(lines: Iterable[bytes], *, form: Format | None = None, tools: Iterable[OfferedTool] = ()) -> Imported:
    """Import lines as they are."""
    counted = Import(maker=CaseMaker(tuple(tools)), form=form)
    return [json.loads(case_line(case)) for case in counted.cases_in(lines)], counted


def hindrances(counted: Import) -> dict[str, tuple[int, str]]:
    """How often each reason was counted, and the first place of it."""
    return {reason: (each.count, str(each.first)) for reason, each in counted.hindered.items()}
