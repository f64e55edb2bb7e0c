"""Whose screen each page of the sample project is."""

from __future__ import annotations

import app
from annotation.people.roles import Act, may
from services.sample.people import PEOPLE

WORKS = {"adjudication": Act.ADJUDICATE}  # where others may look in


def who_opens(name: str) -> int:
    """Return the number of the person of the sample to open the page as.

    Screens of review are opened by who works there, the others by the lead. Raises StopIteration
    for a page that nobody of the sample may open.
    """
    last = len(PEOPLE) + 1
    inwards = range(1, last) if name in app.SECTIONS["review"] else (3, *range(1, last))
    act = WORKS.get(name, app.ONLY_FOR.get(name))
    return next(each for each in inwards if act is None or may(PEOPLE[each - 1][1], act))
