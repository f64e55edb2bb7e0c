"""The form that makes a guide to a label file: what the file holds, and the best guesses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from annotation.exchange.foreign import Survey, survey
from annotation.people.members import people_in
from annotation.people.roles import Act, may, reading_as
from annotation.tasks.form import DeclaredForm
from annotation.tasks.own import shown_columns
from annotation.tasks.spec import NO, YES, FieldSpec, Kind, TaskSpec
from annotation.work.rules import rules_of
from services.exchange.label_names import declared_form
from storage.db.workspace import Workspace
from storage.law.corpus import load_items
from storage.tables.core import Item
from storage.tables.tasks import TaskSubject
from storage.tasks import Task, in_order, of_task

_KINDS: Mapping[Kind, tuple[str, ...]] = {
    Kind.SPANS: ("spans",),
    Kind.TEXT: ("text", "either", "choices"),
    Kind.TEXTS: ("text", "either", "choices"),
    Kind.NUMBER: ("text", "either", "choices"),
}
"""Kinds of a tool's values that can answer a field; of the others `_CHOSEN`."""
_CHOSEN = ("choices", "either")
_YES_OR_NO = {"true": YES, "1": YES, "false": NO, "0": NO}


@dataclass(frozen=True, slots=True)
class LabelForm:
    """What the form asks about a file, with the best guesses.

    `item` is the name that tells the item, `people` the annotator of each user as far as their
    names tell; `names` are all annotators. `columns` are those of an own task that spans may be
    of, the likeliest first.
    """

    found: Survey
    item: str | None
    people: Mapping[str, str]
    names: tuple[str, ...]
    spec: TaskSpec | None = None
    columns: tuple[str, ...] = ()

    def sources(self, field: FieldSpec) -> tuple[str, ...]:
        """Return the file's fields that can answer a field."""
        return self.found.named(*_KINDS.get(field.kind, _CHOSEN))

    def source(self, field: FieldSpec) -> str | None:
        """Return the file's field that most likely holds the answers of ours, None for none."""
        known = self.sources(field)
        ours = {field.key.casefold(), (field.label or "").casefold()}
        alike = [name for name in known if ours & {part.casefold() for part in _parts(name)}]
        agreeing = [name for name in known if self._agrees(name, field)]
        only = known if field.kind is Kind.SPANS and len(known) == 1 else ()
        return next(iter([*alike, *agreeing, *only]), None)

    def _agrees(self, name: str, field: FieldSpec) -> bool:
        """Return True if every choice of a file's field is an option of ours."""
        words = self.found.fields[name].choices
        return bool(words and field.values) and all(meaning(field, w) is not None for w in words)


def _parts(name: str) -> tuple[str, ...]:
    """Return a dotted name and its parts."""
    return (name, *name.split("."))


def meaning(field: FieldSpec, word: str) -> Any:
    """Return the option of a field that a tool's word most likely means, None for none."""
    labels = {each.label.casefold(): each.option for each in field.options if each.label}
    said = word.casefold()
    values = {str(value).casefold(): value for value in field.values}
    found = values.get(said, labels.get(said))
    if found is None and field.kind in (Kind.YES_NO, Kind.YES_NO_UNSURE):
        found = _YES_OR_NO.get(said)
    return found


def label_tasks(ws: Workspace, project_slug: str, by: int | None = None) -> list[Task]:
    """Return the tasks that labels can be imported for: citation mapping, and forms with items.

    Raises UserError for `by` who may not import labels.
    """
    with reading_as(ws, project_slug, by, Act.IMPORT_LABELS) as (session, project, _):
        found = session.exec(select(Item.task).where(Item.project_id == project.id).distinct())
        forms = [
            task
            for task in in_order(set(found))
            if isinstance(rules_of(session, project.id, task), DeclaredForm)
        ]
    return [Task.CITATION_MAPPING, *forms]


def label_form(
    ws: Workspace, project_slug: str, file: Path, tool: str, task: str, by: int | None = None
) -> LabelForm:
    """Return what a user is asked to map a label file onto a task, with the best guesses.

    Raises UserError for `by` who may not import labels, and for a file of another tool.
    """
    with reading_as(ws, project_slug, by, Act.IMPORT_LABELS) as (session, project, _):
        people = people_in(session, project.id)
        names = tuple(each.name for each in people if each.active and may(each.role, Act.ANNOTATE))
        found = survey(file, tool, _external_ids(session, project.id, task))
        item = max(found.ids, key=found.ids.__getitem__, default=None)
        guesses = _people(found.users, names)
        if task == Task.CITATION_MAPPING:
            return LabelForm(found, item, guesses, names)
        spec = declared_form(session, project.id, task).spec
        columns = _columns(session, project.id, task, spec) if Task(task).is_own else ()
        return LabelForm(found, item, guesses, names, spec, columns)


def _external_ids(session: Session, project_id: int, task: str) -> set[str]:
    """Return the external ids of a task's items."""
    if task == Task.CITATION_MAPPING:
        return {each.question.external_id for each in load_items(session, project_id)}
    return {
        str(each)
        for each in session.exec(select(Item.external_id).where(of_task(project_id, task)))
    }


def _people(users: Iterable[str], names: Iterable[str]) -> dict[str, str]:
    """Guess users' annotators by equal name, or address before the @; others are left out."""
    known = {name.casefold(): name for name in names}
    found = {
        user: known.get(user.casefold(), known.get(user.partition("@")[0].casefold()))
        for user in users
    }
    return {user: name for user, name in found.items() if name}


def _columns(session: Session, project_id: int, task: str, spec: TaskSpec) -> tuple[str, ...]:
    """Return the columns that are shown, the longest first by the text of one item."""
    query = select(TaskSubject.row).join(Item, col(Item.subject_id) == TaskSubject.id)
    row = session.exec(query.where(of_task(project_id, task)).limit(1)).first() or {}
    shown = shown_columns(spec, row)
    return tuple(sorted(shown, key=lambda name: -len(shown[name])))
