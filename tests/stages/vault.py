"""A domain of what cannot be undone: documents with versions, that are deleted by plan and execute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from fourfold import Caller, Catalog, Destroy, Fault, Input, Output, Read, Resource, Retry, Subject, Unit
from fourfold.model.plan import Impact, PlanTerms

__all__ = ["Delete", "Deleted", "Documents", "UnknownDocument", "deletion", "impact_of", "vault"]

DocumentId = Annotated[str, Field(pattern=r"^doc-\d{1,4}$", max_length=8), Subject()]


class UnknownDocument(Fault):
    """No document with that id is visible to you."""

    code, retry, next_step = "unknown_document", Retry.NEVER, "Ask the user which document they mean."


class Delete(Input):
    """A document to delete."""

    document_id: DocumentId
    reason: Annotated[str, Field(max_length=100)] = "not said"


class Deleted(Output):
    """What is gone."""

    document_id: Annotated[str, Field(max_length=8)]
    copies: Annotated[int, Field(ge=0, le=1_000)]


class Wanted(Input):
    """A document to look at."""

    document_id: DocumentId


class Document(Output):
    """A document and its version."""

    version: Annotated[str, Field(max_length=10)]
    copies: Annotated[int, Field(ge=0, le=1_000)]


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents of one tenant."""

    unit: Unit
    caller: Caller

    def find(self, document_id: str) -> Any:
        """The row of a document, or `None`."""
        return self.unit.row("SELECT * FROM document WHERE tenant = ? AND id = ?", (self.caller.tenant, document_id))

    def delete(self, document_id: str) -> None:
        """Delete it."""
        self.unit.execute("DELETE FROM document WHERE tenant = ? AND id = ?", (self.caller.tenant, document_id))


def documents(unit: Unit, caller: Caller) -> Documents:
    """The documents of the caller's tenant."""
    return Documents(unit, caller)


def impact_of(request: Delete, documents: Documents) -> Impact:
    """What deleting would do."""
    copies = documents.find(request.document_id)["copies"]
    return Impact(summary=f"Deletes {request.document_id} with {copies} copies. Reason: {request.reason}.")


def deletion(request: Delete, documents: Documents) -> Deleted:
    """Delete a document."""
    copies = documents.find(request.document_id)["copies"]
    documents.delete(request.document_id)
    return Deleted(document_id=request.document_id, copies=copies)


def _resource(request: Delete, documents: Documents) -> Resource | None:
    row = documents.find(request.document_id)
    return None if row is None else Resource(id=request.document_id, version=str(row["version"]))


def _get(request: Wanted, documents: Documents) -> Document:
    row = documents.find(request.document_id)
    if row is None:
        raise UnknownDocument
    return Document(version=str(row["version"]), copies=row["copies"])


def vault(handler: Callable[..., Any] = deletion, *, version: str = "1.0", **terms: Any) -> Catalog:
    """A catalog with `document_plan_delete`, `document_execute_delete` and `document_get`."""
    catalog = Catalog("vault", version="1")
    catalog.provide(documents)
    catalog.prepare(_tables)
    pair = ("document_plan_delete", "document_execute_delete")
    given: dict[str, Any] = {"impact": impact_of, "pair": pair, **terms}
    catalog.tool(
        name="document_delete",
        version=version,
        does="Deletes a document for ever",
        use_when="the user wants a document gone",
        not_for="looking at it (document_get)",
        effect=Destroy(plan=PlanTerms(**given)),
        missing=UnknownDocument,
        resource=_resource,
        needs={"documents:delete"},
    )(handler)
    catalog.tool(
        name="document_get",
        version="1.0",
        does="Shows a document",
        use_when="the user asks about it",
        not_for="deleting it (document_plan_delete)",
        effect=Read(),
        missing=UnknownDocument,
    )(_get)
    return catalog


def _tables(unit: Unit) -> None:
    unit.execute(
        "CREATE TABLE IF NOT EXISTS document (tenant TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL, "
        "copies INTEGER NOT NULL, PRIMARY KEY (tenant, id))"
    )
    for tenant, document_id, copies in (("acme", "doc-1", 3), ("acme", "doc-2", 5), ("globex", "doc-9", 7)):
        unit.execute("INSERT INTO document VALUES (?, ?, 1, ?)", (tenant, document_id, copies))
