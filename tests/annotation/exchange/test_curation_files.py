"""Curation as a file: out, and into a project of the same questions in which nobody worked."""

from __future__ import annotations

from pathlib import Path

from annotation.curation.state import DISPUTES, CurationState, curation_states
from annotation.exchange.files import export_annotations, import_annotations
from services.curation.items import give_to_curation
from storage.db.workspace import Workspace
from storage.projects import find_project
from tests.conftest import FakeClock
from tests.projects.curation_project import CRANE, GOLD, RAIL, SLUG, build, submitted, written

EDIT = {"question": "난간은 얼마나 높아야 합니까?", "answer": "1.2미터 이상입니다."}


def states(ws: Workspace) -> list[CurationState]:
    with ws.reading() as session:
        return list(curation_states(session, find_project(session, SLUG).id).values())


def test_what_was_curated_comes_back_the_same(tmp_path: Path, clock: FakeClock) -> None:
    here = build(tmp_path / "here", clock)
    there = build(tmp_path / "there", FakeClock(), people=False)
    for who, gold in ((here.ann, GOLD), (here.ben, {**GOLD, CRANE: "yes"})):
        submitted(here, who, here.items[0], "edit", edit=EDIT, cause="unclear", gold=gold)
    answers = {"gold": {**GOLD, CRANE: "yes"}}
    DISPUTES.decide(here.ws, here.judge, here.items[0], answers, "The crane, too.")
    for who in (here.ann, here.ben):
        submitted(here, who, here.items[1], "reject", cause="unclear")
    file, again = tmp_path / "annotations.jsonl", tmp_path / "again.jsonl"
    export_annotations(here.ws, SLUG, file)
    import_annotations(there.ws, SLUG, file)
    export_annotations(there.ws, SLUG, again)
    assert [(e.fate, e.gold, e.edited) for e in states(there.ws)] == [
        (e.fate, e.gold, e.edited) for e in states(here.ws)
    ]
    assert states(there.ws)[0].gold == (RAIL, CRANE)
    assert again.read_text("utf-8") == file.read_text("utf-8")


def test_an_item_that_showed_no_run_goes_through_too(tmp_path: Path, clock: FakeClock) -> None:
    here = build(tmp_path / "here", clock, number=0)
    there = build(tmp_path / "there", FakeClock(), number=0, people=False)
    for house in (here, there):
        written(house.ws, "aug-0001", ())
        give_to_curation(house.ws, SLUG, unchecked=True)
    submitted(here, here.ann, 1)
    submitted(here, here.ben, 1)
    file = tmp_path / "annotations.jsonl"
    export_annotations(here.ws, SLUG, file)
    import_annotations(there.ws, SLUG, file)
    assert states(there.ws)[0].gold == (RAIL,)
