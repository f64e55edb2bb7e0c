from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from annotation.adjudication import decide
from errors import UserError
from jobs.retrieve import retrieve
from storage.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import (
    SLUG,
    Small,
    annotated_project,
    empty_project,
    page,
    shown,
)


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    return Workspace(tmp_path / "ws", clock)


@pytest.fixture
def small(workspace: Workspace) -> Small:
    return annotated_project(workspace)


def run_button(at: AppTest) -> AppTest:
    return next(each for each in at.button if each.label == "Run BM25").click().run()


def select(at: AppTest, key: str, row: int) -> AppTest:
    at.session_state[key] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    return at.run()


def test_without_gold_nothing_can_be_run(workspace: Workspace):
    _, sora = empty_project(workspace)
    at = page("leaderboard", workspace, sora).run()
    assert not at.exception
    assert "no gold yet" in at.info[0].value
    assert at.button[0].disabled


def test_without_a_run_the_page_says_what_to_do(small: Small):
    at = page("leaderboard", small, small.sora).run()
    assert "No run yet" in at.info[0].value


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_run_shows_values_with_intervals_and_n(small: Small, language: str):
    retrieve(small.workspace, SLUG)
    at = page("leaderboard", small, small.sora, language).run()
    assert not at.exception
    runs = at.dataframe[0].value
    assert runs["Recall@1"].tolist() == ["1.000 [1.000,\N{NO-BREAK SPACE}1.000]"]
    assert runs["n"].tolist() == [1]


def test_the_button_runs_bm25_with_the_chosen_parameters(small: Small):
    at = page("leaderboard", small, small.sora).run()
    at.selectbox(key="leaderboard-tokeniser").set_value("whitespace")
    at.number_input(key="leaderboard-k1").set_value(0.9)
    at.number_input(key="leaderboard-b").set_value(0.4)
    at = run_button(at)
    assert not at.exception
    assert "Run 1" in at.success[0].value
    assert at.dataframe[0].value["Method"].tolist() == ["BM25 whitespace · k1 0.9 · b 0.4"]


def test_the_best_of_a_column_is_marked_and_a_stale_run_named(small: Small):
    retrieve(small.workspace, SLUG)
    q4 = small.items["q4"]
    wrong = small.unit("q1", "제3조")
    decide(small.workspace, small.sora.id, q4, [wrong], False, "Only article 3.", 1.0)
    retrieve(small.workspace, SLUG, {"method": "bm25", "tokeniser": "whitespace"})
    at = page("leaderboard", small, small.sora).run()
    runs = at.dataframe[0].value
    assert runs["State"].tolist() == ["Current", "Stale"]
    assert "★" in runs["Recall@1"][1]
    assert "★" not in runs["Recall@1"][0]
    assert "Stale: gold has changed" in shown(at)


def test_a_question_opens_what_was_retrieved_gold_and_missed(small: Small):
    q4 = small.items["q4"]
    both = [small.unit("q1", "제1조"), small.unit("q1", "제3조")]
    decide(small.workspace, small.sora.id, q4, both, False, "Both.", 1.0)
    run = retrieve(small.workspace, SLUG, k=1)
    at = page("leaderboard", small, small.sora).run()
    rows = at.dataframe[1].value["Id"].tolist()
    at = select(at, f"leaderboard-queries-{run}", rows.index("q4"))
    assert not at.exception
    retrieved = at.dataframe[2].value
    assert retrieved["Rank"].tolist() == [1]
    assert retrieved["Gold"].tolist() == [True]
    assert "1 of 2 gold provisions are among the 1 kept" in shown(at)
    assert "Missed: ranked" in shown(at)


def test_a_question_without_provision_is_not_scored(small: Small):
    run = retrieve(small.workspace, SLUG)
    at = page("leaderboard", small, small.sora).run()
    queries = at.dataframe[1].value.set_index("Id")
    assert queries["nDCG@10"].isna().to_dict() == {"q1": False, "q3": True}
    at = select(at, f"leaderboard-queries-{run}", list(queries.index).index("q3"))
    assert "so it is not scored" in shown(at)


def test_a_refused_run_shows_the_error(small: Small, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object, **__: object) -> int:
        raise UserError("unknown_method", name="bm26", known="bm25")

    monkeypatch.setattr("pages.leaderboard.retrieve", refuse)
    at = run_button(page("leaderboard", small, small.sora).run())
    assert "bm26" in at.error[0].value


def test_who_annotates_is_told_for_whom_the_board_is(small: Small):
    retrieve(small.workspace, SLUG)
    at = page("leaderboard", small, small.ara).run()
    assert not at.exception
    assert len(at.button) == 0
    assert "To see the leaderboard is for: adjudicator, researcher, administrator." in shown(at)
    assert len(at.dataframe) == 0
