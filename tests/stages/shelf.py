"""A catalog of objects: documents with an owner and a version, each tenant with its own, and a policy about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from fourfold import (
    Caller,
    Catalog,
    Decision,
    Destroy,
    Fault,
    Input,
    Output,
    PolicyQuestion,
    Read,
    Resource,
    Retry,
    Subject,
    Unit,
    Update,
    Waiver,
)
from fourfold.ports.policy import Policy

__all__ = ["Doc", "DocRef", "Docs", "NoDoc", "Owners", "doc_edit", "find_doc", "shelf"]


class DocRef(Input):
    """A document, and what may be written into it."""

    doc_id: Annotated[str, Field(pattern=r"^doc-\d{1,4}$", max_length=8), Subject()]
    body: Annotated[str, Field(max_length=100)] = ""


class Doc(Output):
    """A document."""

    doc_id: Annotated[str, Field(max_length=8)]
    version: Annotated[str, Field(max_length=8)]
    body: Annotated[str, Field(max_length=100)]


class NoDoc(Fault):
    """No document with that id is visible to you."""

    code, retry, next_step = "no_doc", Retry.NEVER, "Ask the user which document they mean"


def prepare(unit: Unit) -> None:
    """Two documents of `acme`, Ann's and Bob's, and one of `globex`."""
    unit.execute(
        "CREATE TABLE IF NOT EXISTS doc (id TEXT PRIMARY KEY, tenant TEXT NOT NULL, owner TEXT NOT NULL,"
        " version INTEGER NOT NULL, body TEXT NOT NULL)"
    )
    for values in (("doc-1", "acme", "ann"), ("doc-2", "acme", "bob"), ("doc-3", "globex", "ann")):
        unit.execute("INSERT OR IGNORE INTO doc VALUES (?, ?, ?, 1, 'first')", values)


class Docs:
    """The documents of the caller's tenant."""

    def __init__(self, unit: Unit, caller: Caller) -> None:
        self._unit = unit
        self._tenant = caller.tenant

    def find(self, doc_id: str) -> tuple[str, Doc] | None:
        """The owner of a document, and the document."""
        row = self._unit.row("SELECT * FROM doc WHERE id = ? AND tenant = ?", (doc_id, self._tenant))
        if row is None:
            return None
        return row["owner"], Doc(doc_id=row["id"], version=f"v{row['version']}", body=row["body"])

    def edit(self, doc_id: str, body: str) -> None:
        """Write a new body under the next version."""
        change = "UPDATE doc SET body = ?, version = version + 1 WHERE id = ? AND tenant = ?"
        self._unit.execute(change, (body, doc_id, self._tenant))

    def drop(self, doc_id: str) -> None:
        """Remove a document."""
        self._unit.execute("DELETE FROM doc WHERE id = ? AND tenant = ?", (doc_id, self._tenant))


def find_doc(request: DocRef, docs: Docs) -> Resource | None:
    """The document that a call is about."""
    found = docs.find(request.doc_id)
    return Resource(id=request.doc_id, version=found[1].version, facts={"owner": found[0]}) if found else None


@dataclass(slots=True)
class Owners:
    """Lets owners at their documents. `asked` keeps every question; `barred` are callers who lost their rights."""

    asked: list[PolicyQuestion] = field(default_factory=list[PolicyQuestion])
    barred: set[str] = field(default_factory=set[str])

    def decide(self, question: PolicyQuestion) -> Decision:
        """Depends on the document."""
        self.asked.append(question)
        if question.resource is None:
            return Decision(verdict="depends")
        owner = question.resource.facts["owner"] == question.caller.principal
        allowed = owner and question.caller.principal not in self.barred
        return Decision(verdict="allow" if allowed else "deny", reason="" if allowed else "not the owner")


def doc_get(request: DocRef, docs: Docs) -> Doc:
    """The document as it is."""
    found = docs.find(request.doc_id)
    if found is None:
        raise NoDoc
    return found[1]


def doc_edit(request: DocRef, docs: Docs) -> Doc:
    """The document as it is after the change."""
    docs.edit(request.doc_id, request.body)
    return doc_get(request, docs)


def doc_drop(request: DocRef, docs: Docs) -> Doc:
    """The document as it was."""
    dropped = doc_get(request, docs)
    docs.drop(request.doc_id)
    return dropped


def shelf(
    policy: Policy | None = None, *, resource: Callable[..., Any] = find_doc, edit: Callable[..., Any] = doc_edit
) -> Catalog:
    """The catalog of `doc_get`, `doc_edit` and `doc_drop`."""
    catalog = Catalog("shelf", policy=policy)
    catalog.provide(Docs)
    catalog.prepare(prepare)
    no_plan = Waiver(rule="no_plan", where="doc_drop", reason="these documents have copies elsewhere")
    for name, handler, more in (
        ("doc_get", doc_get, {"effect": Read(), "does": "Returns one document with its version"}),
        ("doc_edit", edit, {"effect": Update(), "does": "Replaces the body of one document"}),
        ("doc_drop", doc_drop, {"effect": Destroy(), "does": "Removes a document for good", "waivers": [no_plan]}),
    ):
        declared: dict[str, Any] = {"use_when": f"the user wants {name}", "not_for": "any other document", **more}
        catalog.tool(name=name, version="1.0", missing=NoDoc, resource=resource, **declared)(handler)
    return catalog
