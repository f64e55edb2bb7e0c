from __future__ import annotations

import pytest

from annotation.adjudication.tasks import SHORT, TASKS, disputes_of, task_called
from annotation.exchange.shown_names import fits_shown
from annotation.gold.resting import WATCHED, resting_of, tasks_called
from annotation.work.registry import ENTRIES
from annotation.work.rules import product_rules
from storage.tasks import Task


@pytest.mark.parametrize("task", Task)
def test_every_task_has_an_entry_whose_objects_are_there(task: Task) -> None:
    assert product_rules(task).task == task
    assert (task in TASKS) == bool(ENTRIES[task].disputes)
    if task in TASKS:
        assert disputes_of(task)
        assert task_called(ENTRIES[task].short) == task == SHORT[ENTRIES[task].short]
    if task in WATCHED:
        assert resting_of(task)
    if task in WATCHED or task == Task.CITATION_MAPPING:
        assert task in tasks_called(ENTRIES[task].short)


def test_the_tasks_of_a_project_show_their_rows_alone() -> None:
    assert fits_shown("own:relevance", {})
    assert not fits_shown("own:relevance", {"mcq": 1})
    assert Task("own:relevance").is_own
    with pytest.raises(ValueError, match="relevance"):
        Task("relevance")
