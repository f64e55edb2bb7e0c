"""Agreement report in the reader's language: the figures of every part, with pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from annotation.agreement.label_audit import ALL, AUDIT_STATES, AuditRow
from annotation.agreement.overview import Progress
from annotation.agreement.views import DIFFERENCES, ReportPart, Table, TimesTable, View
from annotation.agreement.views import Report as Found
from annotation.batches.sampling import OTHER
from evaluation.agreement.interpretation import Kind as Measured
from evaluation.agreement.interpretation import kind_of
from evaluation.agreement.times import LEAST
from evaluation.figure import Figure
from evaluation.reports.report import (
    Chart,
    Kind,
    Marked,
    Report,
    Section,
    Shape,
    Sheet,
    Word,
    Words,
    shown,
)
from messages import say
from services.agreement.sentences import (
    WHOLE_VIEWS,
    Names,
    count_of,
    extremes,
    field_name,
    pace_reading,
    reading,
    sentence_of,
    subject_of,
)
from services.overview.report import AgreementLine
from storage.tasks import Task, display_name

_KINDS = {
    **dict.fromkeys((Measured.SHARE, Measured.ERROR, "unsure_share"), Kind.SHARE),
    **dict.fromkeys(("precision", "recall"), Kind.SHARE),
    **dict.fromkeys(("median", "median_seconds", "seconds", "expected", "z"), Kind.SECONDS),
    "reading": Kind.NOTE,
}
_CHARTED = 40  # more categories than this are a table only
_COUNTS = ("submitted", "drafts", "skipped", "left")
_Row = dict[str, Any]


def _words(language: str) -> Words:
    """Return the words of the report's sections and of their columns."""
    return Words("agreement", language, "column", kinds=_KINDS)


def as_report(
    found: Found,
    language: str,
    task: str = Task.CITATION_MAPPING,
    people: Sequence[Progress] = (),
    lines: Sequence[AgreementLine] = (),
    names: Names | None = None,
    audits: Sequence[AuditRow] = (),
) -> Report:
    """Return the report on a task: all tasks in a line each, progress, and every part.

    `names` are those of a project's own fields and answers, as ``answer_names`` gives them. The
    questions behind each row are among the facts, by section.
    """
    sections = [figures_section(table, language, task, names) for table in found.tables]
    behind = {
        section.name: [
            [{"id": item.external_id, "agreement": item.agreement} for item in row.items]
            for row in table.rows
        ]
        for section, table in zip(sections, found.tables, strict=True)
    }
    audit = [audit_section(audits, language)] if audits else []
    parts = (tasks_section(lines, language), progress_section(people, language), *audit, *sections)
    times = () if found.times is None else times_sections(found.times, language)
    facts: dict[str, Any] = {"task": task, "questions": behind}
    if audits:
        facts["audited"] = [_audit_facts(each) for each in audits if each.stratum == ALL]
    return Report("agreement", say("agreement.title", language), (*parts, *times), facts=facts)


def tasks_section(lines: Iterable[AgreementLine], language: str) -> Section:
    """Return the main figure of each task that has one; of a form, its field agreed on least."""
    scored = [line for line in lines if line.statistic is not None]
    columns = _kinds([line.statistic or "" for line in scored])
    rows = [
        {
            "task": Word(line.task, line.title or display_name(line.task, language)),
            "field": line.field
            and Word(
                line.field, (line.labels or {}).get(language) or field_name(line.field, language)
            ),
            **_statistic_cells(line.statistic or "", line.figure, columns, language),
        }
        for line in scored
    ]
    named = [
        (shown(row["task"]), line.figure)
        for row, line in zip(rows, scored, strict=True)
        if row.get(Measured.CHANCE)
    ]
    drawn = tuple(each for each in columns if each is not Measured.ERROR)
    chart = Chart(Shape.FOREST, ("task", "field"), drawn, legend=_axis(columns, language))
    lead, notes = extremes(named, language), (say("overview.agreement_help", language),)
    return _words(language).section("tasks", "tasks", rows, lead, chart if drawn else None, notes)


def progress_section(people: Sequence[Progress], language: str, opens: bool = False) -> Section:
    """Return everybody's items by state; `opens` lets a reader press a person."""
    words = _words(language)
    rows = [
        {
            "person": each.person,
            **{name: getattr(each, name) for name in _COUNTS},
            **({"imported": each.imported} if any(p.imported for p in people) else {}),
            **(
                {"unsure_share": each.unsure_share} if any(p.unsure_share.n for p in people) else {}
            ),
            "median_seconds": each.median_seconds,
        }
        for each in people
    ]
    totals = {name: sum(getattr(each, name) for each in people) for name in _COUNTS}
    counts = {"submitted": totals["submitted"], "total": sum(totals.values())}
    lead = words("sentence.progress", **counts) if people else ""
    chart = Chart(Shape.STACK, ("person",), _COUNTS, legend=words("items_axis"), rest="left")
    notes, key = (words("unsure_help"), words("imported_help")), "person" if opens else ""
    return words.section("progress", "progress", rows, lead, chart, notes, opens=key)


def audit_section(audits: Sequence[AuditRow], language: str) -> Section:
    """Return precision and recall of the source's labels by audit and stratum, of one or more."""
    rows = [
        {
            "batch": each.batch,
            "stratum": _stratum(each, language),
            "precision": each.precision,
            "recall": each.recall,
            "missing": each.missing,
            "questions": each.questions,
            "drawn": len(each.cases),
            **{state: each.count(state) for state in AUDIT_STATES},
        }
        for each in audits
    ]
    words, first = _words(language), audits[0]
    told = {name: getattr(first, name).percent() for name in ("precision", "recall")}
    some = first.precision.value is not None
    lead = words(f"audit.{'lead' if some else 'none'}", **told, batch=first.batch)
    chart, notes = Chart(Shape.FOREST, ("batch", "stratum"), tuple(told)), (words("audit.help"),)
    return words.section("audit", "audit.title", rows, lead, chart, notes, opens="batch")


def _stratum(audit: AuditRow, language: str) -> Word:
    """Return the display name of a stratum; that of a statute or language as it is."""
    name = audit.stratum
    if name not in (ALL, OTHER) and audit.by != "labels":
        return Word(name, name)
    key = name if name in (ALL, OTHER) else "labels"
    return Word(name, say(f"agreement.audit.stratum.{key}", language, count=name))


def _audit_facts(audit: AuditRow) -> dict[str, Any]:
    """Return an audit's batch and cases as JSON values."""
    cases = [
        {
            "id": each.item.external_id,
            "stratum": each.stratum,
            "state": each.state,
            "labels": [*each.labels],
            "accepted": None if each.accepted is None else sorted(each.accepted),
        }
        for each in audit.cases
    ]
    return {"batch": audit.batch, "cases": cases}


def figures_section(
    table: Table, language: str, task: str = Task.CITATION_MAPPING, names: Names | None = None
) -> Section:
    """Return the figures of one part under one view, a column for each kind of statistic."""
    columns = _kinds([row.finding.statistic for row in table.rows])
    rows = [
        {
            **({"window": at} if table.part is ReportPart.DRIFT else {}),
            **subject_of(table, row, language, names or {}),
            **_statistic_cells(row.finding.statistic, row.finding.figure, columns, language),
            **({"count": count_of(row)} if table.part is ReportPart.CONFUSION else {}),
            "reading": reading(row.finding, language),
        }
        for at, row in enumerate(table.rows, 1)
    ]
    words = _words(language)
    lead, notes = sentence_of(table, language, names or {}), list(table.notes)
    if notes and notes[0].key == DIFFERENCES:
        lead = f"{lead} {notes.pop(0).say(language)}".strip()
    return Section(
        _section_name(table),
        f"{words(f'part.{table.part}')} · {words(f'view.{table.view}')}",
        Sheet.of(rows, words, _KINDS),
        lead,
        _chart(table, rows, columns, language),
        (_about(table, language, task), *(note.say(language) for note in notes)),
        "statistic" if any(row.items for row in table.rows) else "",
    )


def times_sections(times: TimesTable, language: str) -> tuple[Section, Section]:
    """Return everybody's pace, and the submissions of unusual pace."""
    words = _words(language)
    paces: list[_Row] = [
        {
            "person": each.person,
            "median": Marked(
                Figure("median", each.median, each.n, each.low, each.high),
                words("times.odd") if each.odd else "",
            ),
            "n": each.n,
            "reading": pace_reading(each, language),
        }
        for each in times.people
    ]
    odd: list[_Row] = [
        {
            "person": each.person,
            "question": each.item.external_id,
            **{name: getattr(each, name) for name in ("seconds", "expected", "z")},
        }
        for each in times.decisions
    ]
    none = "" if odd or not paces else words("times.none", least=LEAST)
    forest, about = Chart(Shape.FOREST, ("person",), ("median",)), (words("part_about.times"),)
    scatter = Chart(Shape.SCATTER, ("person", "question"), ("expected", "seconds"))
    of_z = (words("times.z_help"),)
    return (
        words.section("times", "part.times", paces, "", forest, about, opens="person"),
        words.section("odd_times", "times.decisions", odd, none, scatter, of_z, opens="question"),
    )


def _section_name(table: Table) -> str:
    """Return the name of a section; confusion has one for each field of a form."""
    field = table.rows[0].names[:-2] if table.part is ReportPart.CONFUSION and table.rows else ()
    return "_".join((table.part, table.view, *field))


def _kinds(statistics: Iterable[str]) -> tuple[str, ...]:
    """Return the kinds that these statistics are of, in the order of `Measured`."""
    known = {kind_of(each) for each in statistics}
    return tuple(str(kind) for kind in Measured if kind in known)


def _statistic_cells(
    statistic: str, figure: Figure, columns: Sequence[str], language: str
) -> dict[str, Any]:
    """Return the row of one statistic, its figure in the column of its kind."""
    return {
        "statistic": Word(statistic, say(f"statistics.name.{statistic}", language)),
        **{kind: figure if kind_of(statistic) == kind else None for kind in columns},
        "n": figure.n,
    }


def _axis(columns: Sequence[str], language: str) -> str:
    """Return the title of an axis with several kinds of statistics; "" for the column's own."""
    return say("agreement.value", language) if len(columns) > 1 else ""


def _chart(
    table: Table, rows: Sequence[_Row], columns: tuple[str, ...], language: str
) -> Chart | None:
    """Return the chart of a table; None for categories in too many rows."""
    if len(rows) > _CHARTED and table.part is ReportPart.CATEGORIES:
        return None
    subject = tuple(subject_of(table, table.rows[0], language, {})) if table.rows else ()
    if table.part is ReportPart.CONFUSION:
        return Chart(Shape.HEAT, subject[-2:], columns)
    if table.part is ReportPart.PAIRS and table.view in WHOLE_VIEWS:
        return Chart(Shape.HEAT, subject, columns)
    window = ("window",) if table.part is ReportPart.DRIFT else ()
    several = subject and len({row["statistic"] for row in rows}) > 1
    series, axis = "statistic" if several else "", _axis(columns, language)
    return Chart(Shape.FOREST, (*window, *subject) or ("statistic",), columns, series, axis)


def _about(table: Table, language: str, task: str) -> str:
    """Return the note on what a table compares or counts."""
    if table.part is ReportPart.STATISTICS:
        view = "reviews" if task == Task.JUDGE_REVIEW else table.view
        return say(f"agreement.view_about.{view}", language, items=f"{table.items:,}")
    fields = table.part is ReportPart.CATEGORIES and table.view is View.FIELDS
    return say(f"agreement.part_about.{table.part}{'_fields' if fields else ''}", language)
