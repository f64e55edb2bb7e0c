"""The deployment of docs/deploy.md without sign-in: two replicas behind nginx on one server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.deployment import (
    NGINX,
    NO_NGINX,
    Deployment,
    kill,
    nginx,
    page,
    replica,
    seats,
)
from tests.e2e.people import SLOW, come_in, decisions, on_item, press
from tests.e2e.ready import command_line

# Draft, submission and a kill at either replica are in `make test` in `test_deploy_team.py`.
pytestmark = [pytest.mark.e2e, pytest.mark.long, pytest.mark.timeout(600)]


@pytest.fixture
def deployment(tmp_path: Path, on_postgres: str) -> Iterator[Deployment]:
    """Serve the sample project from two replicas behind nginx."""
    if NGINX is None:
        pytest.skip(NO_NGINX)
    done = command_line(tmp_path / "a", "init", "--sample", "--fresh")
    assert done.returncode == 0, done.stderr
    with (
        replica(tmp_path / "a") as (first, one),
        replica(tmp_path / "b") as (second, two),
        nginx(tmp_path / "nginx", (first, second)) as address,
    ):
        yield Deployment(address, {f"127.0.0.1:{first}": one, f"127.0.0.1:{second}": two})


def test_two_people_on_two_replicas_and_one_replica_killed(
    deployment: Deployment, browser: Browser
) -> None:
    cookies = seats(deployment)
    (first, seat), (_, other) = sorted(cookies.items())
    ara, jun, sora = (page(browser, deployment, each) for each in (seat, other, other))
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
    come_in(
        sora, deployment.address, "Lee Sora", "adjudication"
    )  # sees what came in at either replica
    expect(sora.get_by_text("Open 1")).to_be_visible(timeout=SLOW)

    kill(deployment.replicas[first])
    ara.reload()
    on_item(ara, "en-02")  # at the other replica, with the draft as it was
    assert decisions(ara)[0] == "accept"
    press(ara, "Control+Enter")
    on_item(ara, "en-03")
