"""Curation and attribution review as files: out, and into a project of the same items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.attribution.form import DISPUTES as CLAIM_DISPUTES
from annotation.curation.state import DISPUTES, curation_states
from annotation.exchange.files import export_annotations, import_annotations
from annotation.work.submissions import complete
from services.curation.items import give_to_curation
from storage.db.workspace import Workspace
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.projects import attribution_review_project as attribution
from tests.projects.curation_project import CRANE, GOLD, RAIL, SLUG, build, submitted, written

EDIT = {"question": "난간은 얼마나 높아야 합니까?", "answer": "1.2미터 이상입니다."}


def moved(here: Workspace, there: Workspace, slug: str, folder: Path) -> None:
    """Bring what was said here to there; written again there it is the same file."""
    file, again = folder / "annotations.jsonl", folder / "again.jsonl"
    export_annotations(here, slug, file)
    import_annotations(there, slug, file)
    export_annotations(there, slug, again)
    assert again.read_text("utf-8") == file.read_text("utf-8")


def states(ws: Workspace) -> list[Any]:
    with ws.reading() as session:
        found = curation_states(session, 1).values()
    return [(each.fate, each.gold, each.edited) for each in found]


def test_what_was_curated_comes_back_the_same(tmp_path: Path, clock: FakeClock) -> None:
    here = build(tmp_path / "here", clock)
    there = build(tmp_path / "there", FakeClock(), people=False)
    for who, gold in ((here.ann, GOLD), (here.ben, {**GOLD, CRANE: "yes"})):
        submitted(here, who, here.items[0], "edit", edit=EDIT, cause="unclear", gold=gold)
    answers = {"gold": {**GOLD, CRANE: "yes"}}
    DISPUTES.decide(here.ws, here.judge, here.items[0], answers, "The crane, too.")
    for who in (here.ann, here.ben):
        submitted(here, who, here.items[1], "reject", cause="unclear")
    moved(here.ws, there.ws, SLUG, tmp_path)
    assert states(there.ws) == states(here.ws)
    assert states(there.ws)[0][1] == (RAIL, CRANE)


def test_an_item_that_showed_no_run_goes_through_too(tmp_path: Path, clock: FakeClock) -> None:
    here = build(tmp_path / "here", clock, number=0)
    there = build(tmp_path / "there", FakeClock(), number=0, people=False)
    for house in (here, there):
        written(house.ws, "aug-0001", ())
        give_to_curation(house.ws, SLUG, unchecked=True)
    submitted(here, here.ann, 1)
    submitted(here, here.ben, 1)
    moved(here.ws, there.ws, SLUG, tmp_path)
    assert states(there.ws)[0][1] == (RAIL,)


def test_what_was_said_of_claims_comes_back_the_same(tmp_path: Path, clock: FakeClock) -> None:
    def said(ws: Workspace) -> list[Any]:
        with ws.reading() as session:
            found = complete(session, 1, Task.ATTRIBUTION).values()
        return [[(each.person, each.answers) for each in sides] for sides in found]

    here = attribution.build(tmp_path / "here", clock)
    there = attribution.build(tmp_path / "there", FakeClock(), people=False)
    first, second, _ = here.items
    for item, other in ((first, {}), (second, {"label_2": "none", "gold_2": None})):
        attribution.submitted(here, here.ann, item)
        attribution.submitted(here, here.ben, item, **other)
    CLAIM_DISPUTES.decide(here.ws, here.judge, second, {"label_2": "none"}, "Another fine.")
    moved(here.ws, there.ws, attribution.SLUG, tmp_path)
    assert said(there.ws) == said(here.ws)
    assert len(said(there.ws)) == 2
