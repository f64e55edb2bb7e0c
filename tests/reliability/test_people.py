"""A small run of `benchmarks/people.py` on both databases."""

from __future__ import annotations

from pathlib import Path

from benchmarks import people


def test_whatever_is_acknowledged_to_many_at_once_is_stored_once(
    tmp_path: Path, database: str | None
) -> None:
    figures = people.measure(tmp_path / "workspace", writers=6, decisions=5, database=database)
    found = {figure.name: figure for figure in figures}
    assert {name: found[name].value for name in list(found)[:4]} == {
        "acknowledged": 30,
        "stored": 30,
        "duplicates": 0,
        "drafts_lost": 0,
    }
    assert found["problems"].value == 0
    assert found["submit_p95_ms"].n == 30
    assert 0 < found["submit_median_ms"].value <= found["submit_p95_ms"].value  # type: ignore[operator]
