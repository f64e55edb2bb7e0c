"""Whose screen each page of the sample project is, and projects of tasks that it has not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import app
from annotation.people.roles import Act, may
from services.sample.people import PEOPLE
from storage.tasks import Task
from tests.projects import attribution_review_project, curation_project, research_project

# The screen, the name of the project, and what makes it in a folder; its first person annotates.
HOUSES: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "curation": (curation_project.SLUG, curation_project.build),
    "research": (research_project.SLUG, research_project.build),
    "attribution_review": (attribution_review_project.SLUG, attribution_review_project.build),
}

REVIEW = {*map(str, Task), "adjudication"}
WORKS = {"adjudication": Act.ADJUDICATE}  # where others may look in


def who_opens(name: str) -> int:
    """Return the number of the person of the sample to open the page as.

    Screens of review are opened by who works there, the others by the lead. Raises StopIteration
    for a page that nobody of the sample may open.
    """
    last = len(PEOPLE) + 1
    inwards = range(1, last) if name in REVIEW else (3, *range(1, last))
    act = WORKS.get(name, app.ONLY_FOR.get(name))
    return next(each for each in inwards if act is None or may(PEOPLE[each - 1][1], act))
