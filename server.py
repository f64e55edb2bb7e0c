"""The server of team mode: the app, and the one route that lets a browser stay signed in.

Started by ``touchstone.py serve --team``, or ``streamlit run server.py``.
"""

from __future__ import annotations

from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from streamlit.starlette import App

from annotation import sessions
from errors import UserError
from pages.signed import COOKIE, ROUTE
from storage.workspace import Workspace, workspace_folder

_LONGEST = 1_000  # bytes of a request


async def keep_signed_in(request: Request) -> Response:
    """Change a ticket for the cookie of a session.

    The header is one that no page of another origin can send unasked, so nobody is signed in as
    somebody else by a link.
    """
    if request.headers.get("X-Touchstone") != "session":
        return Response(status_code=403)
    if int(request.headers.get("Content-Length") or _LONGEST + 1) > _LONGEST:
        return Response(status_code=413)
    try:
        ticket = (await request.json())["ticket"]
        token = await run_in_threadpool(_session_for, str(ticket))
    except (ValueError, KeyError, TypeError):
        return Response(status_code=400)
    except UserError:
        return Response(status_code=503)
    if token is None:
        return Response(status_code=403)
    response = Response(status_code=204)
    forwarded = request.headers.get("X-Forwarded-Proto", request.url.scheme)
    response.set_cookie(
        COOKIE,
        token,
        max_age=int(sessions.LASTS.total_seconds()),
        httponly=True,
        samesite="lax",
        secure=forwarded == "https",
    )
    return response


def _session_for(ticket: str) -> str | None:
    workspace = Workspace(workspace_folder().resolve())
    account_id = sessions.account_in(workspace, ticket, "ticket")
    return None if account_id is None else sessions.token_for(workspace, account_id)


app = App(
    Path(__file__).with_name("app.py"), routes=[Route(ROUTE, keep_signed_in, methods=["POST"])]
)
