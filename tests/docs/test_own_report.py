"""docs/own-report.md: the report that it adds is one, in its words, for every medium."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

import messages
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "own-report.md").read_text(encoding="utf-8")
CODE, WORDS = (
    re.findall(rf"```{name}\n(.*?)```", PAGE, re.DOTALL)[0] for name in ("python", "toml")
)


def test_the_report_of_the_page_is_drawn_and_written(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {
        f"batch_report.{key}": leaf for key, leaf in tomllib.loads(WORDS)["batch_report"].items()
    }
    entries = messages.catalogue() | own
    monkeypatch.setattr(messages, "catalogue", lambda: entries)
    made: dict[str, Any] = {}
    exec(compile(CODE, "own-report.md", "exec"), made)  # noqa: S102
    report = made["as_report"]({"첫 묶음": (8, 10), "second": (0, 0)}, "ko")
    assert [each["settled"]["value"] for each in report.as_json()["batches"]] == [0.8, None]
    assert "80.0 %" in report.written("markdown") and "확정된 질문" in report.written("latex")
    from evaluation.reports.charts import pictures

    assert "첫 묶음" in pictures(report.drawn, ".svg").decode()
    assert len(PAGE.splitlines()) <= 60
