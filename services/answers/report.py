"""Report on answer quality: overlap, similarity, verdicts, wins, and their agreement with people.

A measure is a number for each answer; a system's figure is its mean over the questions that have
one, with their number and a bootstrap interval. Systems are compared by a paired test on the
questions that both have a number for; p-values are corrected by Holm. Questions without an answer
(refused, empty, cut off, of another form, failed, never asked) are counted beside the figures, not
as zero; nor is an answer that a judge has not judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.judging.state import (
    CaseState,
    judges_of,
    pairs_by_question,
    required_judge,
    states,
)
from annotation.people.roles import Act, reading_as
from annotation.work.submissions import beginning
from errors import UserError, require_known
from evaluation.answers.bertscore import BertScore
from evaluation.answers.trust import Scored, Trust, trust
from evaluation.figure import Figure, mean_figure
from evaluation.judging.accuracy import accuracy, human_sample
from evaluation.judging.estimate import Pair, position_bias
from evaluation.ranking.compare import Cell as Said
from evaluation.ranking.compare import columns, strata
from evaluation.scores import BEST, Score, by_group, compared
from normalization.grouping import nested
from services.answers.material import Askable, asked_questions
from services.answers.report_views import (
    SHARES,
    AnswerReport,
    AnswerState,
    Measure,
    ReportChoices,
    ReportOptions,
    SystemScores,
    TextScores,
)
from services.answers.scores import kept_bert_scores, rouge_scores, scorable, verdict_counts
from services.runs.strata import Stratum, question_columns
from storage.answers import TEXT_FORMATS, runs, text_states
from storage.db.columns import newest_ids
from storage.db.workspace import Workspace
from storage.judging import CaseView
from storage.projects import find_project
from storage.tables.answers import AnswerRun, JudgeCase, ModelAnswer, Verdict
from storage.tables.core import Annotation, QuestionRow, Settlement, UndoneDecision

KIND = "kind"  # column of a question's type, unless its file has one
_MADE_OF = (
    *(JudgeCase, Verdict, Annotation, Settlement, UndoneDecision),
    *(AnswerRun, ModelAnswer, QuestionRow),
)  # append-only tables


def report(
    ws: Workspace,
    project_slug: str,
    by: int | None = None,
    options: ReportOptions | None = None,
) -> AnswerReport:
    """Return the report on the quality of a project's answers, on one stratum's questions or all.

    Raises UserError for `by` without permission, for an unknown project, judge, tokeniser, baseline
    or stratum, and for a missing model.
    """
    found = _report_data(ws, project_slug, by)
    askable = _askable_by_system(ws, project_slug)
    return _Reporter(ws, found, options or ReportOptions(), askable).report()


def choices(ws: Workspace, project_slug: str, by: int | None = None) -> ReportChoices:
    """Return the judges, systems and strata that a project's report can use.

    Raises UserError for `by` without permission, and for an unknown project.
    """
    found = _report_data(ws, project_slug, by)
    return ReportChoices(
        systems=tuple(found.systems),
        judges=tuple(judges_of(found.cases)),
        pairwise=tuple(_pairwise_judges(found)),
        strata=_strata(found),
        scorable=sum(scorable(each.case) for each in found.cases),
    )


def _report_data(ws: Workspace, project_slug: str, by: int | None) -> _ReportData:
    """Read the stored answers, judged pairs and texts that a project's report needs."""
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        return _ReportData(
            states(session, project.id),
            pairs_by_question(session, project.id),
            text_states(session, project.id),
            question_columns(session, project.id),
        )


def _askable_by_system(ws: Workspace, project_slug: str) -> dict[str, frozenset[str]]:
    """Return the questions that each system could be asked; systems that write texts only."""
    with ws.reading() as session:
        project = find_project(session, project_slug).id
        settings = [each for each in runs(session, project) if each.format in TEXT_FORMATS]
        questions = asked_questions(session, project)
    askable = Askable(ws, project_slug, questions)
    return {each.system: askable.under(each) for each in settings}


def _pairwise_judges(found: _ReportData) -> list[str]:
    """Return the judges that compared answers with official ones, by name."""
    return sorted({judge for judge, _, other in found.pairs if not other})


def revision(ws: Workspace, project_slug: str, by: int | None = None) -> str:
    """Return a token that changes when the report may change, new scores excepted.

    Raises UserError for `by` without permission, and for an unknown project.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, _, _):
        return newest_ids(session, _MADE_OF)


@dataclass(frozen=True, slots=True)
class _ReportData:
    """Data behind the report: answers, comparisons, reply states, question columns."""

    cases: Sequence[CaseState]
    pairs: Mapping[tuple[str, str, str], Mapping[str, Pair]]
    replies: Mapping[tuple[str, str], str]
    rows: Mapping[str, Mapping[str, Said]]

    @property
    def questions(self) -> list[str]:
        """Questions answered or asked, by ascending id."""
        named = {each.case.external_id for each in self.cases}
        return sorted(named | {question for question, _ in self.replies})

    @property
    def systems(self) -> list[str]:
        """Systems that answered or were asked, by name."""
        named = {each.case.system for each in self.cases}
        return sorted(named | {system for _, system in self.replies})

    def columns(self) -> dict[str, dict[str, Said]]:
        """Return question → column → value, also for questions that the project lacks."""
        of_case: dict[str, CaseView] = {}
        for each in self.cases:
            of_case.setdefault(each.case.external_id, each.case)
        kinds = any(case.kind for case in of_case.values())
        found = {}
        for question in self.questions:
            case = of_case.get(question)
            own: dict[str, Said] = {} if case is None else {"language": case.language}
            if kinds:
                own[KIND] = case.kind if case else ""
            found[question] = own | dict(self.rows.get(question, {}))
        return found


class _Reporter:
    """Computes the report for the chosen options."""

    def __init__(
        self,
        ws: Workspace,
        found: _ReportData,
        options: ReportOptions,
        askable: Mapping[str, Collection[str]],
    ) -> None:
        self._options, self._askable_by_system = options, askable
        self._questions = _questions_of_stratum(found, options.stratum)
        among = set(self._questions)
        self._cases = [each for each in found.cases if each.case.external_id in among]
        self._systems, self._replies = found.systems, found.replies
        asked = options.judge is not None or bool(judges_of(found.cases))
        self._judge = required_judge(found.cases, options.judge) if asked else None
        self._pairwise = self._pairwise_judge(_pairwise_judges(found))
        self._table = TextScores(self._cases, found.pairs)
        views = [each.case for each in self._cases]
        self._rouge = rouge_scores(ws, options.tokeniser, views)
        self._bert: Mapping[int, BertScore | None] = {}
        if options.bert is not None:
            everything = [each.case for each in found.cases]
            self._bert = kept_bert_scores(ws, options.bert, views, everything)

    def report(self) -> AnswerReport:
        """Compute the report. Raises UserError for an unknown baseline."""
        options = self._options
        if options.baseline is not None:
            require_known("judging_system_unknown", self._systems, system=options.baseline)
        values = by_group(self._scores(), measures=self._measures, groups=self._systems)
        columns = compared(values, SHARES, options.baseline or BEST, options.inference)
        return AnswerReport(
            columns=tuple(columns.values()),
            systems=tuple(self._system(name) for name in self._systems),
            trust=tuple(self._trust(measure, values[measure]) for measure in self._measures),
            questions=len(self._questions),
            options=options,
            judge=self._judge,
            pairwise=self._pairwise,
            unscored=self._unscored(),
            values=values,
            people=self._people(),
            texts={each.case.external_id: beginning(each.case.question) for each in self._cases},
        )

    @property
    def _measures(self) -> list[Measure]:
        """Requested measures for which there can be numbers."""
        there = {
            Measure.BERTSCORE: self._options.bert is not None,
            Measure.JUDGE: self._judge is not None,
            Measure.WINS: self._pairwise is not None,
        }
        return [each for each in self._options.measures if there.get(each, True)]

    def _people(self) -> dict[str, dict[str, bool | None]]:
        """Return people's verdict on each answer, by system and question."""
        answered = ((e.case.system, e.case.external_id, e.people) for e in self._cases)
        return {system: {} for system in self._systems} | nested(answered)

    def _pairwise_judge(self, known: Sequence[str]) -> str | None:
        """Return the pairwise judge, by default the report's judge, else the first by name.

        Raises UserError for an unknown one.
        """
        asked = self._options.pairwise
        if asked is not None:
            require_known("judging_judge_unknown", known, judge=asked)
            return asked
        return self._judge if self._judge in known else next(iter(known), None)

    def _scores(self) -> Iterator[Score]:
        """Yield each answer's score by every requested measure that has numbers."""
        table, options = self._table, self._options
        for measure in self._measures:
            if measure is Measure.JUDGE:
                yield from table.verdicts(measure, self._judge or "")
            elif measure is Measure.WINS:
                yield from table.wins(self._pairwise or "")
            elif measure is Measure.BERTSCORE:
                yield from table.similarity(options.bert.name() if options.bert else "", self._bert)
            else:
                yield from table.overlap(measure, options.tokeniser, self._rouge)

    def _system(self, system: str) -> SystemScores:
        """Return a system's scores, with its verdicts and pairwise wins."""
        own = [each for each in self._cases if each.case.system == system]
        told = [self._table.pair(self._pairwise or "", each) for each in own]
        pairs = [each for each in told if each is not None]
        judged = None if self._judge is None else [each.judged(self._judge) for each in own]
        return SystemScores(
            system=system,
            states=self._states(system, own),
            corrected=None if judged is None else accuracy(judged),
            alone=human_sample([each.judged("") for each in own]),
            verdicts=(None if self._judge is None else verdict_counts(own, self._judge)),
            position=position_bias(pairs) if pairs else None,
            parts=tuple(self._parts(own)),
        )

    def _states(self, system: str, own: Sequence[CaseState]) -> dict[AnswerState, int]:
        """Count questions per state; imported answers count as answered."""
        answers = {each.case.external_id: each.case.answer.strip() for each in own}
        askable = self._askable_by_system.get(system)

        def state(question: str) -> AnswerState:
            """Return the state of a question; without a reply it says why there is none."""
            if question in answers:
                return AnswerState.ANSWERED if answers[question] else AnswerState.EMPTY
            if said := self._replies.get((question, system)):
                return AnswerState(said)
            if askable is None:
                return AnswerState.ABSENT
            return AnswerState.NOT_ASKED if question in askable else AnswerState.LEFT_OUT

        counts = Counter(map(state, self._questions))
        return {each: counts[each] for each in AnswerState}

    def _parts(self, own: Sequence[CaseState]) -> Iterable[Figure]:
        """Yield the mean precision and recall of the requested measures that have them."""
        overlaps = [found for each in own if (found := self._rouge[each.id]) is not None]
        scores: dict[str, list[Any]] = {
            measure.value: [getattr(each, measure.value) for each in overlaps]
            for measure in (Measure.ROUGE1, Measure.ROUGE2, Measure.ROUGE_L)
            if measure in self._options.measures
        }
        if Measure.BERTSCORE in self._measures:
            close = (self._bert.get(each.id) for each in own)
            scores[Measure.BERTSCORE.value] = [each for each in close if each is not None]
        resamples = self._options.inference.resamples
        for name, some in scores.items():
            for part in ("precision", "recall"):
                values = [getattr(each, part) for each in some]
                yield mean_figure(f"{name}_{part}", values, resamples)

    def _trust(self, measure: Measure, of: Mapping[str, Mapping[str, float | None]]) -> Trust:
        """Correlate a measure with people's verdicts on the same answers."""
        scored = []
        for each in self._cases:
            value = of[each.case.system][each.case.external_id]
            if value is not None and each.people is not None:
                scored.append(Scored(each.case.external_id, value, each.people))
        return trust(measure.value, scored)

    def _unscored(self) -> int:
        """Count the answers without BERTScore that could have one; 0 if it is not requested."""
        if self._options.bert is None:
            return 0
        return sum(scorable(each.case) and self._bert[each.id] is None for each in self._cases)


def _strata(found: _ReportData) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the questions of each stratum, by column and value."""
    rows = found.columns()
    return {column: strata(rows, column) for column in columns(rows)}


def _questions_of_stratum(found: _ReportData, stratum: Stratum | None) -> list[str]:
    """Return the questions of a stratum, or all. Raises UserError for an unknown one."""
    if stratum is None:
        return found.questions
    column, value = stratum
    known = _strata(found)
    require_known("column_unknown", known, name=column)
    if value not in known[column]:
        values = ", ".join(known[column])
        raise UserError("answer_report_stratum", column=column, value=value, known=values)
    return list(known[column][value])
