from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks import app_latency, page_paint
from services.sample.people import PEOPLE


@pytest.mark.e2e
@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_page_is_timed_as_often_as_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_paint, "ROUNDS", 2)
    workspace = tmp_path / "workspace"
    app_latency.run_command(workspace, "init")
    app_latency.run_command(workspace, "project", "empty")
    for name, role in PEOPLE:
        app_latency.run_command(workspace, "person", "add", name, "--role", role)
    with ThreadPoolExecutor(1) as elsewhere:  # another test's browser may live in this thread
        pages = ("corpus", "citation_mapping")
        figures = elsewhere.submit(page_paint.measure_pages, workspace, pages).result()
    assert [figure.name for figure in figures] == [
        "first_page_ms",
        "empty_app_ms",
        *(f"{each}[{name}]" for each in page_paint.MEASURES for name in reversed(pages)),
        *(f"page_first_cpu_ms[{name}]" for name in reversed(pages)),
    ]
    assert all((figure.value or 0) > 0 for figure in figures)
    assert {figure.n for figure in figures} == {2, 1}


def test_a_page_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no page"):
        page_paint.measure_pages(tmp_path, ("corpus", "corpses"))
