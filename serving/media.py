"""Media files of the app (pictures, downloads), each bound to one session.

Streamlit names such a file by a hash of its content and gives it to anyone who knows the name. Here
the name also covers the session that it was made for and a secret of this process, so that nobody
can work out the name of another's file; and the gate checks the session.

In-memory cache of Streamlit's immutable static files.

A new window asks for about ninety of them before anything is drawn, and Streamlit looks each up on
the disk, in another thread, while the first run of the page waits for its turn of the same process.
Their names change with their content, so a cached answer stays valid.
"""

from __future__ import annotations

import hashlib
import hmac
import os.path
import secrets
import threading
from contextvars import ContextVar

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

_MADE_LATER: ContextVar[str | None] = ContextVar("session of a deferred file", default=None)


class SessionMedia(MemoryMediaFileStorage):
    """Storage of ``/media`` that knows each file's session."""

    def __init__(self, endpoint: str) -> None:
        super().__init__(endpoint)
        self._secret = secrets.token_bytes(32)
        self._sessions: dict[str, str] = {}
        self._guard = threading.Lock()

    def load_and_get_id(
        self,
        path_or_data: str | bytes,
        mimetype: str,
        kind: MediaFileKind,
        filename: str | None = None,
    ) -> str:
        """Store a file for the current session; return its name."""
        session = _current_session()
        with self._guard:
            plain = super().load_and_get_id(path_or_data, mimetype, kind, filename)
            said = f"{session}:{plain}".encode()
            own = hmac.new(self._secret, said, hashlib.sha256).hexdigest()
            self._files_by_id[own] = self._files_by_id.pop(plain)
            self._sessions[own] = session
        return own

    def delete_file(self, file_id: str) -> None:
        """Delete a file that no page shows any more."""
        with self._guard:
            super().delete_file(file_id)
            self._sessions.pop(file_id, None)

    def session_of(self, name: str) -> str | None:
        """Return the session of a file, by its name with extension; None for an unknown one."""
        with self._guard:
            return self._sessions.get(os.path.splitext(name)[0])  # noqa: PTH122  (as Streamlit does)


class SessionMediaManager(MediaFileManager):
    """Assigns a file that is made on a click to the session of its button."""

    def execute_deferred(self, file_id: str) -> str:
        """Make the file; return its address. Raises MediaFileStorageError if that fails."""
        button = self._deferred_callables.get(file_id)
        before = _MADE_LATER.set(None if button is None else button["session_id"])
        try:
            return super().execute_deferred(file_id)
        finally:
            _MADE_LATER.reset(before)


def _current_session() -> str:
    """Return the id of the session that now runs, "" outside of one."""
    run = get_script_run_ctx(suppress_warning=True)
    return _MADE_LATER.get() or ("" if run is None else run.session_id)


_FOLDER = "/static/"
_ASKED_OTHERWISE = ("range", "if-none-match", "if-modified-since")  # of a part, or if it changed
_VARIES = ("content-encoding", "vary", "set-cookie")


class KeptFiles:
    """ASGI middleware that caches immutable responses."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.answers: dict[str, tuple[Message, Message]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from the cache, else by the app."""
        if not _is_plain(scope):
            await self.app(scope, receive, send)
        elif kept := self.answers.get(scope["path"]):
            for message in kept:
                await send(message)
        else:
            await self.app(scope, receive, self._caching_send(scope["path"], send))

    def _caching_send(self, path: str, send: Send) -> Send:
        """Wrap `send` to cache a complete immutable response."""
        started: list[Message] = []
        parts: list[bytes] = []

        async def keep(message: Message) -> None:
            """Send a message; keep the response once it is whole, if it never changes."""
            if message["type"] == "http.response.start":
                started.append(message)
            elif message["type"] == "http.response.body":
                parts.append(message.get("body", b""))
                if not message.get("more_body") and started and _never_changes(started[0]):
                    whole = {"type": "http.response.body", "body": b"".join(parts)}
                    self.answers[path] = started[0], whole
            await send(message)

        return keep


def _is_plain(scope: Scope) -> bool:
    """Return True for a GET of a static file, without a query or headers that ask for less."""
    if scope["type"] != "http" or scope["method"] != "GET" or scope["query_string"]:
        return False
    if not scope["path"].startswith(_FOLDER):
        return False
    headers = Headers(scope=scope)
    return not any(name in headers for name in _ASKED_OTHERWISE)


def _never_changes(start: Message) -> bool:
    """Return True for a response that browsers may cache for ever."""
    headers = Headers(raw=start["headers"])
    if start["status"] != 200 or any(name in headers for name in _VARIES):
        return False
    return "immutable" in headers.get("cache-control", "")
