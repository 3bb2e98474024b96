"""The same notes by hand, on the official SDK's low-level server: sound unless a fault is named in `FAULTS`."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool

__all__ = ["FAULTS", "Shelf", "serving"]

FAULTS = frozenset(
    {
        "forgets-key", "looks-late", "key-for-anything", "no-twins", "writes-first", "any-version", "old-version",
        "no-current", "any-order", "plan-writes", "any-digest", "any-planner", "plan-again", "any-pair", "no-approval",
        "read-writes", "preview-writes", "any-tenant", "says-foreign", "any-cursor", "all-listed", "knows-plans",
        "names-tenant", "leaves-alone", "forgets", "deaf-to-no",
        "keeps-yes", "never-late",
    }
)  # fmt: skip
ACTIONS = ["note_update", "note_archive", "note_delete_plan", "note_publish_plan"]
Said = dict[str, Any]


class Refusal(Exception):
    """A failure with its code; `said` goes into the fault."""

    def __init__(self, code: str, **said: Any) -> None:
        self.code = code
        self.said = said
        super().__init__(code)


@dataclass(kw_only=True)
class Note:
    """A note, and whose it is."""

    tenant: str
    text: str
    state: str = "open"
    version: int = 1


@dataclass(kw_only=True)
class Plan:
    """A plan, and what came of it."""

    tenant: str
    pair: str
    note_id: str
    digest: str
    approved: bool
    expires: int
    said: str = ""
    outcome: Said | None = None


@dataclass(kw_only=True)
class Shelf:
    """What is kept for all callers. `writes` counts every change."""

    faults: frozenset[str]
    definitions: list[Said]
    notes: dict[str, Note] = field(default_factory=dict[str, Note])
    keys: dict[tuple[str, str, str], tuple[str, Said]] = field(default_factory=dict[Any, Any])
    twins: set[str] = field(default_factory=set[str])
    plans: dict[str, Plan] = field(default_factory=dict[str, Plan])
    cursors: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    writes: int = 0
    now: int = 0

    def __post_init__(self) -> None:
        assert self.faults <= FAULTS
        for number in range(1, 7):
            self.notes[f"note-{number}"] = Note(tenant="one" if number % 2 else "two", text=f"Note {number}")

    async def approve(self, plan_id: str, digest: str) -> None:
        """Let somebody agree to a plan."""
        if self.plans[plan_id].digest == digest and not self.plans[plan_id].said:
            self.plans[plan_id].approved = True

    async def refuse(self, plan_id: str, digest: str, *, verdict: str) -> None:
        """Let somebody say no to a plan, or take a yes back."""
        deaf = "deaf-to-no" if verdict == "denied" else "keeps-yes"
        if self.plans[plan_id].digest == digest and deaf not in self.faults:
            self.plans[plan_id].said = verdict

    def advance(self, seconds: int) -> None:
        """Let it be later."""
        self.now += seconds

    async def restart(self) -> None:
        """Start again, with what was kept."""
        if "forgets" in self.faults:
            self.keys.clear()
            self.plans.clear()
            self.cursors.clear()


def serving(shelf: Shelf, tenant: str) -> Server[Any]:
    """The server as a caller of that tenant meets it."""
    desk = _Desk(shelf, tenant)

    async def list_tools(_context: object, _params: object) -> ListToolsResult:
        tools = [Tool.model_validate(each, by_name=False) for each in shelf.definitions]
        if desk.on("names-tenant"):
            tools[0].description = f"{tools[0].description} Your tenant is {tenant}."
        return ListToolsResult(tools=tools)

    async def call_tool(_context: object, params: CallToolRequestParams) -> CallToolResult:
        if desk.on("leaves-alone") and params.name == "note_measure":
            await anyio.sleep_forever()
        try:
            result = await desk.answer(params.name, dict(params.arguments or {}))
        except Refusal as refusal:
            fault = {"code": refusal.code, "retry": "never", "next_step": "", **refusal.said}
            text = TextContent(text=f"{refusal.code}: no")
            return CallToolResult(content=[text], is_error=True, _meta={"fourfold/fault": fault})
        return CallToolResult(content=[TextContent(text=json.dumps(result))], structured_content=result)

    return Server("shelf", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


def shown(note_id: str, note: Note) -> Said:
    """A note as it is answered with."""
    actions = ACTIONS if note.state == "open" else ACTIONS[2:]
    return {"note_id": note_id, "text": note.text, "version": str(note.version), "allowed_actions": actions}


class _Desk:
    def __init__(self, shelf: Shelf, tenant: str) -> None:
        self.shelf = shelf
        self.tenant = tenant

    def on(self, fault: str) -> bool:
        return fault in self.shelf.faults

    async def answer(self, tool: str, arguments: Said) -> Said:
        key = arguments.pop("idempotency_key", None)
        run: Callable[..., Said] | None = getattr(self, tool, None)
        if run is None:
            raise Refusal("unknown_operation")
        if tool not in ("note_create", "note_join", "note_update", "note_archive"):
            return run(**arguments)
        said = json.dumps([self.tenant, tool, arguments], sort_keys=True)
        earlier = self.shelf.keys.get((self.tenant, tool, str(key))) if key and not self.on("forgets-key") else None
        if earlier is not None:
            if earlier[0] != said and not self.on("key-for-anything"):
                raise Refusal("idempotency_conflict")
            return earlier[1]
        if key is None and said in self.shelf.twins and not self.on("no-twins"):
            raise Refusal("possible_duplicate")
        if self.on("looks-late"):
            await anyio.lowlevel.checkpoint()
        result = self.undone_if_refused(run, arguments)
        self.shelf.twins.add(said)
        if key:
            self.shelf.keys[self.tenant, tool, str(key)] = (said, deepcopy(result))
        return result

    def undone_if_refused(self, run: Callable[..., Said], arguments: Said) -> Said:
        notes, writes = deepcopy(self.shelf.notes), self.shelf.writes
        try:
            return run(**arguments)
        except Refusal:
            if not self.on("writes-first"):
                self.shelf.notes, self.shelf.writes = notes, writes
            raise

    def find(self, note_id: str) -> Note:
        note = self.shelf.notes.get(note_id)
        if note is not None and note.tenant != self.tenant and self.on("says-foreign"):
            raise Refusal("forbidden")
        if note is None or (note.tenant != self.tenant and not self.on("any-tenant")):
            raise Refusal("unknown_note")
        return note

    def write(self) -> None:
        self.shelf.writes += 1

    def shown(self, note_id: str) -> Said:
        return shown(note_id, self.find(note_id))

    def changed(self, note_id: str, *, expected_version: str, action: str) -> Note:
        note = self.find(note_id)
        current = str(note.version)
        is_old = expected_version.isdecimal() and int(expected_version) < note.version and int(expected_version) > 0
        if expected_version != current and not self.on("any-version") and not (is_old and self.on("old-version")):
            raise Refusal("stale_version", **({} if self.on("no-current") else {"current_version": current}))
        if note.state != "open" and action in ACTIONS[:2] and not self.on("any-order"):
            raise Refusal("wrong_state")
        return note

    def note_create(self, text: str) -> Said:
        note_id = f"note-{len(self.shelf.notes) + 1}"
        self.shelf.notes[note_id] = Note(tenant=self.tenant, text=text)
        self.write()
        return self.shown(note_id)

    def note_join(self, note_id: str, other_id: str) -> Said:
        self.find(note_id).version += 1
        self.write()
        self.find(other_id).version += 1
        self.write()
        return {"note_id": other_id}

    def note_update(self, note_id: str, text: str, expected_version: str) -> Said:
        note = self.changed(note_id, expected_version=expected_version, action="note_update")
        note.text, note.version = text, note.version + 1
        self.write()
        return self.shown(note_id)

    def note_archive(self, note_id: str, expected_version: str) -> Said:
        note = self.changed(note_id, expected_version=expected_version, action="note_archive")
        note.state, note.version = "archived", note.version + 1
        self.write()
        return self.shown(note_id)

    def note_get(self, note_id: str) -> Said:
        if self.on("read-writes"):
            self.find(note_id).version += 1
            self.write()
        return self.shown(note_id)

    def note_measure(self, text: str) -> Said:
        if self.on("preview-writes"):
            self.note_create(text)
        return {"letters": len(text)}

    def note_list(self, cursor: str | None = None, limit: int = 50) -> Said:
        owner, start = self.shelf.cursors.get(cursor, ("", -1)) if cursor else (self.tenant, 0)
        if start < 0 or (owner != self.tenant and not self.on("any-cursor")):
            raise Refusal("cursor_invalid")
        own = [each for each, note in self.shelf.notes.items() if note.tenant == owner or self.on("all-listed")]
        items = [shown(each, self.shelf.notes[each]) for each in own[start : start + limit]]
        page: Said = {"items": items, "returned": len(items)}
        if start + limit < len(own):
            page["next_cursor"] = f"c{len(self.shelf.cursors):031}"
            self.shelf.cursors[page["next_cursor"]] = (owner, start + limit)
        return page

    def note_delete_plan(self, note_id: str, expected_version: str) -> Said:
        return self.planned("note_delete", note_id, expected_version=expected_version)

    def note_publish_plan(self, note_id: str, expected_version: str) -> Said:
        return self.planned("note_publish", note_id, expected_version=expected_version)

    def note_delete_execute(self, plan_id: str, digest: str) -> Said:
        return self.executed("note_delete", plan_id, digest=digest)

    def note_publish_execute(self, plan_id: str, digest: str) -> Said:
        return self.executed("note_publish", plan_id, digest=digest)

    def planned(self, pair: str, note_id: str, *, expected_version: str) -> Said:
        self.changed(note_id, expected_version=expected_version, action=f"{pair}_plan")
        if self.on("plan-writes"):
            self.write()
        number = len(self.shelf.plans) + 1
        plan_id, digest = f"plan_{number:032}", f"{number:064x}"
        approved = pair == "note_delete" or self.on("no-approval")
        self.shelf.plans[plan_id] = Plan(
            tenant=self.tenant,
            pair=pair,
            note_id=note_id,
            digest=digest,
            approved=approved,
            expires=self.shelf.now + 900,
        )
        approval = "none" if pair == "note_delete" else "second_person"
        return {"plan_id": plan_id, "digest": digest, "impact": f"Acts on {note_id}", "approval": approval}

    def executed(self, pair: str, plan_id: str, *, digest: str) -> Said:
        plan = self.shelf.plans.get(plan_id)
        if plan is not None and plan.tenant != self.tenant and self.on("knows-plans"):
            raise Refusal("plan_mismatch", retry="ask_human")
        if plan is None or not self.stands(plan, pair, digest):
            raise Refusal("plan_mismatch")
        if plan.outcome is not None and not self.on("plan-again"):
            return plan.outcome
        if plan.expires < self.shelf.now and not self.on("never-late"):
            raise Refusal("plan_expired")
        if plan.said:
            raise Refusal(f"approval_{plan.said}")
        if not plan.approved:
            raise Refusal("approval_required")
        self.write()
        plan.outcome = {"note_id": plan.note_id} if pair == "note_delete" else self.shown(plan.note_id)
        if pair == "note_delete":
            self.shelf.notes[plan.note_id].tenant = "nobody"
        return plan.outcome

    def stands(self, plan: Plan, pair: str, digest: str) -> bool:
        own = plan.tenant == self.tenant or self.on("any-planner")
        return own and (plan.pair == pair or self.on("any-pair")) and (plan.digest == digest or self.on("any-digest"))
