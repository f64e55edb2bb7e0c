"""Disputes on reviewed claims: criteria judged differently, or different gold claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import Session

from annotation.attribution.form import CRITERIA, GOLD, LABEL, NONE, field_of, place_of
from annotation.attribution.review_views import ReviewCase, case_in
from annotation.forms.disputes import FormCase, FormDisputes
from annotation.forms.submissions import FormSubmission
from annotation.people.roles import ProjectMember
from storage.mapping.candidates import newest_set_id, shown_set
from storage.tables.core import Item
from storage.tasks import Task


class AttributionDisputes(FormDisputes):
    """Attribution disputes: a decision has the disputed fields; agreed ones keep their answer."""

    def causes(self, case: FormCase) -> tuple[str, ...]:
        """Return the criteria with different answers, then ``flagged`` and ``recalled``."""
        found = {place_of(field)[0] for field in differing(case.submissions)}
        causes = [each for each in CRITERIA if each in found]
        causes += ["flagged"] if any(each.flag for each in case.submissions) else []
        return tuple(causes + (["recalled"] if case.unconfirmed else []))

    def question(self, session: Session, who: ProjectMember, item: Item) -> ReviewCase:
        """Return the claims as their reviewers see them, with the law currently shown."""
        shown = shown_set(session, newest_set_id(session, item.id or 0) or 0)
        return case_in(session, who.project_id, item.subject_id or 0, shown.snapshot_id)

    def decided(
        self, answers: Mapping[str, Any], reason: str, sides: Sequence[FormSubmission]
    ) -> Mapping[str, Any]:
        """Return the decision as `completed` does."""
        return completed(answers, sides)


def differing(sides: Sequence[FormSubmission]) -> list[str]:
    """Return the fields in which the sides differ, claim by claim."""
    fields = sorted({field for side in sides for field in side.answers}, key=_place)
    found = [[side.answers.get(field) for side in sides] for field in fields]
    return [
        field for field, said in zip(fields, found, strict=True) if any(e != said[0] for e in said)
    ]


def completed(answers: Mapping[str, Any], sides: Sequence[FormSubmission]) -> dict[str, Any]:
    """Fill undecided fields with values that all sides share.

    A claim that matches no gold claim gets none.
    """
    first = dict(sides[0].answers) if sides else {}
    apart = set(differing(sides))
    said = {field: value for field, value in first.items() if field not in apart} | dict(answers)
    return {
        field: value
        for field, value in said.items()
        if not field.startswith(GOLD) or said.get(field_of(LABEL, place_of(field)[1])) != NONE
    }


def _place(field: str) -> tuple[int, int]:
    criterion, number = place_of(field)
    return number, CRITERIA.index(criterion)


DISPUTES = AttributionDisputes(Task.ATTRIBUTION)
