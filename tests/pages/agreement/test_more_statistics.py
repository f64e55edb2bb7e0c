from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from streamlit.testing.v1 import AppTest

from annotation.agreement.views import ItemLine
from annotation.people.members import PersonView
from pages.agreement.figure_table import case_address
from pages.agreement.more_statistics import PARTS
from pages.shell.context import Context
from tests.pages import screens
from tests.pages.screens import table
from tests.pages.small_project import (
    SLUG,
    Small,
    shown,
)


def opened(small: Small, person: PersonView, name: str, **state: Any) -> AppTest:
    views = (*(f"{name}_{view}" for view in ("questions", "candidates")), "times")
    tables: dict[str, Any] = {
        f"agreement-{view}-more": True for view in views
    }  # behind the pictures
    at = screens.opened("agreement", small, person, agreement_part=name, **tables, **state)
    assert not at.error
    return at


def test_nothing_is_worked_out_before_somebody_asks(small: Small) -> None:
    at = screens.opened("agreement", small, small.sora)
    assert "More statistics" in shown(at)
    assert not any("Reading" in each.value.columns for each in at.dataframe)


def test_who_annotates_sees_statistics_and_nothing_behind_them(small: Small) -> None:
    at = opened(small, small.ara, "statistics")
    assert "Only people who may read others' labels see the questions" in shown(at)
    assert not any("Similarity" in each.value.columns for each in at.dataframe)
    offered = at.get("button_group")[0].proto.options
    assert [each.content for each in offered] == ["Statistics", "Files"]
    assert len(opened(small, small.ara, "files").get("download_button")) == 7


def test_each_part_names_what_its_figures_are_of(small: Small) -> None:
    rows: dict[str, tuple[str, ...]] = {
        "statistics": ("Raw agreement", "(75.0 % [30.1, 95.4])"),
        "pairs": ("Kim Ara", "Park Jun", "4"),
        "drift": ("4",),
        "categories": ("accept", "reject", "unsure"),
        "confusion": ("accept", "reject"),
        "times": ("Kim Ara", "Park Jun"),
        "files": (),
    }
    assert {*rows, "calibration"} == set(PARTS)
    for part, words in rows.items():
        at = opened(small, small.sora, part)
        told = "\n".join(each.value.to_csv() for each in at.dataframe)
        assert [word for word in words if word not in told] == [], part
    assert len(at.get("download_button")) == 7


def test_a_link_to_a_case_carries_who_looks_at_what(small: Small) -> None:
    context = Context(small.workspace, SLUG, small.sora, "ko")
    line = ItemLine(7, "q7", "Which?", 0.5, case=True)
    where = urlsplit(case_address(context, line) or "")
    assert where.path == "adjudication"
    assert parse_qs(where.query) == {
        "project": [SLUG],
        "person": [str(small.sora.id)],
        "lang": ["ko"],
        "item": ["7"],
    }
    assert case_address(context, ItemLine(7, "q7", "Which?", 0.5, case=False)) is None


CLICKED = {"selection": {"picked": [{"row": 0}]}}


def test_a_figure_clicked_on_in_a_chart_opens_its_questions(small: Small) -> None:
    charts = (
        ("pairs", "agreement-pairs_questions-chart"),
        ("confusion", "agreement-confusion_candidates-chart"),
        ("categories", "agreement-categories_candidates-chart"),
        ("categories", "agreement-categories_questions-chart"),
    )
    for part, chart in charts:
        at = opened(small, small.sora, part, **{chart: CLICKED})
        assert "q1" in table(at, "Similarity")["Id"].tolist()
        assert "What to do next." in shown(at)
