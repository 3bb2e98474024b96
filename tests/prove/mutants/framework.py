"""Faults in what serves the billing server: what a framework may get wrong."""

from __future__ import annotations

from tests.prove.mutants.mutant import FOURFOLD, Kind, Mutant

__all__ = ["FRAMEWORK"]

_KEYS = Kind("a key is not what it says", f"{FOURFOLD}/stages/replay.py")
_TAKING = Kind("a key is not what it says", f"{FOURFOLD}/stages/taking.py")
_CLAIMS = Kind("a claim is kept badly", f"{FOURFOLD}/adapters/sql/claims.py")
_INPUT = Kind("arguments are not checked", f"{FOURFOLD}/stages/validate_input.py")
_CHECK = Kind("arguments are not checked", f"{FOURFOLD}/contracts/check.py")
_LEAKS = Kind("a failure tells too much", f"{FOURFOLD}/edge/translate.py")
_REFUSAL = Kind("a failure tells too much", f"{FOURFOLD}/stages/validate_input.py")
_PLACES = Kind("a failure does not help", f"{FOURFOLD}/stages/validate_input.py")
_VERSION = Kind("a version is not looked at", f"{FOURFOLD}/stages/preconditions.py")
_PLAN = Kind("a plan is not what was agreed to", f"{FOURFOLD}/stages/recall.py")
_PLANNING = Kind("a plan is not what was agreed to", f"{FOURFOLD}/stages/planning.py")
_PAGE = Kind("a result is not what it says", f"{FOURFOLD}/contracts/base.py")
_RESULT = Kind("a result is not what it says", f"{FOURFOLD}/edge/translate.py")
_CURSOR = Kind("a cursor is not looked at", f"{FOURFOLD}/stages/validate_input.py")
_LISTING = Kind("the list of tools is not one", f"{FOURFOLD}/stages/listing.py")
_SERVER = Kind("the list of tools is not one", f"{FOURFOLD}/edge/server.py")
_GATE = Kind("the protocol is spoken wrongly", f"{FOURFOLD}/edge/gate.py")

FRAMEWORK: tuple[Mutant, ...] = (
    _KEYS(
        "a key is compared without its arguments",
        "return hmac.compare_digest(claim.fingerprint[:size], flow.fingerprint[:size])",
        "return True",
    ),
    _KEYS(
        "keys of all callers are one",
        "return ClaimScope(tenant=caller.tenant, principal=caller.principal, tool=",
        'return ClaimScope(tenant="", principal="", tool=',
    ),
    _TAKING("no key is taken", "    if not has_claim(flow):", "    if True:"),
    _TAKING(
        "a twin without a key is not noticed",
        "if isinstance(effect, Create) and twin is not None and",
        "if False and isinstance(effect, Create) and twin is not None and",
    ),
    _CLAIMS(
        "what was answered is not kept",
        "SET state = ?, outcome = ?, settled_ms = ? WHERE {_OWNED}",
        "SET state = ?, outcome = substr(?, 1, 0), settled_ms = ? WHERE {_OWNED}",
    ),
    _INPUT("a member that comes twice is taken", "_merged(flow.call.wire_problems, checked", "_merged((), checked"),
    _CHECK(
        "unknown arguments are swallowed",
        "request = self.model.model_validate_json(own, strict=True)",
        'request = self.model.model_validate_json(own, strict=True, extra="ignore")',
    ),
    _CHECK("a NUL is taken for a character", "return nul[:MAX_PROBLEMS] or checked", "return checked"),
    _REFUSAL(
        "a refusal repeats the arguments",
        'framework_fault("invalid_arguments", problems=problems)',
        'framework_fault("invalid_arguments", message=f"Wrong: {flow.call.arguments}", problems=problems)',
    ),
    _LEAKS(
        "a failure names a file of the server",
        "lines = [fault.text, ",
        'lines = [fault.text, f"raised in {__file__}", ',
    ),
    _PLACES(
        "a refusal does not say where",
        'framework_fault("invalid_arguments", problems=problems)',
        'framework_fault("invalid_arguments")',
    ),
    _VERSION("every version is the expected one", "if expected is not None and not hmac", "if False and not hmac"),
    _VERSION(
        "an older version will do",
        "not hmac.compare_digest(str(expected).encode(), resource.version.encode())",
        "str(expected) > resource.version",
    ),
    _PLAN(
        "any digest is the plan's",
        'hmac.compare_digest(plan.digest, flow.checked.framework["digest"])',
        "bool(plan.digest)",
    ),
    _PLAN("anybody's plan is mine", "    return ours and", "    return True or ours and"),
    _PLAN(
        "somebody else's plan is told from one that never was",
        "    if found is None or not _is_the_callers(flow, found):\n",
        "    if found is not None and not _is_the_callers(flow, found):\n"
        '        return _rejected(flow, "not_permitted")\n    if found is None:\n',
    ),
    _PLANNING(
        "a plan needs nobody's agreement",
        "approval=_approval(flow, terms, impact),",
        'approval="none" if terms else _approval(flow, terms, impact),',
    ),
    _RESULT("a result is told only as text", "structured_content=value,", "structured_content=None,"),
    _RESULT(
        "a failure is no error",
        'return CallToolResult(content=[TextContent(text=well_formed("\\n".join(lines)))], is_error=True, _meta=meta)',
        'return CallToolResult(content=[TextContent(text=well_formed("\\n".join(lines)))], is_error=False, _meta=meta)',
    ),
    _PAGE(
        "a page counts what it does not hold",
        "page = cls(items=items, returned=len(items), has_more",
        "page = cls(items=items, returned=len(found), has_more",
    ),
    _CURSOR(
        "a bad cursor is the first page",
        "return Rejected(fault=_cursor_invalid(), run_id=flow.draft.run_id)",
        'flow.page = PageRequest(limit=int(checked.framework["limit"]))',
    ),
    _CURSOR(
        "a cursor is good for other filters",
        "return (caller.tenant, caller.principal, contract.name, contract.wire_digest, filters)",
        "return (caller.tenant, caller.principal, contract.name, contract.wire_digest)",
    ),
    _LISTING(
        "tools are listed in another order each time",
        "tools=tuple(page),",
        'tools=tuple(__import__("random").sample(page, len(page))),',
    ),
    _SERVER(
        "a definition names its reader",
        "tools=[listed_tool(contract) for contract in listing.tools],",
        'tools=[\n                tool.model_copy(update={"description": f"{tool.description} For'
        ' {arrival_of(context.request).caller.tenant}."})\n'
        "                for tool in map(listed_tool, listing.tools)\n            ],",
    ),
    _GATE(
        "a page of any origin is served",
        'if not self._perimeter.admits_origin(request.all("origin")):',
        "if not self._perimeter.admits_origin([]):",
    ),
    _GATE("a notification is answered as a request is", "_ACCEPTED = Reply(202)", "_ACCEPTED = Reply.json(200, {})"),
)
"""Each is one place of Fourfold."""
