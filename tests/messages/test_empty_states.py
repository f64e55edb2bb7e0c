"""What an empty screen says of where to import names the page and the tab as they are called."""

from __future__ import annotations

import pytest

from messages import LANGUAGES, say

RUN = "judge_report.page.tab_run"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("empty", "named"),
    [
        ("judge_report.page.no_cases", [RUN]),
        ("judge_report.page.no_verdicts", [RUN]),
        ("attribution_report.no_systems", ["app.pages.judge_report", RUN]),
        ("answer_report.page.no_answers", ["app.pages.judge_report", RUN]),
        ("rating.ui.empty_lead", ["app.pages.judge_report", RUN]),
        ("mcq.ui.empty_lead", ["app.pages.mcq_report", "mcq_report.tab.make"]),
        (
            "tagging.ui.empty_lead",
            ["app.pages.court_cases", "app.pages.factor_report", "factor_report.tab.items"],
        ),
        ("factor_items.none", ["app.pages.court_cases", "app.pages.case_groups"]),
        ("overview.no_questions", ["app.pages.data"]),
        ("start.nothing_here", ["app.pages.data"]),
        ("case_groups.no_cases", ["app.pages.court_cases"]),
    ],
)
def test_an_empty_screen_names_where_one_imports(
    empty: str, named: list[str], language: str
) -> None:
    for each in named:
        assert say(each, language) in say(empty, language)
