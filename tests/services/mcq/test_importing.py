"""Votes of other tools: read by line and field, kept with their origin, counted apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from services.mcq.export import export_mcqs
from services.mcq.importing import VotesBrought, import_votes
from services.mcq.views import QuestionState, standing_questions
from services.models.workspace_models import model_names
from storage.db.workspace import Workspace
from storage.mcq.votes import VoteView, votes
from storage.projects import find_project
from tests.services.mcq.mcq_project import SLUG, generated, knows, solved
from tests.support.refusals import refused


def file_of(folder: Path, *lines: dict[str, Any]) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    return path


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "w")
    generated(workspace)
    return workspace


def questions(ws: Workspace) -> list[QuestionState]:
    with ws.reading() as session:
        return standing_questions(session, find_project(session, SLUG).id)


def line(ws: Workspace, **more: Any) -> dict[str, Any]:
    one = questions(ws)[0].item
    said = {"id": one.id, "setting": "ab", "model": "elsewhere-7b", "tool": "lm-eval"}
    return said | {"choice": one.answer + 1} | more


def kept(ws: Workspace) -> list[VoteView]:
    with ws.reading() as session:
        return votes(session, find_project(session, SLUG).id)


def test_votes_are_kept_with_their_origin_and_a_repeat_changes_nothing(
    ws: Workspace, tmp_path: Path
) -> None:
    one = questions(ws)[0].item
    text = {"raw": f"The answer is {one.answer + 1}.", "repeat": 1}
    said = line(ws, **text)
    del said["choice"]
    file = file_of(tmp_path, line(ws), said, line(ws, setting="a", choice=5))
    assert import_votes(ws, SLUG, file) == VotesBrought(3, 0, {"chosen": 3})
    assert import_votes(ws, SLUG, file) == VotesBrought(3, 3, {})
    found = kept(ws)
    assert {each.server for each in found} == {"file:lm-eval"}
    assert all(each.prompt_version.startswith("answers.jsonl ") for each in found)
    assert {(e.setting, e.repeat, e.choice) for e in found} == {
        ("ab", 0, one.answer),
        ("ab", 1, one.answer),
        ("a", 0, 4),
    }


def test_what_changed_supersedes_and_what_was_refused_is_no_answer(
    ws: Workspace, tmp_path: Path
) -> None:
    import_votes(ws, SLUG, file_of(tmp_path, line(ws)))
    refused = line(ws, state="refused")
    del refused["choice"]
    assert import_votes(ws, SLUG, file_of(tmp_path, refused)).states == {"refused": 1}
    (vote,) = kept(ws)
    assert (vote.choice, vote.state) == (None, "refused")
    export_mcqs(ws, SLUG, tmp_path / "out", "all")
    assert import_votes(ws, SLUG, tmp_path / "out" / "votes.jsonl").read == 1


def test_a_model_of_that_name_that_we_asked_is_counted_apart(ws: Workspace, tmp_path: Path) -> None:
    solved(ws, knows)
    ours = {(each.server, each.model) for each in kept(ws)}
    ((_, name),) = ours
    import_votes(ws, SLUG, file_of(tmp_path, line(ws, model=name)))
    names = model_names(kept(ws))
    assert names["file:lm-eval", name] == f"{name} @ file:lm-eval"
    assert len(set(names.values())) == 2


def test_a_fault_is_told_by_line_and_field_and_nothing_is_kept(
    ws: Workspace, tmp_path: Path
) -> None:
    good = line(ws)
    silent = line(ws, repeat=1)
    del silent["choice"]
    for bad, code, field in (
        (good | {"id": "none"}, "mcq_vote_question", "id"),
        (good | {"setting": "b+a"}, "mcq_vote_setting", "setting"),
        (good | {"choice": 6}, "mcq_vote_number", "choice"),
        (good | {"choice": 0}, "mcq_vote_number", "choice"),
        (good | {"choice": True}, "mcq_vote_number", "choice"),
        (good | {"repeat": 0.5}, "mcq_vote_number", "repeat"),
        (good | {"model": ""}, "field_missing", "model"),
        (good | {"tool": "x" * 201}, "field_long", "tool"),
        (silent, "mcq_vote_answer", None),
        (good, "mcq_vote_twice", None),
    ):
        with refused(code) as caught:
            import_votes(ws, SLUG, file_of(tmp_path, good, bad))
        where = caught.value.where
        assert where.line == 2 and field in (None, where.field), code
    assert kept(ws) == []
