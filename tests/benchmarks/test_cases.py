"""The benchmarks of court cases: every case is found again, groups are those of the algorithm."""

import json

from benchmarks import cases, cases_grouping, cases_mapping
from construction.stricter.grouping import NOTHING, grouping
from evaluation.figure import Figure
from tests.conftest import ROOT


def test_every_part_is_a_benchmark_and_its_figures_come_back(tmp_path, monkeypatch):
    assert all((ROOT / "benchmarks" / f"cases_{part}.py").exists() for part in cases.PARTS)
    (tmp_path / "benchmarks").mkdir()
    for part in cases.PARTS:
        told = json.dumps({f"{part}_seconds": {"value": 1.5, "n": 3, "ci": [1.0, 2.0]}})
        code = f"print('a line before')\nprint({told!r})\n"
        (tmp_path / "benchmarks" / f"cases_{part}.py").write_text(code, "utf-8")
    monkeypatch.setattr(cases, "ROOT", tmp_path)
    found = cases.measure(cases.PARSER.parse_args(["--only", "tagging, grouping"]).only)
    assert found == [Figure(f"{p}_seconds", 1.5, 3, 1.0, 2.0) for p in ("grouping", "tagging")]


def test_every_case_of_411_groups_is_found_again() -> None:
    figures = {each.name: each.value for each in cases_mapping.measure(cases=4_000, seed=1)}
    assert figures["mapping_groups"] == 411
    assert figures["mapping_wrong"] == 0
    assert 0.8 < (figures["mapping_share"] or 0) < 0.9
    assert len(cases_mapping.GROUPS) == 33


def test_a_grouping_that_never_backs_off_is_noticed(monkeypatch):
    assert cases_grouping.mismatches(20) == 0

    def wrong(codes):
        found = grouping(codes)
        return found if found.depth == codes.shape[1] else NOTHING

    monkeypatch.setattr(cases_grouping, "grouping", wrong)
    assert cases_grouping.mismatches(50) > 0
