"""Host and Origin check of every request.

A page of another site can make its own name resolve to this machine (DNS rebinding) and would then
read the whole app as its own. The browser still sends that name as the Host, so a request under a
foreign name is refused, whatever it asks for; and a connection that a page of another origin opens
is refused by its Origin.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable, Iterable

from starlette.types import ASGIApp, Receive, Scope, Send

from errors import UserError, Where
from messages import LANGUAGES, say


def words_of(key: str, **params: object) -> str:
    """Return the message of `key` in every language, one per line.

    A refused client has no language yet.
    """
    return "".join(f"{say(key, language, **params)}\n" for language in LANGUAGES)


async def refuse(scope: Scope, send: Send, status: int, key: str, **params: object) -> None:
    """Respond with `status` and the message of `key`, and close the connection.

    Closing keeps the server from reading the rest of an unwanted body.
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


HOSTS_VARIABLE = "TOUCHSTONE_HOSTS"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
HEALTH = "/_stcore/health"
_SAFE = ("GET", "HEAD", "OPTIONS")
_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")
_PORT = re.compile(r":[0-9]{0,5}")
_ORIGIN = re.compile(r"(https?)://([^/?#@\s]+)")
_DEFAULT_PORTS = {"http": "80", "https": "443"}


def host_name(header: str) -> str | None:
    """Return a Host header's name in normal form; None if it is not a single valid name.

    Normal form: lower case, without the port, the brackets of an IPv6 address and a trailing dot.
    """
    name, _ = _name_and_port(header)
    return name


def allowed_names(hosts: Iterable[str]) -> frozenset[str]:
    """Return the allowed host names: loopback names and the given ones.

    A name may be in any script and carry a port, which is ignored. Raises UserError for anything
    but the name of one host, such as ``*`` or an address with ``http://``.
    """
    names = set(LOOPBACK)
    for each in hosts:
        try:
            plain = each.strip().encode("idna" if not each.isascii() else "ascii").decode()
        except UnicodeError:
            plain = ""
        name = host_name(plain if plain.count(":") < 2 or "[" in plain else f"[{plain}]")
        if name is None:
            raise UserError("host_name_bad", Where(field=HOSTS_VARIABLE), name=each[:80])
        names.add(name)
    return frozenset(names)


def given_names() -> list[str]:
    """Return the comma-separated names in $TOUCHSTONE_HOSTS, as written."""
    return [each for each in os.environ.get(HOSTS_VARIABLE, "").split(",") if each.strip()]


class HostGate:
    """ASGI middleware that checks Host and Origin before anything else.

    `names` returns the allowed names, `behind_proxy` whether our own proxy stands before this
    server, whose port the browser does not see. Only the health check answers under other names: it
    reveals nothing, and monitoring asks it by address.
    """

    def __init__(
        self, app: ASGIApp, names: Callable[[], frozenset[str]], behind_proxy: Callable[[], bool]
    ) -> None:
        self.app, self.names, self.behind_proxy = app, names, behind_proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it without reading its body."""
        if scope["type"] in ("http", "websocket") and not _asks_for_health(scope):
            hosts = _header_values(scope, b"host")
            name = host_name(hosts[0]) if len(hosts) == 1 else None
            if name not in self.names() or not scope["path"].startswith("/"):
                await refuse(scope, send, 421, "serving.host")
                return
            if not self._from_our_page(scope, hosts[0]):
                await refuse(scope, send, 403, "serving.origin")
                return
        await self.app(scope, receive, send)

    def _from_our_page(self, scope: Scope, host: str) -> bool:
        """Return False if a request with side effects has the Origin of another site.

        Only browsers send an Origin; a program on this machine needs none.
        """
        if scope["type"] == "http" and scope["method"] in _SAFE:
            return True
        return all(self._is_ours(origin, host) for origin in _header_values(scope, b"origin"))

    def _is_ours(self, origin: str, host: str) -> bool:
        """Return True if an Origin is this server's own, `host` being the Host asked for."""
        found = _ORIGIN.fullmatch(origin)
        if found is None:
            return False
        scheme, authority = found.groups()
        name, port = _name_and_port(authority)
        if self.behind_proxy():
            return name in self.names()
        asked, asked_port = _name_and_port(host)
        default = _DEFAULT_PORTS[scheme]
        return name is not None and (name, port or default) == (asked, asked_port or default)


def _asks_for_health(scope: Scope) -> bool:
    """Return True for the health check."""
    return (
        scope["type"] == "http" and scope["path"] == HEALTH and scope["method"] in ("GET", "HEAD")
    )


def _header_values(scope: Scope, name: bytes) -> list[str]:
    """Return the values of a header."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _name_and_port(authority: str) -> tuple[str | None, str]:
    """Return (name, port) of an authority; the name is None if invalid."""
    if authority.startswith("["):
        inner, closed, rest = authority[1:].partition("]")
        return (_ipv6(inner) if closed and _is_port(rest) else None), rest[1:]
    name, colon, port = authority.partition(":")
    name = name.lower().removesuffix(".")
    whole = len(name) < 254 and _NAME.fullmatch(name) is not None and _is_port(colon + port)
    return (name if whole else None), port


def _is_port(text: str) -> bool:
    """Return True for a port or none."""
    return text == "" or _PORT.fullmatch(text) is not None


def _ipv6(text: str) -> str | None:
    """Return an IPv6 address in canonical form, None for anything else."""
    try:
        return None if "%" in text else str(ipaddress.IPv6Address(text))
    except ValueError:
        return None
