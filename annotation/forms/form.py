"""The form of a task, the storage of its answers, and the acts that only form tasks have.

For the acts of every task see `annotation.work.commands`. Each act is saved before it returns. All
raise UserError for all that `annotation.work.commands` refuses, and for an item of a task
without a form.

Checks of answers shared by several forms.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

from sqlmodel import Session

from annotation.forms.taking_over import FormRules
from annotation.guidelines.codebook_tree import parse
from annotation.guidelines.documents import EVERY, current, held_versions, text_in
from annotation.work.commands import ANYTHING, Basis, ItemWriter, drafting, end_skips, refuse_other
from annotation.work.draft import fold, own_events
from annotation.work.rules import Opened, TakenOver, TaskRules, product_rules, rules_of
from annotation.work.submissions import TEXT_LIMIT, checked_text, says_something
from corpus.files.declarations import KEY
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.mapping import newest_set_id, shown_set
from storage.subjects import shown_of
from storage.tables.core import AnnotationAnswer, Item
from storage.tasks import Task, is_task

Answers = Mapping[str, Any]
Compared = tuple[str, tuple[Hashable, ...] | None]
"""A scale (``nominal``, ``ordinal``, ``sets``) and its values; None for any."""


class _FormTasks(Container[str]):
    """The tasks that have a form, projects' own ones included."""

    def __contains__(self, task: object) -> bool:
        return task != Task.CITATION_MAPPING and is_task(task)


FORMS = _FormTasks()


class Form(FormRules):
    """The form of one task; a task subclasses it."""

    seals: frozenset[str] = frozenset()
    """Fields whose answer reveals something: neither it nor any earlier answer can be undone."""

    shown_last: bool = False
    """Whether only answers to the newest version of the item's material can be submitted."""

    scales: Mapping[str, Compared] = {}
    """Scale of each field whose agreement is measured."""

    def check(self, field: str, value: Any, answers: Answers) -> Any:
        """Return the value in its stored form; `answers` are those given so far.

        Raises UserError for an unknown field and for a value not allowed now. The value is never
        None: that is `clear`.
        """
        raise NotImplementedError

    def check_in(
        self, session: Session, item: Item, field: str, value: Any, answers: Answers
    ) -> Any:
        """Check a value as :meth:`check` does, with access to subject and project options."""
        return self.check(field, value, answers)

    def clear(self, field: str, answers: Answers) -> None:
        """Raise UserError if the field cannot be emptied."""

    def fit(self, answers: Answers) -> None:
        """Raise UserError if the answers cannot be submitted, naming what is missing."""
        raise NotImplementedError

    def refuse_for(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError if complete answers do not fit this item."""

    def refuse_unfinished(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError if a submission lacks what the item requires; not applied to decisions.

        For a form of which an adjudicator decides only a part.
        """

    def decided(self, session: Session, item: Item, answers: Answers) -> dict[str, Any]:
        """Return an adjudicator's answers in their stored form, checked like a submission.

        Raises UserError for answers that a submission could not have either.
        """
        kept: dict[str, Any] = {}
        for field, value in answers.items():
            kept[field] = self.check_in(session, item, field, value, kept)
        self.fit(kept)
        return kept

    def content(self, at: Opened) -> dict[str, Any]:
        """Return the subject, the person's own answers, and the material they were begun on."""
        session, draft, item = at.session, at.draft, at.session.get_one(Item, at.room.item_id)
        candidates = shown_set(session, at.set_id)
        newest = newest_set_id(session, item.id or 0)
        return {
            "external_id": item.external_id or "",
            "subject_id": item.subject_id or 0,
            "title": item.title or "",
            "answers": dict(draft.answers),
            "shown": shown_of(session, candidates.id),
            "snapshot_id": candidates.snapshot_id,
            "candidate_set_id": candidates.id,
            "outrun": draft.status != "submitted" and newest != candidates.id,
        }

    def read_back(self, session: Session, item: Item, field: str, value: Any) -> Any:
        """Return a value read from a file in its stored form, without regard to other answers.

        Raises UserError for a value not valid under any codebook.
        """
        return self.check(field, value, {})

    def fit_decided(self, answers: Answers) -> None:
        """Raise UserError for stored answers that no adjudicator can decide on."""
        self.fit(answers)

    def graded(self, answers: Answers) -> dict[str, Any]:
        """Return the answers that can be right or wrong against a known answer, by field."""
        return dict(answers)

    def answers_by_part(self, name: str, answers: Answers) -> dict[Hashable, Any]:
        """Return the answers of a compared field by part of the item.

        The key None is the item as a whole; parts without an answer are absent.
        """
        return {None: answers.get(name)}

    def scales_in(self, session: Session, project_id: int) -> Mapping[str, Compared]:
        """Return the scales of the fields, for a form whose fields the project can edit."""
        return self.scales

    def validate(self, writer: Opened) -> None:
        """Raise UserError if the form's answers cannot be submitted on this item.

        Also if newer material has been shown since, for forms where that matters.
        """
        answers, session = writer.draft.answers, writer.session
        if self.shown_last and newest_set_id(session, writer.room.item_id) != writer.set_id:
            raise UserError("shown_anew")
        self.fit(answers)
        item = session.get_one(Item, writer.room.item_id)
        self.refuse_for(session, item, answers)
        self.refuse_unfinished(session, item, answers)

    def store_labels(self, writer: Opened, annotation_id: int) -> None:
        """Store the answer to each field."""
        self._store(writer.session, annotation_id, writer.draft.answers)

    def _store(self, session: Session, annotation_id: int, answers: Answers) -> None:
        """Store the answers of a submission, one row a field."""
        session.add_all(
            AnnotationAnswer(annotation_id=annotation_id, field=field, value=value)
            for field, value in sorted(answers.items())
        )
        session.flush()

    def store_taken(self, session: Session, annotation_id: int, after: TakenOver) -> None:
        """Store the answers of a migrated submission."""
        self._store(session, annotation_id, after.said)


def form_of(session: Session, project_id: int, task: str) -> Form:
    """Return the form of a task. Raises UserError for a task without one."""
    return _as_form(rules_of(session, project_id, task))


def product_form(task: Task) -> Form:
    """Return the form of one of the product's tasks. Raises UserError for one without."""
    return _as_form(product_rules(task))


def _as_form(rules: TaskRules) -> Form:
    """Return the rules as a form. Raises UserError for a task without one."""
    if not isinstance(rules, Form):
        raise UserError("task_without_form")
    return rules


def answer(
    ws: Workspace,
    person_id: int,
    item_id: int,
    field: str,
    value: Any,
    basis: Basis = ANYTHING,
) -> None:
    """Answer a field of the item's form; None clears it.

    The answer is refused if the draft differs from its `basis`: `was` is the field's answer that
    this one replaces, None for none; `revision` is that of the draft, for an answer with much
    content, such as the text of a page. Raises UserError for that, and for a field or value that
    the form does not take.
    """
    with drafting(ws, person_id, item_id, FORMS) as writer:
        form, given = _form_of_item(writer), writer.draft.answers
        if value is None:
            form.clear(field, given)
        item = writer.session.get_one(Item, item_id)

        def stored(said: Any) -> Any:
            """Return an answer in its stored form. Raises UserError for an invalid one."""
            if said is None:
                return None
            return form.check_in(writer.session, item, field, said, given)

        def as_kept(was: Any) -> Any:
            """Return an earlier answer in its stored form; unchanged if it is no longer valid."""
            try:
                return stored(was)
            except UserError:
                return was

        if given.get(field) != (kept := stored(value)):
            refuse_other(writer, basis, given.get(field), "label", as_kept=as_kept, field=field)
            seal = {"seal": True} if field in form.seals else {}
            writer.write("label", {"field": field, "value": kept, **seal})


@contextmanager
def answered_here(
    ws: Workspace,
    person_id: int,
    item_id: int,
    answers: Answers,
    comment: str = "",
    submitted: bool = True,
) -> Iterator[tuple[Session, int, int]]:
    """Give all answers, in stored form and order, and submit if `submitted`; in one transaction.

    Yields the session, for rows that belong to it, and the ids of the first and last event. Raises
    UserError as :func:`answer` and `annotation.work.commands.submit` do.
    """
    with drafting(ws, person_id, item_id, FORMS) as writer:
        seals = _form_of_item(writer).seals
        events = []
        for name, value in answers.items():
            seal = {"seal": True} if name in seals else {}
            events.append(writer.write("label", {"field": name, "value": value, **seal}))
        if comment:
            events.append(writer.write("comment", {"text": comment}))
        draft = fold(own_events(writer.session, person_id, item_id))
        now = ItemWriter(writer.session, writer.who, writer.room, draft, writer.at, writer.set_id)
        if submitted:
            rules_of(now.session, now.who.project_id, now.room.task).validate(now)
            now.submit(None)
        last = own_events(writer.session, person_id, item_id)[-1].id
        yield writer.session, min([*events, last]), last


def take_up(ws: Workspace, person_id: int, item_id: int) -> None:
    """Restart the item with its newest material; comment and flag are kept.

    Raises UserError if the draft has the newest material.
    """
    with drafting(ws, person_id, item_id, FORMS) as writer:
        newest = newest_set_id(writer.session, item_id)
        if newest is None or newest == writer.set_id:
            raise UserError("nothing_to_take_up")
        end_skips(writer)
        begun = held_versions(writer.session, writer.who.project_id, writer.room.task)
        kept = {"comment": writer.draft.comment, "flag": writer.draft.flag}
        none: dict[str, Any] = {"carried": {}, "added": [], "amended": [], "former": {}}
        writer.write("open", {"candidate_set_id": newest, **begun, **kept, **none, "dropped": []})


def _form_of_item(writer: ItemWriter) -> Form:
    """Return the form of the item that is being written."""
    return form_of(writer.session, writer.who.project_id, writer.room.task)


@dataclass(frozen=True, slots=True)
class AnswerChecks:
    """Checks that raise one form's error codes: `unfit` for a bad value, `lacking` for none."""

    unfit: str
    lacking: str

    def refuse(self, field: str, value: Any, known: str = "") -> NoReturn:
        """Raise UserError for an invalid value of the field; `known` are the valid ones."""
        raise UserError(self.unfit, Where(field=field), value=str(value)[:60], known=known)

    def require(self, answers: Answers, fields: tuple[str, ...]) -> None:
        """Raise UserError unless all the fields are answered."""
        for field in fields:
            if answers.get(field) is None:
                raise UserError(self.lacking, Where(field=field))

    def one_of(self, *known: str) -> Callable[[str, Any], str]:
        """Return a check that a value is one of these."""

        def check(field: str, value: Any) -> str:
            """Return the value. Raises UserError if it is not one of those known."""
            if not isinstance(value, str) or value not in known:
                self.refuse(field, value, ", ".join(known))
            return str(value)

        return check

    def opened(self, field: str, value: Any) -> bool:
        """Check that a step is marked as opened; it cannot be closed again."""
        if value is not True:
            self.refuse(field, value)
        return True

    def cause(self, field: str, value: Any) -> str:
        """Check that a value has the syntax of a cause's key."""
        if not isinstance(value, str) or not KEY.fullmatch(value):
            self.refuse(field, value)
        return str(value)

    def text(self, field: str, value: Any, limit: int = TEXT_LIMIT) -> str:
        """Check that a text has a visible character; return it in its stored form."""
        if not isinstance(value, str):
            self.refuse(field, value)
        text = checked_text(value, field, limit)
        if not says_something(text):
            self.refuse(field, value)
        return text

    def known_cause(
        self, session: Session, project_id: int, task: Task, field: str, cause: str
    ) -> None:
        """Raise UserError for a cause that is not in the project's codebook of the task."""
        if cause not in (known := self.causes_in(session, project_id, task)):
            self.refuse(field, cause, ", ".join(known))

    def causes_in(self, session: Session, project_id: int, task: Task) -> list[str]:
        """Return the keys of the options of the project's codebook, in order."""
        found = current(session, project_id, "codebook", task)
        book = parse(text_in(found, "codebook", task, EVERY).text, task)
        return [option.key for option in book.options]


def require_reason(answers: Answers, code: str) -> None:
    """Raise the UserError `code` unless a reason is given."""
    if not says_something(answers.get("reason", "")):
        raise UserError(code, Where(field="reason"))
