"""Access gate before Streamlit's routes: sign-in and upload budget.

In team mode pages, their scripts and the connection for signing in are open; of Streamlit's other
routes only those named here are. An upload is accepted only for a session of its sender, and a
picture or download is sent only to the account it was made for.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

from errors import UserError
from serving.hosts import refuse
from serving.identity import network_address, proven_account
from serving.media import SessionMedia
from serving.uploads import Lease, OverBudgetError, UploadStore
from serving.visits import Visits


def asked_path(scope: Scope) -> str:
    """Return the path of a request below `server.baseUrlPath`."""
    path = str(scope["path"])
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    return path.removeprefix(f"/{base}") if base and path.startswith(f"/{base}/") else path


STRANGERS = 200
"""Maximum of concurrently open tabs without an account, over all addresses."""
STRANGERS_OF_ONE_ADDRESS = 50
OPENED: ContextVar[str | None] = ContextVar("session of the connection", default=None)
_GOING_AWAY = 1001  # close code that browsers send when a page is closed or reloaded
_CORE, _UPLOAD, _MEDIA = "/_stcore/", "/_stcore/upload_file/", "/media/"
_OPEN = ("health", "host-config", "stream", "bidi-components")  # of Streamlit's own routes
_PROTOCOLS = b"sec-websocket-protocol"


class Stores(Protocol):
    """What the gate inspects; available once the server has started."""

    visits: Visits

    @property
    def uploads(self) -> UploadStore:
        """The uploaded files."""

    @property
    def media(self) -> SessionMedia:
        """The media files made by the app."""

    def tell(self, session: str) -> None:
        """Have a session's page redrawn, so that it shows a refusal."""


class Gate:
    """ASGI middleware that admits or refuses requests. `team` returns whether people sign in."""

    def __init__(self, app: ASGIApp, stores: Stores, team: Callable[[], bool]) -> None:
        self.app, self.stores, self.team = app, stores, team

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it without reading its body."""
        if scope["type"] == "websocket":
            await self._stream(scope, receive, send)
            return
        if scope["type"] == "http":
            status, key = await self._refusal(scope)
            if status:
                await refuse(scope, send, status, key)
                return
            if scope["method"] == "PUT" and asked_path(scope).startswith(_UPLOAD):
                await _Upload(self.app, self.stores, scope, receive, send).run()
                return
        await self.app(scope, receive, send)

    async def _refusal(self, scope: Scope) -> tuple[int, str]:
        """Return the status and message key of a refusal, (0, "") if admitted."""
        path = asked_path(scope)
        if not self.team() or not _closed(path):
            return 0, ""
        try:
            account = await _account(scope)
        except UserError:
            return 503, "serving.busy"
        if account is None:
            return 401, "serving.sign_in"
        visits = self.stores.visits
        if path.startswith(_UPLOAD) and visits.account(_session_in(path)) != account:
            return 403, "serving.others"
        if path.startswith(_MEDIA):
            made_for = self.stores.media.session_of(path.removeprefix(_MEDIA))
            if made_for is None or visits.account(made_for) != account:
                return 404, "serving.no_file"
        return 0, ""

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Open a connection, unless too many without a signed-in account are open."""
        if self.team():
            try:
                account = await _account(scope)
            except UserError:
                account = None  # the page itself will show the database error
            if account is None and self._too_many(scope):
                await refuse(scope, send, 503, "serving.crowded")
                return
            self._drop_foreign_session(scope, account)

        closed = False

        async def watched() -> Message:
            """Receive a message, noting whether the browser goes away."""
            nonlocal closed
            message = await receive()
            if message["type"] == "websocket.disconnect":
                closed = message.get("code") == _GOING_AWAY
            return message

        try:
            await self.app(scope, watched, send)
        finally:
            if closed:
                self._free(OPENED.get())

    def _free(self, session: str | None) -> None:
        """Free the files of a closed tab, unless it is open on another connection."""
        if session is not None and not self.stores.visits.is_connected(session):
            self.stores.uploads.remove_session_files(session)

    def _too_many(self, scope: Scope) -> bool:
        """Return True if too many strangers are connected, in all or from the address."""
        visits = self.stores.visits
        if visits.strangers() >= STRANGERS:
            return True
        return visits.strangers(_address(scope)) >= STRANGERS_OF_ONE_ADDRESS

    def _drop_foreign_session(self, scope: Scope, account: int | None) -> None:
        """Give a client that names another account's session a session of its own.

        The names of sessions are secret, but they occur in the addresses of uploads, which the logs
        of a proxy keep.
        """
        for number, (name, value) in enumerate(scope["headers"]):
            spoken = [each.strip() for each in value.decode("latin-1").split(",")]
            if name != _PROTOCOLS or len(spoken) < 3:
                continue
            owner = self.stores.visits.account(spoken[2])
            if owner is not None and owner != account:
                scope["headers"][number] = (name, ", ".join(spoken[:2]).encode("latin-1"))


class _Upload:
    """An upload in progress, charged to the budget as its bytes arrive."""

    def __init__(
        self, app: ASGIApp, stores: Stores, scope: Scope, receive: Receive, send: Send
    ) -> None:
        self.app, self.stores, self.scope = app, stores, scope
        self.receive, self.send = receive, send
        self.session = _session_in(asked_path(scope))
        self.answered = self.refused = False

    async def run(self) -> None:
        """Pass the upload on while the budget lasts; refuse it beyond."""
        with self.stores.uploads.lease(self.session) as lease:
            try:
                lease.take(_content_length(self.scope))
            except OverBudgetError as full:
                await self._refuse(full)
                return
            try:
                await self.app(self.scope, self._charged_receive(lease), self._send)
            except Exception:
                if not self.refused:  # else the app was told that the sender had disconnected
                    raise

    def _charged_receive(self, lease: Lease) -> Receive:
        """Wrap `receive` to charge bytes beyond the announced length before the app gets them."""
        come = 0

        async def counted() -> Message:
            """Receive a part of an upload, charged to the budget."""
            nonlocal come
            if self.refused:
                return {"type": "http.disconnect"}
            message = await self.receive()
            come += len(message.get("body", b""))
            try:
                lease.take(max(come - lease.taken, 0))
            except OverBudgetError as full:
                await self._refuse(full)
                return {"type": "http.disconnect"}
            return message

        return counted

    async def _send(self, message: Message) -> None:
        """Send, unless the upload was refused."""
        if not self.refused:
            self.answered = True
            await self.send(message)

    async def _refuse(self, full: OverBudgetError) -> None:
        """Refuse the upload as over budget."""
        self.refused = True
        self.stores.uploads.note_refused(self.session, full)
        if not self.answered:
            await refuse(self.scope, self.send, 413, full.key, limit=full.mebibytes)
        self.stores.tell(self.session)


def _closed(path: str) -> bool:
    """Return whether a path requires sign-in."""
    if path.startswith(_CORE):
        return path.removeprefix(_CORE).split("/")[0] not in _OPEN
    return path.startswith(_MEDIA)


def _session_in(path: str) -> str:
    """Return the session in an upload's path."""
    return path.removeprefix(_UPLOAD).split("/")[0]


def _content_length(scope: Scope) -> int:
    """Return the Content-Length of a request, 0 if it has none."""
    said = [value for name, value in scope["headers"] if name == b"content-length"]
    return max([int(value) for value in said if value.isdigit()], default=0)


def _address(scope: Scope) -> str:
    """Return the network address of a request."""
    connection = HTTPConnection(scope)
    peer = connection.client.host if connection.client else None
    return network_address(connection.headers.get("X-Forwarded-For"), peer)


async def _account(scope: Scope) -> int | None:
    """Return the id of the account that a request's cookies prove, or None."""
    cookies = HTTPConnection(scope).cookies
    return await run_in_threadpool(proven_account, cookies) if cookies else None
