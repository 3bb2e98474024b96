"""`Asked`: one request of somebody who is signed in, with whose records it is about."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from fourfold.console.parts import Console
from fourfold.console.sessions import Session
from fourfold.console.viewer import Viewer
from fourfold.model.operator import EVERY_TENANT

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["COOKIE", "Asked", "Page"]

COOKIE = "fourfold_console"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request to a page.

    Attributes:
        tenant: whose records are asked for; `None` for all, which only a viewer who sees all can ask.
        nav: the places in the page's head, `(path, name)`.
    """

    console: Console
    request: Request
    session: Session
    tenant: str | None
    environment: Environment
    nav: tuple[tuple[str, str], ...]

    @property
    def viewer(self) -> Viewer:
        """Who asks."""
        return self.session.viewer

    @property
    def base(self) -> str:
        """Where the console is mounted: "" or a path such as `/console`."""
        return self.request.scope.get("root_path", "")

    def value(self, name: str) -> str:
        """A parameter of the query, or ""; a store holds no NUL, so neither does what is looked for."""
        return self.request.query_params.get(name, "").strip().replace("\0", "")

    def choice(self, name: str, *allowed: str) -> str:
        """A parameter of the query that is one of `allowed`; the first of them for anything else."""
        given = self.value(name)
        return given if given in allowed else allowed[0]

    def link(self, path: str, **values: object) -> str:
        """A path of the console with a query. The chosen tenant goes along; empty values do not."""
        query = {"tenant": self.request.query_params.get("tenant", ""), **values}
        kept = {name: str(value) for name, value in query.items() if value not in ("", None)}
        return f"{self.base}{path}{'?' if kept else ''}{urlencode(kept)}"

    def page(self, template: str, *, status: int = 200, **values: Any) -> Response:
        """The page of a template."""
        text = self.environment.get_template(template).render(
            asked=self,
            viewer=self.viewer,
            base=self.base,
            link=self.link,
            csrf=self.session.csrf,
            now_ms=self.console.clock.now_ms(),
            **values,
        )
        return HTMLResponse(text, status)

    def see_other(self, path: str, **values: object) -> Response:
        """To another page of the console, after something was done."""
        return RedirectResponse(self.link(path, **values), 303)

    async def form(self) -> dict[str, str]:
        """The fields of a form that a page of this session made.

        Raises:
            HTTPException: 403 for a form without the session's token.
        """
        async with self.request.form(max_files=0, max_fields=50) as given:
            fields = {name: value for name, value in given.items() if isinstance(value, str)}
        if not self.session.has_csrf(fields.pop("csrf", "")):
            raise HTTPException(403, "this form is not one of your session's; load the page again")
        return fields


Page = Callable[[Asked], Awaitable[Response]]


def tenant_of(viewer: Viewer, given: str) -> str | None:
    """Whose records a viewer asks for, who gave `given`.

    Raises:
        HTTPException: 404 for a tenant that they do not see, as for one that is not there.
    """
    if given:
        if not viewer.sees(given):
            raise HTTPException(404)
        return given
    return None if viewer.sees_all else min(viewer.tenants - {EVERY_TENANT})
