"""What the labels of a file name, looked up in the project: people, items, units, answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlmodel import Session, select

from annotation.exchange.foreign import Foreign
from annotation.exchange.foreign_tools import Value
from annotation.exchange.label_writing import FormJob, Job, Label
from annotation.forms.form import form_of
from annotation.people.members import people_in
from annotation.people.roles import Act, may
from annotation.tasks.form import DeclaredForm
from annotation.tasks.spec import YES, FieldSpec, Kind
from annotation.work.submissions import Decision, checked_text
from errors import UserError, Where
from normalization.hashing import json_hash
from services.exchange.label_guides import FieldGuide, FormGuide, Guide
from storage.law.corpus import load_items, required_snapshot, unit_ids
from storage.projects import ProjectView
from storage.tables.core import Item
from storage.tables.tasks import TaskSubject
from storage.tasks import Task, of_task


class Lookup:
    """The people and items that the labels of a file may name; a kind of task subclasses it."""

    def __init__(
        self, session: Session, project_id: int, people: Mapping[str, str], items: Mapping[str, int]
    ) -> None:
        known = {each.name: each for each in people_in(session, project_id)}
        self.session, self.items = session, items
        self.people = {user: known[name] for user, name in people.items() if name in known}
        self._seen: set[tuple[int, int]] = set()

    def job(self, label: Foreign) -> Label:
        """Return a label with the ids it names. Raises UserError for an unfit or repeated one."""
        person = self.people.get(label.user)
        if person is None or not person.active or not may(person.role, Act.ANNOTATE):
            raise UserError("labels_person", user=label.user)
        if label.item not in self.items:
            raise UserError("labels_item", item=label.item)
        key = person.id, self.items[label.item]
        if key in self._seen:
            raise UserError("labels_twice", item=label.item, user=label.user)
        self._seen.add(key)
        about = {
            "person_id": key[0],
            "item_id": key[1],
            "item": label.item,
            "person": person.name,
            "status": label.status,
            "source_user": label.user,
            "made_at": label.made_at,
            "where": label.where,
        }
        return self._job(label, about)

    def _job(self, label: Foreign, about: Mapping[str, Any]) -> Label:
        """Return a label as it will be written. Raises UserError if it does not fit the task."""
        raise NotImplementedError

    def shown(self, label: Label) -> dict[str, str]:
        """Return a label in words, by field."""
        raise NotImplementedError


def lookup_of(
    session: Session, project: ProjectView, guide: Guide | FormGuide, task: str
) -> Lookup:
    """Return the look-up for a task. Raises UserError for a guide that is not for such a task."""
    if isinstance(guide, Guide) != (task == Task.CITATION_MAPPING):
        raise UserError("labels_guide", Where(field="fields"))
    if isinstance(guide, Guide):
        return _MappingLookup(session, project, guide)
    return _FormLookup(session, project, guide, task)


class _MappingLookup(Lookup):
    def __init__(self, session: Session, project: ProjectView, guide: Guide) -> None:
        found = load_items(session, project.id)
        items = {each.question.external_id: each.item_id for each in found}
        super().__init__(session, project.id, guide.people, items)
        self._guide = guide
        self._units = unit_ids(session, required_snapshot(session, project).id)

    def _job(self, label: Foreign, about: Mapping[str, Any]) -> Job:
        """Return a label as it will be written; UserError if contradictory or submitted empty."""
        chosen, no_provision = self._decisions(label.choices)
        said_of = set(chosen.values())
        decides = no_provision or said_of & {Decision.ACCEPT, Decision.UNSURE}
        if label.status == "submitted" and not decides:
            raise UserError("labels_empty", label.where, item=label.item)
        if no_provision and Decision.ACCEPT in said_of:
            raise UserError("accept_beside_none", label.where)
        comment = checked_text(label.comment, "comment", where=label.where)
        said = json_hash([label.status, no_provision, chosen, comment])
        return Job(**about, comment=comment, said=said, units=chosen, no_provision=no_provision)

    def _decisions(self, choices: Iterable[str]) -> tuple[dict[str, str], bool]:
        """Return the decision on each unit, and if any choice says no provision.

        Raises UserError for an unknown choice or unit, and for two decisions on one unit.
        """
        chosen: dict[str, str] = {}
        no_provision = False
        for choice in choices:
            try:
                decision = self._guide.means(choice, self._units)
            except KeyError:
                raise UserError("labels_choice", choice=choice) from None
            if decision is None:
                no_provision = True
                continue
            unit, said = decision
            if unit not in self._units:
                raise UserError("labels_unit", unit=unit)
            if chosen.setdefault(unit, said) != said:
                raise UserError("labels_both", unit=unit)
        return chosen, no_provision

    def shown(self, label: Label) -> dict[str, str]:
        """Return the units by decision, joined by commas; ``✓`` for no provision."""
        found: dict[str, str] = {}
        if isinstance(label, Job):
            found = {"no_provision": "✓"} if label.no_provision else {}
            for unit, decision in label.units.items():
                found[decision] = ", ".join(filter(None, (found.get(decision), unit)))
        return found


class _FormLookup(Lookup):
    def __init__(self, session: Session, project: ProjectView, guide: FormGuide, task: str) -> None:
        self._form = declared_form(session, project.id, task)
        query = select(Item.external_id, Item.id).where(of_task(project.id, task))
        items = {str(name): number or 0 for name, number in session.exec(query)}
        super().__init__(session, project.id, guide.people, items)
        self._answers = guide.answers
        self._is_own = Task(task).is_own
        unknown = sorted(guide.answers.keys() - self._form.whole.fields.keys())
        if unknown:
            known = ", ".join(self._form.spec.fields)
            raise UserError("own_field", Where(field="fields"), field=unknown[0], known=known)

    def _job(self, label: Foreign, about: Mapping[str, Any]) -> FormJob:
        """Return a form label as it will be written, its answers checked."""
        comment = checked_text(label.comment, "comment")
        answers: dict[str, Any] = {}
        if label.status != "discarded":
            item = self.session.get_one(Item, about["item_id"])
            answers = self._given(item, label.values, label.status == "submitted")
        said = json_hash([label.status, answers, comment])
        return FormJob(**about, comment=comment, said=said, answers=answers)

    def _given(self, item: Item, values: Mapping[str, Value], submitted: bool) -> dict[str, Any]:
        """Return the answers in stored form, stage by stage; check that a submission is whole."""
        answers: dict[str, Any] = {}
        for stage in self._form.spec.reaching(self._answers).stages:
            for each in stage.fields:
                source = self._answers.get(each.key)
                value = values.get(source.source) if source else None
                if source is None or value is None or not value.each:
                    continue
                made = _answer(each, source, value, self._text(item, source.column))
                kept = self._form.check_in(self.session, item, each.key, made, answers)
                if kept is not None:
                    answers[each.key] = kept
            if stage.seal and submitted:
                answers[stage.seal] = self._form.check(stage.seal, True, answers)
        if submitted:
            self._form.fit(answers)
            self._form.refuse_for(self.session, item, answers)
            self._form.refuse_unfinished(self.session, item, answers)
        return answers

    def _text(self, item: Item, column: str) -> str:
        """Return the text in a column of an item of an own task; "" for other tasks."""
        if not (self._is_own and column):
            return ""
        return str(self.session.get_one(TaskSubject, item.subject_id).row.get(column, ""))

    def shown(self, label: Label) -> dict[str, str]:
        """Return the answers in words."""
        if not isinstance(label, FormJob):
            return {}
        item = self.session.get_one(Item, label.item_id)
        spec, found = self._form.spec.reaching(label.answers), dict[str, str]()
        for name, answer in label.answers.items():
            if name in spec.fields:
                field = spec.fields[name]
                found[field.label or name] = self._words(item, field, answer)
        return found

    def _words(self, item: Item, field: FieldSpec, answer: Any) -> str:
        """Return an answer in words; spans as the text they mark."""

        def named(option: Any) -> str:
            """Return the label of an option."""
            return str(self._form.spec.names.get(f"{field.key}.{option}", option))

        if field.kind is not Kind.SPANS:
            return ", ".join(map(named, answer if isinstance(answer, list) else [answer]))
        texts = {each["column"]: self._text(item, each["column"]) for each in answer}
        return "; ".join(
            f"{named(each['label'])}: {texts[each['column']][each['start'] : each['end']]}"
            for each in answer
        )


def declared_form(session: Session, project_id: int, task: str) -> DeclaredForm:
    """Return the form of a task. Raises UserError for a task whose fields are not declared."""
    form = form_of(session, project_id, task)
    if not isinstance(form, DeclaredForm):
        raise UserError("task_without_form")
    return form


def _answer(field: FieldSpec, source: FieldGuide, value: Value, text: str) -> Any:
    """Return a tool's value as an answer to a field, unchecked; `text` is the column of spans."""
    if field.kind is Kind.SPANS:
        return [_span(each, source, value, text) for each in value.spans]
    if field.kind is Kind.TEXT:
        return "\n".join(map(str, value.each))
    ours = [source.values.get(str(each), each) for each in value.each]
    if field.kind is Kind.UNITS:
        judged = (each if isinstance(each, dict) else {str(each): YES} for each in ours)
        return {unit: said for each in judged for unit, said in each.items()}
    if field.kind in (Kind.CHOICES, Kind.TEXTS) or len(ours) != 1:
        return ours
    (one,) = ours
    is_number = field.kind in (Kind.SCALE, Kind.NUMBER) and isinstance(one, str)
    return int(one) if is_number and one.lstrip("-").isdigit() else one


def _span(
    each: tuple[int, int, str], source: FieldGuide, value: Value, text: str
) -> dict[str, Any]:
    """Return a span as an answer. Raises UserError if the file quotes another text there."""
    start, end = (characters(text, at, value) for at in each[:2])
    if value.text and value.text[start:end] != text[start:end]:
        raise UserError("labels_text", column=source.column)
    label = source.values.get(each[2], each[2])
    return {"column": source.column, "start": start, "end": end, "label": label}


def characters(text: str, at: int, value: Value) -> int:
    """Convert an offset of the tool, perhaps in UTF-16 units, to characters of the text."""
    if value.units == "characters":
        return at
    return len(text.encode("utf-16-le")[: 2 * at].decode("utf-16-le", "ignore"))
