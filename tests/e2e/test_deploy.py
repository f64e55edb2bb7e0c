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
    get,
    kill,
    nginx,
    page,
    replica,
    seats,
)
from tests.e2e.people import SLOW, come_in, decisions, go_to, on_item, press
from tests.e2e.ready import command_line

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


@pytest.fixture
def deployment(tmp_path: Path, on_postgres: str) -> Iterator[Deployment]:
    """Serve the sample project from two replicas behind nginx."""
    if NGINX is None:
        pytest.skip(NO_NGINX)
    done = command_line(tmp_path / "a", "init", "--sample")
    assert done.returncode == 0, done.stderr
    with (
        replica(tmp_path / "a") as (first, one),
        replica(tmp_path / "b") as (second, two),
        nginx(tmp_path / "nginx", (first, second)) as address,
    ):
        yield Deployment(address, {f"127.0.0.1:{first}": one, f"127.0.0.1:{second}": two})


def who_comes_twice_comes_to_the_same_replica(deployment: Deployment) -> None:
    first = get(deployment.address)
    cookie = first["Set-Cookie"].split(";")[0]
    for _ in range(5):
        again = get(deployment.address, cookie=cookie)
        assert again["X-Touchstone-Replica"] == first["X-Touchstone-Replica"]


def test_two_people_on_two_replicas_and_one_replica_killed(
    deployment: Deployment, browser: Browser
) -> None:
    who_comes_twice_comes_to_the_same_replica(deployment)
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
    come_in(sora, deployment.address, "Lee Sora")  # sees what came in at either replica
    go_to(sora, "Adjudication")
    expect(sora.get_by_text("Open 1")).to_be_visible(timeout=SLOW)

    kill(deployment.replicas[first])
    ara.reload()
    on_item(ara, "en-02")  # at the other replica, with the draft as it was
    assert decisions(ara)[0] == "accept"
    press(ara, "Control+Enter")
    on_item(ara, "en-03")
