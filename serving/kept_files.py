"""In-memory cache of Streamlit's immutable static files.

A new window asks for about ninety of them before anything is drawn, and Streamlit looks each up on
the disk, in another thread, while the first run of the page waits for its turn of the same process.
Their names change with their content, so a cached answer stays valid.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
    if scope["type"] != "http" or scope["method"] != "GET" or scope["query_string"]:
        return False
    if not scope["path"].startswith(_FOLDER):
        return False
    headers = Headers(scope=scope)
    return not any(name in headers for name in _ASKED_OTHERWISE)


def _never_changes(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    if start["status"] != 200 or any(name in headers for name in _VARIES):
        return False
    return "immutable" in headers.get("cache-control", "")
