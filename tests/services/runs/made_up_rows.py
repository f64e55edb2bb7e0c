"""Lines of runs, made up."""

from __future__ import annotations

from datetime import UTC, datetime

from services.gold.search_coverage import NotSearched, Searched
from services.runs.rows import RunLine
from storage.law.passages import RETRIEVED_LEVELS


def run_line(number: int, label: str, stale: bool = False) -> RunLine:
    """Return the line of a run that was computed here on snapshot 1."""
    return RunLine(
        run_id=number,
        label=label,
        origin="computed",
        method="bm25",
        params={},
        snapshot_id=1,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        missing=(),
        learnt_otherwise=False,
        cost={},
        searched=Searched(RETRIEVED_LEVELS),
        not_searched=NotSearched(),
        lacking=int(stale),
    )
