"""All scores of a project's answers as one table, and comparisons of groups of answers by them.

A preset is a saved choice of measures, groups and baseline: those of the reports on quality,
attribution, judges and downstream accuracy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace

from annotation.judging.state import judges_of, pairs_by_question, states
from annotation.people.roles import Act, reading_as
from construction.answers import read_spec
from errors import require_known
from evaluation.attribution import NAMES, TESTED
from evaluation.downstream import Of, score
from evaluation.ranking.compare import USUAL, Inference, comparison_cells
from evaluation.reports.report import Chart, Marked, Report, Section, Shape, Word, Words
from evaluation.scores import BEST, EACH, Column, Score, by_group, compared, sole_best
from evaluation.tables import csv_text
from messages import say
from services.answers.report_views import Measure, TextScores
from services.answers.scores import (
    TOKENISERS,
    kept_bert_scores,
    rouge_scores,
    scores_kept,
    settings_kept,
)
from services.attribution.report_tables import measure_word
from services.attribution.scored_answers import scored_answers
from services.downstream.reading import KEY, PEOPLE, read_material
from services.runs.simple_baselines import mark_of
from storage.answers import outcomes_revision, runs
from storage.db.columns import newest_ids
from storage.db.workspace import Workspace
from storage.tables.answers import AnswerClaims, AttributionCase, ClaimLabels
from storage.tables.core import Adjudication, SnapshotUse

CORRECT, CHOICE, WINS = "correct", "choice", str(Measure.WINS)
_OVERLAPS = (Measure.ROUGE1, Measure.ROUGE2, Measure.ROUGE_L)
MEASURES = (*map(str, (*_OVERLAPS, Measure.BERTSCORE)), CORRECT, CHOICE, WINS, *NAMES)
GROUPS = ("system", "context", "scored_by")


@dataclass(frozen=True, slots=True)
class Pivot:
    """What is compared: answers grouped `by` a field of `GROUPS`, by these measures.

    `scored_by` names whose scores count; without it those of whoever gave most of a measure, or of
    everybody where that is what groups them. `against` is a group, BEST or EACH.
    """

    measures: tuple[str, ...]
    by: str = "system"
    scored_by: tuple[str, ...] = ()
    against: str = BEST


PRESETS: Mapping[str, Pivot] = {
    "quality": Pivot(("rouge1", "rougeL", "bertscore", CORRECT, WINS)),
    "attribution": Pivot(TESTED, against=EACH),
    "judges": Pivot((CORRECT,), "scored_by", against=PEOPLE),
    "downstream": Pivot((CHOICE,), "context", against="closed"),
}


def preset(name: str) -> Pivot:
    """Return the preset of that name. Raises UserError for an unknown one."""
    _check([name], PRESETS)
    return PRESETS[name]


def score_table(
    ws: Workspace, project_slug: str, by: int | None = None, tokeniser: str = TOKENISERS[0]
) -> list[Score]:
    """Return every score of every answer; one that could not be scored has no number.

    Raises UserError for `by` (None: the operator) who may not read others' labels, and for an
    unknown tokeniser.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        answers = states(session, project.id)
        pairs = pairs_by_question(session, project.id)
        contexts = {run.system: read_spec(run.context).label for run in runs(session, project.id)}
    table, texts = TextScores(answers, pairs, contexts), [each.case for each in answers]
    rouge = rouge_scores(ws, tokeniser, texts)
    found = [row for each in _OVERLAPS for row in table.overlap(each, tokeniser, rouge)]
    for setting in settings_kept(ws):
        found += table.similarity(setting.name(), kept_bert_scores(ws, setting, texts, texts))
    found += table.of(CORRECT, PEOPLE, lambda each: each.people)
    for judge in judges_of(answers):
        found += table.verdicts(CORRECT, judge)
    for judge in dict.fromkeys(judge for judge, _, other in pairs if not other):
        found += table.wins(judge)
    cited = scored_answers(ws, project_slug, by=by).table()
    found += (replace(each, context=contexts.get(each.system, "")) for each in cited)
    for chosen in read_material(ws, project_slug, by=by).settings:
        about = chosen.name, chosen.spec.label, CHOICE
        found += (
            Score(f"{chosen.run.id}:{question}", question, *about, score(outcome, Of.ALL), KEY)
            for question, outcome in chosen.outcomes.items()
        )
    return found


def revision(ws: Workspace, project_slug: str, by: int | None = None) -> str:
    """Return a token that changes when the table may change.

    Raises UserError for `by` without permission, and for an unknown project.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, _, _):
        claims = newest_ids(session, (AnswerClaims, AttributionCase, ClaimLabels))
        gold = newest_ids(session, (Adjudication, SnapshotUse))
        return f"{outcomes_revision(session)}-{claims}-{gold}-{scores_kept(ws)}"


def comparison_report(
    table: Sequence[Score], pivot: Pivot, language: str, inference: Inference = USUAL
) -> Report:
    """Return figures of groups of answers by each measure, and the tests against the baseline.

    Raises UserError for an unknown measure, group, scorer or baseline.
    """
    words = Words("score_table", language, "head")
    _check(pivot.measures, MEASURES)
    _check([pivot.by], GROUPS)
    rows = _counted(table, pivot)
    values = by_group(rows, pivot.by, dict.fromkeys(row.measure for row in rows))
    if pivot.against not in (BEST, EACH):
        _check([pivot.against], {group for of in values.values() for group in of})
    columns = list(compared(values, (CORRECT, CHOICE, WINS), pivot.against, inference).values())
    scorers = dict.fromkeys((each.measure, each.scored_by) for each in rows)
    told = "; ".join(f"{_measure(name, words).text}: {by}" for name, by in scorers)
    notes = (words("scored_by", scorers=told), words("note")) if rows else ()
    sections = (_figures(columns, words, notes, pivot.by != "scored_by"), _tests(columns, words))
    return Report("comparison", words("title", by=words(f"by_{pivot.by}")), sections)


def _check(names: Iterable[str], known: Iterable[str]) -> None:
    """Raise UserError for a name that is not known."""
    for name in names:
        require_known("score_table_unknown", sorted(known), name=name)


def _counted(table: Iterable[Score], pivot: Pivot) -> list[Score]:
    """Return the pivot's scores by measure; without scorers, of each measure's most frequent."""
    rows = [row for row in table if row.measure in pivot.measures]
    _check(pivot.scored_by, {row.scored_by for row in rows})
    if not pivot.scored_by and pivot.by != "scored_by":
        said = Counter((row.measure, row.scored_by) for row in rows if row.value is not None)
        most = {measure: by for (measure, by), _ in reversed(said.most_common())}
        rows = [row for row in rows if row.scored_by == most.get(row.measure)]
    elif pivot.scored_by:
        rows = [row for row in rows if row.scored_by in pivot.scored_by]
    return sorted(rows, key=lambda row: pivot.measures.index(row.measure))


def _figures(
    columns: Sequence[Column], words: Words, notes: tuple[str, ...], ranked: bool
) -> Section:
    """Return each group's means; if `ranked`, with the best groups marked and named."""
    rows = [
        {
            "measure": _measure(column.measure, words),
            "group": group or words("unknown"),
            "score": Marked(
                figure,
                mark_of(column.comparison(group)) if len(column.tests) == 1 else "",
                ranked and group in column.best,
            ),
            "n": figure.n,
            "missing": column.missing[group],
        }
        for column in columns
        for group, figure in column.figures.items()
    ]
    lead = " ".join(_best_groups(columns, words)) if ranked else ""
    chart = Chart(Shape.FOREST, ("group",), ("score",), "measure")
    return words.section("scores", "scores", rows, lead, chart, notes)


def _best_groups(columns: Iterable[Column], words: Words) -> Iterator[str]:
    """Yield a sentence for each group that alone is best, with the measures it is best by."""
    for group, best in sole_best(columns).items():
        told = [f"{_measure(c.measure, words).text} {c.figures[group].text()}" for c in best]
        named = {"system": group or words("unknown"), "figures": ", ".join(told)}
        yield say("answer_report.best_by", words.language, **named)


def _tests(columns: Iterable[Column], words: Words) -> Section:
    """Return the differences between groups, with their tests."""
    rows = [
        {
            "measure": _measure(column.measure, words),
            "group": group or words("unknown"),
            "against": against or words("unknown"),
            **comparison_cells(test),
        }
        for column in columns
        for group, against, test in column.pairs()
    ]
    chart = Chart(Shape.FOREST, ("measure", "group", "against"), ("difference",), zero=True)
    return words.section("tests", "tests", rows, chart=chart)


def _measure(name: str, words: Words) -> Word:
    """Return a measure with its display name, as the report that it belongs to has it."""
    if name in NAMES:
        return measure_word(name, words.language)
    if name in (CORRECT, CHOICE):
        return words.word(name)
    return Words("answer_report.measure", words.language).word(name)


def scores_csv(table: Iterable[Score]) -> str:
    """Return scores as comma-separated values: a line of column names, then one line a score."""
    head = tuple(each.name for each in fields(Score))
    return csv_text([head, *(astuple(each) for each in table)])
