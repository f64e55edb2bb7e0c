"""Two replicas behind nginx, as docs/deploy.md has them, on ports of the tests' own."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path

from playwright.sync_api import Browser, Page

from scripts.bootstrap import find_nginx
from tests.e2e.harness import ROOT, free_port

NGINX = find_nginx()
NO_NGINX = "nginx is absent: on Debian install it with apt-get install nginx-light"
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


@contextmanager
def served(
    command: list[str], variables: dict[str, str], port: int, workspace: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """Run what serves on this port until it answers; kill it, and what it started, at the end."""
    log = workspace.parent / f"{workspace.name}.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | variables,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            _wait(f"http://127.0.0.1:{port}", log)
            yield process
        finally:
            kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill -9 a replica at once, with what it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=20)


@contextmanager
def nginx(folder: Path, replicas: tuple[int, int]) -> Iterator[str]:
    """Run deploy/nginx.conf with these ports, and nothing else changed."""
    folder.mkdir()
    port = free_port()
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
        _wait(f"http://127.0.0.1:{port}", folder / "error.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def get(address: str, path: str = "/", cookie: str = "") -> HTTPMessage:
    """Return the headers of what is served at a path. Raises OSError where nothing is."""
    with closing(HTTPConnection(address.removeprefix("http://"), timeout=10)) as connection:
        connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        answer = connection.getresponse()
        if answer.status != HTTPStatus.OK:
            raise OSError(answer.status)
        return answer.headers


def _wait(address: str, log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            get(address, "/_stcore/health")
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"nothing answers at {address}:\n{log.read_text()}")


def who_comes_twice_comes_to_the_same_replica(deployment: Deployment) -> None:
    """Fail if the cookie of a first visit leads to another replica than that visit."""
    first = get(deployment.address)
    cookie = first["Set-Cookie"].split(";")[0]
    for _ in range(5):
        again = get(deployment.address, cookie=cookie)
        assert again["X-Touchstone-Replica"] == first["X-Touchstone-Replica"]


def seats(deployment: Deployment) -> dict[str, str]:
    """Return for each replica a cookie that leads to it."""
    found: dict[str, str] = {}
    for number in range(100):
        headers = get(deployment.address, cookie=f"touchstone_replica=seat{number}")
        found.setdefault(headers["X-Touchstone-Replica"], f"seat{number}")
        if len(found) == 2:
            return found
    raise AssertionError(f"only one replica is used: {found}")


def page(browser: Browser, deployment: Deployment, seat: str) -> Page:
    """Return a page that nginx sends to the replica of this seat."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    cookie = {"name": "touchstone_replica", "value": seat, "url": deployment.address}
    context.add_cookies([cookie])  # type: ignore[list-item]
    return context.new_page()
