"""Report on curation: people's decisions on the questions, as shares with intervals.

Shares are of the decided questions, with Wilson's interval; disputed and waiting questions are
counted separately.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.curation.form import LEVELS
from annotation.curation.state import Fate
from annotation.people.roles import Act, reading_as
from evaluation.figure import Figure, share_figure
from evaluation.tables import Table as TableModel
from evaluation.tables import csv_text, markdown_lines, written
from services.curation.items import QuestionLine, lines_in
from storage.curation.questions import admissions, listed_units, questions
from storage.db.workspace import Workspace

DECIDED = (Fate.KEPT, Fate.EDITED, Fate.REJECTED)
FORMATS = (".csv", ".md", ".tex")


@dataclass(frozen=True, slots=True)
class CellLine:
    """People's decisions on the questions written for one type and level."""

    type: str
    target: str
    decided: int
    kept: int
    edited: int
    rejected: int
    accepted: Figure


@dataclass(frozen=True, slots=True)
class CurationReport:
    """The whole report.

    `fates` counts every question in curation. `shares` are accepted (kept or edited), kept, edited
    and rejected, of those decided. `causes` counts (fate, cause) of edits and rejections. `levels`
    counts (requested level, level found) of accepted ones, `as_written` is the share with both
    equal. `gold` counts the provisions listed in their gold, those that belong, and those added.
    """

    questions: int
    fates: dict[str, int]
    shares: list[Figure]
    causes: list[tuple[str, str, int]]
    levels: dict[tuple[str, str], int]
    as_written: Figure
    cells: list[CellLine]
    gold: dict[str, int]
    admitted: int

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        return {
            "questions": self.questions,
            "fates": self.fates,
            "shares": {each.name: each.as_json() for each in self.shares},
            "causes": [dict(zip(("fate", "cause", "count"), row, strict=True))
                       for row in self.causes],
            "levels": [
                {"target": target, "found": found, "count": count}
                for (target, found), count in self.levels.items()
            ],
            "as_written": self.as_written.as_json(),
            "cells": [
                {
                    "type": each.type,
                    "target": each.target,
                    "decided": each.decided,
                    "kept": each.kept,
                    "edited": each.edited,
                    "rejected": each.rejected,
                    "accepted": each.accepted.as_json(),
                }
                for each in self.cells
            ],
            "gold": self.gold,
            "admitted": self.admitted,
        }  # fmt: skip


def curation_report(ws: Workspace, project_slug: str, by: int | None = None) -> CurationReport:
    """Return the report. Raises UserError for who may not read others' labels."""
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        lines = lines_in(session, project.id)
        admitted = len(admissions(session, project.id))
        listed = listed_units(session, questions(session, project.id))
    inside = [line for line in lines if line.stage not in ("unseen", "held", "through")]
    decided = [line for line in inside if line.state.fate in DECIDED]
    fates = Counter(str(line.state.fate) for line in inside)
    accepted = [line for line in decided if line.state.stands]
    levels = Counter((line.target, line.state.difficulty) for line in accepted)
    same = sum(count for (target, found), count in levels.items() if target == found)
    return CurationReport(
        questions=len(lines),
        fates={str(fate): fates[str(fate)] for fate in Fate},
        shares=_shares(decided),
        causes=_causes(decided),
        levels=dict(sorted(levels.items())),
        as_written=share_figure("as_written", same, len(accepted)),
        cells=_cells(decided),
        gold=_gold(accepted, listed),
        admitted=admitted,
    )


def _shares(decided: Sequence[QuestionLine]) -> list[Figure]:
    fates = Counter(line.state.fate for line in decided)
    right = {"accepted": fates[Fate.KEPT] + fates[Fate.EDITED]}
    right |= {str(fate): fates[fate] for fate in DECIDED}
    return [share_figure(name, count, len(decided)) for name, count in right.items()]


def _causes(decided: Sequence[QuestionLine]) -> list[tuple[str, str, int]]:
    """Count the causes given; several on one question all count."""
    counted = Counter((line.state.fate, cause) for line in decided for cause in line.state.causes)
    rows = [(str(fate), cause, count) for (fate, cause), count in counted.items()]
    return sorted(rows, key=lambda row: (row[0], -row[2], row[1]))


def _cells(decided: Sequence[QuestionLine]) -> list[CellLine]:
    cells: dict[tuple[str, str], list[QuestionLine]] = {}
    for line in decided:
        cells.setdefault((line.type, line.target), []).append(line)
    found = []
    for (kind, target), lines in sorted(cells.items()):
        fates = Counter(line.state.fate for line in lines)
        kept, edited = fates[Fate.KEPT], fates[Fate.EDITED]
        share = share_figure("accepted", kept + edited, len(lines))
        counts = len(lines), kept, edited, fates[Fate.REJECTED]
        found.append(CellLine(kind, target, *counts, share))
    return found


def _gold(accepted: Sequence[QuestionLine], listed: Mapping[int, Sequence[str]]) -> dict[str, int]:
    before = [(set(listed[line.id]), set(line.state.gold)) for line in accepted]
    return {
        "listed": sum(len(was) for was, _ in before),
        "belong": sum(len(was & now) for was, now in before),
        "added": sum(len(now - was) for was, now in before),
    }


Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def tables(report: CurationReport) -> list[Table]:
    """Return each table's name, head and rows, each share with its interval in one cell."""
    return [(name, head, list(rows)) for name, head, rows in _raw_tables(report)]


def _raw_tables(report: CurationReport) -> Iterator[tuple[str, tuple[str, ...], Iterator[Any]]]:
    yield (
        "shares",
        ("share", "n", "value"),
        ((each.name, str(each.n), each.text()) for each in (*report.shares, report.as_written)),
    )
    yield (
        "causes",
        ("fate", "cause", "count"),
        ((fate, cause, str(count)) for fate, cause, count in report.causes),
    )
    yield (
        "levels",
        ("target", *LEVELS),
        (
            (target, *(str(report.levels.get((target, found), 0)) for found in LEVELS))
            for target in sorted({target for target, _ in report.levels})
        ),
    )
    yield (
        "cells",
        ("type", "target", "decided", "kept", "edited", "rejected", "accepted"),
        (
            (
                *(each.type, each.target, str(each.decided), str(each.kept)),
                *(str(each.edited), str(each.rejected), each.accepted.text()),
            )
            for each in report.cells
        ),
    )
    yield (
        "gold",
        ("provisions", "count"),
        ((name, str(count)) for name, count in report.gold.items()),
    )


def as_text(report: CurationReport, ending: str) -> str:
    """Return all tables as ``.csv``, ``.md`` or ``.tex``."""
    found = tables(report)
    if ending == ".csv":
        return csv_text(
            row
            for name, head, rows in found
            for row in (("table", *head), *((name, *each) for each in rows))
        )
    if ending == ".tex":
        return "\n".join(
            written(TableModel(head, tuple(rows), title=name), "latex")
            for name, head, rows in found
        )
    return "\n".join(
        "\n".join([f"## {name}", "", *markdown_lines(head, rows), ""]) for name, head, rows in found
    )
