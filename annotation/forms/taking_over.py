"""What becomes of answers to a form when its guideline or codebook has a later version.

An answer stays where nothing that it says was changed: neither what it names in the codebook, nor
what the codebook asks beside it. An option that is called otherwise goes over as what it is called
now. What was reworded is to be answered again unless whoever leads says that it stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from sqlmodel import Session

from annotation.forms.submissions import answers_in
from annotation.guidelines.builtin_documents import EVERY
from annotation.guidelines.codebook_tree import Option, parse
from annotation.work.rules import TaskRules
from annotation.work.submissions import stands
from annotation.work.taking_over import AGAIN, SAME, Becomes, Fate, Step, TakenOver, Why
from errors import UserError, Where
from storage.tables.core import Annotation, Item
from storage.tasks import of_task


class FormRules(TaskRules):
    """The rules of a form by which its answers are taken over; `Form` extends them."""

    coded: ClassVar[str] = ""
    """The field whose answers are options that the codebook lists; none of most."""

    closed: ClassVar[frozenset[str]] = frozenset()
    """Fields that nobody can answer again: what they were answered without has been shown since."""

    looked_through: ClassVar[frozenset[str]] = frozenset()
    """Fields whose answer stays in a draft that is given back, to be looked through."""

    def fit(self, answers: Mapping[str, Any]) -> None:
        """Raise UserError where the answers cannot be submitted yet, naming what is missing."""
        raise NotImplementedError

    def options_said(self, field: str, value: Any) -> tuple[str, ...]:
        """Return the options that an answer names, by key; none where it is no choice."""
        if isinstance(value, str):
            return (value,)
        several = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return tuple(value) if several else ()

    def coded_as(self, field: str) -> str:
        """Return what a codebook and its changes call a field: itself, unless it is one of many."""
        return field

    def said_otherwise(self, value: Any, becomes: Mapping[str, str]) -> Any:
        """Return an answer with other options in the place of these."""
        if isinstance(value, str):
            return becomes.get(value, value)
        return sorted({becomes.get(each, each) for each in value})

    def options_in(self, codebook: str) -> Mapping[str, tuple[str, ...]]:
        """Return the options that answers may become under a codebook, by field."""
        options = parse(codebook, self.task).options if self.coded else ()
        return {self.coded: tuple(option.key for option in options)} if options else {}

    def changed(self, old: str, new: str) -> dict[str, Becomes]:
        """Return what becomes of answers by what two versions of the codebook say."""
        if not self.coded:
            return {}
        before, after = (parse(text, self.task).options for text in (old, new))
        return _options_changed(before, after, self.coded)

    def under(
        self,
        session: Session,
        item: Item,
        made: Annotation,
        codebook: str,
        answers: dict[str, Any],
        before: Mapping[str, Any],
    ) -> tuple[dict[str, Any], list[Why]]:
        """Return the answers of a submission that a codebook has room for, and why not the others.

        `before` are those that the submission gave.
        """
        if self.coded not in answers:
            return answers, []
        known = {option.key for option in parse(codebook, self.task).options}
        said = self.options_said(self.coded, answers[self.coded])
        gone = [Why("gone", self.coded, each) for each in said if each not in known]
        if gone and self.coded not in self.looked_through:
            answers = {field: value for field, value in answers.items() if field != self.coded}
        return answers, gone

    def taken_over(
        self, session: Session, step: Step, made: Iterable[Annotation]
    ) -> dict[int, TakenOver]:
        """Return what becomes of each of the submissions, by its id.

        Raises UserError for a field that none of them answers, one that cannot be answered again,
        and for what an answer cannot become.
        """
        said = answers_in(session, of_task(step.project_id, self.task), stands())
        rows = [(row, said.get(row.id or 0, {})) for row in made]
        known = {self.coded_as(field) for _, answers in rows for field in answers}
        known |= {self.coded} - {""}
        _refuse(self, step, known)
        becomes = becomes_of(self, step)
        return {row.id or 0: _one(self, session, step, row, each, becomes) for row, each in rows}


def changes(form: FormRules, step: Step) -> dict[str, Becomes]:
    """Return what becomes of answers by what the two versions say, whatever anybody decides."""
    if step.kind != "codebook" or step.old is None:
        return {}
    return form.changed(step.old[EVERY], step.new[EVERY])


def _refuse(form: FormRules, step: Step, known: set[str]) -> None:
    """Raise UserError for what is said of answers that cannot be.

    An option becomes another of its field, a field that is gone one that there was not before.
    """
    old, new = (
        form.options_in(text[EVERY]) if step.kind == "codebook" and text is not None else {}
        for text in (step.old, step.new)
    )
    for answer, becomes in step.answers.items():
        field, _, option = answer.partition(".")
        params = {"said": f"{answer} = {becomes}", "known": ", ".join(sorted(known)) or "–"}
        renamed = field in old.keys() - new.keys() and becomes in new.keys() - old.keys()
        if field not in known:
            raise UserError("migration_field", Where(field="answers"), **params)
        if becomes == AGAIN and field in form.closed:
            raise UserError("migration_closed", Where(field="answers"), **params)
        if becomes in (SAME, AGAIN) or (renamed and not option):
            continue
        if not option or becomes not in new.get(field, ()):
            raise UserError("migration_option", Where(field="answers"), **params)


def becomes_of(form: FormRules, step: Step) -> dict[str, Becomes]:
    """Return what becomes of answers: what whoever leads says goes before what was changed."""
    kept = {answer for answer, becomes in step.answers.items() if becomes == SAME}
    found = {
        answer: each
        for answer, each in changes(form, step).items()
        if answer not in kept and answer.partition(".")[0] not in kept
    }
    said = {answer: Becomes(now) for answer, now in step.answers.items() if now != SAME}
    # What is to be given again by itself has its own reason, whoever says so too.
    return found | {
        answer: each
        for answer, each in said.items()
        if answer not in found or found[answer].now != each.now
    }


def _one(
    form: FormRules,
    session: Session,
    step: Step,
    row: Annotation,
    answers: Mapping[str, Any],
    becomes: Mapping[str, Becomes],
) -> TakenOver:
    after, sources, why = dict[str, Any](), dict[str, str](), list[Why]()
    for field, value in answers.items():
        name, kept, reasons = _field(form, field, value, becomes)
        why += reasons
        if kept is not None:
            after[name], sources[name] = kept, field
    if step.kind == "codebook":
        item = session.get_one(Item, row.item_id)
        after, reasons = form.under(session, item, row, step.new[EVERY], after, answers)
        why += reasons
    if row.item_id in step.items:
        why.append(Why("item"))
    if not any(each.code != "idle" for each in why):
        try:
            form.fit(after)
        except UserError as error:
            why.append(Why("unfit", error.where.field or ""))
    again = any(each.code != "idle" for each in why)
    fate: Fate = "again" if again else "same" if after == answers else "mapped"
    fields: dict[str, Any] = {field: None for field in answers if field not in after}
    for field, value in after.items():
        source = sources.get(field, field)
        if answers.get(field) != value:
            fields[field] = {"of": source, "was": answers.get(source), "now": value}
    return TakenOver(fate, after, {"fields": fields}, why=tuple(dict.fromkeys(why)))


def _field(
    form: FormRules, field: str, value: Any, becomes: Mapping[str, Becomes]
) -> tuple[str, Any, list[Why]]:
    """Return field and value as they go over, None for a value to be said anew, and why so."""
    left = value if field in form.looked_through else None
    name = form.coded_as(field)
    whole = becomes.get(name)
    if whole is not None and whole.now == AGAIN:
        return field, left, [Why(whole.code, name)]
    named = {
        option: becomes[f"{name}.{option}"]
        for option in form.options_said(field, value)
        if f"{name}.{option}" in becomes
    }
    again = [Why(each.code, name, option) for option, each in named.items() if each.now == AGAIN]
    if again:
        return field, left, again
    if named:
        value = form.said_otherwise(value, {option: each.now for option, each in named.items()})
    return field if whole is None else whole.now, value, []


def _options_changed(
    old: Iterable[Option], new: Iterable[Option], field: str
) -> dict[str, Becomes]:
    """Return what becomes of the options of a field whose codebook lists them."""
    after = {each.key: each for each in new}
    before = {each.key: each for each in old}
    come = {key: each for key, each in after.items() if key not in before}
    found = {}
    for key, each in before.items():
        now = after.get(key)
        twin = next((name for name, other in come.items() if other.label == each.label), None)
        if now is None and twin is not None:
            found[f"{field}.{key}"] = Becomes(twin)
            del come[twin]
        elif now is None:
            found[f"{field}.{key}"] = Becomes(AGAIN, "gone")
        elif (now.label, now.meaning) != (each.label, each.meaning):
            found[f"{field}.{key}"] = Becomes(AGAIN, "changed")
    return found
