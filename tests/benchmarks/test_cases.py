"""The one entry to the benchmarks of court cases."""

import json

import pytest

from benchmarks import cases
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
    found = cases.measure(("grouping", "tagging"))
    assert found == [Figure(f"{p}_seconds", 1.5, 3, 1.0, 2.0) for p in ("grouping", "tagging")]


@pytest.mark.parametrize("figure", [Figure("a", 1.0, 2, 0.5, 1.5), Figure("b", None, 0)])
def test_a_figure_survives_being_printed(figure):
    assert cases.figure_of(figure.name, figure.as_json()) == figure


def test_only_known_parts_can_be_named():
    assert cases.parts_of("tagging, mapping") == ("mapping", "tagging")
    with pytest.raises(ValueError):
        cases.parts_of("judging")
