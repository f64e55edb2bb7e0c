"""A task of the project's own: its declaration and rows, what people said, and what was settled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from annotation.adjudication.tasks import disputes_of
from annotation.forms.disputes import FormDisputeView
from annotation.tasks.own import own_subject
from annotation.work.queue_service import open_item
from evaluation.tables import csv_text
from scripts.sample_project.desk import Act, Desk, read_yaml, unit_name
from services.sample.people import SLUG
from services.tasks.own_tasks import add_task
from services.tasks.rows import read_task
from storage.tasks import Task

_TASK = Task("own:relevance")
_LABELS = ("rule", "exception")


def acts() -> Iterator[Act]:
    """Yield the work on the project's own task."""
    written = read_yaml("own.yaml")
    yield Act(written["when"], partial(_add, written=written))
    for session in written["sessions"]:
        yield Act(session["when"], partial(_label, session=session))
    for name, said in written["settled"].items():
        yield Act(said["when"], partial(_settle, name=name, said=said))


def _add(desk: Desk, written: Mapping[str, Any]) -> None:
    """Add the own task with its rows."""
    pairs = ((name, *pair.split()) for name, pair in written["rows"].items())
    rows = [(name, asked, unit_name(unit, asked[:2])) for name, asked, unit in pairs]
    (desk.files / "rows.csv").write_text(
        csv_text([("id", "question", "provision"), *rows]), "utf-8"
    )
    file = desk.files / "task.yaml"
    file.write_text(written["task"], encoding="utf-8")
    add_task(desk.ws, SLUG, read_task(file), by=desk.person("Han Bora"))


def _label(desk: Desk, session: Mapping[str, Any]) -> None:
    """Label rows as one person."""
    person = desk.person(session["person"])
    for name, said in session["items"].items():
        item = desk.item(_TASK, name)
        text = own_subject(desk.ws, person, open_item(desk.ws, person, item)).row["provision"]
        marks = [_mark(text, each, said[each]) for each in _LABELS if each in said]
        answers = {"relevance": said["relevance"], "evidence": marks}
        desk.answer(session["person"], item, answers, said)


def _mark(text: str, label: str, quote: str) -> dict[str, Any]:
    """Return a marked span."""
    start = text.index(quote)
    return {"column": "provision", "start": start, "end": start + len(quote), "label": label}


def _settle(desk: Desk, name: str, said: Mapping[str, Any]) -> None:
    """Decide as the adjudicator, with the words that the first side marked."""
    judge, item, disputes = desk.person("Lee Sora"), desk.item(_TASK, name), disputes_of(_TASK)
    case = disputes.open_dispute(desk.ws, judge, item)
    assert isinstance(case, FormDisputeView)  # noqa: S101  (a form's are)
    decision = {"relevance": said["relevance"], "evidence": case.sides[0].answers["evidence"]}
    disputes.decide(desk.ws, judge, item, decision, said["reason"])
