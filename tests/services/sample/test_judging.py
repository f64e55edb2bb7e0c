"""The judging part of the sample project: it loads, shows every cell, and quotes its own law."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from sqlmodel import select

from annotation.judging.state import CaseState, Outcome, states_of
from annotation.people.members import list_people
from evaluation.judging.judged import Cell
from evaluation.judging.votes import MAJORITY
from services.sample.loading import PEOPLE, SAMPLE, SLUG, load_sample
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.tables.core import UnitRow
from tests.conftest import FakeClock


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    ws = Workspace(tmp_path_factory.mktemp("sample") / "workspace", FakeClock())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOUCHSTONE_WORKSPACE", str(ws.folder))
        migrate(ws)
        assert load_sample(ws)
    return ws


def states(ws: Workspace) -> list[CaseState]:
    return states_of(ws, SLUG)


def test_a_load_that_was_interrupted_is_finished_and_then_done(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = Workspace(tmp_path / "workspace", clock)
    migrate(ws)
    with monkeypatch.context() as patch:
        patch.setattr(
            "services.sample.loading.import_verdicts", lambda *_: (_ for _ in ()).throw(OSError())
        )
        with pytest.raises(OSError):
            load_sample(ws)
    assert load_sample(ws)
    assert not load_sample(ws)
    assert {each.name for each in list_people(ws, SLUG)} == {name for name, _ in PEOPLE}
    assert len(states(ws)) == 14


def test_every_cell_of_the_matrix_has_a_case(sample: Workspace) -> None:
    found = states(sample)
    cells = Counter(each.judged(MAJORITY).cell for each in found)
    assert all(cells[cell] for cell in Cell)
    outcomes = Counter(each.outcome for each in found)
    assert outcomes[Outcome.DIFFER] == 1
    assert outcomes[Outcome.WAITING] == 4


def test_both_languages_and_some_answers_to_rate_are_there(sample: Workspace) -> None:
    found = states(sample)
    assert {each.case.language for each in found} == {"en", "ko"}
    assert sum(each.so_far < 2 for each in found) == 4


def test_provisions_say_what_the_law_of_the_sample_says(sample: Workspace) -> None:
    with sample.reading() as session:
        texts = dict(session.exec(select(UnitRow.semantic_id, UnitRow.text)).all())
    lines = (SAMPLE / "judging" / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    quoted = [each for line in lines for each in json.loads(line)["provisions"]]
    assert len(quoted) > 15
    for each in quoted:
        assert texts[each["unit"]] == each["text"], each["unit"]
