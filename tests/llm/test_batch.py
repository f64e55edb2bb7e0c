from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from llm.batch import End, Progress, Stop, ask_all
from llm.budget import Budget, Limit
from llm.client import Client
from llm.reply import Problem, Reply, Status
from llm.request import Request
from llm.roles import Secret
from services.background.tasks import BackgroundTask, Work
from tests.llm.conftest import KEY, Asker, MemoryStore
from tests.llm.server import Server, Step


def batch(asker: Asker, number: int, budget: Budget | None = None, **more: object) -> Progress:
    requests = [asker.request(f"q{n}") for n in range(number)]

    async def run(client: Client) -> Progress:
        return await ask_all(client, requests, **more)  # type: ignore[arg-type]

    told = asker.run(run, budget)
    assert isinstance(told, Progress)
    return told


def test_a_batch_asks_everything_once(asker: Asker, server: Server) -> None:
    seen: list[tuple[Request, Reply]] = []
    told = batch(asker, 100, on_reply=lambda *pair: seen.append(pair))
    assert (told.end, told.done, told.recalled) == (End.DONE, 100, 0)
    assert told.statuses == {Status.ANSWERED: 100}
    assert sorted(reply.key for _, reply in seen) == sorted(request.key for request, _ in seen)
    assert set(server.counts.values()) == {1}


def test_what_stands_is_not_asked_again(
    asker: Asker, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("llm.batch._PIECE", 20)
    batch(asker, 50)
    told = batch(asker, 70)
    assert (told.done, told.recalled) == (70, 50)
    assert len(server.counts) == 70
    assert set(server.counts.values()) == {1}


def test_equal_requests_of_a_batch_are_asked_once(asker: Asker, server: Server) -> None:
    async def run(client: Client) -> Progress:
        return await ask_all(client, [asker.request("same")] * 50)

    told = asker.run(run)
    assert told.done == 50
    assert len(server.seen) == 1


def test_a_stopped_batch_finishes_what_is_under_way_and_is_taken_up(
    asker: Asker, server: Server
) -> None:
    stop = threading.Event()
    seen = 0

    def count(*_: object) -> None:
        nonlocal seen
        seen += 1
        if seen == 40:
            stop.set()

    told = batch(asker, 400, on_reply=count, stop=stop)
    assert told.end is End.STOPPED
    assert 40 <= told.done < 400
    assert told.done == len(server.seen)  # nothing that was asked is lost
    assert batch(asker, 400).end is End.DONE
    assert set(server.counts.values()) == {1}


def test_a_budget_ends_a_batch_and_a_larger_one_goes_on(asker: Asker, server: Server) -> None:
    told = batch(asker, 50, Budget(Limit(calls=20)))
    assert (told.end, told.done, len(server.seen)) == (End.BUDGET, 20, 20)
    assert "20" in told.last_reason
    assert batch(asker, 50, Budget(Limit(calls=30))).end is End.DONE
    assert set(server.counts.values()) == {1}


@pytest.mark.parametrize("status", [401, 404])
def test_a_server_that_takes_no_call_is_left_alone(
    asker: Asker, server: Server, status: int
) -> None:
    server.on("q", Step("error", status=status, message="no"))
    told = batch(asker, 5000)
    assert told.end is End.HOPELESS
    assert "no" in told.last_reason
    assert len(server.seen) < 100


def test_a_server_where_everything_fails_is_left_alone(asker: Asker, server: Server) -> None:
    server.on("q", Step("error", status=500))
    told = batch(asker, 5000)
    assert told.end is End.FAILING
    assert told.problems[Problem.SERVER] == told.done < 200


def test_single_failures_do_not_end_a_batch(asker: Asker, server: Server) -> None:
    for number in range(0, 300, 3):
        server.on(f"q{number}\x00", Step("error", status=400))
    requests = [asker.request(f"q{n}\x00") for n in range(300)]
    told = asker.run(lambda client: ask_all(client, requests))
    assert (told.end, told.problems) == (End.DONE, {Problem.BAD_REQUEST: 100})


def test_what_a_listener_raises_ends_the_batch(asker: Asker) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no room")

    with pytest.raises(RuntimeError, match="no room"):
        batch(asker, 50, on_reply=fail)


def asking(make: Callable[[], Client], requests: list[Request]) -> Work[None]:
    async def work(progress: Progress, stop: Stop) -> None:
        async with make() as client:
            await ask_all(client, requests, progress=progress, stop=stop)

    return work


def test_a_thread_that_fails_says_so_to_whoever_waits(asker: Asker) -> None:
    store = MemoryStore.__new__(MemoryStore)
    requests = [asker.request()]
    running = BackgroundTask(asking(lambda: Client(asker.endpoint, Secret(KEY), store), requests))
    with pytest.raises(AttributeError):
        running.wait(100)
