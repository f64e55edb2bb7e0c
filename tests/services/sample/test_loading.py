"""The sample project: judging, pages with drafts wherever Tesseract is not, tagged court cases."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from sqlmodel import select

from annotation.judging.state import CaseState, Outcome, states_of
from annotation.people.members import list_people
from annotation.tagging.disputes import disputes
from evaluation.judging.judged import MAJORITY, Cell
from services.law.importing import import_statutes
from services.ocr.publishing import page_view
from services.sample.loading import SAMPLE, bring_sample_pages, load_sample, tag_sample_cases
from services.sample.people import PEOPLE, SLUG
from services.stricter.groups import stricter
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.ocr import drafts, pages
from storage.projects import create_project
from storage.subjects import item_of
from storage.tables.core import UnitRow
from storage.tasks import Task
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
    assert outcomes[Outcome.WAITING] == sum(each.so_far < 2 for each in found) == 4
    assert {each.case.language for each in found} == {"en", "ko"}


def test_provisions_say_what_the_law_of_the_sample_says(sample: Workspace) -> None:
    with sample.reading() as session:
        texts = dict(session.exec(select(UnitRow.semantic_id, UnitRow.text)).all())
    lines = (SAMPLE / "judging" / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    quoted = [each for line in lines for each in json.loads(line)["provisions"]]
    assert len(quoted) > 15
    for each in quoted:
        assert texts[each["unit"]] == each["text"], each["unit"]


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    made = Workspace(tmp_path / "workspace", clock)
    migrate(made)
    create_project(made, SLUG, "Sample")
    import_statutes(made, SLUG, SAMPLE / "statutes")
    bring_sample_pages(made, SLUG, SAMPLE / "pages")
    return made


def test_each_page_has_a_draft_whose_boxes_lie_on_it(workspace: Workspace):
    with workspace.reading() as session:
        found = {page.id: page for page in pages(session, 1)}
        kept = drafts(session, 1)
        items = [item_of(session, Task.OCR_CORRECTION, number) for number in found]
    assert [each.engine for each in kept] == ["tesseract", "tesseract"]
    assert None not in items
    for draft in kept:
        page = found[draft.page_id]
        view = page_view(workspace, page.id, draft.id)
        boxes = [word[1:5] for word in view.words] + [block["box"] for block in view.blocks]
        assert all(
            0 <= x0 < x1 <= page.width and 0 <= y0 < y1 <= page.height for x0, y0, x1, y1 in boxes
        )
        assert page.unit
    blocks = [block for draft in kept for block in draft.blocks]
    tables = [block for block in blocks if block["kind"] == "table"]
    assert any(block["doubt"] for block in blocks if block["kind"] != "table")
    assert any(cell["row_span"] * cell["column_span"] == 4 for t in tables for cell in t["cells"])
    bring_sample_pages(workspace, SLUG, SAMPLE / "pages")  # again, which changes nothing
    with workspace.reading() as session:
        assert (len(pages(session, 1)), len(drafts(session, 1))) == (2, 2)


def test_two_cases_are_alike_in_all_that_counts(sample: Workspace) -> None:
    told = stricter(sample, SLUG)
    found = told.group("fraud.fraud")
    assert found.backed_off == 0
    ((*alike,),) = found.groups
    assert [told.cases[case].external_id for case in alike] == ["fraud-1", "fraud-4"]
    assert [told.cases[case].external_id for case in found.table.gaps] == ["fraud-2", "fraud-3"]
    tag_sample_cases(sample, SLUG, SAMPLE / "factor_tags.jsonl")  # again, which changes nothing
    assert stricter(sample, SLUG) == told


def test_an_adjudicator_has_one_sub_factor_of_two_cases_to_settle(sample: Workspace) -> None:
    people = {each.name: each.id for each in list_people(sample, SLUG)}
    waiting = {
        each.sub.key: [entry.external_id for entry in each.waiting]
        for each in disputes(sample, people["Lee Sora"])
    }
    assert waiting == {"admission": ["fraud-2"], "settlement": ["fraud-3"]}
