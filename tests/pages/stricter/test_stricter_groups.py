"""The screen of stricter groups: who sees it, what it tells, exporting and scoring."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from messages import say
from storage.db.workspace import Workspace
from tests.pages.screens import person_of
from tests.pages.small_project import page, shown
from tests.projects.stricter_project import (
    HOSTILE,
    INSULT,
    MODEL,
    SLUG,
    StricterHouse,
    build,
    suggest_all,
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> StricterHouse:
    return build(tmp_path_factory.mktemp("alike") / "ws")


@pytest.fixture
def ws(built: StricterHouse, tmp_path: Path) -> Workspace:
    return Workspace(shutil.copytree(built.ws.folder, tmp_path / "ws"))


def screen(ws: Workspace, name: str = "Dora", tab: str = "groups") -> Any:
    at = page("stricter_groups", ws, person_of(ws, SLUG, name), project=SLUG)
    at.session_state["stricter-tab"] = tab
    return at.run()


def table(at: Any, words: str) -> list[list[str]]:
    """Return the rows of the first table that has the column called so."""
    name = say(f"stricter.{words}")
    found = next(each.value for each in at.dataframe if name in each.value.columns)
    return [list(map(str, row)) for row in found.values.tolist()]


def test_a_group_is_shown_with_its_key_its_back_off_and_what_is_missing(ws: Workspace) -> None:
    at = page("stricter_groups", ws, person_of(ws, SLUG, "Dora"), project=SLUG)
    at.session_state["stricter-list"] = {"selection": {"rows": [1], "columns": [], "cells": []}}
    at.run()
    assert say("stricter.one.depth", depth=2, all=3).rstrip(".") in plain(shown(at))
    assert "Regret" in shown(at)
    assert ["Place", "Online"] in table(at, "one.answer")
    assert [row[0] for row in table(at, "one.date")] == ["c1", "c3"]
    assert table(at, "one.date")[0][1].endswith(HOSTILE)
    assert [row[0] for row in table(at, "missing.what")] == ["c5", "c6"]
    assert [row[2] for row in table(at, "steps.length")] == ["0", "1", "1"]
    assert [row[1] for row in table(at, "splits.falls")] == ["2", "2"]
    assert len(table(at, "moves.effect")) == 5

    at.selectbox(key=f"stricter-try-answer-{INSULT}-place").select(("street",)).run()
    assert "c1, c2" in plain(shown(at)) and "with 3 of 3 shared" in plain(shown(at))

    both = {"selection": {"rows": [0, 1], "columns": [], "cells": []}}
    at.session_state[f"stricter-members-{INSULT}-0"] = both
    at.run()
    read = [each.key for each in at.button_group if str(each.key).startswith("stricter-read")]
    assert len(read) == 2, "side by side"


def plain(text: str) -> str:
    return text.replace("\\", "")


def test_the_benchmark_is_prepared_for_download_and_bm25_is_scored(ws: Workspace) -> None:
    at = screen(ws, tab="benchmark")
    at.button(key="stricter-prepare").click().run()
    assert "9 cases; 2 standard and 2 stricter queries" in shown(at)
    assert at.session_state["stricter-prepared"][2].startswith(b"PK")
    at.button(key="stricter-score").click().run()
    scored = "bm25-bigram has P@5"
    assert scored in plain(shown(at))
    at.number_input(key="stricter-seed").set_value(5).run()
    assert scored not in plain(shown(at))  # scores of another drawing are no longer shown


def test_scores_of_one_run_file_do_not_stand_under_another(ws: Workspace) -> None:
    at = screen(ws, tab="benchmark")
    at.selectbox(key="stricter-method").set_value("file").run()
    line = f"{INSULT}/c1 Q0 c3 1 2.0 mine\n".encode()
    at.file_uploader(key="stricter-run-file").set_value([("a.trec", line, "text/plain")]).run()
    at.button(key="stricter-score").click().run()
    assert "a.trec, standard groups" in plain(shown(at))
    at.file_uploader(key="stricter-run-file").set_value([("b.trec", line, "text/plain")]).run()
    assert "a.trec" not in plain(shown(at))


def test_groups_from_a_models_tags_are_a_mode_that_says_so(tmp_path: Path) -> None:
    house = build(tmp_path / "ws")
    suggest_all(house)
    warning = say("stricter.from_model", model=MODEL)
    for tab in ("groups", "benchmark"):
        at = screen(house.ws, tab=tab)
        assert not at.warning
        at.selectbox(key="stricter-tags-of").set_value(MODEL).run()
        assert [plain(each.value) for each in at.warning] == [warning]
