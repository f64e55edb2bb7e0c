"""Disputes on curated questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import Session

from annotation.curation.form import ALONE_FIELDS, CAUSE, EDIT, GOLD, REVEALED, Stage, Verdict
from annotation.curation.state import CurationView, Dispute, curation_view, state_of_case
from annotation.forms.disputes import FormCase, FormDisputes
from annotation.forms.submissions import FormSubmission
from annotation.people.roles import ProjectMember
from storage.mapping.candidates import newest_set_id
from storage.tables.core import Item
from storage.tasks import Task

_OF_QUESTION = (*ALONE_FIELDS, GOLD)  # required unless the question is rejected


class CurationDisputes(FormDisputes):
    """Curation disputes: a decision has all fields of the form, including its reason."""

    def causes(self, case: FormCase) -> tuple[Dispute, ...]:
        """Return why the question needs an adjudicator, or did before it was decided."""
        return state_of_case(case).disputes

    def question(self, session: Session, who: ProjectMember, item: Item) -> CurationView:
        """Return the full question, with every provision that anybody named."""
        number = item.id or 0
        found = self._found(session, who.project_id, number)
        case = found[0][1] if found else None
        said = [] if case is None else [each.answers for each in case.submissions]
        if case is not None and case.decision is not None:
            said.append(case.decision.answers)
        added = sorted({unit for each in said for unit in each.get(GOLD) or {}})
        set_id = newest_set_id(session, number) or 0
        if case is not None and case.submissions:
            set_id = max(each.candidate_set_id for each in case.submissions)
        where = session, who.project_id, item.subject_id or 0, set_id
        return curation_view(*where, Stage.DONE, added)

    def decided(
        self, answers: Mapping[str, Any], reason: str, sides: Sequence[FormSubmission]
    ) -> Mapping[str, Any]:
        """Return the decision as `completed` does, with its reason as a form field."""
        return completed(answers, sides) | ({"reason": reason} if reason.strip() else {})


def completed(answers: Mapping[str, Any], sides: Sequence[FormSubmission]) -> dict[str, Any]:
    """Fill undecided fields with values that all sides share.

    Fields that the verdict does not require are left out.
    """
    alike = {
        field: value
        for field, value in (dict(sides[0].answers) if sides else {}).items()
        if field not in (REVEALED, "reason")
        and all(side.answers.get(field) == value for side in sides)
    }
    said = alike | dict(answers)
    verdict = said.get("verdict")
    idle: set[str] = set()
    if verdict == Verdict.KEEP:
        idle = {CAUSE, EDIT}
    elif verdict == Verdict.REJECT:
        idle = {EDIT, *_OF_QUESTION}
    return {field: value for field, value in said.items() if field not in idle}


DISPUTES = CurationDisputes(Task.CURATION)
