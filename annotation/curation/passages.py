"""Which questions have come through the cascade: what curation asks of the cascade, in one place.

Read from the rows that the cascade leaves. A layer that somebody overruled for a question stays
overruled for it, in later runs too, until that is withdrawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from storage.curation.questions import PASSED, restored_layers
from storage.tables.cascade import CascadeRun, LayerResult


@dataclass(frozen=True, slots=True)
class Passage:
    """How far a question has come in its newest run of the cascade."""

    run_id: int
    through: bool


def passages(session: Session, project_id: int) -> dict[int, Passage]:
    """Return how far each question has come that a run of the cascade has looked at, by id.

    It is through where the last layer of the run has seen it, and each layer passed it or was
    overruled.
    """
    query = (
        select(LayerResult)
        .join(CascadeRun, col(CascadeRun.id) == LayerResult.cascade_run_id)
        .where(CascadeRun.project_id == project_id)
        .order_by(col(LayerResult.id))
    )
    said: dict[int, list[LayerResult]] = {}
    last: dict[int, int] = {}  # the last place of each run
    for row in session.exec(query):
        said.setdefault(row.augmented_question_id, []).append(row)
        last[row.cascade_run_id] = max(last.get(row.cascade_run_id, 0), row.place)
    restored = restored_layers(session, said)
    return {number: _passage(rows, last, restored.get(number, {})) for number, rows in said.items()}


def _passage(
    rows: Sequence[LayerResult], last: Mapping[int, int], restored: Mapping[str, str]
) -> Passage:
    run = max(row.cascade_run_id for row in rows)
    mine = [row for row in rows if row.cascade_run_id == run]
    let = all(row.outcome == PASSED or row.layer in restored for row in mine)
    return Passage(run, let and max(row.place for row in mine) == last[run])
