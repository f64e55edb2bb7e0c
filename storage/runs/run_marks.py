"""Marks on runs (retirement, tags, notes): stored as rows, read as the current state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlmodel import Session, col, select

from storage.db.columns import usable_id
from storage.tables.core import Person
from storage.tables.runs import RunMark, RunRecord

Mark = Literal["retired", "restored", "tagged", "untagged", "noted"]


@dataclass(frozen=True, slots=True)
class RunMarks:
    """The current marks of a run: whether it is retired and why, its tags ascending, its note."""

    retired: bool = False
    why: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""


def keep_mark(
    session: Session, run_id: int, mark: Mark, text: str, by: int | None, at: datetime
) -> None:
    """Store a mark on a run; `by` is None for the operator."""
    session.add(RunMark(run_id=run_id, mark=mark, text=text, by_person_id=by, at=at))
    session.flush()


def marks_of(session: Session, run_ids: Iterable[int]) -> dict[int, RunMarks]:
    """Return the current marks of the runs that have any."""
    wanted = col(RunMark.run_id).in_([usable_id(run_id) for run_id in run_ids])
    said: dict[int, list[RunMark]] = {}
    for row in session.exec(select(RunMark).where(wanted).order_by(col(RunMark.id))):
        said.setdefault(row.run_id, []).append(row)
    return {run_id: _current_marks(rows) for run_id, rows in said.items()}


def _current_marks(rows: Sequence[RunMark]) -> RunMarks:
    ends = [row for row in rows if row.mark in ("retired", "restored")][-1:]
    retired = any(row.mark == "retired" for row in ends)
    tags = {row.text: row.mark == "tagged" for row in rows if row.mark in ("tagged", "untagged")}
    notes = [row.text for row in rows if row.mark == "noted"]
    return RunMarks(
        retired=retired,
        why=ends[0].text if retired else "",
        tags=tuple(sorted(tag for tag, on in tags.items() if on)),
        note=notes[-1] if notes else "",
    )


def authors_of(session: Session, run_ids: Iterable[int]) -> dict[int, str]:
    """Return the names of the people who made or imported the runs; without the operator's."""
    query = (
        select(RunRecord.run_id, Person.name)
        .join(Person, col(Person.id) == col(RunRecord.by_person_id))
        .where(col(RunRecord.run_id).in_([usable_id(run_id) for run_id in run_ids]))
    )
    return dict(session.exec(query).all())
