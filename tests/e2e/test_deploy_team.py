"""The deployment of docs/deploy.md with sign-in: its own commands, settings and unit file.

What is run here is read from the document and from deploy/, with other folders, names and ports.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.deployment import (
    NGINX,
    NO_NGINX,
    Deployment,
    kill,
    nginx,
    page,
    seats,
    served,
    who_comes_twice_comes_to_the_same_replica,
)
from tests.e2e.harness import ROOT, free_port
from tests.e2e.people import SLOW, decisions, go_on, on_item, press
from tests.e2e.ready import command_line
from tests.e2e.test_team import PHRASE, cookie_of, submitted_by, take

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
PYTHON = "/opt/touchstone/.venv/bin/python"


def documented(part: str) -> list[str]:
    """Return the words of the one command of docs/deploy.md that holds this."""
    text = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    (found,) = (line for line in lines if part in line)
    return shlex.split(found)


def settings(database: str) -> dict[str, str]:
    """Return the settings of /etc/touchstone.env: those that the document names, and no others."""
    values = {
        "DATABASE_URL": database,
        "TOUCHSTONE_SECRET": "the same for both replicas, and long",
        "STREAMLIT_SERVER_COOKIE_SECRET": "the same for both, and another",
        "STREAMLIT_BROWSER_SERVER_ADDRESS": "127.0.0.1",
    }
    for name in values:
        documented(f"{name}=")
    return values


@contextmanager
def unit(folder: Path, variables: dict[str, str]) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run one replica as deploy/touchstone@.service does; yield its port and process."""
    port = free_port()
    text = (ROOT / "deploy" / "touchstone@.service").read_text().replace("%i", str(port))
    text = text.replace("/var/lib/touchstone", str(folder))
    own = dict(line.split("=", 1) for line in re.findall(r"^Environment=(.*)$", text, re.M))
    (start,) = re.findall(r"^ExecStart=(.*)$", text, re.M)
    command = [sys.executable if word == PYTHON else word for word in shlex.split(start)]
    workspace = Path(own["TOUCHSTONE_WORKSPACE"])
    assert workspace == folder / str(port)
    with served(command, variables | own, port, workspace) as process:
        yield port, process


@pytest.fixture
def team(tmp_path: Path, on_postgres: str) -> Iterator[Deployment]:
    """Serve the sample project to a team whose steward has an account."""
    if NGINX is None:
        pytest.skip(NO_NGINX)
    variables = settings(on_postgres)
    assert command_line(tmp_path / "first", "init", "--sample", "--fresh").returncode == 0
    words = documented("account add")
    assert words[0] in (PYTHON, ".venv/bin/python"), words
    added = subprocess.run(
        [sys.executable, *words[1:]],
        input=f"{PHRASE}\n",
        env={**os.environ, **variables, "TOUCHSTONE_WORKSPACE": str(tmp_path / "first")},
        cwd=ROOT,
        text=True,
        capture_output=True,
    )
    assert added.returncode == 0, added.stderr
    with (
        unit(tmp_path, variables) as (first, one),
        unit(tmp_path, variables) as (second, two),
        nginx(tmp_path / "nginx", (first, second)) as address,
    ):
        yield Deployment(address, {f"127.0.0.1:{first}": one, f"127.0.0.1:{second}": two})


def at_replica(visitor: Page, deployment: Deployment, seat: str) -> str:
    """Take the browser to the replica of that seat; return the address of that replica."""
    cookie = {"name": "touchstone_replica", "value": seat, "url": deployment.address}
    visitor.context.add_cookies([cookie])  # type: ignore[list-item]
    answer = visitor.goto(deployment.address)
    assert answer is not None
    return answer.headers["x-touchstone-replica"]


def test_who_signed_in_at_one_replica_goes_on_at_the_other_and_when_that_is_killed(
    team: Deployment, browser: Browser, tmp_path: Path, on_postgres: str
) -> None:
    who_comes_twice_comes_to_the_same_replica(team)
    cookies = seats(team)
    (_, seat), (second, other) = sorted(cookies.items())
    invited = command_line(
        tmp_path / "first", "person", "invite", "--role", "annotator", "--address", team.address
    )
    dora = page(browser, team, seat)
    take(dora, f"{invited.stdout.strip().splitlines()[-1]}&lang=en")
    go_on(dora, "en-01")
    press(dora, "a j r")
    drafted = decisions(dora)
    assert drafted[:2] == ["accept", "reject"]
    cookie_of(dora)

    assert at_replica(dora, team, other) == second  # signed in there, with the draft as it was
    go_on(dora, "en-01")
    assert decisions(dora) == drafted
    press(dora, "Control+Enter")
    on_item(dora, "en-02")
    press(dora, "a")

    kill(team.replicas[second])
    dora.reload(timeout=SLOW)
    on_item(dora, "en-02")
    assert decisions(dora)[0] == "accept"
    press(dora, "Control+Enter")
    on_item(dora, "en-03")
    backed_up_and_restored(tmp_path, on_postgres)


def backed_up_and_restored(folder: Path, database: str) -> None:
    """Run the document's backup beside the replica, and its restore into a file."""

    def run_documented(part: str, *more: str, into: str, database: str = "") -> str:
        command = documented(f"touchstone.py {part}")[2]
        done = command_line(folder / into, command, *more, DATABASE_URL=database)
        assert done.returncode == 0, done.stderr
        return done.stdout

    kept = str(folder / "kept.backup")
    run_documented("backup", kept, into="first", database=database)
    run_documented("restore", kept, into="file")
    run_documented("check", into="file")
    told = command_line(folder / "file", "agreement", "--json", DATABASE_URL="").stdout
    assert submitted_by("Dora", told) == 2
