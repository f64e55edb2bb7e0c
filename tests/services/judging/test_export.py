from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.people.members import add_person
from services.judging.export import export_judging
from services.judging.importing import import_cases, import_ratings, import_verdicts
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.annotation.judging.answered import SLUG, Answered, build, verdict
from tests.conftest import FakeClock
from tests.projects.project_cache import kept_project


@pytest.fixture
def answered(tmp_path: Path, clock: FakeClock) -> Answered:
    ws = Workspace(tmp_path / "workspace", clock)
    made = kept_project("exported judgements", ws, lambda: _judged(tmp_path, clock))
    return replace(made, folder=tmp_path)


def _judged(folder: Path, clock: FakeClock) -> Answered:
    found = build(folder, clock)
    of = {"id": "q1", "system": "small", "judge": "gpt"}
    found.judge(
        verdict("q1", False),
        verdict("q2", True, system="large"),
        of | {"verdict": "first", "other": "large"},
        of | {"raw": "B", "kind": "pairwise", "swapped": True},
        {"id": "q3", "system": "small", "judge": "gpt", "raw": "Perhaps."},
        {"id": "q2", "system": "small", "judge": "gpt", "state": "refused"},
    )
    found.rate(found.ann, True)
    found.rate(found.ben, True)
    found.rate(found.ann, True, "q2")
    found.review(True, "under", "cautious_reference")
    return found


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_everything_that_is_said_is_written_and_nothing_that_is_owed(answered: Answered) -> None:
    folder = answered.folder / "out"
    counts = export_judging(answered.ws, SLUG, folder)
    assert counts == {
        "cases.jsonl": 6,
        "law.json": 1,
        "verdicts.jsonl": 6,
        "ratings.jsonl": 2,
        "reviews.jsonl": 6,
    }
    again = answered.folder / "the same"
    export_judging(answered.ws, SLUG, again)
    assert [file.read_bytes() for file in sorted(again.iterdir())] == [
        file.read_bytes() for file in sorted(folder.iterdir())
    ]
    reviewed = next(line for line in _lines(folder / "reviews.jsonl") if "reviewer" in line)
    assert reviewed == {
        "id": "q1",
        "system": "small",
        "outcome": "reviewed",
        "correct": True,
        "verdicts": {"gpt": False},
        "reviewer": "Ada",
        "estimate": "under",
        "categories": ["cautious_reference"],
        "rationale": "As the provision says.",
    }


def test_it_comes_back_in_elsewhere(answered: Answered, clock: FakeClock) -> None:
    folder, again = answered.folder / "out", answered.folder / "again"
    export_judging(answered.ws, SLUG, folder)
    ws = Workspace(answered.folder / "elsewhere", clock)
    migrate(ws)
    create_project(ws, SLUG, "Elsewhere", 2)
    for name in ("Ann", "Ben"):
        add_person(ws, SLUG, name, "annotator")
    assert import_cases(ws, SLUG, folder / "cases.jsonl").new == 6
    assert import_verdicts(ws, SLUG, folder / "verdicts.jsonl").new == 6
    assert import_ratings(ws, SLUG, folder / "ratings.jsonl").new == 2
    export_judging(ws, SLUG, again)
    for name in ("cases.jsonl", "ratings.jsonl", "verdicts.jsonl"):
        assert (folder / name).read_text("utf-8") == (again / name).read_text("utf-8")
