"""A small run of `benchmarks/cases_mapping.py`."""

from __future__ import annotations

from benchmarks import cases_mapping


def test_every_case_of_411_groups_is_found_again() -> None:
    figures = {each.name: each.value for each in cases_mapping.measure(cases=4_000, seed=1)}
    assert figures["mapping_groups"] == 411
    assert figures["mapping_wrong"] == 0
    assert 0.8 < (figures["mapping_share"] or 0) < 0.9
    assert len(cases_mapping.GROUPS) == 33
