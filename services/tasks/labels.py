"""The labels of an own task as a file: every submission, and what was decided."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.dispute_state import item_cases
from annotation.people.roles import Act, reading_as
from annotation.tasks.own import own_outcomes, own_spec
from evaluation.tables import csv_text
from storage.db.atomic_files import published_file
from storage.db.workspace import Workspace
from storage.tables.core import Item
from storage.tables.tasks import TaskSubject
from storage.tasks import Task, of_task


def export_labels(
    ws: Workspace, project_slug: str, task: str, file: Path, by: int | None = None
) -> int:
    """Write the labels of the complete items of an own task; return how many items were written.

    A file that ends in .csv has a line for each submission and decision, any other an object for
    each item. Raises UserError for who may not read others' labels, and for an unknown task.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        items = list(_items(session, project.id, task))
    with published_file(file) as path, path.open("w", encoding="utf-8", newline="") as out:
        if file.suffix.lower() == ".csv":
            out.write(_as_csv(items))
        else:
            out.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in items)
    return len(items)


def _items(session: Session, project_id: int, task: str) -> Iterator[dict[str, Any]]:
    """Yield every complete item in queue order, with its row, its labels and its state."""
    outcomes = own_outcomes(own_spec(session, project_id, task), task)
    cases = item_cases(session, project_id, Task(task))
    query = select(Item, TaskSubject).join(TaskSubject, col(TaskSubject.id) == Item.subject_id)
    query = query.where(of_task(project_id, task)).order_by(col(Item.order))
    for item, subject in session.exec(query):
        case = cases.get(item.id or 0)
        if case is None:
            continue
        state, decision = outcomes.of_case(case), case.decision
        yield {
            "item": item.external_id,
            "row": subject.row,
            "state": str(state.fate),
            "disputes": list(state.disputes),
            "agreed": dict(state.agreed),
            "submissions": [
                {"person": each.person, "answers": dict(each.answers), "comment": each.comment}
                for each in case.submissions
            ],
            "decision": None
            if decision is None
            else {
                "person": decision.person,
                "answers": dict(decision.answers),
                "reason": decision.reason,
            },
        }


def _as_csv(items: list[dict[str, Any]]) -> str:
    """Return labels as CSV, one row per answer of a person."""
    lines = [
        {"item": item["item"], "state": item["state"], "role": role, "person": each["person"]}
        | {name: _cell(value) for name, value in each["answers"].items()}
        for item in items
        for role, each in _answers_by_role(item)
    ]
    heads = list(dict.fromkeys(name for line in lines for name in line))
    return csv_text([heads or ["item"], *([line.get(name) for name in heads] for line in lines)])


def _answers_by_role(item: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield role and answer: each annotator's, then the adjudicator's decision."""
    yield from (("annotator", each) for each in item["submissions"])
    if item["decision"]:
        yield "adjudicator", item["decision"]


def _cell(value: Any) -> str:
    """Return a value as a cell of CSV."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
