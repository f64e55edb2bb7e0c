"""Migration of form answers to a later version of the guideline or codebook.

An answer is kept if nothing in it was changed: neither the options it names, nor what the codebook
asks besides. A renamed option is replaced by its new name. Reworded options are to be answered
again unless the lead decides to keep them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlmodel import Session

from annotation.forms.submissions import answers_in
from annotation.guidelines.codebook_tree import Option, parse
from annotation.guidelines.documents import EVERY
from annotation.work.rules import AGAIN, SAME, Becomes, Fate, Step, TakenOver, TaskRules, Why
from annotation.work.submissions import is_current
from errors import UserError, Where
from storage.tables.core import Annotation, Item
from storage.tasks import of_task


class FormRules(TaskRules):
    """The rules by which a form's answers are migrated; `Form` extends them."""

    coded: str = ""
    """The field whose options the codebook lists, "" if none."""

    closed: frozenset[str] = frozenset()
    """Fields that cannot be answered again, since later steps have been revealed."""

    looked_through: frozenset[str] = frozenset()
    """Fields whose answer stays in a reopened draft, to be reviewed."""

    def fit(self, answers: Mapping[str, Any]) -> None:
        """Raise UserError if the answers cannot be submitted yet, naming what is missing."""
        raise NotImplementedError

    def options_named(self, field: str, value: Any) -> tuple[str, ...]:
        """Return the keys of the options an answer names; empty if it is not a choice."""
        if isinstance(value, str):
            return (value,)
        several = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return tuple(value) if several else ()

    def coded_as(self, field: str) -> str:
        """Return the field's name in codebooks: its own, unless it is one of many."""
        return field

    def with_options_replaced(self, value: Any, becomes: Mapping[str, str]) -> Any:
        """Return the answer with options replaced by this mapping."""
        if isinstance(value, str):
            return becomes.get(value, value)
        return sorted({becomes.get(each, each) for each in value})

    def options_in(self, codebook: str) -> Mapping[str, tuple[str, ...]]:
        """Return the options that a codebook allows, by field."""
        options = parse(codebook, self.task).options if self.coded else ()
        return {self.coded: tuple(option.key for option in options)} if options else {}

    def changed(self, old: str, new: str) -> dict[str, Becomes]:
        """Return the migration of answers implied by two versions of the codebook."""
        if not self.coded:
            return {}
        before, after = (parse(text, self.task).options for text in (old, new))
        return _options_changed(before, after, self.coded)

    def under(
        self,
        session: Session,
        item: Item,
        submission: Annotation,
        codebook: str,
        answers: dict[str, Any],
        before: Mapping[str, Any],
    ) -> tuple[dict[str, Any], list[Why]]:
        """Return the submission's answers that a codebook allows, and why others are dropped.

        `before` are the submission's original answers.
        """
        if self.coded not in answers:
            return answers, []
        known = {option.key for option in parse(codebook, self.task).options}
        said = self.options_named(self.coded, answers[self.coded])
        gone = [Why("gone", self.coded, each) for each in said if each not in known]
        if gone and self.coded not in self.looked_through:
            answers = {field: value for field, value in answers.items() if field != self.coded}
        return answers, gone

    def migrated(
        self, session: Session, step: Step, submissions: Iterable[Annotation]
    ) -> dict[int, TakenOver]:
        """Return each submission as migrated, by id.

        Raises UserError for a field that none of them answers, one that cannot be answered again,
        and an impossible new answer.
        """
        said = answers_in(session, of_task(step.project_id, self.task), is_current())
        rows = [(row, said.get(row.id or 0, {})) for row in submissions]
        known = {self.coded_as(field) for _, answers in rows for field in answers}
        known |= {self.coded} - {""}
        _refuse_impossible(self, step, known)
        becomes = becomes_of(self, step)
        return {
            row.id or 0: _migrated_submission(self, session, step, row, each, becomes)
            for row, each in rows
        }


def changes(form: FormRules, step: Step) -> dict[str, Becomes]:
    """Return the migration implied by the two versions, without the lead's decisions."""
    if step.kind != "codebook" or step.old is None:
        return {}
    return form.changed(step.old[EVERY], step.new[EVERY])


def _refuse_impossible(form: FormRules, step: Step, known: set[str]) -> None:
    """Raise UserError for impossible changes in the lead's mapping.

    An option can only become another of its field, and a removed field only a new one.
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
    """Return the migration of answers: the lead's mapping overrides the implied one."""
    kept = {answer for answer, becomes in step.answers.items() if becomes == SAME}
    found = {
        answer: each
        for answer, each in changes(form, step).items()
        if answer not in kept and answer.partition(".")[0] not in kept
    }
    said = {answer: Becomes(now) for answer, now in step.answers.items() if now != SAME}
    # An answer that has to be given again anyway keeps that reason, even if the lead says so too.
    return found | {
        answer: each
        for answer, each in said.items()
        if answer not in found or found[answer].now != each.now
    }


def _migrated_submission(
    form: FormRules,
    session: Session,
    step: Step,
    row: Annotation,
    answers: Mapping[str, Any],
    becomes: Mapping[str, Becomes],
) -> TakenOver:
    """Return a submission's answers as migrated by `becomes` and allowed by the new codebook."""
    after, sources, why = dict[str, Any](), dict[str, str](), list[Why]()
    for field, value in answers.items():
        name, kept, reasons = _migrated_answer(form, field, value, becomes)
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


def _migrated_answer(
    form: FormRules, field: str, value: Any, becomes: Mapping[str, Becomes]
) -> tuple[str, Any, list[Why]]:
    """Return field and value after migration (None: to be answered again), and the reasons."""
    left = value if field in form.looked_through else None
    name = form.coded_as(field)
    whole = becomes.get(name)
    if whole is not None and whole.now == AGAIN:
        return field, left, [Why(whole.code, name)]
    named = {
        option: becomes[f"{name}.{option}"]
        for option in form.options_named(field, value)
        if f"{name}.{option}" in becomes
    }
    again = [Why(each.code, name, option) for option, each in named.items() if each.now == AGAIN]
    if again:
        return field, left, again
    if named:
        value = form.with_options_replaced(
            value, {option: each.now for option, each in named.items()}
        )
    return field if whole is None else whole.now, value, []


def _options_changed(
    old: Iterable[Option], new: Iterable[Option], field: str
) -> dict[str, Becomes]:
    """Return the migration of options listed by the codebook."""
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
