"""Agreement on forms: by field, and between a first and a second person.

If several people answer an item, the answers to each field are compared: single choices as
categories, several as sets. If a second person checks a first, their answers are compared: the
verified text of a page with the corrected one, the consensus of a review with each rating. Figures
are over complete items and the people who answered.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from sqlmodel import Session, col, select

from annotation.agreement.views import (
    OF_DECISIONS,
    FigureRow,
    ItemLine,
    ReportPart,
    Table,
    View,
    category_rows,
    confusion_rows,
    figure_row,
    fit_for,
    groups_of,
    rated_twice,
    rows_by_category,
)
from annotation.forms.form import Form, form_of
from annotation.work.submissions import Submission, complete, migrated_from
from corpus.ocr.blocks import of_json
from evaluation.agreement.breakdown import OF_TWO
from evaluation.agreement.clusters import per_category, per_category_in_groups
from evaluation.agreement.interpretation import STATISTICS, Reading, recommended_for
from evaluation.agreement.ratings import MISSING, Finding, Rating, Ratings, Reason, Scale
from evaluation.ocr import PageScore, cer, perfect_pages, score_page, wer
from evaluation.research import Overlap, Passage, overlap, overlap_figures
from normalization.grouping import grouped, nested
from storage.projects import ProjectView
from storage.subjects import shown_of
from storage.tables.answers import AttributionCase, JudgeCase
from storage.tables.core import Item
from storage.tasks import Task, of_task

_BLOCKS, _CONSENSUS, _RATING = "blocks", "consensus", "rating"
_PASSAGES = "passages"  # field of researched questions
_ANSWERS = frozenset({Task.ANSWER_RATING, Task.JUDGE_REVIEW})  # several systems answer
_PAGES = frozenset({Task.OCR_CORRECTION, Task.OCR_VERIFICATION})
_FIRST, _SECOND = "first", "second"  # raters when a second person checks a first
_Pair = tuple[Submission, Submission]


@dataclass(frozen=True, slots=True)
class FormRatings:
    """Answers on the complete items of a form task.

    `fields` has the ratings of each field. `pairs` are submissions of a first and a second person
    about the same subject, `scores`, for pages, the distances between the two. `lines` has every
    item, by id.
    """

    submissions: Mapping[int, Sequence[Submission]]
    fields: Mapping[str, Ratings]
    lines: Mapping[int, ItemLine]
    pairs: Sequence[_Pair] = ()
    scores: Mapping[int, PageScore] = field(default_factory=dict)


def load_form_ratings(
    session: Session, project: ProjectView, task: str, only: Collection[int] | None
) -> FormRatings:
    """Return answers and ratings on a form task's complete items, optionally those of `only`."""
    found = complete(session, project.id, Task(task))
    made = {item: said for item, said in found.items() if only is None or item in only}
    lines = _item_lines(session, project.id, task)
    if task in _PAGES:
        pairs = _pairs_across_tasks(
            session, project.id, Task.OCR_CORRECTION, Task.OCR_VERIFICATION, only
        )
        made_first = migrated_from(session, project.id, Task.OCR_CORRECTION)
        pairs = [pair for pair in pairs if _verifies(session, made_first, *pair)]
        at = 0 if task == Task.OCR_CORRECTION else 1
        scores = {
            pair[at].item_id: score_page(*(of_json(said.answers[_BLOCKS]) for said in pair))
            for pair in pairs
        }
        return FormRatings(made, {}, lines, pairs, scores)
    if task == Task.JUDGE_REVIEW:
        pairs = _pairs_across_tasks(
            session, project.id, Task.ANSWER_RATING, Task.JUDGE_REVIEW, only
        )
        pairs = [pair for pair in pairs if pair[0].person_id != pair[1].person_id]
        return FormRatings(made, {_CONSENSUS: _ratings_with_reviews(pairs)}, lines, pairs)
    form = form_of(session, project.id, task)
    scales = form.scales_in(session, project.id)
    fields = {name: _ratings(form, name, *scale, made) for name, scale in scales.items()}
    return FormRatings(made, {k: v for k, v in fields.items() if v.items}, lines)


def _item_lines(session: Session, project_id: int, task: str) -> dict[int, ItemLine]:
    """Return every item of the task by id, in order."""
    items = session.exec(select(Item).where(of_task(project_id, task)).order_by(col(Item.order)))
    answered = _questions_of_subjects(session, project_id, task)
    return {
        row.id or 0: ItemLine(
            row.id or 0,
            row.external_id or "",
            row.title or "",
            None,
            False,
            answered.get(row.subject_id or 0, ""),
        )
        for row in items
    }


def _questions_of_subjects(session: Session, project_id: int, task: str) -> dict[int, str]:
    """Return the question's external id by subject id, for tasks about answers; {} for others."""
    if task in _ANSWERS:
        cases = select(JudgeCase.id, JudgeCase.external_id)
    elif task == Task.ATTRIBUTION:
        cases = select(AttributionCase.id, JudgeCase.external_id).join(
            JudgeCase, col(JudgeCase.id) == col(AttributionCase.case_id)
        )
    else:
        return {}
    found = session.exec(cases.where(JudgeCase.project_id == project_id))
    return {subject or 0: question for subject, question in found}


def _pairs_across_tasks(
    session: Session, project_id: int, first: Task, second: Task, only: Collection[int] | None
) -> list[_Pair]:
    """Return pairs of a submission of task `first` and one of `second` on the same subject.

    With `only`, those where the item of either is in it.
    """
    made = complete(session, project_id, first).values()
    before = grouped((each.subject_id, each) for said in made for each in said)
    after = complete(session, project_id, second).values()
    return [
        (one, other)
        for said in after
        for other in said
        for one in before.get(other.subject_id, ())
        if only is None or one.item_id in only or other.item_id in only
    ]


def _verifies(
    session: Session, originals: Mapping[int, int], correction: Submission, verification: Submission
) -> bool:
    """Return True if a verification is about this correction rather than an earlier one.

    `originals` maps migrated corrections to their originals.
    """
    shown = shown_of(session, verification.candidate_set_id)["correction"]
    ours = originals.get(correction.annotation_id, correction.annotation_id)
    return bool(originals.get(shown, shown) == ours)


def _ratings_with_reviews(pairs: Iterable[_Pair]) -> Ratings:
    """Return each rating and the consensus of its review as ratings by two raters."""
    triples: list[Rating] = []
    for one, other in pairs:
        place = (other.item_id, one.annotation_id)
        triples.append((place, _FIRST, one.answers.get(_RATING)))
        triples.append((place, _SECOND, other.answers.get(_CONSENSUS)))
    return Ratings.of(triples, Scale.NOMINAL)


def _ratings(
    form: Form,
    name: str,
    scale: str,
    choices: Sequence[Hashable] | None,
    submissions: Mapping[int, Sequence[Submission]],
) -> Ratings:
    """Return the ratings of a field by people with any answer; only `choices` count."""
    triples: list[Rating] = []
    for item, said in submissions.items():
        for each in said:
            for part, answer in form.answers_by_part(name, each.answers).items():
                value = _value(form, name, answer, scale)
                members = value if isinstance(value, frozenset) else {value}
                known = value is not None and (choices is None or members <= set(choices))
                place = item if part is None else (item, part)
                triples.append((place, each.person, value if known else None))
    kinds = None if scale == Scale.SETS else choices
    found = Ratings.of(triples, Scale(scale), kinds)
    said_any = (found.codes != MISSING).any(axis=0) if found.items else []
    people = sorted(str(p) for p, any_ in zip(found.raters, said_any, strict=True) if any_)
    found = found.of_raters(*people)
    return found.at(np.flatnonzero(found.per_item))


def _value(form: Form, name: str, value: Any, scale: str) -> Hashable | None:
    """Return a field's answer on its scale; None if not answered or not a single option."""
    if value is None:
        return None
    options = form.options_named(name, value)
    if scale == Scale.SETS:
        return frozenset(options)
    only: Hashable = options[0] if len(options) == 1 else None if options else value
    return only


def _statistics(form_ratings: FormRatings) -> list[Table]:
    """Return the tables of agreement coefficients, with the coefficient advised for each field."""
    if form_ratings.scores:
        return [_page_table(form_ratings)]
    rows, notes = list[FigureRow](), dict[str, Reading]()
    for name, ratings in form_ratings.fields.items():
        advice = recommended_for(ratings)
        keys = [each.key for each in advice.all]
        if ratings.scale is Scale.NOMINAL:
            unfit = "fleiss_kappa" if len(ratings.raters) == 2 else "cohen_kappa"
            keys = [key for key in OF_DECISIONS if key != unfit]
            main = advice.main.key
            keys.sort(key=main.__ne__)
        rows += [
            figure_row(form_ratings.lines, fit_for(ratings, key), STATISTICS[key], (name,))
            for key in keys
        ]
        notes[advice.why] = Reading(advice.why)
    rows += _overlap_rows(form_ratings, _overlaps(form_ratings))
    return [_table(form_ratings, ReportPart.STATISTICS, rows, tuple(notes.values()))]


def main_rows(form_ratings: FormRatings) -> list[FigureRow]:
    """Return the main statistic of each field and of passages; for pages, of their texts alone."""
    if form_ratings.scores:
        return [_page_row(form_ratings, cer, form_ratings.scores)]
    rows = []
    for name, ratings in form_ratings.fields.items():
        main = recommended_for(ratings).main
        rows.append(figure_row(form_ratings.lines, fit_for(ratings, main.key), main, (name,)))
    return rows + _overlap_rows(form_ratings, _overlaps(form_ratings))[:1]


def _overlaps(
    ratings: FormRatings, of_two: tuple[str, str] | None = None
) -> list[tuple[int, Overlap]]:
    """Return (item id, overlap) for each two people, or those named, if either marked passages."""
    found = []
    for item, everybody in ratings.submissions.items():
        for one, other in combinations(everybody, 2):
            if of_two in (None, (one.person, other.person)):
                alike = overlap(_passages(one), _passages(other))
                if alike is not None:
                    found.append((item, alike))
    return found


def _passages(submission: Submission) -> list[Passage]:
    """Return the passages that a submission marked, as ranges of their authority's text."""
    marked = submission.answers.get(_PASSAGES, ())
    return [
        Passage(f"{each['collection']}:{each['id']}", each["start"], each["quote"])
        for each in marked
        if isinstance(each, dict) and "collection" in each  # an own field of that name has none
    ]


def _overlap_rows(
    ratings: FormRatings, overlaps: Sequence[tuple[int, Overlap]], *names: str
) -> list[FigureRow]:
    """Return the figures of overlapping passages, with items, least overlap first; [] if none."""
    if not overlaps:
        return []
    order = sorted(overlaps, key=lambda each: each[1].token_f1)
    lines = tuple(ratings.lines[item] for item in dict.fromkeys(item for item, _ in order))
    figures = overlap_figures([alike for _, alike in overlaps])
    return [FigureRow((_PASSAGES, *names), Finding(figure, None), lines) for figure in figures]


def _page_table(ratings: FormRatings) -> Table:
    rows = [_page_row(ratings, measure, ratings.scores) for measure in (cer, wer, perfect_pages)]
    return Table(ReportPart.STATISTICS, View.PAGES, len(ratings.scores), tuple(rows))


def _page_row(
    ratings: FormRatings,
    measure: Callable[[Sequence[PageScore]], Any],
    scores: Mapping[int, PageScore],
    names: tuple[str, ...] = (),
) -> FigureRow:
    """Return the row of a page measure, with the items, those with most character errors first."""
    figure = measure(list(scores.values()))
    finding = Finding(figure, None if figure.value is not None else Reason.NO_PAGES)
    furthest = sorted(scores, key=lambda item: -scores[item].character_errors)
    return FigureRow(names, finding, tuple(ratings.lines[item] for item in furthest))


def _pairs(form_ratings: FormRatings) -> list[Table]:
    """Return agreement of each two people; of corrector and verifier; or of rater and reviewer."""
    if form_ratings.scores:
        of_two = nested(
            ((one.person, other.person), item, form_ratings.scores[item])
            for one, other in form_ratings.pairs
            for item in {one.item_id, other.item_id} & form_ratings.scores.keys()
        )
        rows = [
            _page_row(form_ratings, measure, scores, names)
            for names, scores in sorted(of_two.items())
            for measure in (cer, wer)
        ]
        return [Table(ReportPart.PAIRS, View.PAGES, len(form_ratings.scores), tuple(rows))]
    if form_ratings.pairs:
        checked = grouped(((pair[0].person, pair[1].person), pair) for pair in form_ratings.pairs)
        rows = [
            figure_row(
                form_ratings.lines,
                _ratings_with_reviews(each),
                OF_TWO[Scale.NOMINAL],
                (_CONSENSUS, *names),
            )
            for names, each in sorted(checked.items())
        ]
        return [_table(form_ratings, ReportPart.PAIRS, rows)]
    rows = [
        figure_row(form_ratings.lines, both, OF_TWO[ratings.scale], (name, str(a), str(b)))
        for name, ratings in form_ratings.fields.items()
        for a, b in combinations(ratings.raters, 2)
        if (both := ratings.of_raters(a, b)).pairable
    ]
    people = sorted({each.person for made in form_ratings.submissions.values() for each in made})
    for a, b in combinations(people, 2):
        rows += _overlap_rows(form_ratings, _overlaps(form_ratings, (a, b)), a, b)
    return [_table(form_ratings, ReportPart.PAIRS, rows)]


def _categories(form_ratings: FormRatings) -> list[Table]:
    """Return agreement on each category of each field."""
    rows = list[FigureRow]()
    for name, ratings in form_ratings.fields.items():
        chosen = rows_by_category(ratings)
        found = (
            per_category(ratings)
            if ratings.scale is Scale.SETS
            else per_category_in_groups(ratings, groups_of(form_ratings.lines, ratings))
        )
        known = [each for each in found if each.category in chosen]
        rows += category_rows(form_ratings.lines, ratings, known, (name,))
    return [_table(form_ratings, ReportPart.CATEGORIES, rows)] if rows else []


def _confusion(loaded: FormRatings) -> list[Table]:
    """Return a table of each two answers for every field with one choice."""
    tables = [
        _table(loaded, ReportPart.CONFUSION, confusion_rows(loaded.lines, ratings, name))
        for name, ratings in loaded.fields.items()
        if ratings.scale in (Scale.NOMINAL, Scale.ORDINAL)
    ]
    return [each for each in tables if each.rows]


def _table(
    ratings: FormRatings,
    part: ReportPart,
    rows: Sequence[FigureRow],
    notes: tuple[Reading, ...] = (),
) -> Table:
    """Return a table of figures by field; its count is of items with two ratings or more."""
    items = set[int]().union(*map(rated_twice, ratings.fields.values()))
    return Table(part, View.FIELDS, len(items), tuple(rows), notes)


PARTS: Mapping[ReportPart, Callable[[FormRatings], list[Table]]] = {
    ReportPart.STATISTICS: _statistics,
    ReportPart.PAIRS: _pairs,
    ReportPart.CATEGORIES: _categories,
    ReportPart.CONFUSION: _confusion,
}
"""The function that makes each part's tables; there are no windows over time."""
