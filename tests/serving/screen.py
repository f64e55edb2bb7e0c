"""Requests as they go over the wire, and a screen of the app without a browser."""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

BOUNDARY = "limit"


@dataclass(frozen=True)
class Answer:
    """What came back: the status, the headers in lower case, and the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


def place(address: str) -> tuple[str, int]:
    parts = urlsplit(address)
    assert parts.hostname is not None and parts.port is not None
    return parts.hostname, parts.port


def raw(address: str, said: bytes, *, timeout: float = 20) -> Answer:
    """Send these bytes on a connection of their own; return the first answer."""
    with socket.create_connection(place(address), timeout=timeout) as wire:
        wire.sendall(said)
        return answer_of(wire)


def answer_of(wire: socket.socket) -> Answer:
    got = b""
    while b"\r\n\r\n" not in got:
        more = wire.recv(65_536)
        assert more, f"closed after {got!r}"
        got += more
    head, _, body = got.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)}
    length = int(headers.get("content-length", "0"))
    while len(body) < length:
        more = wire.recv(65_536)
        if not more:
            break
        body += more
    return Answer(int(lines[0].split()[1]), headers, body)


def head(
    address: str, method: str, path: str, headers: Mapping[str, str] | None = None, host: str = ""
) -> bytes:
    """Return the head of a request; a `host` other than the server's own may be said."""
    named = host or "{}:{}".format(*place(address))
    lines = [f"{method} {path} HTTP/1.1", f"Host: {named}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def asked(address: str, path: str, method: str = "GET", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return raw(address, head(address, method, path, named))


def xsrf() -> dict[str, str]:
    """Return a token and its cookie, as the app's own page would send them."""
    token = generate_xsrf_token_string(secrets.token_bytes(16))
    return {"X-Xsrftoken": token, "Cookie": f"_streamlit_xsrf={token}"}


def multipart(content: bytes, name: str = "file.jsonl") -> bytes:
    disposition = f'Content-Disposition: form-data; name="f"; filename="{name}"'
    start = f"--{BOUNDARY}\r\n{disposition}\r\nContent-Type: text/plain\r\n\r\n"
    return start.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()


def upload_headers(cookie: str | None = None) -> dict[str, str]:
    headers = xsrf()
    if cookie is not None:
        headers["Cookie"] += f"; touchstone_session={cookie}"
    return headers | {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}


def upload(address: str, path: str, content: bytes = b"{}", cookie: str | None = None) -> Answer:
    """Send a file as the widget does, its length said first."""
    body = multipart(content)
    headers = upload_headers(cookie) | {"Content-Length": str(len(body))}
    with socket.create_connection(place(address), timeout=100) as wire:
        wire.sendall(head(address, "PUT", path, headers))
        with suppress(OSError):  # answered before all was read
            wire.sendall(body)
        return answer_of(wire)


@dataclass
class Screen:
    """An open connection of the app's page; `session` is what Streamlit calls it."""

    wire: ClientConnection
    session: str = ""
    said: list[ForwardMsg] = field(default_factory=list)

    def run(self, page: str = "") -> None:
        """Ask for a run of the app, as after a click, and wait for its end."""
        message = BackMsg()
        message.rerun_script.query_string = ""
        message.rerun_script.page_name = page
        self.wire.send(message.SerializeToString())
        self.wait()

    def wait(self, seconds: float = 100) -> None:
        """Read until a run of the app has ended."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            data = self.wire.recv(timeout=seconds)
            assert isinstance(data, bytes)
            message = ForwardMsg.FromString(data)
            self.said.append(message)
            if message.WhichOneof("type") == "new_session":
                self.session = message.new_session.initialize.session_id or self.session
            if message.WhichOneof("type") != "script_finished":
                continue
            if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return
        raise AssertionError("the run did not end")

    def upload_path(self, file: str = "1") -> str:
        return f"/_stcore/upload_file/{self.session}/{file}"

    def shown(self) -> str:
        """Return all that was sent, as text to look words up in."""
        return "\n".join(str(each) for each in self.said)


@contextmanager
def screen(
    address: str, cookie: str | None = None, session: str | None = None, run: bool = True
) -> Iterator[Screen]:
    """Open the app as a browser does, with this cookie, perhaps to go on with a session."""
    spoken = [Subprotocol(each) for each in ("streamlit", "token", session) if each]
    headers = {"Cookie": f"touchstone_session={cookie}"} if cookie else {}
    where = address.replace("http", "ws", 1) + "/_stcore/stream"
    with connect(
        where,
        subprotocols=spoken,
        additional_headers=headers,
        origin=Origin(address),
        max_size=None,
        max_queue=None,  # of 16 unread messages, a closing would wait ten seconds for its answer
        open_timeout=100,
    ) as wire:
        opened = Screen(wire)
        try:
            if run:
                opened.run()
            yield opened
        finally:
            wire.close(code=1001)  # as browsers do for a page that goes away
