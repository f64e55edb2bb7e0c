"""State of a curated question with what each reader may see, and its disputes.

A question waits until it is complete, and while it is discussed. If the submissions agree it is
kept, edited or rejected; if they differ it is disputed until an adjudicator decides. If all reject
a question, nothing else has to agree, as nothing of it is published.

The level that a question was written for and the findings of the cascade's layers are shown to
people who have judged it without them, and to adjudicators.

Disputes on curated questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sqlmodel import Session

from annotation.curation.form import (
    ALONE_FIELDS,
    CAUSE,
    CRITERIA,
    DIFFICULTY,
    EDIT,
    GOLD,
    REVEALED,
    YES,
    Edited,
    Stage,
    Verdict,
    edited_of,
    gold_of,
    stage_of,
)
from annotation.forms.disputes import FormCase, FormDisputes
from annotation.forms.outcomes import AnsweredItem, Outcomes
from annotation.forms.submissions import FormSubmission
from annotation.people.roles import Act, ProjectMember, annotator, require
from annotation.work.queue_service import ItemView
from storage.curation.questions import LayerLine, Provision, layers_said, provisions, question_by_id
from storage.db.workspace import Workspace
from storage.mapping.candidates import newest_set_id
from storage.subjects import shown_of
from storage.tables.core import CandidateSet, Item
from storage.tasks import Task

if TYPE_CHECKING:
    from storage.cascade.names import Names


_TARGET = "difficulty"  # an axis that is revealed with the layers


class Fate(StrEnum):
    """The outcome of a question."""

    KEPT = "kept"
    EDITED = "edited"
    REJECTED = "rejected"
    DISPUTED = "disputed"
    WAITING = "waiting"


class Dispute(StrEnum):
    """Why a question needs an adjudicator."""

    VERDICT = "verdict"  # some would keep, some edit, some reject it
    EDIT = "edit"  # different corrections
    GOLD = "gold"  # different gold provisions
    DIFFICULTY = "difficulty"  # different levels
    CRITERIA = "criteria"  # different criteria met
    FLAGGED = "flagged"  # somebody flagged it
    RECALLED = "recalled"  # a discussion was recalled before all had answered


@dataclass(frozen=True, slots=True)
class CurationState:
    """The outcome of one question.

    `causes` are why it is edited or rejected, ascending; `disputes` why it is disputed, or was
    before the decision. For a question that is kept or edited, `gold` are its provisions (semantic
    ids, ascending), `difficulty` its level as judged and `criteria` the judgment of each; `edited`
    is the correction. `annotation_ids` are the submissions that it follows from, `settled` whether
    an adjudicator decided; `declined` are provisions judged not to be gold, ascending.
    """

    fate: Fate
    causes: tuple[str, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    gold: tuple[str, ...] = ()
    difficulty: str = ""
    criteria: Mapping[str, str] | None = None
    edited: Edited | None = None
    annotation_ids: tuple[int, ...] = ()
    settled: bool = False
    declined: tuple[str, ...] = ()

    @property
    def stands(self) -> bool:
        """Whether the question is accepted, corrected or not."""
        return self.fate in (Fate.KEPT, Fate.EDITED)


WAITING = CurationState(Fate.WAITING)
_FATES = {
    Verdict.KEEP: Fate.KEPT,
    Verdict.EDIT: Fate.EDITED,
    Verdict.REJECT: Fate.REJECTED,
}


def disputes_of(submissions: Sequence[AnsweredItem]) -> tuple[Dispute, ...]:
    """Return why the submissions need an adjudicator, in the order of `Dispute`."""
    answers = [each.answers for each in submissions]
    rejected = all(answer["verdict"] == Verdict.REJECT for answer in answers)
    found = {
        Dispute.VERDICT: len({answer["verdict"] for answer in answers}) > 1,
        Dispute.EDIT: len({each for answer in answers if (each := edited_of(answer))}) > 1,
        Dispute.GOLD: _differ(gold_of(each) for each in _not_rejecting(answers)),
        Dispute.DIFFICULTY: not rejected and _differ(each.get(DIFFICULTY) for each in answers),
        Dispute.CRITERIA: not rejected
        and _differ(tuple(each.get(name) for name in CRITERIA) for each in answers),
        Dispute.FLAGGED: any(each.flag for each in submissions),
    }
    return tuple(dispute for dispute, holds in found.items() if holds)


def _not_rejecting(answers: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the answers that do not reject, as only these have gold."""
    return [each for each in answers if each["verdict"] != Verdict.REJECT]


def _differ(values: Any) -> bool:
    return len(set(values)) > 1


def _agreed_state(
    answers: Sequence[Mapping[str, Any]],
    disputes: tuple[Dispute, ...],
    ids: tuple[int, ...],
    is_settled: bool,
) -> CurationState:
    first = answers[0]
    fate = _FATES[Verdict(first["verdict"])]
    if fate is Fate.REJECTED:
        causes = _causes(answers)
        return CurationState(fate, causes, disputes, annotation_ids=ids, settled=is_settled)
    return CurationState(
        fate,
        causes=() if fate is Fate.KEPT else _causes(answers),
        disputes=disputes,
        gold=gold_of(first),
        difficulty=str(first[DIFFICULTY]),
        criteria={name: first[name] for name in CRITERIA},
        edited=edited_of(first),
        annotation_ids=ids,
        settled=is_settled,
        declined=_rejected_units(answers),
    )


_OUTCOMES = Outcomes(
    Task.CURATION, CurationState, Fate, Dispute.RECALLED, disputes_of, _agreed_state
)
curation_states, state_of, state_of_case = _OUTCOMES.by_subject, _OUTCOMES.of, _OUTCOMES.of_case


def _rejected_units(answers: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    judged = [(unit, said) for each in answers for unit, said in (each.get(GOLD) or {}).items()]
    belongs = {unit for unit, said in judged if said == YES}
    return tuple(sorted({unit for unit, _ in judged} - belongs))


def _causes(answers: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(sorted({each[CAUSE] for each in answers if CAUSE in each}))


@dataclass(frozen=True, slots=True)
class CurationView:
    """A question with what its reader may see of it; None for parts not revealed yet.

    `axes` are what it was written for, without the level until `layers` are revealed.
    """

    external_id: str
    language: str
    text: str
    answer: str
    axes: Mapping[str, Any]
    provisions: tuple[Provision, ...]
    layers: tuple[LayerLine, ...] | None


def own_view(ws: Workspace, person_id: int, item: ItemView) -> CurationView:
    """Return an item's question as far as the person's own answers have revealed it."""
    stage = stage_of(item.answers, item.status == "submitted")
    added = (item.answers.get(GOLD) or {}).keys()
    with ws.reading() as session:
        project_id = annotator(session, person_id).project_id
        where = session, project_id, item.subject_id, item.candidate_set_id
        return curation_view(*where, stage, added=tuple(added))


def names_shown(ws: Workspace, person_id: int) -> Names:
    """Return the display names of the keys of the project's questions.

    Raises UserError for an unknown person.
    """
    from storage.cascade.names import names_in  # reads the declarations of closure and cascade

    with ws.reading() as session:
        return names_in(session, require(session, person_id, Act.READ_LAW).project_id)


def curation_view(
    session: Session,
    project_id: int,
    question_id: int,
    set_id: int,
    stage: Stage,
    added: Sequence[str] = (),
) -> CurationView:
    """Return a question at a stage, with the law that the candidate set `set_id` shows.

    Provisions added by closure are revealed with the layers, as one of these found them. Raises
    UserError for a question of another project.
    """
    row = question_by_id(session, project_id, question_id)
    shown, law = shown_of(session, set_id), session.get_one(CandidateSet, set_id).snapshot_id
    told = stage is not Stage.ALONE
    axes = {name: value for name, value in row.axes.items() if told or name != _TARGET}
    return CurationView(
        external_id=row.external_id,
        language=row.language,
        text=row.text,
        answer=row.answer,
        axes=axes,
        provisions=tuple(
            each for each in provisions(session, row, law, added) if told or not each.closed
        ),
        layers=layers_said(session, question_id, shown.get("run")) if told else None,
    )


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
