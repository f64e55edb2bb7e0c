"""Standard groups on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.commands.called import printed
from tests.conftest import FakeClock
from tests.construction.cases.small_typology import SMALL
from tests.services.cases.grouped_cases import FACT, INSULT, build

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, clock: FakeClock) -> Run:
    build(tmp_path / "w", clock).ws.engine.dispose()

    return partial(printed, tmp_path / "w")


def test_coverage_groups_and_what_is_left_out(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "coverage.csv"
    code, out, _ = run("groups", "report", "--output", str(file))
    assert code == 0
    assert "4 of 6 cases (66.67%) are in 3 of 6 groups, 1 of them in several" in out
    assert file.read_text("utf-8").splitlines()[-1] == "total,,,6,3,4"
    out = run("groups", "list")[1]
    assert f"{INSULT:<44}       2  query 2021-" in out and "(drawn)" in out
    members = tmp_path / "members.csv"
    out = run("groups", "list", FACT, "--output", str(members))[1]
    assert "2021-3               명예훼손 (by provision: 형법 제307조 제1항)" in out
    assert "2021-5,,0,무고,unknown_title," in members.read_text("utf-8")
    out = run("groups", "left-out")[1]
    assert "title not in the typology           무고" in out
    assert "2 cases are in no group, 1 in several." in out
    assert json.loads(run("groups", "left-out", "--json")[1])["multiple"] == {
        "2021-2": [FACT, INSULT]
    }


def test_a_query_is_chosen_among_the_cases_of_the_group(run: Run) -> None:
    assert run("groups", "query", INSULT, "2021-2")[0] == 0
    assert "2  query 2021-2 (chosen)" in run("groups", "list")[1]
    code, _, said = run("groups", "query", INSULT, "2021-3")
    assert code == 3 and "is not in the group" in said
    code, _, said = run("groups", "list", "nothing.here")
    assert code == 3 and "nothing.here" in said


def test_a_typology_is_previewed_saved_and_read_again(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(SMALL.replace("ko: 모욕}", "ko: 무고}"), "utf-8")
    out = run("groups", "preview", str(file))[1]
    assert "2021-5               – → honour.insult" in out
    assert "3 of 6 cases would move; 4 are in a group now, 4 would be." in out
    assert run("groups", "save", str(file), "--note", "renamed")[1] == "Saved version 3.\n"
    assert "renamed" in run("groups", "versions")[1]
    assert run("groups", "typology")[1] == file.read_text("utf-8")
    copy = tmp_path / "copy.yaml"
    assert run("groups", "typology", "2", "--output", str(copy))[1] == "Wrote version 2.\n"
    assert copy.read_text("utf-8") == SMALL
