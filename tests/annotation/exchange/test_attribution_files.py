"""Attribution review as a file: out, and into a project of the same answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.attribution.form import DISPUTES
from annotation.exchange.files import export_annotations, import_annotations
from annotation.work.submissions import complete
from storage.db.workspace import Workspace
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.projects.attribution_review_project import SLUG, build, submitted


def said(ws: Workspace) -> list[list[Any]]:
    with ws.reading() as session:
        found = complete(session, 1, Task.ATTRIBUTION).values()
    return [[(each.person, each.answers) for each in sides] for sides in found]


def test_what_was_said_of_claims_comes_back_the_same(tmp_path: Path, clock: FakeClock) -> None:
    here = build(tmp_path / "here", clock)
    there = build(tmp_path / "there", FakeClock(), people=False)
    first, second, _ = here.items
    for item, other in ((first, {}), (second, {"label_2": "none", "gold_2": None})):
        submitted(here, here.ann, item)
        submitted(here, here.ben, item, **other)
    DISPUTES.decide(here.ws, here.judge, second, {"label_2": "none"}, "Another fine.")
    file, again = tmp_path / "annotations.jsonl", tmp_path / "again.jsonl"
    export_annotations(here.ws, SLUG, file)
    import_annotations(there.ws, SLUG, file)
    export_annotations(there.ws, SLUG, again)
    assert said(there.ws) == said(here.ws)
    assert len(said(there.ws)) == 2
    assert again.read_text("utf-8") == file.read_text("utf-8")
