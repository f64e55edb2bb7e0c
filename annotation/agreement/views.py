"""Tables of detailed agreement, for every task: figures with the items behind them.

Ratings for agreement: whole answers, and decisions on candidates.

Only complete items are read, and of discussed ones the submissions from before the discussion
(`annotation.work.discussions`). As an answer, unsure throughout is missing. A candidate counts if
it was shown to everybody who submitted the item; one left undecided is missing, except beside "no
provision", which rejects every candidate that is not unsure.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session, col, select

from annotation.adjudication.disputes import DISPUTES
from annotation.agreement.calibration import Accuracy
from annotation.work.discussions import independent
from annotation.work.submissions import Decision, Submission
from evaluation.agreement.breakdown import contained, meetings, per_item
from evaluation.agreement.clusters import CategoryAgreement, measure_in_groups
from evaluation.agreement.interpretation import Reading
from evaluation.agreement.ratings import Finding, Rating, Ratings, Reason, Scale, Statistic, measure
from normalization.grouping import grouped
from storage.law.corpus import load_items
from storage.projects import ProjectView
from storage.tables.core import CandidateRow, CandidateSet, Item, UnitRow
from storage.tasks import of_task


class View(StrEnum):
    """The unit of comparison.

    Questions: whole answers, as sets of provisions. Candidates: each decision by itself: accept,
    reject or unsure. Fields: the answers to each field of a form. Pages: corrected and verified
    text. Evidence: the words marked in provisions that several people accepted.
    """

    QUESTIONS = "questions"
    CANDIDATES = "candidates"
    FIELDS = "fields"
    PAGES = "pages"
    EVIDENCE = "evidence"


class ReportPart(StrEnum):
    """A part of the report; all but the first require reading others' labels."""

    STATISTICS = "statistics"  # overall
    PAIRS = "pairs"  # each two annotators
    DRIFT = "drift"  # successive windows of questions in order of completion
    CATEGORIES = "categories"  # each label; each provision
    CONFUSION = "confusion"  # each two labels that two annotators gave the same item
    CALIBRATION = "calibration"  # each annotator against the known answers


@dataclass(frozen=True, slots=True)
class ItemLine:
    """An item behind a figure.

    `agreement` is the mean similarity, 0 to 1, of its answers (sets by MASI); with a known answer 1
    if it was given, else 0; None if nothing is compared. `case`: an adjudicator can open it.
    `about` groups items that are no independent observations, such as several systems' answers, by
    question; "" for an item by itself.
    """

    item_id: int
    external_id: str
    question: str
    agreement: float | None
    case: bool
    about: str = ""


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure: the `names` of its subject, the finding, and the items behind it.

    Names are the two annotators of a pair, the first and last day of a window (ISO), the label or
    the provision (semantic id), two labels, the annotator; none for overall figures. For a form the
    field comes first.
    """

    names: tuple[str, ...]
    finding: Finding
    items: tuple[ItemLine, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The figures of one part under one view; `items` is the number of items with enough ratings.

    `notes` explain the choice of the first statistic, and caveats.
    """

    part: ReportPart
    view: View
    items: int
    rows: tuple[FigureRow, ...]
    notes: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True)
class OddDecision:
    """A submission that took unusually long (z > 0) or short (z < 0), in active seconds."""

    person: str
    item: ItemLine
    seconds: float
    expected: float
    z: float


@dataclass(frozen=True, slots=True)
class PersonPace:
    """The median active seconds of one annotator's n submissions, slowest first.

    `odd`: an outlier among all. `low` and `high` bound the median (95 %, by order statistics), None
    below six submissions. Among fewer than five people nobody is an outlier.
    """

    person: str
    n: int
    median: float
    odd: bool
    low: float | None = None
    high: float | None = None
    submissions: tuple[tuple[ItemLine, float], ...] = ()


@dataclass(frozen=True, slots=True)
class TimesTable:
    """Durations of submissions on complete items: outliers, most extreme first; each annotator."""

    decisions: tuple[OddDecision, ...]
    people: tuple[PersonPace, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Detailed agreement; `times` is None without permission to read others' labels."""

    tables: tuple[Table, ...]
    times: TimesTable | None


DIFFERENCES = "statistics.differences"
OF_DECISIONS = ("cohen_kappa", "fleiss_kappa", "alpha_nominal", "ac1", "raw")
Lines = Mapping[int, ItemLine]


def item_of(item: Hashable) -> int:
    """Return the item id of a row of ratings, which is an item or a part of one."""
    number = item[0] if isinstance(item, tuple) else item
    assert isinstance(number, int)  # noqa: S101  (guaranteed by the ratings)
    return number


def figure_row(
    lines: Lines, ratings: Ratings, statistic: Statistic, names: tuple[str, ...] = ()
) -> FigureRow:
    """Return the finding of a statistic; ratings of one group are resampled together."""
    if ratings.scale is Scale.NOMINAL:
        finding = measure_in_groups(ratings, statistic, groups_of(lines, ratings))
    else:
        finding = measure(ratings, statistic)
    return FigureRow(names, finding, items_of_figure(lines, ratings))


def groups_of(lines: Lines, ratings: Ratings) -> list[Hashable]:
    """Return the resampling group of each row: its item, or what several items are about."""
    items = [item_of(item) for item in ratings.items]
    return [lines[item].about or item for item in items]


def items_of_figure(lines: Lines, ratings: Ratings) -> tuple[ItemLine, ...]:
    """Return the items behind a figure, least agreement first, then in order."""
    likeness = grouped((item_of(each.item), each.agreement) for each in per_item(ratings))
    means = {item: sum(found) / len(found) for item, found in likeness.items()}
    order = {item: at for at, item in enumerate(lines)}
    return tuple(
        replace(lines[item], agreement=means[item])
        for item in sorted(means, key=lambda item: (means[item], order[item]))
    )


def fit_for(ratings: Ratings, key: str) -> Ratings:
    """Return the rows for a statistic: Fleiss' kappa leaves out items with a single rating."""
    if key != "fleiss_kappa":
        return ratings
    return ratings.at([at for at, count in enumerate(ratings.per_item) if count >= 2])


def rows_by_category(ratings: Ratings) -> dict[Hashable, list[int]]:
    """Return the indices of rows in which anybody chose each category, or each unit of a set."""
    found: dict[Hashable, dict[int, None]] = {}
    for row, codes in enumerate(ratings.codes):
        for code in codes[codes >= 0]:
            value = ratings.categories[code]
            for each in value if isinstance(value, frozenset) else (value,):
                found.setdefault(each, {})[row] = None
    return {category: list(rows) for category, rows in found.items()}


def category_rows(
    lines: Lines,
    ratings: Ratings,
    agreements: Iterable[CategoryAgreement],
    names: tuple[str, ...] = (),
) -> list[FigureRow]:
    """Return agreement by category, each with the items in which anybody chose it."""
    chosen = rows_by_category(ratings)
    return [
        FigureRow(
            (*names, str(each.category)),
            each.finding,
            items_of_figure(lines, ratings.at(chosen.get(each.category, []))),
        )
        for each in agreements
    ]


def confusion_rows(lines: Lines, ratings: Ratings, *names: str) -> list[FigureRow]:
    """Return each pair of labels given to one item, with its share of all pairs and its items."""
    return [
        FigureRow(
            (*names, str(each.first), str(each.second)),
            Finding(each.share),
            items_of_figure(lines, ratings.at(each.rows)),
        )
        for each in meetings(ratings)
    ]


def differences(ratings: Ratings) -> list[Reading]:
    """Return a note of how many of the differing pairs of sets are nested; [] if none differ."""
    differing, more = contained(ratings)
    return [Reading(DIFFERENCES, {"differing": differing, "more": more})] if differing else []


def rated_twice(ratings: Ratings) -> set[int]:
    """Return the ids of the items with ratings by at least two people."""
    rated = zip(ratings.items, ratings.per_item, strict=True)
    return {item_of(item) for item, count in rated if count >= 2}


def calibration_table(accuracies: Iterable[Accuracy], lines: Lines) -> Table:
    """Return the table of accuracy on calibration items, with the items, missed ones first."""
    by_name = {line.external_id: line for line in lines.values()}
    rows = [
        FigureRow(
            (each.person,),
            Finding(each.share, None if each.share.n else Reason.NO_CALIBRATION),
            (
                *(replace(by_name[name], agreement=0.0) for name in each.wrong),
                *(replace(by_name[name], agreement=1.0) for name in each.known),
            ),
        )
        for each in accuracies
    ]
    items = max((row.finding.figure.n for row in rows), default=0)
    return Table(ReportPart.CALIBRATION, View.QUESTIONS, items, tuple(rows))


def without_items(table: Table) -> Table:
    """Return the table without the items behind its figures."""
    return replace(table, rows=tuple(replace(row, items=()) for row in table.rows))


LABELS = (Decision.ACCEPT, Decision.REJECT, Decision.UNSURE)


@dataclass(frozen=True, slots=True)
class ProjectRatings:
    """Ratings on the complete items of a project.

    The items of `questions` are item ids; those of `candidates` (item id, semantic id). Raters are
    people's names, in alphabetical order. `lines` has every item of the project, by id.
    """

    submissions: dict[int, list[Submission]]
    questions: Ratings
    candidates: Ratings
    lines: dict[int, ItemLine]

    def of(self, view: View) -> Ratings:
        """Return the ratings under a view."""
        return self.questions if view is View.QUESTIONS else self.candidates

    def completed(self, item_id: int) -> datetime:
        """Return the time of the last submission of a complete item."""
        return max(each.at for each in self.submissions[item_id])


def load(
    session: Session, project: ProjectView, only: Collection[int] | None = None
) -> ProjectRatings:
    """Return the ratings of citation mapping in a project, optionally on the items of `only`."""
    submitted = {
        item_id: made
        for item_id, made in independent(session, project.id).items()
        if only is None or item_id in only
    }
    shown = _candidates_by_set(session, project.id)
    answers = [
        (item_id, each.person, each.answer) for item_id, made in submitted.items() for each in made
    ]
    decisions = [
        rating for item_id, made in submitted.items() for rating in _decisions(item_id, made, shown)
    ]
    return ProjectRatings(
        submissions=submitted,
        questions=_in_name_order(Ratings.of(answers, Scale.SETS)),
        candidates=_in_name_order(Ratings.of(decisions, Scale.NOMINAL, LABELS)),
        lines=load_lines(session, project),
    )


def _candidates_by_set(session: Session, project_id: int) -> dict[int, tuple[str, ...]]:
    """Return the semantic ids of each candidate set, by rank."""
    query = (
        select(CandidateRow.candidate_set_id, UnitRow.semantic_id)
        .join(UnitRow)
        .join(CandidateSet)
        .join(Item)
        .where(of_task(project_id))
        .order_by(col(CandidateRow.candidate_set_id), col(CandidateRow.rank))
    )
    found = grouped(session.exec(query))
    return {set_id: tuple(ids) for set_id, ids in found.items()}


def _decisions(
    item_id: int, made: list[Submission], shown: dict[int, tuple[str, ...]]
) -> Iterator[Rating]:
    """Yield the label of each person for every candidate that all of them were shown."""
    first, *others = (shown.get(each.candidate_set_id, ()) for each in made)
    for semantic_id in first:
        if all(semantic_id in other for other in others):
            for each in made:
                yield (item_id, semantic_id), each.person, _decision(each, semantic_id)


def _decision(made: Submission, semantic_id: str) -> str | None:
    """Return the label of a unit: reject where "no provision" was submitted, None if unlabelled."""
    labels = (said.label for said in made.labels if said.semantic_id == semantic_id)
    return next(labels, Decision.REJECT if made.no_provision else None)


def _in_name_order(ratings: Ratings) -> Ratings:
    """Return the ratings with their raters in the order of their names."""
    return ratings.of_raters(*sorted(ratings.raters, key=str))


def load_lines(session: Session, project: ProjectView) -> dict[int, ItemLine]:
    """Return every citation mapping item by id; `case` where it is in the queue of disputes."""
    open_to_judge = DISPUTES.states(session, project.id)
    return {
        (number := item.item_id): ItemLine(
            number, item.question.external_id, item.question.text, None, number in open_to_judge
        )
        for item in load_items(session, project.id)
    }
