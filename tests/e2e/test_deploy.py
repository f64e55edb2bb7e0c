"""The deployment of docs/deploy.md: two replicas behind nginx on one PostgreSQL."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.harness import ROOT, command_line
from tests.e2e.people import SLOW, come_in, decisions, go_to, on_item, press

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]
NGINX = shutil.which("nginx") or next(
    (path for path in ("/usr/sbin/nginx", "/usr/local/sbin/nginx") if Path(path).exists()), None
)
PORTS = ("8501", "8502")  # of the replicas, in deploy/nginx.conf
WRAPPER = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    {servers}
}}
"""


@dataclass
class Deployment:
    """The address that nginx serves, and the replicas' processes by their own address."""

    address: str
    replicas: dict[str, subprocess.Popen[bytes]]


@pytest.fixture
def deployment(tmp_path: Path, on_postgres: str) -> Iterator[Deployment]:
    """Serve the sample project from two replicas behind nginx."""
    if NGINX is None:
        pytest.skip("nginx is absent: on Debian install it with apt-get install nginx-light")
    done = command_line(tmp_path / "a", "init", "--sample")
    assert done.returncode == 0, done.stderr
    with (
        _replica(tmp_path / "a") as (first, one),
        _replica(tmp_path / "b") as (second, two),
        _nginx(tmp_path / "nginx", (first, second)) as address,
    ):
        yield Deployment(address, {f"127.0.0.1:{first}": one, f"127.0.0.1:{second}": two})


@contextmanager
def _replica(workspace: Path) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    port = _free_port()
    variables = os.environ | {
        "STREAMLIT_SERVER_COOKIE_SECRET": "shared",
        "TOUCHSTONE_WORKSPACE": str(workspace),
    }
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
    with (workspace.parent / f"{workspace.name}.log").open("w") as log:
        process = subprocess.Popen(
            [*command, "--server.port", str(port)],
            cwd=ROOT,
            env=variables,
            stdout=log,
            stderr=log,
        )
        try:
            _wait(f"http://127.0.0.1:{port}")
            yield port, process
        finally:
            process.kill()
            process.wait(timeout=20)


@contextmanager
def _nginx(folder: Path, replicas: tuple[int, int]) -> Iterator[str]:
    """Run deploy/nginx.conf with these ports, and nothing else changed."""
    folder.mkdir()
    port = _free_port()
    servers = (ROOT / "deploy" / "nginx.conf").read_text()
    for old, new in zip((*(f":{p}" for p in PORTS), "listen 80;"), (*replicas, port), strict=True):
        assert servers.count(old) == 1
        servers = servers.replace(old, f"listen 127.0.0.1:{new};" if "listen" in old else f":{new}")
    config = folder / "nginx.conf"
    config.write_text(WRAPPER.format(folder=folder, servers=servers))
    command = [str(NGINX), "-p", str(folder), "-c", str(config), "-e", str(folder / "error.log")]
    if os.geteuid() == 0:
        command += ["-g", "user root;"]  # the folder is this user's alone
    process = subprocess.Popen(command)
    try:
        _wait(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _get(address: str, path: str = "/", cookie: str = "") -> HTTPMessage:
    """Return the headers of what is served at a path. Raises OSError where nothing is."""
    with closing(HTTPConnection(address.removeprefix("http://"), timeout=10)) as connection:
        connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        answer = connection.getresponse()
        if answer.status != HTTPStatus.OK:
            raise OSError(answer.status)
        return answer.headers


def _wait(address: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            _get(address, "/_stcore/health")
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"nothing answers at {address}")


def _seats(deployment: Deployment) -> dict[str, str]:
    """Return for each replica a cookie that leads to it."""
    found: dict[str, str] = {}
    for number in range(100):
        headers = _get(deployment.address, cookie=f"touchstone_replica=seat{number}")
        found.setdefault(headers["X-Touchstone-Replica"], f"seat{number}")
        if len(found) == 2:
            return found
    raise AssertionError(f"only one replica is used: {found}")


def _page(browser: Browser, deployment: Deployment, seat: str) -> Page:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    cookie = {"name": "touchstone_replica", "value": seat, "url": deployment.address}
    context.add_cookies([cookie])  # type: ignore[list-item]
    return context.new_page()


def test_who_comes_twice_comes_to_the_same_replica(deployment: Deployment) -> None:
    first = _get(deployment.address)
    cookie = first["Set-Cookie"].split(";")[0]
    for _ in range(5):
        again = _get(deployment.address, cookie=cookie)
        assert again["X-Touchstone-Replica"] == first["X-Touchstone-Replica"]


def test_two_people_on_two_replicas_and_one_replica_killed(
    deployment: Deployment, browser: Browser
) -> None:
    seats = _seats(deployment)
    (first, seat), (_, other) = sorted(seats.items())
    ara, jun, sora = (_page(browser, deployment, each) for each in (seat, other, other))
    come_in(ara, deployment.address, "Kim Ara")
    on_item(ara, "en-01")
    press(ara, "a j a Control+Enter")
    on_item(ara, "en-02")
    press(ara, "a")
    assert decisions(ara)[0] == "accept"

    come_in(jun, deployment.address, "Park Jun")
    on_item(jun, "en-01")
    press(jun, "a Control+Enter")
    on_item(jun, "en-02")
    come_in(sora, deployment.address, "Lee Sora")  # sees what came in at either replica
    go_to(sora, "Adjudication")
    expect(sora.get_by_text("1 to decide")).to_be_visible(timeout=SLOW)

    os.kill(deployment.replicas[first].pid, signal.SIGKILL)
    deployment.replicas[first].wait(timeout=20)
    ara.reload()
    on_item(ara, "en-02")  # at the other replica, with the draft as it was
    assert decisions(ara)[0] == "accept"
    press(ara, "Control+Enter")
    on_item(ara, "en-03")
