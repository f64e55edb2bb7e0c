"""Page of judge review: the true verdict on an answer, the judge's error, and its cause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.judging.forms import REVIEW_FORM
from annotation.judging.state import (
    CaseState,
    Outcome,
    default_judge,
    judges_of,
    review_order,
    states_of,
)
from annotation.people.roles import Act
from evaluation.judging.judged import MAJORITY
from normalization.grouping import grouped
from pages.judging.viewer import REVIEW_VIEWER, review_form, review_part
from pages.shell.context import Context
from pages.task.acts import TaskSession
from pages.task.declared import WORDS, stage_of
from pages.task.page import TaskPage
from storage.db.workspace import Workspace
from storage.tasks import Task


def tell_matrix(ws: Workspace, sitting: TaskSession, act: dict[str, Any]) -> None:
    """Send the viewer the current matrix, with κ of the judge that it shows."""
    # Imported here because it loads numpy, which opening an answer can do without.
    from evaluation.judging.estimate import judge_and_people

    found = states_of(ws, sitting.project, sitting.person_id, Act.REVIEW_JUDGE)
    told = matrix_part(found)
    shown = [each for each in told["judges"] if each["name"] == act.get("judge")]
    for judge in shown or told["judges"][:1]:
        said = [each.judged(judge["name"] or MAJORITY) for each in found]
        kappa = judge_and_people(said).kappa.figure
        judge["kappa"] = "" if kappa.value is None else f"{kappa.text()} (n = {kappa.n})"
    sitting.told["matrix"] = told


def matrix_part(cases: Sequence[CaseState]) -> dict[str, Any]:
    """Return each judge's review items by matrix cell, the default judge first.

    The cells are those of `evaluation.judging.judged`, and beside them ``differ``, ``unrated`` and
    ``unjudged``. ``telling`` lists the items waiting for review by how far each would move the
    accuracy.
    """
    ordered = sorted(judges_of(cases), key=lambda name: name != default_judge(cases))
    return {"judges": [_judge(each, cases) for each in ordered]}


def _judge(name: str, cases: Sequence[CaseState]) -> dict[str, Any]:
    """Return a judge's review items by cell of its matrix."""
    items = {each.id: each.review_item for each in cases if each.review_item is not None}
    cells = grouped((_cell(each, name), items[each.id]) for each in cases if each.id in items)
    order = [items[move.case] for move in review_order(cases, name) if move.case in items]
    return {"name": "" if name == MAJORITY else name, "cells": cells | {"telling": order}}


def _cell(state: CaseState, judge: str) -> str:
    """Return the cell of the judge's matrix that an answer is in."""
    if state.outcome is Outcome.WAITING:
        return "unrated"
    if state.outcome is Outcome.DIFFER:
        return "differ"
    cell = state.judged(judge).cell
    return "unjudged" if cell is None else str(cell)


def first_disagreement(context: Context) -> int | None:
    """Return the id of the review item that tells most where judge and people differ, or None."""
    found = states_of(context.workspace, context.project, context.by, Act.REVIEW_JUDGE)
    judges = matrix_part(found)["judges"]
    cells = judges[0]["cells"] if judges else {}
    differ = {*cells.get("fp", ()), *cells.get("fn", ())}
    return next((item for item in cells.get("telling", ()) if item in differ), None)


_PAGE = TaskPage(
    task=Task.JUDGE_REVIEW,
    viewer=REVIEW_VIEWER,
    fixed=review_part,
    stage=stage_of(REVIEW_FORM.spec),
    acts={"matrix": tell_matrix},
    first=first_disagreement,
    words=WORDS,
    form=review_form,
)


def render(context: Context) -> None:
    """Draw the page."""
    _PAGE.render(context)
