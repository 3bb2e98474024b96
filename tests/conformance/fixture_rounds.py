"""Tools of the conformance fixture that ask before they answer (2026-07-28, "Multi Round-Trip Requests").

Questions to a person go through `edge.translate`, as a tool's own questions will. States are sealed by the SDK's
boundary, which the fixture server installs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.context import ServerRequestContext

from fourfold.edge.translate import answer
from fourfold.model.outcome import NeedsInput, Question

Context = ServerRequestContext[Any, Any]
Result = types.CallToolResult | types.InputRequiredResult


def ask(
    key: str, message: str, wanted: str, *, kind: str = "string", state: str | None = None
) -> types.InputRequiredResult:
    """One question to the person at the client, for one named value."""
    schema = {"type": "object", "properties": {wanted: {"type": kind}}, "required": [wanted]}
    needs = NeedsInput(questions=(Question(key=key, message=message, schema=schema),), state=state or "", run_id="run")
    asked = answer(needs)
    assert isinstance(asked, types.InputRequiredResult)
    return asked if state is not None else asked.model_copy(update={"request_state": None})


def say(text: str) -> types.CallToolResult:
    """A complete result."""
    return types.CallToolResult(content=[types.TextContent(text=text)])


def sampling(text: str, tokens: int) -> types.CreateMessageRequest:
    """A question to the client's model."""
    message = types.SamplingMessage(role="user", content=types.TextContent(text=text))
    return types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[message], max_tokens=tokens))


def elicitation(_context: Context, params: types.CallToolRequestParams) -> Result:
    """Asks for a name until it gets one."""
    response = _responses(params).get("user_name")
    if not isinstance(response, types.ElicitResult):
        return ask("user_name", "What is your name?", "name")
    if response.action != "accept":
        return say("Nobody was greeted.")
    name = (response.content or {}).get("name")
    return say(f"Hello, {name}!") if isinstance(name, str) else ask("user_name", "What is your name?", "name")


def model(_context: Context, params: types.CallToolRequestParams) -> Result:
    """Asks the client's model."""
    response = _responses(params).get("capital_question")
    if response is None:
        return types.InputRequiredResult(
            input_requests={"capital_question": sampling("What is the capital of France?", 100)}
        )
    return say(f"The model said: {response.model_dump(mode='json')}")


def roots(_context: Context, params: types.CallToolRequestParams) -> Result:
    """Asks for the client's roots."""
    response = _responses(params).get("client_roots")
    if response is None:
        return types.InputRequiredResult(input_requests={"client_roots": types.ListRootsRequest()})
    return say(f"The roots are: {response.model_dump(mode='json')}")


def request_state(_context: Context, params: types.CallToolRequestParams) -> Result:
    """Asks once, and knows by its state that it asked."""
    if params.request_state != "asked" or "confirm" not in _responses(params):
        return ask("confirm", "Please confirm", "ok", kind="boolean", state="asked")
    return say("state-ok")


def multiple_inputs(_context: Context, params: types.CallToolRequestParams) -> Result:
    """Asks three kinds of question at once."""
    if not {"user_name", "greeting", "client_roots"} <= _responses(params).keys():
        name = ask("user_name", "What is your name?", "name", state="three")
        more = {"greeting": sampling("Generate a greeting", 50), "client_roots": types.ListRootsRequest()}
        return name.model_copy(update={"input_requests": {**(name.input_requests or {}), **more}})
    return say("All three came.")


def multi_round(_context: Context, params: types.CallToolRequestParams) -> Result:
    """Asks twice, one round after the other."""
    if params.request_state == "second" and "step2" in _responses(params):
        return say("Both steps are done.")
    if params.request_state == "first" and "step1" in _responses(params):
        return ask("step2", "Step 2: What is your favorite color?", "color", state="second")
    return ask("step1", "Step 1: What is your name?", "name", state="first")


def capabilities(context: Context, _params: types.CallToolRequestParams) -> Result:
    """Asks only what the client said that it can answer."""
    declared = context.session.client_capabilities
    if declared is not None and declared.elicitation is not None:
        return ask("user_name", "What is your name?", "name")
    if declared is not None and declared.sampling is not None:
        return types.InputRequiredResult(input_requests={"greeting": sampling("Generate a greeting", 50)})
    return missing_capability(context, _params)


def missing_capability(context: Context, _params: types.CallToolRequestParams) -> Result:
    """Cannot work without sampling."""
    declared = context.session.client_capabilities
    if declared is not None and declared.sampling is not None:
        return say("Sampling is there.")
    data: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
    raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "This tool needs sampling", data)


def _responses(params: types.CallToolRequestParams) -> Mapping[str, Any]:
    return params.input_responses or {}


ROUNDS: Mapping[str, Callable[[Context, types.CallToolRequestParams], Result]] = {
    "test_input_required_result_elicitation": elicitation,
    "test_input_required_result_sampling": model,
    "test_input_required_result_list_roots": roots,
    "test_input_required_result_request_state": request_state,
    "test_input_required_result_multiple_inputs": multiple_inputs,
    "test_input_required_result_multi_round": multi_round,
    "test_input_required_result_tampered_state": request_state,
    "test_input_required_result_capabilities": capabilities,
    "test_missing_capability": missing_capability,
}
