"""Factor report in the reader's language with its pictures, and tags of court cases as CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from sqlmodel import select

from annotation.people.roles import Act, reading_as
from annotation.tagging.codebook import book_of
from annotation.tagging.tags import TaggedCase, tagged
from construction.tagging.codebook import NOT_STATED, Codebook, asked_sub_factors, in_scope
from evaluation.agreement.interpretation import STATISTICS, read
from evaluation.agreement.ratings import Finding, Reason
from evaluation.figure import Figure
from evaluation.reports.report import (
    Chart,
    Kind,
    Marked,
    Report,
    Section,
    Shape,
    Sheet,
    Value,
    Word,
    Words,
)
from evaluation.tables import csv_text
from evaluation.tagging.agreement import FLOOR, Need
from messages import say
from normalization.grouping import grouped
from services.tagging.report import FactorLine, FactorReport
from storage.db.workspace import Workspace
from storage.tables.cases import CourtCase

TAGS_HEAD = (
    "case", "court", "date", "groups", "factor", "sub_factor", "state", "options", "evidence",
)  # fmt: skip
_BETWEEN = "; "
_DRAWN = ("alpha_nominal", "alpha_masi", "ac1")  # statistics that are drawn by sub-factor
_SHARES = ("raw", "not_stated", "overlap", "meets", "right", "commonest", "aided", "quoted")
_KINDS = dict.fromkeys((*_SHARES, "share"), Kind.SHARE)
_FACTS = ("scope", "scopes", "cases", "people", "open", "unanswered", "codebook_version")
_TOLD = ("settled", "open", "asked_of_some", "stale", "comments", "one_sided")
_FIRST = 30  # rows of a chart by sub-factor; the table has all
_BY_SUB_FACTOR = ("factor", "sub_factor")
_PAIR = ("decided", "said")
_STATISTICS = {key: f"statistics.name.{key}" for key in STATISTICS}
_Row = dict[str, Value]


def as_report(found: FactorReport, language: str, chosen: str = "") -> Report:
    """Return the report: agreement, worst first, confusions, answers, and models.

    What is by option is drawn of one sub-factor: `chosen`, or the worst.
    """
    words = Words("factor_report", language)
    lines = worst_first(found)
    sections: tuple[Section, ...] = ()
    if lines:
        lines.sort(key=lambda line: line.sub.key != chosen)  # stable: the others stay worst first
        sections = (
            _agreement(found, words),
            _confusions(lines, words),
            _answers(lines, words),
            _models(lines, words),
            _mistakes(lines, words),
        )
    facts = {name: getattr(found, name) for name in _FACTS}
    counts = facts | {"people": ", ".join(found.people), "answered": len(lines)}
    lead = words("counts", **counts) if found.cases else words("empty")
    return Report("factors", words("title"), sections, lead, facts=facts)


def worst_first(found: FactorReport) -> list[FactorLine]:
    """Return the sub-factors that need work, then the others by the lower end of alpha."""
    urgent = {need.key: place for place, need in enumerate(found.needs)}

    def order(line: FactorLine) -> tuple[float, ...]:
        """Return the sort key of a sub-factor: urgency, then agreement."""
        alpha = line.agreement.alpha.figure
        ends = (1.0 if each is None else each for each in (alpha.low, alpha.value))
        return urgent.get(line.sub.key, len(urgent)), *ends

    return sorted(found.lines, key=order)


def name_of(line: FactorLine, language: str) -> str:
    """Return the display name of a sub-factor, with its factor."""
    return f"{line.factor.label[language]} · {line.sub.label[language]}"


def readings(line: FactorLine, language: str) -> Iterator[str]:
    """Yield a sub-factor's help text, then its figures and counts in sentences."""
    words, found = Words("factor_report", language), line.agreement
    yield line.sub.help[language]
    yield words("base", n=found.paired)
    if found.ordered is not None:
        yield words("base_ordered", n=found.ordered.figure.n)
    for each in _findings(line):
        if each.reason is not Reason.SCALE:  # kappa and AC1 of several options: no interpretation
            parts = (part.say(language) for part in read(each))
            yield f"{_statistic(each.statistic, words).text}: {' '.join(parts)}"
    if found.paradox is not None:
        params = found.paradox.params
        named = _option(line, str(params["category"]), words).text
        yield replace(found.paradox, params={**params, "category": named}).say(language)
    for name, count in _counts(line).items():
        if count:
            yield words(f"told.{name}", count=count)


def _section(
    name: str,
    lines: Sequence[FactorLine],
    words: Words,
    cells: Callable[[FactorLine], Iterable[_Row]],
    lead: str = "",
    chart: Chart | None = None,
    opens: str = "",
) -> Section:
    """Return a section with the rows that `cells` gives of each sub-factor."""
    rows: list[_Row] = [
        {
            "factor": Word(line.factor.key, line.factor.label[words.language]),
            "sub_factor": Word(line.sub.key, line.sub.label[words.language]),
            **row,
        }
        for line in lines
        for row in cells(line)
    ]
    if chart is not None and chart.only and not any(cells(lines[0])):
        chart = None  # nothing of the sub-factor that is drawn
    heads = {name: say(key, words.language) for name, key in _STATISTICS.items()}
    sheet = Sheet.of(rows, Words("factor_report.head", words.language), _KINDS, heads)
    notes = (words(f"help.{name}"),)
    return Section(name, words(f"section.{name}"), sheet, lead, chart, notes, opens)


def _statistic(key: str, words: Words) -> Word:
    """Return the display name of a statistic."""
    return Word(key, say(_STATISTICS[key], words.language))


def _findings(line: FactorLine) -> Iterator[Finding]:
    """Yield the statistics of a sub-factor that there are."""
    found = line.agreement
    either = (found.raw, found.kappa, found.alpha, found.ac1, found.ordered, found.likeness)
    yield from (each for each in either if each is not None)


def _option(line: FactorLine, key: str, words: Words) -> Word:
    """Return an option with its display name."""
    stated = line.sub.option_label(key, words.language)
    return Word(key, words("unstated") if key == NOT_STATED else stated)


def _answer(line: FactorLine, keys: Sequence[str], words: Words) -> Word:
    """Return an answer of one option or several with its display name."""
    return Word("+".join(keys), ", ".join(_option(line, key, words).text for key in keys))


def _counts(line: FactorLine) -> dict[str, int]:
    """Return a sub-factor's counts beside its statistics, such as cases adjudicated or open."""
    found = line.agreement
    own = (line.settled, line.open, found.asked_of_some, found.stale, line.comments)
    return dict(zip(_TOLD, (*own, line.evidence.one_sided), strict=True))


def _agreement(found: FactorReport, words: Words) -> Section:
    """Return the statistics of every sub-factor, and why its definition needs work."""
    needs = {need.key: need for need in found.needs}
    lines = worst_first(found)

    def cells(line: FactorLine) -> Iterator[_Row]:
        """Yield a sub-factor's row of statistics."""
        each, need = line.agreement, needs.get(line.sub.key)
        yield {
            "reasons": _reasons(need, words) if need else None,
            "cases": each.cases,
            "paired": each.paired,
            "differing": each.differing,
            **{finding.statistic: _cell(finding, words) for finding in _findings(line)},
            "not_stated": each.unstated,
            "overlap": line.evidence.likeness,
            "meets": line.evidence.meeting,
            **_counts(line),
            "bound": _statistic(need.bound.statistic, words) if need else None,
            "floor": FLOOR if need else None,
        }

    used = {finding.statistic for line in lines for finding in _findings(line)}
    drawn = tuple(name for name in _DRAWN if name in used)
    lead = words("needs_none")
    if found.needs:
        name, why = name_of(lines[0], words.language), _reasons(found.needs[0], words).text
        figure = found.needs[0].bound.figure
        counts = {"count": len(needs), "all": len(lines), "n": figure.n}
        lead = words("needs_lead", **counts, factor=name, why=why, figure=figure.text())
    if len(lines) > _FIRST:
        lead = f"{lead} {words('drawn', count=_FIRST)}"
    chart = Chart(Shape.FOREST, _BY_SUB_FACTOR, drawn, legend=words("statistic"), first=_FIRST)
    return _section("agreement", lines, words, cells, lead, chart, "sub_factor")


def _reasons(need: Need, words: Words) -> Word:
    """Return why a sub-factor needs attention."""
    return Word(" ".join(need.reasons), "; ".join(words(f"why.{why}") for why in need.reasons))


def _cell(found: Finding, words: Words) -> Value:
    """Return a figure, or why there is none."""
    if found.reason is None:
        return found.figure
    reason = say(f"statistics.reason.{found.reason}", words.language)
    return None if found.reason is Reason.SCALE else Marked(None, reason)


def _confusions(lines: Sequence[FactorLine], words: Words) -> Section:
    """Return how often two people gave each pair of answers to one case, equal ones included."""

    def cells(line: FactorLine) -> Iterator[_Row]:
        """Yield a sub-factor's pairs of answers with their counts."""
        for one, other, n in line.agreement.pairs:
            answers = {"one": _answer(line, one, words), "other": _answer(line, other, words)}
            yield answers | {"pairs": n}

    first, *_ = lines
    pairs = first.agreement.pairs
    lead, differing = "", [each for each in pairs if each[0] != each[1]]
    if differing:
        *most, n = max(differing, key=lambda each: each[2])
        one, other = (_answer(first, keys, words).text for keys in most)
        counts = {"all": sum(n for *_, n in pairs), "n": n}
        counts["differing"] = sum(n for *_, n in differing)
        name = name_of(first, words.language)
        lead = words("confusions_lead", factor=name, one=one, other=other, **counts)
    chart = Chart(Shape.HEAT, ("one", "other"), ("pairs",), only=("sub_factor", first.sub.key))
    return _section("confusions", lines, words, cells, lead, chart)


def _shares(line: FactorLine) -> tuple[tuple[str, Figure], ...]:
    """Return the mean share of each option, and of "not stated" where it is an answer."""
    silent = () if line.sub.claim else ((NOT_STATED, line.agreement.unstated),)
    return *line.agreement.prevalence, *silent


def _answers(lines: Sequence[FactorLine], words: Words) -> Section:
    """Return the share of each option."""

    def cells(line: FactorLine) -> Iterator[_Row]:
        """Yield the shares of a sub-factor's options."""
        for key, share in _shares(line):
            yield {"option": _option(line, key, words), "share": share, "n": share.n}

    first = lines[0]
    key, share = max(_shares(first), key=lambda each: each[1].value or 0.0)
    names = {"factor": name_of(first, words.language), "option": _option(first, key, words).text}
    lead = words("answers_lead", **names, share=share.percent())
    chart = Chart(Shape.FOREST, ("option",), ("share",), only=("sub_factor", first.sub.key))
    return _section("answers", lines, words, cells, lead, chart)


def _models(lines: Sequence[FactorLine], words: Words) -> Section:
    """Return each model's accuracy against what people decided."""

    def cells(line: FactorLine) -> Iterator[_Row]:
        """Yield each model's accuracy on a sub-factor."""
        for model, found in line.models:
            yield {
                "model": model,
                "right": found.right,
                "commonest": found.baseline,
                "n": found.right.n,
                "likeness": found.likeness,
                "aided": found.aided,
                "aided_n": found.aided.n,
                "quoted": found.quoted,
                "quoted_n": found.quoted.n,
                "missing": found.missing,
            }

    better = grouped(
        (model, found.right.value > found.baseline.value)
        for line in lines
        for model, found in line.models
        if found.right.value is not None and found.baseline.value is not None
    )
    leads = (
        words("models_lead", model=model, better=sum(each), all=len(each))
        for model, each in better.items()
    )
    labels, drawn = ("sub_factor", "model"), ("right", "commonest")
    chart = Chart(Shape.FOREST, labels, drawn, legend=words("share"), first=_FIRST)
    return _section("models", lines, words, cells, " ".join(leads), chart)


def _mistakes(lines: Sequence[FactorLine], words: Words) -> Section:
    """Return the most frequent answers of models that differ from what people decided."""

    def cells(line: FactorLine) -> Iterator[_Row]:
        """Yield each model's wrong answers on a sub-factor."""
        for model, found in line.models:
            for each in found.confusions:
                answers = (_answer(line, keys, words) for keys in (each.decided, each.said))
                yield {"model": model, **dict(zip(_PAIR, answers, strict=True)), "n": each.n}

    only = "sub_factor", lines[0].sub.key
    chart = Chart(Shape.STACK, _PAIR, ("n",), "model", only=only)
    return _section("mistakes", lines, words, cells, chart=chart)


def tags_csv(ws: Workspace, project_slug: str, by: int | None = None) -> str:
    """Return as CSV a line per sub-factor in scope, for each completely tagged case.

    `state` is single, agreed or settled; or why there is no tag: disputed, stale (a removed
    option), not_asked (a condition does not hold), missing, unanswered (not required). Raises
    UserError for `by` who may not export gold.
    """
    with reading_as(ws, project_slug, by, Act.EXPORT_GOLD) as (session, project, _):
        book, _ = book_of(session, project.id)
        cases = tagged(session, project.id, book)
        query = select(CourtCase.id, CourtCase.external_id, CourtCase.court, CourtCase.date)
        rows = session.exec(query.where(CourtCase.project_id == project.id))
        about = {number: (name, court, date) for number, name, court, date in rows}
    lines = (row for case in cases for row in _tag_rows(book, case, about[case.court_case_id]))
    return csv_text((TAGS_HEAD, *lines))


def _tag_rows(
    book: Codebook, case: TaggedCase, about: Sequence[str]
) -> Iterator[tuple[object, ...]]:
    """Yield a row for each sub-factor in scope; `about` are the case's id, court and date."""
    head = *about, _BETWEEN.join(case.groups)
    tags = case.state.tags
    places = book.places
    now = asked_sub_factors(book, case.groups, {key: tag.options for key, tag in tags.items()})
    holding = {each.key for each in now}
    for sub in in_scope(book, case.groups):
        tag = tags.get(sub.key)
        state = _reason_untagged(case, sub.key, holding) if tag is None else str(tag.how)
        options = "" if tag is None else _BETWEEN.join(tag.options)
        quotes = "" if tag is None else _BETWEEN.join(each.quote for each in tag.evidence)
        yield (*head, places[sub.key][0].key, sub.key, state, options, quotes)


def _reason_untagged(case: TaggedCase, key: str, holding: Iterable[str]) -> str:
    """Return why a case has no tag for a sub-factor."""
    for name in ("disputed", "stale", "missing"):
        if key in getattr(case.state, name):
            return name
    return "unanswered" if key in holding else "not_asked"
