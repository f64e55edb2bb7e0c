"""What a running server takes and gives, asked over the wire: hosts, uploads, media."""

from __future__ import annotations

import socket
import time
from contextlib import suppress

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from annotation.people import accounts, sign_in
from tests.e2e.harness import running_app
from tests.serving.conftest import Served
from tests.serving.screen import (
    BOUNDARY,
    answer_of,
    asked,
    head,
    multipart,
    place,
    raw,
    screen,
    upload,
    upload_headers,
)

pytestmark = pytest.mark.timeout(600)
MIB = 1 << 20
SESSION = "0f0e3a6c-2b1d-4b57-9a2e-6f4f0a6d9b11"
FOREIGN = ("evil.example", "localhost.evil.example:80")
ROUTES = (
    ("GET", "/"),
    ("GET", "/static/js/nothing.js"),
    ("GET", "/data"),
    ("GET", "/_stcore/host-config"),
    ("GET", "/_stcore/metrics"),
    ("GET", "/media/0.png"),
    ("PUT", f"/_stcore/upload_file/{SESSION}/1"),
    ("DELETE", f"/_stcore/upload_file/{SESSION}/1"),
    ("POST", "/touchstone/session"),
    ("GET", "/oauth2callback"),
)
HANDSHAKE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


@pytest.mark.parametrize("mode", ["alone", "team"])
def test_a_name_that_is_not_this_servers_reaches_nothing(
    mode: str, request: pytest.FixtureRequest
) -> None:
    """DNS rebinding: the attacker's name leads to this machine, and the browser says that name."""
    served: Served = request.getfixturevalue(mode)
    for host in FOREIGN:
        for method, path in ROUTES:
            answer = raw(served.address, head(served.address, method, path, host=host))
            assert answer.status == 421, (host, method, path)
            assert "--host-name" in answer.text and "TOUCHSTONE_HOSTS" in answer.text
            assert "접속" in answer.text
            assert "evil" not in answer.text
        origin = {"Origin": f"http://{host}"}
        shaken = head(served.address, "GET", "/_stcore/stream", HANDSHAKE | origin, host=host)
        assert raw(served.address, shaken).status == 421, host
    for host in ("localhost", f"LOCALHOST.:{place(served.address)[1]}", "[::1]"):
        assert raw(served.address, head(served.address, "GET", "/", host=host)).status == 200, host


def test_health_answers_whoever_asks_and_nothing_else_does(alone: Served) -> None:
    told = raw(alone.address, head(alone.address, "GET", "/_stcore/health", host="10.1.2.3"))
    assert (told.status, told.body) == (200, b"ok")
    for path in ("/_stcore/health/", "/_stcore/health/../host-config", "//_stcore/health"):
        assert raw(alone.address, head(alone.address, "GET", path, host="10.1.2.3")).status == 421
    told = raw(alone.address, head(alone.address, "PUT", "/_stcore/health", host="10.1.2.3"))
    assert told.status == 421


def test_no_way_of_naming_two_hosts_or_none_gets_in(alone: Served) -> None:
    for lines in (
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: evil.example\r\nForwarded: host=localhost\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET http://evil.example/_stcore/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET http://localhost/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost, evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost:\r\n\r\n",
    ):
        assert raw(alone.address, lines).status in (400, 421), lines


@pytest.mark.parametrize("mode", ["alone", "team"])
def test_a_page_of_another_origin_opens_no_connection(
    mode: str, request: pytest.FixtureRequest
) -> None:
    served: Served = request.getfixturevalue(mode)
    port = place(served.address)[1]
    where = f"ws://127.0.0.1:{port}/_stcore/stream"
    for origin in (
        "http://evil.example",
        "null",
        "http://localhost:3000",  # another program's page on this machine
        f"http://127.0.0.1.evil.example:{port}",
        f"http://localhost:{port}",  # this machine under another name is another origin
        f"file://127.0.0.1:{port}",
    ):
        with pytest.raises(InvalidStatus) as refused, connect(where, origin=Origin(origin)):
            pass
        assert refused.value.response.status_code == 403, origin
    with connect(where, origin=Origin(f"http://127.0.0.1:{port}")):
        pass
    sent = asked(served.address, "/touchstone/session", "POST", Origin="http://evil.example")
    assert sent.status == 403


def test_whoever_is_not_signed_in_sends_and_gets_no_file(team: Served) -> None:
    with screen(team.address) as stranger:  # the page itself is open: one signs in on it
        assert stranger.session
        for method in ("PUT", "POST", "DELETE"):
            headers = upload_headers() | {"Content-Length": str(100 * MIB)}
            with socket.create_connection(place(team.address), timeout=100) as wire:
                wire.sendall(head(team.address, method, stranger.upload_path(), headers))
                told = answer_of(wire)  # before a byte of the body was sent
                assert told.status == 401, method
                assert "Sign in" in told.text and "로그인" in told.text
                assert told.headers["connection"] == "close"
                assert wire.recv(1) == b""
        for path in ("/media/0.png", "/_stcore/metrics", "/_stcore/agent/openapi.json"):
            assert asked(team.address, path).status == 401, path
    void = sign_in.token_for(team.ws, accounts.list_accounts(team.ws)[2].id)
    for cookie in (void, team.ara[:-1] + "0" * (team.ara[-1] != "0"), "1", "é"):  # void or forged
        for method in ("PUT", "DELETE"):
            headers = upload_headers(cookie) | {"Content-Length": "10"}
            said = head(team.address, method, f"/_stcore/upload_file/{SESSION}/1", headers)
            assert raw(team.address, said).status == 401


def test_who_is_signed_in_sends_files_to_their_own_screen_alone(team: Served) -> None:
    with screen(team.address, team.ara) as ara, screen(team.address, team.ben) as ben:
        assert upload(team.address, ara.upload_path(), cookie=team.ara).status == 204
        refused = upload(team.address, ara.upload_path("2"), cookie=team.ben)
        assert refused.status == 403
        assert "a tab other than" in refused.text
        assert upload(team.address, ben.upload_path(), cookie=team.ben).status == 204
        with screen(team.address) as stranger:
            told = upload(team.address, stranger.upload_path(), cookie=team.ben)
            assert told.status == 403
        assert (
            upload(team.address, f"/_stcore/upload_file/{SESSION}/1", cookie=team.ben).status == 403
        )


def test_nobody_goes_on_with_the_screen_of_somebody_else(team: Served) -> None:
    """The number of a screen is in the addresses of uploads, which logs of proxies keep."""
    with screen(team.address, team.ara) as ara:
        for cookie in (None, team.ben):
            with screen(team.address, cookie, session=ara.session) as other:
                assert other.session != ara.session
        with screen(team.address, team.ara, session=ara.session) as again:
            assert again.session == ara.session


def test_a_budget_for_each_and_one_for_all(team: Served) -> None:
    with screen(team.address, team.ara) as ara, screen(team.address, team.ara) as second:
        assert (
            upload(team.address, ara.upload_path(), b"a" * (MIB + 20_000), team.ara).status == 204
        )
        told = upload(team.address, second.upload_path(), b"a" * MIB, team.ara)
        assert told.status == 413  # two tabs of one person share
        assert "2 MiB" in told.text and "2MiB" in told.text
        second.wait()
        assert "2 MiB" in second.shown()  # the widget says only that it failed; the page says why
        with screen(team.address, team.ben) as ben:
            assert upload(team.address, ben.upload_path(), b"b" * (MIB + 9), team.ben).status == 204
            told = upload(team.address, ben.upload_path("2"), b"b" * (MIB - 5_000), team.ben)
            assert told.status == 413
            assert "3 MiB" in told.text
            gone = head(team.address, "DELETE", ara.upload_path(), upload_headers(team.ara))
            assert raw(team.address, gone).status == 204
            again = upload(team.address, ben.upload_path("2"), b"b" * (MIB - 5_000), team.ben)
            assert again.status == 204


def chunked(address: str, path: str, cookie: str | None, total: int) -> tuple[int, int]:
    """Send a file in chunks without its length; return the status and how many bytes were sent."""
    headers = upload_headers(cookie) | {"Transfer-Encoding": "chunked"}
    body = multipart(b"x" * total)
    sent = 0
    with socket.create_connection(place(address), timeout=100) as wire:
        wire.sendall(head(address, "PUT", path, headers))
        with suppress(OSError):
            for start in range(0, len(body), 65_536):
                part = body[start : start + 65_536]
                wire.sendall(f"{len(part):x}\r\n".encode() + part + b"\r\n")
                sent += len(part)
            wire.sendall(b"0\r\n\r\n")
        return answer_of(wire).status, sent


def test_a_file_that_hides_its_length_is_counted_as_it_comes(alone: Served) -> None:
    with screen(alone.address) as here:
        assert chunked(alone.address, here.upload_path(), None, MIB)[0] == 204
        assert chunked(alone.address, here.upload_path("2"), None, MIB // 2)[0] == 204
        headers = upload_headers() | {"Transfer-Encoding": "chunked"}
        with socket.create_connection(place(alone.address), timeout=100) as wire:
            wire.sendall(head(alone.address, "PUT", here.upload_path("3"), headers))
            part = multipart(b"x" * MIB)[: MIB // 2 + 2_000]
            wire.sendall(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            assert answer_of(wire).status == 413  # while more would come
        assert chunked(alone.address, here.upload_path("4"), None, MIB // 4)[0] == 204


def test_an_upload_broken_off_gives_its_bytes_back(alone: Served) -> None:
    with screen(alone.address) as here:
        for number in range(5):
            length = {"Content-Length": str(2 * MIB - 10_000)}
            said = head(
                alone.address, "PUT", here.upload_path(str(number)), upload_headers() | length
            )
            with socket.create_connection(place(alone.address), timeout=100) as wire:
                wire.sendall(said + multipart(b"x" * MIB)[: MIB // 2])
        assert taken_at_last(alone, here.upload_path("last"), 2 * MIB - 10_000)


def taken_at_last(served: Served, path: str, size: int, cookie: str | None = None) -> bool:
    """Return whether so much is taken, once what goes on in the background is over."""
    for _ in range(600):
        if upload(served.address, path, b"y" * size, cookie).status == 204:
            return True
        time.sleep(0.1)
    return False


def test_files_are_freed_when_the_tab_closes(alone: Served) -> None:
    for _ in range(4):
        with screen(alone.address) as here:
            assert taken_at_last(alone, here.upload_path(), 2 * MIB - 10_000)


def test_a_connection_that_breaks_keeps_its_files_until_the_browser_could_be_back(
    alone: Served,
) -> None:
    with screen(alone.address) as here:
        assert taken_at_last(alone, here.upload_path(), 2 * MIB - 10_000)
        here.wire.socket.shutdown(socket.SHUT_RDWR)
    with screen(alone.address, session=here.session) as again:
        assert again.session == here.session
        assert upload(alone.address, again.upload_path("2"), b"y" * MIB).status == 413  # all there
        again.wire.socket.shutdown(socket.SHUT_RDWR)
    with screen(alone.address) as other:
        assert upload(alone.address, other.upload_path(), b"y" * (MIB + MIB // 2)).status == 413
        assert taken_at_last(alone, other.upload_path(), MIB + MIB // 2)


def test_files_are_freed_when_the_page_is_left(alone: Served) -> None:
    with screen(alone.address) as here:
        here.run("data")
        assert upload(alone.address, here.upload_path(), b"y" * (2 * MIB - 10_000)).status == 204
        here.run("data")
        assert upload(alone.address, here.upload_path("2"), b"y" * MIB).status == 413
        here.wait()
        here.run("corpus")
        assert upload(alone.address, here.upload_path("2"), b"y" * MIB).status == 204


def test_files_are_freed_when_somebody_signs_out(team: Served) -> None:
    dan = accounts.add_account(team.ws, "dan", "Dan", "four plain words here")
    cookie = sign_in.token_for(team.ws, dan.id)
    with screen(team.address, cookie) as here:
        assert taken_at_last(team, here.upload_path(), 2 * MIB - 10_000, cookie)
        sign_in.sign_out(team.ws, dan.id)
        assert upload(team.address, here.upload_path("2"), b"y", cookie).status == 401
        here.run()  # draws the screen on which one signs in
    with screen(team.address, team.ben) as ben:
        assert taken_at_last(team, ben.upload_path(), 2 * MIB - 10_000, team.ben)


def test_another_sites_page_cannot_send_a_file(alone: Served) -> None:
    """Neither a token that is missing nor one that does not fit its cookie."""
    with screen(alone.address) as here:
        body = multipart(b"{}")
        kind = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
        for more in ({}, {"X-Xsrftoken": "a"}, upload_headers() | {"X-Xsrftoken": "b"}):
            headers = kind | more | {"Content-Length": str(len(body))}
            said = head(alone.address, "PUT", here.upload_path(), headers) + body
            assert raw(alone.address, said).status == 403
        foreign = upload_headers() | {"Origin": "http://evil.example", "Content-Length": "5"}
        said = head(alone.address, "PUT", here.upload_path(), foreign)
        assert raw(alone.address, said).status == 403


@pytest.mark.long
def test_the_app_without_its_gates_draws_nothing(alone: Served) -> None:
    with running_app(alone.ws.folder, entry="app.py") as address, screen(address) as here:
        assert "served without the checks" in here.shown()
        assert "Sample" not in here.shown()
    with screen(alone.address) as here:
        assert "Sample" in here.shown()
