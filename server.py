"""The server: the app, the gates before it, and the route that lets a browser stay signed in.

Started by ``touchstone.py serve``, with or without ``--team``, or ``streamlit run server.py``.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from threading import Thread

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from streamlit.runtime.pages_manager import PagesManager

from errors import UserError
from messages import catalogue, say
from pages.shell.entry.timing import take_short_turns
from pages.shell.guard import crashed
from serving.budget import budget
from serving.gate import Gate
from serving.hosts import LOOPBACK, HostGate
from serving.identity import COOKIE, ROUTE, behind_proxy, served_workspace
from serving.media import KeptFiles
from serving.runtime import ServedApp
from serving.settings import served_names, team_mode

_LONGEST = 1_000  # bytes of a request
# Nothing runs the files of the folder "pages" as scripts, not even the first request after a start,
# which may come while `pages` (which says so too) is being imported beside it.
PagesManager.uses_pages_directory = False


async def keep_signed_in(request: Request) -> Response:
    """Exchange a sign-in ticket for a session cookie; respond with an error status otherwise.

    The header is one that no page of another origin can send unasked, so nobody is signed in as
    somebody else by a link.
    """
    if request.headers.get("X-Touchstone") != "session":
        return Response(status_code=403)
    if int(request.headers.get("Content-Length") or _LONGEST + 1) > _LONGEST:
        return Response(status_code=413)
    try:
        ticket = (await request.json())["ticket"]
        token, lasts = await run_in_threadpool(_session_for, str(ticket))
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
        max_age=lasts,
        httponly=True,
        samesite="lax",
        secure=forwarded == "https",
    )
    return response


def _session_for(ticket: str) -> tuple[str | None, int]:
    """Return the token of a session, None for a void ticket, and for how many seconds it lasts."""
    from annotation.people import sign_in

    workspace, lasts = served_workspace(), int(sign_in.LASTS.total_seconds())
    account_id = sign_in.account_in(workspace, ticket, "ticket")
    return None if account_id is None else sign_in.token_for(workspace, account_id), lasts


def _warm_up() -> None:
    """Load what the first page needs, while the browser still loads what every page needs.

    The browser is served by another thread of this process: a hundred files, for each of which it
    would wait several turns of Python's own length. What is loaded stays, and is not looked through
    for garbage.
    """
    take_short_turns()
    gc.disable()
    try:
        catalogue()
        import_module("app").screen("citation_mapping")
    finally:
        gc.freeze()
        gc.enable()


def _show_crash(error: Exception) -> bool:
    """Draw an exception of a run that nothing else has caught, in the reader's language."""
    from pages.shell.context import language  # loads the database

    return crashed(error, language())


served = ServedApp(Path(__file__).with_name("app.py"), _show_crash)


@asynccontextmanager
async def _running(server: Starlette) -> AsyncIterator[None]:
    """Run Streamlit, once every setting is known to hold: none that is wrong opens a door."""
    names = served_names()
    budget()
    if team_mode() and names <= LOOPBACK:
        logging.getLogger("touchstone").warning(say("serving.only_here"))
    async with served.lifespan()(server):
        Thread(target=_warm_up, name="warm-up", daemon=True).start()
        yield


app = Starlette(
    routes=[Route(ROUTE, keep_signed_in, methods=["POST"]), Mount("/", KeptFiles(served))],
    middleware=[
        Middleware(HostGate, names=served_names, behind_proxy=behind_proxy),
        Middleware(Gate, stores=served, team=team_mode),
    ],
    lifespan=_running,
)
