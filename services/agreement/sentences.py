"""Names and sentences of agreement figures, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from annotation.agreement.report import WINDOW
from annotation.agreement.views import FigureRow, PersonPace, ReportPart, Table, View
from evaluation.agreement.interpretation import Kind as Measured
from evaluation.agreement.interpretation import kind_of, read
from evaluation.agreement.ratings import Finding
from evaluation.figure import Figure
from evaluation.reports.report import Word, shown
from messages import catalogue, say

_SUBJECTS = {  # columns of the names of a figure, behind the field of a form
    ReportPart.STATISTICS: (),
    ReportPart.PAIRS: ("first", "second"),
    ReportPart.DRIFT: ("from", "until"),
    ReportPart.CATEGORIES: ("answer",),
    ReportPart.CONFUSION: ("answer", "other"),
    ReportPart.CALIBRATION: ("person",),
}
WHOLE_VIEWS = {View.CANDIDATES: "label", View.QUESTIONS: "provision"}
_RELIABLE = 10  # observations from which a figure is named in a sentence
Names = Mapping[str, str]


def reading(finding: Finding, language: str) -> str:
    """Explain a figure, or why there is none; its interval is shown separately."""
    beside = ("statistics.certainty.settled", "statistics.certainty.unknown")
    return " ".join(each.say(language) for each in read(finding) if each.key not in beside)


def pace_reading(pace: PersonPace, language: str) -> str:
    """Say if a person's pace is usual or odd, with its interval, or that it cannot be told yet."""
    if pace.low is None or pace.high is None:
        return say("agreement.times.few", language, n=pace.n)
    key = "odd_pace" if pace.odd else "usual"
    return say(f"agreement.times.{key}", language, low=f"{pace.low:.0f}", high=f"{pace.high:.0f}")


def name_of(table: Table, row: FigureRow, language: str, names: Names | None = None) -> str:
    """Return the display name of a figure's subject; "" for all people."""
    texts = [shown(each) for each in subject_of(table, row, language, names or {}).values()]
    if table.view is View.FIELDS and len(texts) > 1:
        return f"{texts[0]}: {' – '.join(texts[1:])}"
    return " – ".join(texts)


def subject_of(table: Table, row: FigureRow, language: str, names: Names) -> dict[str, str | Word]:
    """Return the names of a figure by column, in the reader's language where they are keys."""
    own, found = list(row.names), dict[str, str | Word]()
    if table.view is View.FIELDS and own:
        key = own.pop(0)
        found["field"] = Word(key, names.get(key) or field_name(key, language))
    for column, name in zip(_SUBJECTS[table.part], own, strict=True) if own else ():
        if table.part in (ReportPart.CATEGORIES, ReportPart.CONFUSION):
            column = WHOLE_VIEWS.get(table.view, column) if column == "answer" else column
            found[column] = _category(name, row, table.view, language, names)
        else:
            found[column] = name
    return found


def _category(name: str, row: FigureRow, view: View, language: str, names: Names) -> str | Word:
    """Return the display name of a category; among questions, its name as it is."""
    if view is View.QUESTIONS:
        return name
    if view is View.CANDIDATES:
        return Word(name, say(f"agreement.label.{name}", language))
    known = names.get(f"{row.names[0]}.{name}") or names.get(name)
    return Word(name, known or _form_word("answer", name, language))


def field_name(key: str, language: str) -> str:
    """Return the display name of a form's field."""
    return _form_word("field", key, language)


def _form_word(group: str, name: str, language: str) -> str:
    """Return the display name of a form's field or answer; a project's own by its key."""
    key = f"forms.{group}.{name}"
    return say(key, language) if key in catalogue() else name


def count_of(row: FigureRow) -> int:
    """Return the number of pairs in a cell of a confusion matrix."""
    return round((row.finding.figure.value or 0) * row.finding.figure.n)


def sentence_of(table: Table, language: str, names: Names) -> str:
    """Return the sentence that sums up a table; "" where its figures do not allow one."""
    scored = [row for row in table.rows if row.finding.figure.value is not None]
    if not scored:
        return ""
    if table.part is ReportPart.DRIFT:
        return _drift_sentence(scored, language)
    if table.part is ReportPart.CONFUSION:
        return _confusion_sentence(table, scored, language, names)
    if table.view in (View.PAGES, View.EVIDENCE):
        return reading(scored[0].finding, language)
    if table.part is ReportPart.STATISTICS and table.view in WHOLE_VIEWS:
        return _overall_sentence(table.view, scored, language)
    first: dict[
        tuple[str, ...], FigureRow
    ] = {}  # of a field of a form, the statistic that fits it first
    for row in scored:
        first.setdefault(row.names, row)
    named = ((name_of(table, row, language, names), row.finding.figure) for row in first.values())
    return extremes(named, language)


def _overall_sentence(view: View, scored: Sequence[FigureRow], language: str) -> str:
    """Return a sentence on raw agreement and one figure corrected for chance; "" without raw."""
    by_name = {row.finding.statistic: row.finding.figure for row in scored}
    main = next((each for each in by_name if kind_of(each) is Measured.CHANCE), None)
    raw = by_name.get("raw")
    if raw is None or raw.value is None:
        return ""
    values = {"share": f"{100 * raw.value:.0f} %", "n": f"{raw.n:,}"}
    if main is None:
        return say(f"agreement.sentence.{view}", language, **values)
    values |= {"statistic": say(f"statistics.name.{main}", language), "value": by_name[main].text()}
    return say(f"agreement.sentence.{view}_chance", language, **values)


def extremes(named: Iterable[tuple[str, Figure]], language: str) -> str:
    """Return a sentence on the lowest and highest figure; "" below two reliable ones."""
    reliable = ((name, f) for name, f in named if f.value is not None and f.n >= _RELIABLE)
    known = sorted(reliable, key=lambda each: each[1].value or 0)
    if len(known) < 2:
        return ""
    (low, lowest), (high, highest) = known[0], known[-1]
    values = {"low": low, "lowest": _value(lowest), "high": high, "highest": _value(highest)}
    said = say("agreement.sentence.extremes", language, **values)
    chance = say("agreement.sentence.order_chance", language)
    return f"{said} {chance}" if lowest.overlaps(highest) else said


def _value(figure: Figure) -> str:
    """Return a figure as text: shares in per cent with n."""
    text = figure.percent() if kind_of(figure.name) is Measured.SHARE else figure.text()
    return f"{text} (n = {figure.n:,})"


def _drift_sentence(scored: Sequence[FigureRow], language: str) -> str:
    """Say if the first and last window differ, or that there is only one; "" without intervals."""
    if len(scored) < 2:
        return say("agreement.more.one_window", language, n=WINDOW + WINDOW // 2)
    first, last = scored[0].finding.figure, scored[-1].finding.figure
    if first.low is None or last.low is None:
        return ""
    key = "overlap" if first.overlaps(last) else "apart"
    return say(f"agreement.sentence.{key}", language, first=first.text(), last=last.text())


def _confusion_sentence(
    table: Table, scored: Sequence[FigureRow], language: str, names: Names
) -> str:
    """Say how often answers differ, and which two are confused most; or that none are."""
    unlike = [row for row in scored if row.names[-1] != row.names[-2]]
    if not unlike:
        return say("agreement.sentence.no_confusion", language)
    most = max(unlike, key=count_of)
    texts = list(subject_of(table, most, language, names).values())[-2:]
    return say(
        "agreement.sentence.confusion",
        language,
        differing=sum(map(count_of, unlike)),
        most=count_of(most),
        first=shown(texts[0]),
        second=shown(texts[1]),
    )
