"""What the form of a task is: its fields, when it is complete, and from whom items are kept."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Protocol

from sqlmodel import Session

from annotation.people.authorization import ProjectMember
from annotation.work.slots import SlotState
from storage.mapping.candidates import ShownSet
from storage.tables.core import Item
from storage.tasks import Task

Answers = Mapping[str, Any]


class ItemContext(Protocol):
    """What a form may read of an item in the transaction that submits it or takes it back."""

    @property
    def session(self) -> Session:
        """The writing transaction."""

    @property
    def room(self) -> SlotState:
        """The item's slots, and its task."""

    @property
    def item_id(self) -> int:
        """The item."""

    @property
    def at(self) -> datetime:
        """The time of the act."""

    @property
    def candidates(self) -> ShownSet:
        """What the item showed when the draft was begun."""


class Form:
    """The form of one task; a task extends it and is listed in `annotation.forms.registry`."""

    task: ClassVar[Task]
    seals: ClassVar[frozenset[str]] = frozenset()
    """Fields whose answer shows the person something: neither it nor what was answered before it
    can be undone."""

    shown_last: ClassVar[bool] = False
    """Whether only answers to what an item shows now can be submitted."""

    def check(self, field: str, value: Any, answers: Answers) -> Any:
        """Return the value as it is kept; `answers` are those given so far.

        Raises UserError for an unknown field, and for a value that cannot stand in it now. The
        value is never None here: taking an answer back is `clear`.
        """
        raise NotImplementedError

    def check_in(
        self, session: Session, item: Item, field: str, value: Any, answers: Answers
    ) -> Any:
        """Return what :meth:`check` does for the item; here a form asks for its subject, or for
        options that the project can edit.
        """
        return self.check(field, value, answers)

    def clear(self, field: str, answers: Answers) -> None:
        """Raise UserError where the answer in the field cannot be taken back by emptying it."""

    def fit(self, answers: Answers) -> None:
        """Raise UserError where the answers cannot be submitted yet, naming what is missing."""
        raise NotImplementedError

    def refuse_for(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError where answers that are complete say nothing of this item."""

    def refuse_unfinished(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError where a submission lacks what the item asks for; not asked of decisions.

        For a form of which an adjudicator decides a part alone.
        """

    def decided(self, session: Session, item: Item, answers: Answers) -> dict[str, Any]:
        """Return an adjudicator's answers as they are kept; they are what a submission would be.

        Raises UserError for what a submission could not say either.
        """
        kept: dict[str, Any] = {}
        for field, value in answers.items():
            kept[field] = self.check_in(session, item, field, value, kept)
        self.fit(kept)
        return kept

    def read_back(self, session: Session, item: Item, field: str, value: Any) -> Any:
        """Return the value of a file as it is kept, whatever else is answered and holds now.

        Raises UserError for one that was never kept of the item, under no codebook.
        """
        return self.check(field, value, {})

    def fit_decided(self, answers: Answers) -> None:
        """Raise UserError for answers, each as it is kept, that no adjudicator can decide on."""
        self.fit(answers)

    def graded(self, answers: Answers) -> dict[str, Any]:
        """Return what of the answers can be right or wrong against a known answer, by field."""
        return dict(answers)

    def hidden(self, session: Session, who: ProjectMember) -> frozenset[int]:
        """Return the items of the task that the person is not to work on now."""
        return frozenset()

    def withdrawn(self, pen: ItemContext) -> None:
        """Raise UserError where the person can no longer take their submission back."""

    def submitted(self, pen: ItemContext, annotation_id: int) -> None:
        """Do what follows from a submission, in its transaction."""
