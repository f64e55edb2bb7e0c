"""Claim scores by a model's labels, and corrected by people's labels of a sample.

For each answer to a question with gold claims: claim precision, recall and F1, and the share of its
claims supported by the provisions cited. An answer without claims scores 0. People's labels are
those on which all reviewers of the answer agree, or an adjudicator's decision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from annotation.adjudication.dispute_state import ItemCase, item_cases
from annotation.attribution.form import (
    DISPUTES,
    GOLD,
    LABEL,
    NO,
    NONE,
    SUPPORTED,
    UNCITED,
    YES,
    field_of,
)
from annotation.forms.form import Answers
from annotation.people.roles import Act, reading_as
from evaluation.attribution import ClaimScores, LabelledClaim, claim_scores
from evaluation.judging.accuracy import Scored
from evaluation.judging.means import CorrectedMean, corrected_mean
from storage.attribution.claims import Label
from storage.attribution.review import ClaimsBeside, compared_cases, newest_labels, of_answers
from storage.db.workspace import Workspace
from storage.subjects import shown_items, shown_of
from storage.tasks import Task

MEASURES = ("claim_precision", "claim_recall", "claim_f1", "supported")
_OF = dict(zip(MEASURES, ("precision", "recall", "f1", "supported"), strict=True))


@dataclass(frozen=True, slots=True)
class CorrectedScores:
    """Figures of one system by one judge's labels, with the counts behind them.

    `answers` are those to questions with gold claims; those to `no_gold` others are left out.
    `no_claim` of them have no claim and score 0, `unlabelled` have no readable labels. `reviewed`
    have all wanted submissions, `seen` counts these submissions by when labels were shown: shown,
    hidden, after.
    """

    system: str
    judge: str
    answers: int
    no_claim: int
    no_gold: int
    unlabelled: int
    reviewed: int
    seen: Mapping[str, int]
    means: Mapping[str, CorrectedMean]

    @property
    def anchored(self) -> bool:
        """Whether a reviewer saw labels before answering; the correction is then too small."""
        return bool(self.seen.get("shown"))


def corrected(
    ws: Workspace,
    slug: str,
    system: str | None = None,
    judge: str | None = None,
    by: int | None = None,
) -> list[CorrectedScores]:
    """Return the figures of every system and judge, by name, or of the named ones.

    Raises UserError for `by` who may not read others' labels.
    """
    with reading_as(ws, slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        return corrected_in(session, project.id, system, judge)


def corrected_in(
    session: Session, project_id: int, system: str | None, judge: str | None
) -> list[CorrectedScores]:
    """:func:`corrected` in an open session, without the permission check."""
    cases, labels = compared_cases(session, project_id), newest_labels(session, project_id)
    made = item_cases(session, project_id, Task.ATTRIBUTION)
    of_item = {
        each.item_id: each.subject_id for each in shown_items(session, project_id, Task.ATTRIBUTION)
    }
    reviewed = {of_item[item]: case for item, case in made.items() if item in of_item}
    systems = sorted({case.answer.system for case in cases if system in (None, case.answer.system)})
    judges = sorted({name for _, name in labels if judge in (None, name)})
    found = []
    for each in systems:
        own = [case for case in cases if case.answer.system == each]
        for name in judges:
            said = {case: row.labels for (case, of), row in labels.items() if of == name}
            rows = list(of_answers(own, said).values())
            if any(case.number in said for case in rows):
                found.append(_system_scores(session, each, name, rows, said, reviewed))
    return found


def _system_scores(
    session: Session,
    system: str,
    judge: str,
    cases: Sequence[ClaimsBeside],
    labels: Mapping[int, Sequence[Label]],
    reviewed: Mapping[int, ItemCase],
) -> CorrectedScores:
    """Return a system's figures by a judge; only answers to questions with gold claims count."""
    counted = [case for case in cases if case.gold]
    cut = [case for case in counted if case.predicted]
    here = {case.number: reviewed[case.number] for case in cut if case.number in reviewed}
    says_support = any(row.supported is not None for said in labels.values() for row in said)
    pairs = [
        (
            _model_scores(case, labels.get(case.number), says_support),
            *_people_scores(case, here.get(case.number)),
        )
        for case in cut
    ]
    seen = Counter(
        str(shown_of(session, side.candidate_set_id)["suggestions"])
        for each in here.values()
        for side in each.submissions
    )
    silent = len(counted) - len(cut)  # they score 0, and have no claim to be supported
    return CorrectedScores(
        system=system,
        judge=judge,
        answers=len(counted),
        no_claim=silent,
        no_gold=len(cases) - len(counted),
        unlabelled=sum(model is None for model, *_ in pairs),
        reviewed=len(here),
        seen=dict(sorted(seen.items())),
        means={
            measure: corrected_mean(
                [
                    Scored(
                        None if model is None else getattr(model, name),
                        None if people is None else getattr(people, name),
                        disputed,
                    )
                    for model, people, disputed in pairs
                ],
                0 if measure == SUPPORTED else silent,
            )
            for measure, name in _OF.items()
        },
    )


def _model_scores(
    case: ClaimsBeside, labels: Sequence[Label] | None, says_support: bool
) -> ClaimScores | None:
    """Return an answer's scores by the model's labels; None unless all its claims are labelled.

    `says_support`: whether the model labels support by provisions at all.
    """
    if labels is None or len(labels) != len(case.predicted):
        return None
    labelled = [
        _model_label(row, says_support and not claim.cites)
        for row, claim in zip(labels, case.predicted, strict=True)
    ]
    return claim_scores(labelled, len(case.gold))


def _people_scores(case: ClaimsBeside, found: ItemCase | None) -> tuple[ClaimScores | None, bool]:
    """Return an answer's scores by people, None if unsettled; and if they have not agreed at once.

    By the decision, else by the labels that all agree on; none while they disagree.
    """
    if found is None:
        return None, False
    differ = bool(DISPUTES.causes(found))
    if found.decision is not None:
        answers = found.decision.answers
    elif differ or not found.submissions or found.revising:
        return None, True
    else:
        answers = found.submissions[0].answers
    people = [_people_label(answers, at) for at in range(1, len(case.predicted) + 1)]
    return claim_scores(people, len(case.gold)), differ or bool(found.earlier)


def _model_label(row: Label, uncited: bool) -> LabelledClaim:
    """Return a model's label; a claim without citations counts as unsupported by citation."""
    said = None if row.supported is None else YES if row.supported else NO
    return LabelledClaim(row.relations, UNCITED if uncited else said)


def _people_label(answers: Answers, number: int) -> LabelledClaim:
    """Return people's label of the claim of that number; NONE matches no gold claim."""
    gold, label = (answers.get(field_of(each, number)) for each in (GOLD, LABEL))
    says = () if gold is None or label == NONE else ((int(gold) - 1, str(label)),)
    return LabelledClaim(says, answers.get(field_of(SUPPORTED, number)))
