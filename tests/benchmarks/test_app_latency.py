from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks import app_latency
from tests.conftest import ROOT

SAMPLE = ROOT / "sample"


@pytest.mark.e2e
@pytest.mark.long
@pytest.mark.timeout(600)
def test_every_figure_is_measured_on_a_running_app() -> None:
    with ThreadPoolExecutor(1) as elsewhere:  # another test's browser may live in this thread
        figures = elsewhere.submit(
            app_latency.measure, SAMPLE / "statutes", SAMPLE / "questions.jsonl", 2, people=3
        ).result()
    measured = {figure.name: figure for figure in figures}
    assert list(measured) == [
        "open_server_ms",
        "save_server_ms",
        "key_to_painted_ms",
        "save_server_ms_3_sessions",
        "key_to_painted_ms_3_sessions",
    ]
    assert all(figure.value is not None and figure.value > 0 for figure in figures)
    # What is painted has been saved before, so it cannot be faster than saving.
    assert (measured["key_to_painted_ms"].value or 0) > (measured["save_server_ms"].value or 0)


def test_data_that_is_absent_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["app_latency.py", "--statutes", str(tmp_path / "none")])
    assert app_latency.main() == 3
    assert "is absent" in capsys.readouterr().err
