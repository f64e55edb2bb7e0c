"""Unit tests of serving/gate.py: what is open, what is counted, and who may come in."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.routing import Match
from starlette.types import Message, Receive, Scope, Send
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.web.server.starlette import starlette_routes as routes

from errors import UserError
from serving import gate as gates
from serving.budget import MIB, Budget
from serving.gate import Gate
from serving.media import _MADE_LATER, SessionMedia
from serving.uploads import UploadStore
from serving.visits import Visits

HEADERS = [(b"host", b"localhost"), (b"cookie", b"touchstone_session=x")]


class Rooms:
    def __init__(self) -> None:
        self.visits = Visits()
        self.uploads = UploadStore("/_stcore/upload_file", self.visits, lambda: Budget(MIB, MIB))
        self.media = SessionMedia("/media")
        self.told: list[str] = []

    def tell(self, session: str) -> None:
        self.told.append(session)


class App:
    """Reads a body whole, keeps it as a file, and answers 204; notes what it was asked."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms, self.asked = rooms, list[Scope]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked.append(scope)
        if scope["type"] == "websocket":
            while (await receive())["type"] != "websocket.disconnect":
                pass
            return
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ConnectionError("the sender has gone")
            body += message.get("body", b"")
            more = message.get("more_body", False)
        *_, session, file = scope["path"].split("/")
        self.rooms.uploads.add_file(session, UploadedFileRec(file, "f", "text/plain", body))
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})


def told(gate: Gate, scope: dict[str, Any], messages: Iterable[Message] = ()) -> list[Message]:
    """Return what is sent in answer to a request whose body comes in these messages."""
    sent: list[Message] = []
    coming = iter(messages)

    async def receive() -> Message:
        await asyncio.sleep(0)
        return next(coming, {"type": f"{scope['type']}.disconnect"})

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(gate({"headers": HEADERS, "method": "GET"} | scope, receive, send))
    return sent


def body(size: int, more: bool = False) -> Message:
    return {"type": "http.request", "body": b"x" * size, "more_body": more}


@pytest.fixture
def rooms() -> Rooms:
    return Rooms()


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """Have every request prove to be the account in this list's one place."""
    who: list[int | None] = [None]
    monkeypatch.setattr(gates, "proven_account", lambda _cookies: who[0])
    return who


def upload(size: int | None, session: str = "a", file: str = "1") -> dict[str, Any]:
    length = [] if size is None else [(b"content-length", str(size).encode())]
    path = f"/_stcore/upload_file/{session}/{file}"
    return {"type": "http", "method": "PUT", "path": path, "headers": HEADERS + length}


ROUTED = [
    routes._with_base(path, "")
    for path in (routes._ROUTE_MEDIA, routes._ROUTE_UPLOAD_FILE, routes.ROUTE_METRICS)
]
PARTS = st.sampled_from(
    ["media", "_stcore", "upload_file", "metrics", "a.png", "..", ".", "", "Media", "%2e", "é", "x"]
)


@given(st.lists(PARTS, min_size=1, max_size=6))
def test_no_path_leads_to_a_closed_route_and_looks_open(parts: list[str]) -> None:
    path = "/" + "/".join(parts)
    scope = {"type": "http", "method": "GET", "path": path, "root_path": ""}
    matched = [routes_.matches(scope)[0] != Match.NONE for routes_ in map(_route, ROUTED)]
    if any(matched):
        assert gates._closed(path)


def _route(path: str) -> Any:
    from starlette.routing import Route

    return Route(path, lambda _request: None)


def test_pages_and_what_they_are_made_of_are_open() -> None:
    for path in (
        "/", "/data", "/static/js/a.js", "/component/x/index.html", "/_stcore/health",
        "/_stcore/host-config", "/_stcore/bidi-components/x/y.js", "/oauth2callback", "/auth/login",
    ):  # fmt: skip
        assert not gates._closed(path)


def test_all_else_of_streamlit_is_closed_to_strangers_and_open_to_one_person_alone(
    rooms: Rooms, account: list[int | None]
) -> None:
    team = Gate(App(rooms), rooms, lambda: True)
    alone = Gate(App(rooms), rooms, lambda: False)
    for path in (
        "/media/x", "/_stcore/upload_file/a/b", "/_stcore/metrics", "/_stcore/agent/mcp",
        "/_stcore/script-health-check", "/_stcore/what-comes-next",
    ):  # fmt: skip
        for gate, status in ((team, 401), (alone, 204)):
            assert told(gate, {"type": "http", "path": path}, [body(0)])[0]["status"] == status


def test_a_base_path_opens_nothing(
    rooms: Rooms, account: list[int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serving.gate.config.get_option", lambda _name: "/deep/er/")
    sent = told(Gate(App(rooms), rooms, lambda: True), {"type": "http", "path": "/deep/er/media/x"})
    assert sent[0]["status"] == 401


def test_a_picture_is_given_only_to_whom_it_was_made_for(
    rooms: Rooms, account: list[int | None]
) -> None:
    app = App(rooms)
    gate = Gate(app, rooms, lambda: True)
    names = {}
    for session, who in (("a", 1), ("b", 2), ("c", 1), ("d", None)):
        rooms.visits.connected(session, "here")
        rooms.visits.signed(session, who)
        token = _MADE_LATER.set(session)
        kind = MediaFileKind.MEDIA
        names[session] = rooms.media.load_and_get_id(b"the same", "image/png", kind)
        _MADE_LATER.reset(token)
    assert len(set(names.values())) == 4  # nobody can tell a name from what is in the file
    account[0] = 1
    for session, statuses in (("a", 0), ("b", 404), ("c", 0), ("d", 404)):
        path = f"/media/{names[session]}.png"
        before = len(app.asked)
        sent = told(gate, {"type": "http", "path": path}, [body(0)])
        assert (sent[0]["status"] if len(app.asked) == before else 0) == statuses, session
    rooms.media.delete_file(names["a"])
    assert told(gate, {"type": "http", "path": f"/media/{names['a']}.png"})[0]["status"] == 404


def test_the_database_that_does_not_answer_lets_nobody_in(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(_cookies: object) -> int:
        raise UserError("database_busy")

    monkeypatch.setattr(gates, "proven_account", busy)
    gate = Gate(App(rooms), rooms, lambda: True)
    assert told(gate, {"type": "http", "path": "/media/x"})[0]["status"] == 503
    assert told(gate, upload(5), [body(5)])[0]["status"] == 503


def test_a_length_that_lies_is_not_believed(rooms: Rooms) -> None:
    rooms.visits.connected("a", "here")
    gate = Gate(App(rooms), rooms, lambda: False)
    sent = told(gate, upload(5), [body(MIB, more=True), body(MIB)])
    assert [each["status"] for each in sent if "status" in each] == [413]
    assert rooms.told == ["a"]
    assert rooms.uploads.held() == 0
    sent = told(gate, upload(2 * MIB), [])
    assert sent[0]["status"] == 413


def test_a_defect_of_the_app_is_not_swallowed(rooms: Rooms) -> None:
    with pytest.raises(ConnectionError):
        told(Gate(App(rooms), rooms, lambda: False), upload(5), [])
    assert rooms.uploads.held() == 0


@pytest.mark.parametrize(("code", "there", "kept"), [(1001, 0, 0), (1006, 0, 9), (1001, 1, 9)])
def test_a_closed_tab_frees_its_files_whoever_learns_of_it_first(
    rooms: Rooms, code: int, there: int, kept: int
) -> None:
    """A page being drawn finds the browser gone before its closing is read, and says it left."""

    async def app(_scope: Scope, receive: Receive, _send: Send) -> None:
        gates.OPENED.set("a")
        rooms.visits.connected("a", "here")
        rooms.uploads.add_file("a", UploadedFileRec("1", "f", "text/plain", b"x" * 9))
        rooms.visits.left("a")
        if there:
            rooms.visits.connected("a", "here")  # the browser is back on another connection
        await receive()

    scope = {"type": "websocket", "path": "/_stcore/stream"}
    told(Gate(app, rooms, lambda: False), scope, [{"type": "websocket.disconnect", "code": code}])
    assert rooms.uploads.held() == kept


@pytest.mark.parametrize("mine", [None, 2])
def test_a_session_is_gone_on_with_by_its_own_account_alone(
    rooms: Rooms, account: list[int | None], mine: int | None
) -> None:
    rooms.visits.connected("theirs", "here")
    rooms.visits.signed("theirs", 1)
    for who, kept in ((mine, b"streamlit, token"), (1, b"streamlit,token, theirs")):
        account[0] = who
        app = App(rooms)
        spoken = (b"sec-websocket-protocol", b"streamlit,token, theirs")
        scope = {"type": "websocket", "path": "/_stcore/stream", "headers": [*HEADERS, spoken]}
        told(Gate(app, rooms, lambda: True), scope)
        assert app.asked[0]["headers"][-1] == (b"sec-websocket-protocol", kept)


def test_a_crowd_that_does_not_sign_in_is_stopped_at_the_door(
    rooms: Rooms, account: list[int | None]
) -> None:
    gate = Gate(App(rooms), rooms, lambda: True)
    scope: dict[str, Any] = {
        "type": "websocket",
        "path": "/_stcore/stream",
        "client": ("192.0.2.1", 1),
        "extensions": {"websocket.http.response": {}},
    }
    for number in range(gates.STRANGERS_OF_ONE_ADDRESS):
        assert told(gate, scope) == []
        rooms.visits.connected(f"a{number}", "192.0.2.1")
    assert told(gate, scope)[0]["status"] == 503
    assert told(gate, scope | {"client": ("192.0.2.2", 1)}) == []
    for number in range(gates.STRANGERS):
        rooms.visits.connected(f"b{number}", f"198.51.100.{number}")
    assert told(gate, scope | {"client": ("192.0.2.2", 1)})[0]["status"] == 503
    account[0] = 1
    assert told(gate, scope) == []  # whoever has signed in comes in
    account[0] = None
    for number in range(gates.STRANGERS):
        rooms.visits.signed(f"b{number}", 7)
    rooms.visits.left("a0")
    assert told(gate, scope) == []
