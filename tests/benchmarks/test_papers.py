"""The benchmark of papers: its shares add up, and it says where real data is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import papers


@pytest.mark.long
def test_the_figures_of_a_paper_are_shares_of_its_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(papers, "SHARED", tmp_path / "absent")
    found = {each.name.removeprefix("legar_"): each for each in papers.of_paper("legar")}
    cells = found["filled_on_sample"].n
    filled = round((found["filled_on_sample"].value or 0) * cells)
    assert 0 < round((found["by_stand_ins"].value or 0) * cells) < filled < cells
    assert found["cells_with_reason"].n == cells - filled
    assert found["cells_with_reason"].value == 1
    assert "filled_on_real_data" not in found
    assert "no real data" in capsys.readouterr().err
