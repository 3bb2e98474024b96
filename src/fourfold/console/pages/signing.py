"""Signing in and out: by a link that works once, or by the token of an operator or a caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from fourfold.console.asked import COOKIE, Asked
from fourfold.console.parts import Console
from fourfold.console.viewer import Viewer

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["SignIn"]

_MAX_TOKEN = 1_024


class SignIn:
    """The page before all others."""

    def __init__(self, console: Console, environment: Environment) -> None:
        self._console = console
        self._environment = environment

    async def show(self, request: Request) -> Response:
        """The form. A link is used up by its button alone, so that whatever loads links ahead uses up none."""
        query = request.query_params
        return self._form(request, link=query.get("link", ""), wanted=query.get("next", ""))

    async def enter(self, request: Request) -> Response:
        """Begin a session, or say that this signs nobody in, with no word on why."""
        async with request.form(max_files=0, max_fields=10) as given:
            link, token, wanted = (str(given.get(name, ""))[:_MAX_TOKEN] for name in ("link", "token", "next"))
        viewer = self._viewer(link, token.strip())
        if viewer is None:
            wrong = "This link was used, or is too old." if link else "This token is nobody's here."
            return self._form(request, wanted=wanted, wrong=wrong, status=403)
        before = request.cookies.get(COOKIE)
        if before:
            self._console.sessions.end(before)
        base = request.scope.get("root_path", "")
        answer = RedirectResponse(base + _own(wanted), 303)
        answer.set_cookie(
            COOKIE,
            self._console.sessions.begin(viewer),
            path=base or "/",
            httponly=True,
            samesite="strict",
            secure=self._console.secure,
        )
        return answer

    async def leave(self, asked: Asked) -> Response:
        """Sign out."""
        await asked.form()
        self._console.sessions.end(asked.request.cookies.get(COOKIE, ""))
        answer = RedirectResponse(f"{asked.base}/sign-in", 303)
        answer.delete_cookie(COOKIE, path=asked.base or "/", httponly=True, samesite="strict")
        return answer

    def _viewer(self, link: str, token: str) -> Viewer | None:
        if link:
            return self._console.links.use(link)
        return self._console.people.by_token(token) if token else None

    def _form(
        self, request: Request, *, link: str = "", wanted: str = "", wrong: str = "", status: int = 200
    ) -> Response:
        base = request.scope.get("root_path", "")
        template = self._environment.get_template("sign-in.html")
        return HTMLResponse(template.render(base=base, one_time=link, wanted=_own(wanted), wrong=wrong), status)


def _own(wanted: str) -> str:
    """A path of the console; the first page for anything that a browser could read as another place."""
    plain = wanted.startswith("/") and not wanted.startswith("//") and "\\" not in wanted and wanted.isprintable()
    return wanted if plain else "/"
