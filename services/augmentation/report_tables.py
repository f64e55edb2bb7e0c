"""Report on augmentation in the reader's language: progress by cell, and levels of difficulty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from construction.augmentation.rubric import LEVELS
from evaluation.reports.report import Chart, Kind, Report, Section, Shape, Word, Words
from services.augmentation.report import Matrix
from storage.augmentation.questions import OUTCOMES

_STAGES = ("planned", "made", "through", "admitted")
_STANDING = ("standing", "rejected", "missing")


def as_report(found: Matrix, language: str) -> Report:
    """Return the counts of all cells and of each, and the shares of difficulty levels."""
    words = Words("augment", language, kinds={"share": Kind.SHARE})
    totals = found.totals()
    sections = (
        _funnel(found, words),
        _cells(found, words),
        _levels(found, words),
        _level_shares(found, words),
    )
    lead = words("totals_lead", **totals) if found.rows else words("none")
    return Report("augmentation", words("title"), sections, lead, facts={"totals": totals})


def entry_name(entries: Sequence[Any], key: str, language: str) -> str:
    """Return the display name of an axis entry, its key if it was removed."""
    return next((str(each.label[language]) for each in entries if each.key == key), key)


def _funnel(found: Matrix, words: Words) -> Section:
    """Count the questions by stage, from plan to acceptance."""
    totals = found.totals() if found.rows else {}
    rows = ({"state": words.word(n), "count": totals[n]} for n in _STAGES if n in totals)
    chart = Chart(Shape.FUNNEL, ("state",), ("count",))
    notes = (words("counted"),)
    return words.section("funnel", "funnel", rows, chart=chart, notes=notes)


def _cells(found: Matrix, words: Words) -> Section:
    """Return each cell of the axes: planned, made, failed by reason."""
    language, axes = words.language, found.axes
    outcomes = [name for name in OUTCOMES if any(name in row.failed for row in found.rows)]
    rows = (
        {
            "type": Word(row.cell.type, entry_name(axes.types, row.cell.type, language)),
            "difficulty": row.cell.difficulty,
            "facet": Word(
                row.cell.facet,
                entry_name(axes.facets, row.cell.facet, language) or words("any_facet"),
            ),
            **{name: getattr(row, name) for name in (*_STAGES, *_STANDING)},
            **{name: row.failed.get(name, 0) for name in outcomes},
        }
        for row in found.rows
    )
    labels, values = ("type", "difficulty", "facet"), ("standing", "missing")
    chart = Chart(Shape.STACK, labels, values, legend=words("count"))
    lead = _cells_lead(found, words)
    return words.with_heads("outcome").section("cells", "cells", rows, lead, chart)


def _cells_lead(found: Matrix, words: Words) -> str:
    """Return a sentence on the questions planned, made, standing, rejected, missing and surplus."""
    if not found.rows:
        return ""
    counted = ("planned", "made", *_STANDING, "beyond")
    counts = {name: sum(getattr(row, name) for row in found.rows) for name in counted}
    lead, cells = words("cells_lead", **counts), sum(row.beyond > 0 for row in found.rows)
    more = words("cells_beyond", beyond=counts["beyond"], cells=cells) if cells else ""
    return f"{lead} {more}".strip()


def _levels(found: Matrix, words: Words) -> Section:
    """Return the questions by the level asked for and that of the provisions they cite."""
    counts = {(asked, level): 0 for asked in LEVELS for level in (*LEVELS, "")}
    rows = (
        {
            "asked": asked,
            "found": level or Word("none", words("level_none")),
            "count": count,
        }
        for (asked, level), count in (counts | dict(found.levels) if found.levels else {}).items()
    )
    chart = Chart(Shape.HEAT, ("found", "asked"), ("count",))
    lead = _moved(found, words) if found.levels else ""
    return words.section("levels", "levels_found", rows, lead, chart)


def _moved(found: Matrix, words: Words) -> str:
    """Return a sentence on the questions whose level differs from the one requested."""
    none = sum(count for (_, level), count in found.levels.items() if not level)
    same = sum(found.levels.get((level, level), 0) for level in LEVELS)
    moved = sum(found.levels.values()) - none - same
    figures = {"as_asked": found.as_asked.percent(), "n": found.as_asked.n}
    return words("moved", **figures, moved=moved, none=none)


def _level_shares(found: Matrix, words: Words) -> Section:
    """Return the share of each level among made and admitted questions, and of those as asked."""
    every = words.word("all_levels")
    groups = {
        "as_asked": (found.as_asked,),
        "made": found.made_levels,
        "admitted": found.admitted_levels,
    }
    rows = (
        {
            "of": words.word(name, "levels_"),
            "level": every if figure is found.as_asked else figure.name,
            "share": figure,
            "n": figure.n,
        }
        for name, figures in groups.items()
        for figure in figures
        if figure.n
    )
    chart = Chart(Shape.FOREST, ("of", "level"), ("share",))
    return words.section("shares", "levels", rows, chart=chart)
