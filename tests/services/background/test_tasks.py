"""Work beside a screen: one at a time, and a stop within a second that keeps nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import pytest

import retrieval.dense.lsa
from corpus.long_work import check_stop, keeping
from errors import UserError
from llm.batch import Progress, Stop
from services.background import retrieval as work
from services.background.tasks import STOPPED, BackgroundTask, Estimate, TaskKind, forget, latest
from services.runs.experiments.results import experiment_list
from services.runs.experiments.running import run_experiment
from services.runs.retrieving import retrieve
from services.runs.rows import leaderboard
from services.runs.scoring import kept_scores
from storage.db.workspace import Workspace
from storage.law.graph import load_graph
from tests.pages.small_project import SLUG, Small
from tests.support.refusals import code_of

SECOND = 1.0


class Long:
    """A call that is long under way when a stop comes, and ends only when it is let go."""

    def __init__(self, real: Callable[..., Any]) -> None:
        self.real, self.begun, self.go, self.over = real, Event(), Event(), Event()

    def __call__(self, *given: Any, **named: Any) -> Any:
        self.begun.set()
        assert self.go.wait(100)
        try:
            return self.real(*given, **named)
        finally:
            self.over.set()


def stopped_after(task: BackgroundTask[Any], begun: Event, by: int | None = None) -> float:
    """Stop the task once it is in the middle; return the seconds until it was over."""
    assert begun.wait(100)
    began = time.monotonic()
    task.stop(by)
    while task.running:
        time.sleep(0.005)
    assert isinstance(task.error, UserError) and task.error.code == STOPPED
    return time.monotonic() - began


def runs(small: Small) -> int:
    return len(leaderboard(small.workspace, SLUG).runs)


def _nothing_kept_later(small: Small, long: Long, task: BackgroundTask[Any]) -> None:
    """Let the call go on to its end: what it comes to is dropped."""
    long.go.set()
    assert long.over.wait(100)
    task._thread.join(100)
    assert isinstance(task.error, UserError) and task.result is None
    assert runs(small) == 0


LSA = {"method": "lsa", "dimensions": 2, "min_df": 1}


@pytest.mark.parametrize(
    ("place", "real", "spec"),
    [
        ("retrieval.dense.lsa._directions", retrieval.dense.lsa._directions, LSA),
        (
            "services.runs.methods.preparation.load_graph",
            load_graph,
            {"method": "sar", "base": {"method": "bm25"}},
        ),
    ],
    ids=["decomposition of LSA", "reading the graph"],
)
def test_a_stop_within_one_long_call(
    small: Small, monkeypatch: pytest.MonkeyPatch, place: str, real: Any, spec: dict[str, Any]
) -> None:
    long = Long(real)
    monkeypatch.setattr(place, long)
    task = work.start_run(small.workspace, SLUG, spec, 5)
    assert stopped_after(task, long.begun, small.sora.id) < SECOND
    assert task.stopped_by == small.sora.id
    _nothing_kept_later(small, long, task)


def test_new_work_starts_while_what_was_given_up_still_computes(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = Long(retrieval.dense.lsa._directions)
    with monkeypatch.context() as patch:
        patch.setattr(retrieval.dense.lsa, "_directions", long)
        given_up = work.start_run(small.workspace, SLUG, LSA, 5)
        assert stopped_after(given_up, long.begun) < SECOND
    other = work.start_run(small.workspace, SLUG, {"method": "bm25"}, 5)
    other.wait(100)
    assert other.result is not None
    long.go.set()
    given_up._thread.join(100)
    assert runs(small) == 1


def test_a_stop_that_comes_while_a_run_is_kept_comes_too_late(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = Long(kept_scores)
    monkeypatch.setattr("services.runs.retrieving.kept_scores", long)
    task = work.start_run(small.workspace, SLUG, {"method": "bm25"}, 5)
    assert long.begun.wait(100)
    task.stop()
    time.sleep(0.6)  # longer than a task is waited for
    assert task.running
    long.go.set()
    task.wait(100)
    assert task.result is not None and runs(small) == 1


def _looping() -> Iterator[None]:
    while True:
        check_stop()
        yield


@pytest.mark.parametrize("loop", ["of python", "before keeping"])
def test_a_loop_ends_by_itself(loop: str) -> None:
    begun = Event()

    async def endless(_progress: Progress, stop: Stop) -> None:
        begun.set()
        if loop == "of python":
            for _ in _looping():
                pass
        while not stop.is_set():
            time.sleep(0.001)
        with keeping():
            raise AssertionError("it was stopped before")

    task = BackgroundTask(endless, abandonable=True)
    assert stopped_after(task, begun) < SECOND
    task._thread.join(SECOND)
    assert not task._thread.is_alive()


def test_work_that_keeps_what_is_done_is_never_given_up() -> None:
    go = Event()

    async def calls(_progress: Progress, stop: Stop) -> str:
        while not stop.is_set():
            time.sleep(0.001)
        assert go.wait(100)  # a call under way
        check_stop()
        with keeping():
            return "kept"

    task = BackgroundTask(calls)
    task.stop(7)
    task.stop(8)  # the first counts
    time.sleep(0.6)
    assert task.running and task.stopping
    go.set()
    task.wait(100)
    assert (task.result, task.stopped_by) == ("kept", 7)


def test_the_time_left_is_told_by_the_pace_so_far() -> None:
    now = [100.0]
    estimate = Estimate(lambda: now[0])
    assert estimate.left(50, 500) == "", "nothing was done since it is watched"
    now[0] += 0.5
    assert estimate.left(80, 500) == "", "too soon to say"
    now[0] += 9.5
    assert estimate.left(150, 500) == "0:35"
    now[0] += 290
    assert estimate.left(250, 500) == "6:15"
    assert estimate.left(500, 500) == ""


SPEC = {"method": "bm25", "tokeniser": "whitespace"}
TEXT = "name: Two\nmethods:\n- {name: A, method: bm25}\n- {name: B, method: bm25, b: 0}\n"


class Held:
    """A call that goes on as the real one once it is let go."""

    def __init__(self, real: Callable[..., Any]) -> None:
        self.real, self.go = real, threading.Event()

    def __call__(self, *given: Any, **named: Any) -> Any:
        assert self.go.wait(100)
        return self.real(*given, **named)


def ended(task: BackgroundTask[Any]) -> BackgroundTask[Any]:
    while task.running:
        threading.Event().wait(0.01)
    return task


def test_a_run_beside_is_the_run_that_is_made_at_once(small: Small):
    task = ended(work.start_run(small.workspace, SLUG, SPEC, 7, "Mine", by=small.sora.id))
    assert task.error is None and task.result == work.Made(1, "Mine")
    assert (task.name, task.by) == ("Mine", small.sora.id)
    assert (task.progress.done, task.progress.total) == (6, 6)
    assert retrieve(small.workspace, SLUG, SPEC, 7) == 1


def test_there_is_one_at_a_time_and_one_of_each_kind(small: Small, monkeypatch):
    held = Held(retrieve)
    monkeypatch.setattr(work, "retrieve", held)
    task = work.start_run(small.workspace, SLUG, SPEC, 5)
    assert code_of(work.start_run, small.workspace, SLUG, SPEC, 5) == "work_under_way"
    other = ended(work.start_candidates(small.workspace, SLUG, SPEC))
    assert other.result is not None and other.result.built == 6
    held.go.set()
    assert ended(task).error is None
    assert latest(small.workspace, SLUG, TaskKind.RUN) is task
    forget(small.workspace, SLUG, TaskKind.RUN)
    assert latest(small.workspace, SLUG, TaskKind.RUN) is None


def test_an_experiment_that_is_stopped_goes_on_after_its_last_line(small: Small, monkeypatch):
    def stop_in_the_second(
        *given: Any, progress: Callable[[int, int, str, int, int], None], **named: Any
    ) -> Any:
        def told(line: int, lines: int, label: str, done: int, questions: int) -> None:
            if line == 1:
                task.stop()
            progress(line, lines, label, done, questions)

        assert held.wait(100)
        return run_experiment(*given, progress=told, **named)

    held = threading.Event()
    with monkeypatch.context() as patch:
        patch.setattr(work, "run_experiment", stop_in_the_second)
        task = work.start_experiment(small.workspace, SLUG, TEXT)
        held.set()
        error = ended(task).error
    assert isinstance(error, UserError) and error.code == "retrieval_stopped"
    assert [(each.number, each.done) for each in experiment_list(small.workspace, SLUG)] == [(1, 1)]
    again = ended(work.start_experiment(small.workspace, SLUG, TEXT))
    assert again.result is not None and again.result.number == 1
    assert (again.progress.done, again.progress.total) == (12, 12)
    assert [each.done for each in experiment_list(small.workspace, SLUG)] == [2]


@pytest.mark.parametrize(
    "start",
    [
        lambda ws: work.start_run(ws, SLUG, {"method": "guess"}, 5),
        lambda ws: work.start_candidates(ws, SLUG, {"method": "bm25", "b": 2}),
        lambda ws: work.start_experiment(ws, SLUG, "name: none"),
    ],
)
def test_what_cannot_be_is_refused_at_once(small: Small, start: Callable[[Workspace], object]):
    with pytest.raises(UserError):
        start(small.workspace)
    assert all(latest(small.workspace, SLUG, kind) is None for kind in TaskKind)
