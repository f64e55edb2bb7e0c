"""Scores of the claims and citations of a project's answers, by system.

Claims are those that a judge labelled last; citations are extracted anew from the answers
(`construction.attribution`) and compared with current gold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotation.people.roles import Act, reading_as
from construction.attribution import Cited, Law, cited_by_keys, cited_in_text, rolled_up
from errors import require_known
from evaluation.attribution import (
    ARTICLE,
    CLAIMS,
    EXACT,
    NAMES,
    SCORED,
    AnswerCounts,
    AnswerScores,
    Mistakes,
    Pairing,
    Score,
    answer_counts,
    citation_score,
    claim_score,
    mistakes,
)
from evaluation.figure import Figure
from evaluation.ranking.compare import Cell, Inference
from evaluation.scores import EACH, Column, by_group, compared
from evaluation.scores import Score as Row
from normalization.grouping import grouped
from normalization.hashing import text_hash
from services.attribution.claims import answers_by_case
from services.gold.gold_set import GoldSize, gold_set
from services.runs.strata import query_columns, question_columns
from storage.attribution.claims import (
    SAID,
    AttributionCaseView,
    ClaimsView,
    LabelsView,
    ModelAnswerView,
    attribution_cases,
    claims_by_id,
    model_answers,
    standing_labels,
    standing_of,
)
from storage.db.workspace import Workspace
from storage.judging import CaseView, cases
from storage.law.catalogues import catalogue
from storage.law.corpus import id_in_use

ANSWERED = "answered"
FROM_FILE = "file"


@dataclass(frozen=True, slots=True)
class Setting:
    """How a system's answers were produced; only that is known of imported ones.

    `format` is ``free``, ``per_provision`` or ``file``; `context` its kind, "" where unknown;
    `label` names it, for a run with the run's name.
    """

    format: str
    model: str = ""
    context: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class SystemLine:
    """A system with its setting, answer counts and scores.

    `answers` counts questions by state, ``answered`` being scorable. `figures` are means over
    questions, by the names of `NAMES`; that of F1 is not the harmonic mean of the others.
    """

    system: str
    setting: Setting
    answers: Mapping[str, int]
    figures: Mapping[str, Figure]
    counts: AnswerCounts


_OfSystem = tuple[list[CaseView], dict[int, ModelAnswerView], list[ModelAnswerView]]
"""Of a system its answers, the model answers by answer, and all model replies."""


@dataclass(frozen=True, slots=True)
class _Reference:
    """Reference data for scoring answers: gold, law, labels, claims."""

    gold: Mapping[str, Collection[str]]
    law: Law | None
    labels: Mapping[int, LabelsView]
    pairs: Mapping[int, Sequence[AttributionCaseView]]
    claims: Mapping[tuple[int | None, str, str], Sequence[ClaimsView]]


@dataclass(frozen=True, slots=True)
class ScoredAnswers:
    """The answers of a project with the scores of their claims and citations, by system.

    `judge` is whose labels of claims count. `columns` are those of the project's questions that
    were asked, `scores` of the answers in `systems`, in their order.
    """

    judge: str | None
    judges: tuple[str, ...]
    gold: GoldSize | None
    columns: Mapping[str, Mapping[str, Cell]]
    systems: Mapping[str, _OfSystem]
    scores: Mapping[str, Sequence[AnswerScores]]

    @property
    def questions(self) -> set[str]:
        """The questions answered or asked."""
        found = self.systems.values()
        answered = {each.external_id for answers, *_ in found for each in answers}
        return answered | {each.question for *_, replies in found for each in replies}

    def table(self) -> Iterator[Row]:
        """Yield a row for each answer and measure, with who or what scored it."""
        version = "" if self.gold is None else str(self.gold.name)
        by = {"claims": (self.judge or "", ""), "citations": ("gold", version)}
        for system, (answers, _, replies) in self.systems.items():
            context = setting_of(replies).label
            for case, scores in zip(answers, self.scores[system], strict=True):
                for measure, value in scores.numbers():
                    who = by["claims" if measure in CLAIMS else "citations"]
                    about = str(case.id), case.external_id, system, context
                    yield Row(*about, measure, value, *who)

    def compared(
        self, inference: Inference, questions: Collection[str], tested: Collection[str] = ()
    ) -> dict[str, Column]:
        """Return each measure's figures by system over these questions, with tests if `tested`."""
        rows = (each for each in self.table() if each.question in questions)
        values = by_group(rows, measures=NAMES, groups=self.systems)
        return compared(values, (), EACH, inference, tested)

    def lines(
        self, scores: Mapping[str, Column], questions: Collection[str]
    ) -> tuple[SystemLine, ...]:
        """Return each system with its figures and counts over these questions."""
        return tuple(
            SystemLine(
                system,
                setting_of(replies),
                _states(
                    [each for each in answers if each.external_id in questions],
                    [each for each in replies if each.question in questions],
                ),
                {name: column.figures[system] for name, column in scores.items()},
                answer_counts([each for each in self.scores[system] if each.question in questions]),
            )
            for system, (answers, _, replies) in self.systems.items()
        )


def scored_answers(
    ws: Workspace, project_slug: str, judge: str | None = None, by: int | None = None
) -> ScoredAnswers:
    """Return the scores of a project's answers by a judge's labels.

    Raises UserError as `report` does.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        everything = cases(session, project.id)
        replies = model_answers(session, project.id)
        standing = standing_labels(session, project.id)
        rows = claims_by_id(session, project.id)
        pairs = attribution_cases(session, project.id, rows)
        snapshot = id_in_use(session, project.id)
        said = question_columns(session, project.id)
    asked = {each.external_id for each in everything} | {each.question for each in replies}
    judges = _judges(standing)
    chosen = _chosen(judge, judges)
    gold = None if snapshot is None else gold_set(ws, project_slug, name="")
    (of_gold,) = ({},) if gold is None else query_columns(ws, project_slug, gold)
    reference = _Reference(
        {} if gold is None else gold.qrels,
        None if snapshot is None else Law.of(catalogue(ws, snapshot)),
        {case: row for (case, name), row in standing.items() if name == chosen},
        grouped((each.case_id, each) for each in pairs),
        grouped((_text_key(each), each) for each in standing_of(rows.values()).values()),
    )
    systems = _answers_of_systems(everything, replies)
    return ScoredAnswers(
        chosen,
        judges,
        None if gold is None else gold.size,
        {name: {**row, **of_gold.get(name, {})} for name, row in said.items() if name in asked},
        systems,
        {
            system: [_answer_scores(reference, each, answers.get(each.id)) for each in rows]
            for system, (rows, answers, _) in systems.items()
        },
    )


def setting_of(asked: Sequence[ModelAnswerView]) -> Setting:
    """Return a system's setting from its model answers; none means imported answers."""
    if not asked:
        return Setting(FROM_FILE)
    first = asked[0]
    kind = str(first.context.get("kind", ""))
    name = str(first.context.get("run", "")) if kind == "run" else ""
    return Setting(first.format, first.model, kind, name or kind)


def _judges(standing: Mapping[tuple[int, str], LabelsView]) -> tuple[str, ...]:
    """Return the judges, most labels first."""
    counts = Counter(judge for (_, judge), row in standing.items() if row.state == SAID)
    every = {judge for _, judge in standing}
    return tuple(sorted(every, key=lambda judge: (-counts[judge], judge)))


def _chosen(judge: str | None, judges: Sequence[str]) -> str | None:
    """Return the judge to use, by default the first if any. Raises UserError for an unknown one."""
    if judge is None:
        return judges[0] if judges else None
    require_known("attribution_judge_unknown", judges, judge=judge)
    return judge


def _answers_of_systems(
    everything: Sequence[CaseView], asked: Sequence[ModelAnswerView]
) -> dict[str, _OfSystem]:
    """Return per system its answers, the model answers among them, and all model replies."""
    answers = grouped((each.system, each) for each in everything)
    replies = grouped((each.system, each) for each in asked)
    return {
        name: (answers.get(name, []), answers_by_case(own), own)
        for name in sorted({*answers, *replies})
        for own in [replies.get(name, [])]
    }


def _states(rows: Sequence[CaseView], asked: Sequence[ModelAnswerView]) -> dict[str, int]:
    """Count answers per state; imported ones count as answered."""
    own = {each.case_id for each in asked if each.case_id is not None}
    counts = Counter(each.state for each in asked)
    counts[ANSWERED] += sum(each.id not in own for each in rows)
    return {state: count for state, count in sorted(counts.items()) if count}


def _answer_scores(
    reference: _Reference, case: CaseView, answer: ModelAnswerView | None
) -> AnswerScores:
    """Return an answer's scores of claims and citations, with the reason where there are none."""
    claims, claim_state = _claim_scores(reference, case)
    if reference.law is None or case.external_id not in reference.gold:
        why = "no_law" if reference.law is None else "no_gold"
        return AnswerScores(case.external_id, {"claims": claim_state, "citations": why}, claims)
    cited = cited_by_answer(reference.law, case, answer)
    citations, wrong = _citation_scores(
        reference.law, cited, reference.gold[case.external_id], answer
    )
    states = {"claims": claim_state, "citations": SCORED}
    scores = {**claims, **citations}
    return AnswerScores(
        case.external_id, states, scores, wrong, len(cited.invalid), str(cited.source)
    )


def _claim_scores(reference: _Reference, case: CaseView) -> tuple[dict[str, Score], str]:
    """Return the scores of an answer's claims with the state, or none with the reason."""
    if not case.reference.strip():
        return {}, "no_official"
    state = _reason_unlabelled(reference, case)
    for pair in reversed(reference.pairs.get(case.id, ())):
        row = reference.labels.get(pair.id)
        if row is None:
            continue
        if row.state != SAID:
            state = f"labels_{row.state}"
            continue
        relations = [each.relations for each in row.labels]
        found = {
            str(pairing): score
            for pairing in Pairing
            if (score := claim_score(relations, len(pair.gold.claims), pairing))
        }
        return (found, SCORED) if found else ({}, "no_official")
    return {}, state


def _text_key(claims: ClaimsView) -> tuple[int | None, str, str]:
    """Return the key of the text that claims are of: answer's id or None, question, text's hash."""
    digest = claims.text_sha256 if claims.case_id is None else ""
    return claims.case_id, claims.question, digest


def _reason_unlabelled(reference: _Reference, case: CaseView) -> str:
    """Return why an answer has no labels: its text or its gold was not split, or not labelled."""
    gold = reference.claims.get((None, case.external_id, text_hash(case.reference)), ())
    own = reference.claims.get((case.id, case.external_id, ""), ())
    for name, rows in (("official", gold), ("claims", own)):
        if not rows:
            return "not_cut"
        if all(each.state != SAID for each in rows):
            return f"{name}_{rows[-1].state}"
    return "not_labelled"


def cited_by_answer(law: Law, case: CaseView, answer: ModelAnswerView | None) -> Cited:
    """Return an answer's citations: its structured keys, else those in its text."""
    if answer is not None and answer.claims is not None:
        return cited_by_keys(answer.claims, law.units)
    return cited_in_text(case.answer, law, case.question)


def _citation_scores(
    law: Law, cited: Cited, gold: Collection[str], answer: ModelAnswerView | None
) -> tuple[dict[str, Score], Mistakes]:
    """Return an answer's citation scores by article and exact place, and its mistakes."""
    units = set(rolled(law, gold))
    shown = None if answer is None else set(rolled(law, answer.shown))
    found = {
        ARTICLE: citation_score(cited.units, units),
        EXACT: citation_score(cited.exact, gold),
    }
    return found, mistakes(cited.units, units, shown)


def rolled(law: Law, units: Collection[str]) -> Iterator[str]:
    """Yield the articles of units; units that the law in use lacks are unchanged."""
    for unit in units:
        place = rolled_up(unit, law.units)
        yield unit if place is None else place.unit
