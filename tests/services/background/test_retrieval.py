from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from errors import UserError
from services.background import retrieval as work
from services.background.tasks import BackgroundTask, TaskKind, forget, latest
from services.runs.experiments.results import experiment_list
from services.runs.experiments.running import run_experiment
from services.runs.retrieving import retrieve
from services.runs.rows import leaderboard
from storage.db.workspace import Workspace
from tests.pages.small_project import SLUG, Small
from tests.support.refusals import code_of

SPEC = {"method": "bm25", "tokeniser": "whitespace"}
TEXT = "name: Two\nmethods:\n- {name: A, method: bm25}\n- {name: B, method: bm25, b: 0}\n"


def runs(small: Small) -> list[int]:
    return [each.run_id for each in leaderboard(small.workspace, SLUG).runs]


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
