"""Claims of one answer beside the official ones, with a judge's labels and citations.

False, missing and invalid citations of each answer compared with gold.

Units are articles, as in the citation scores of `services.attribution.scored_answers`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.attribution.form import ClaimCites, claims_cite
from annotation.people.roles import Act, reading_as
from construction.attribution import Cited, Law
from errors import UserError, require_known
from services.attribution.claims import answers_by_case, chosen_cases
from services.attribution.scored_answers import cited_by_answer, rolled
from services.gold.gold_set import gold_set
from storage.attribution.claims import (
    SAID,
    AttributionCaseView,
    Claim,
    Label,
    LabelsView,
    attribution_cases,
    model_answers,
    standing_labels,
)
from storage.db.workspace import Workspace
from storage.judging import CaseView, cases
from storage.law.catalogues import catalogue
from storage.law.corpus import id_in_use


@dataclass(frozen=True, slots=True)
class AnswerClaimsView:
    """An answer with its claims, their labels and citations.

    `labels` parallel `claims`, empty without labels. `cites` are parallel too: the citation at each
    claim, else those of the claim's text or the whole answer. `judge` made the labels, `state` is
    how that went, "" where no judge was asked.
    """

    case: CaseView
    claims: tuple[Claim, ...]
    gold: tuple[Claim, ...]
    judge: str
    state: str
    labels: tuple[Label, ...]
    cites: tuple[ClaimCites, ...]


def answered(ws: Workspace, project_slug: str, by: int | None = None) -> dict[str, list[str]]:
    """Return the questions each system answered, in order of import, by ascending system.

    Raises UserError for `by` (None: the operator) who may not see scores.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        every = cases(session, project.id)
    found: dict[str, list[str]] = {each: [] for each in sorted({e.system for e in every})}
    for each in every:
        found[each.system].append(each.external_id)
    return found


def claims_of_answer(
    ws: Workspace,
    project_slug: str,
    question: str,
    system: str,
    judge: str | None = None,
    by: int | None = None,
) -> AnswerClaimsView:
    """Return the claims of a system's answer to a question, with a judge's (None: the last) labels.

    Raises UserError for `by` (None: the operator) who may not see scores, and for an unknown
    system, question or judge.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        every = chosen_cases(cases(session, project.id), (system,))
        pairs = attribution_cases(session, project.id)
        standing = standing_labels(session, project.id)
        snapshot = id_in_use(session, project.id)
    found = next((each for each in every if each.external_id == question), None)
    if found is None:
        raise UserError("attribution_question", system=system[:80], question=question[:80])
    own = [each for each in pairs if each.case_id == found.id]
    row = _newest_labels(own, standing, judge)
    labelled = [each for each in own if row and each.id == row.attribution_case_id]
    pair = next(iter(labelled or own[-1:]), None)
    claims = pair.predicted.claims if pair else ()
    cites = tuple(ClaimCites(each.cites) for each in claims)
    if snapshot is not None:
        cites = claims_cite(catalogue(ws, snapshot), claims, found.answer, found.question)
    return AnswerClaimsView(
        found,
        claims,
        pair.gold.claims if pair else (),
        row.judge if row else "",
        row.state if row else "",
        row.labels if row and row.state == SAID else (),
        cites,
    )


def _newest_labels(
    own: list[AttributionCaseView],
    standing: Mapping[tuple[int, str], LabelsView],
    judge: str | None,
) -> LabelsView | None:
    """Return the newest labels of these cases by a judge (None: any), readable ones preferred.

    None without labels. Raises UserError for an unknown judge.
    """
    numbers = {each.id for each in own}
    judges = sorted({name for _, name in standing})
    if judge is not None:
        require_known("attribution_judge_unknown", judges, judge=judge)
    rows = [
        row for (case, name), row in standing.items() if case in numbers and judge in (None, name)
    ]
    return max(rows, key=lambda row: (row.state == SAID, row.id), default=None)


Units = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerCitations:
    """The articles that an answer cites, ascending, compared with gold.

    `gold` and all that depends on it is None where the gold is not settled. False citations are
    `inside` or `outside` of the passages shown, `unplaced` where these are unknown. `missed` is
    gold that is not cited, `invalid` what resolves to no article, as written.
    """

    question: str
    system: str
    cited: Units
    gold: Units | None
    inside: Units | None
    outside: Units | None
    unplaced: Units | None
    missed: Units | None
    invalid: Units

    @property
    def wrong(self) -> bool:
        """Whether there is a false, invalid or missing citation."""
        parts = self.inside, self.outside, self.unplaced, self.missed, self.invalid
        return any(parts)


def citations_of_answers(
    ws: Workspace, project_slug: str, systems: Sequence[str] = (), by: int | None = None
) -> list[AnswerCitations]:
    """Return each answer's citations beside the gold, of these systems or all; [] without law.

    Ordered by system, then by import. The gold is the widest set. Raises UserError for `by`
    (None: the operator) who may not see scores, for an unknown system, and without any answer.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        chosen = chosen_cases(cases(session, project.id), systems)
        by_case = answers_by_case(model_answers(session, project.id))
        snapshot = id_in_use(session, project.id)
    if snapshot is None:
        return []
    law, gold = Law.of(catalogue(ws, snapshot)), gold_set(ws, project_slug, name="").qrels
    found = []
    for each in sorted(chosen, key=lambda case: (case.system, case.id)):
        answer = by_case.get(each.id)
        cited = cited_by_answer(law, each, answer)
        wanted = gold.get(each.external_id)
        shown = None if answer is None else set(rolled(law, answer.shown))
        found.append(
            _compared_with_gold(
                each, cited, None if wanted is None else set(rolled(law, wanted)), shown
            )
        )
    return found


def _compared_with_gold(
    case: CaseView, cited: Cited, gold: set[str] | None, context: set[str] | None
) -> AnswerCitations:
    """Sort an answer's citations: gold, false (in context or not), missed, invalid."""
    false = None if gold is None else set(cited.units) - gold
    known = false is not None and context is not None
    return AnswerCitations(
        case.external_id,
        case.system,
        cited.units,
        _units(gold),
        inside=_units(false & context if false is not None and context is not None else None),
        outside=_units(false - context if false is not None and context is not None else None),
        unplaced=None if known else _units(false),
        missed=None if gold is None else _units(gold - set(cited.units)),
        invalid=cited.invalid,
    )


def _units(units: set[str] | None) -> Units | None:
    """Return units in order, None for none."""
    return None if units is None else tuple(sorted(units))
