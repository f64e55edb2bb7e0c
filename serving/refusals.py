"""How a request is refused: in words of both languages, before what it brings is read."""

from __future__ import annotations

from starlette.types import Scope, Send

from messages import LANGUAGES, say


def words_of(key: str, **params: object) -> str:
    """Return the catalogue's words for `key` in every language, one a line.

    Whoever is refused has no language yet.
    """
    return "".join(f"{say(key, language, **params)}\n" for language in LANGUAGES)


async def refuse(scope: Scope, send: Send, status: int, key: str, **params: object) -> None:
    """Answer with `status` and the words of `key`, and close the connection.

    Closing keeps the server from reading the rest of a body that nobody wants.
    """
    body = words_of(key, **params).encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    kind = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
        kind = "websocket.http.response"
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
