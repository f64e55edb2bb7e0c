"""What is shown of agreement in depth: figures, each with the items behind it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from evaluation.agreement.interpretation import Reading
from evaluation.agreement.ratings import Finding


class View(StrEnum):
    """What is compared.

    Of questions, whole answers: sets of provisions. Of candidates, each decision by itself: accept,
    reject or unsure. Of forms, the answers to each field; of pages, their text as it was corrected
    and as it was verified.
    """

    QUESTIONS = "questions"
    CANDIDATES = "candidates"
    FIELDS = "fields"
    PAGES = "pages"


class ReportPart(StrEnum):
    """What figures are of; all but the first are for who reads others' labels."""

    STATISTICS = "statistics"  # of everybody together
    PAIRS = "pairs"  # of every two annotators
    DRIFT = "drift"  # of one window of questions after another, as they were completed
    CATEGORIES = "categories"  # of each label; of each provision
    CALIBRATION = "calibration"  # of each annotator with the known answers


@dataclass(frozen=True, slots=True)
class ItemLine:
    """An item behind a figure.

    `agreement` is the mean likeness, 0 to 1, of what was said of it (sets by MASI); with a known
    answer 1 where it was given, else 0; None where nothing is compared. `case`: an adjudicator can
    open it.
    """

    item_id: int
    external_id: str
    question: str
    agreement: float | None
    case: bool


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure: the `names` of what it is of, what was found, and the items behind it.

    Names are the two annotators of a pair, the first and last day of a window (ISO), the label or
    the provision (semantic id), the annotator; none for everybody together. Of a form the field
    stands first.
    """

    names: tuple[str, ...]
    finding: Finding
    items: tuple[ItemLine, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The figures of one part under one view; `items` questions have what they need for them.

    `notes` say why the first statistic is the one to report, and what to beware of.
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
    """The median active seconds of one annotator's n submissions, slowest first; `odd` among all.

    `low` and `high` bound the median (95 %, by order statistics), None below six submissions.
    Among fewer than five people nobody is odd: there is nothing to tell what is usual.
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
    """How long submissions on complete items took: the odd ones, oddest first; each annotator."""

    decisions: tuple[OddDecision, ...]
    people: tuple[PersonPace, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one may see; `times` is None for who does not read others' labels."""

    tables: tuple[Table, ...]
    times: TimesTable | None
