"""What `benchmarks/keyboard.py` presses: the same each time, no more than before the one map."""

from __future__ import annotations

from statistics import fmean

import pytest

from benchmarks.keyboard import TASKS
from benchmarks.keyboard_projects import PROJECTS
from benchmarks.keyboard_scripts import SCRIPTS, strokes

ITEMS = range(1, 101)
BEFORE = {  # keys pressed per item with the keys that each task had of its own
    "citation_mapping": 15.66,
    "ocr_correction": 9.28,
    "mcq_solvability": 13.98,
    "curation": 12.73,
    "answer_rating": 6.22,
    "judge_review": 13.24,
    "factor_tagging": 14.43,
    "attribution_review": 12.53,
    "research": 33.23,
}


def test_each_task_has_its_script_and_its_project() -> None:
    assert set(TASKS) == set(SCRIPTS) == set(PROJECTS)


@pytest.mark.parametrize("task", TASKS)
def test_no_task_takes_more_keys_than_before_the_one_map(task: str) -> None:
    assert fmean(len(strokes(task, number)) for number in ITEMS) <= BEFORE[task]
