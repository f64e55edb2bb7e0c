"""Questions that come from a file, and those that go into one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from services.mcq.export import export_mcqs
from services.mcq.importing import import_mcqs
from storage.db.engines import file_address
from storage.db.workspace import DATABASE_FILE, Workspace
from storage.mcq.questions import questions
from tests.conftest import FakeClock
from tests.services.mcq.mcq_project import (
    ACT,
    DECREE,
    SLUG,
    checks,
    days,
    generated,
    knows,
    make,
    people,
    solved,
    written,
)
from tests.support.refusals import fault_of


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", clock)
    make(workspace)
    return workspace


def line(number: int, **changes: Any) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(written(number))
    said |= {"id": f"q{number}", "a": f"{ACT}_{number}조", "b": f"{DECREE}_{number}조"}
    return {**said, **changes}


def file(tmp_path: Path, *lines: Any) -> Path:
    path = tmp_path / "questions.jsonl"
    texts = (each if isinstance(each, str) else json.dumps(each) for each in lines)
    path.write_text("\n".join(texts) + "\n", "utf-8")
    return path


def kept(ws: Workspace) -> dict[str, Any]:
    with ws.reading() as session:
        return {each.question.id: each for each in questions(session, 1)}


def test_drafts_are_shuffled_and_finished_items_are_not(ws: Workspace, tmp_path: Path) -> None:
    five = [*line(2)["options"], "알 수 없음 (정보 부족)"]
    bare = line(3)
    del bare["id"], bare["explanation"]
    lines = [line(n, year=2026) for n in (1, 4, 5, 6)]
    done = import_mcqs(ws, SLUG, file(tmp_path, *lines, line(2, options=five), bare))
    assert (done.read, done.kept, done.already) == (6, 6, 0)
    found = kept(ws)
    assert list(found["q2"].question.options) == five
    assert found["q2"].question.answer == 2
    assert all(found[f"q{n}"].question.right == f"{days(n)}일" for n in (1, 4, 5, 6))
    assert {found[f"q{n}"].question.answer for n in (1, 4, 5, 6)} != {2}
    assert found["q1"].source == {"year": 2026}
    assert f"{ACT}_3조 → {DECREE}_3조 / 0" in found


def published(number: int, **changes: Any) -> dict[str, Any]:
    """Return a question as SearchFireSafety publishes it."""
    ours = line(number)
    options = {f"option_{at}": each for at, each in enumerate([*ours["options"], "알 수 없음."], 1)}
    said = {"question_id": 30 + number, "related_doc_ids": [number, 9], "question": ours["query"]}
    said |= {"related_semantic_ids": [ours["a"], ours["b"]], **options}
    return said | {"answer_partial": 5, "answer_full": 2.0} | changes


def test_rows_as_searchfiresafety_publishes_them_come_in_and_go_out(
    ws: Workspace, tmp_path: Path
) -> None:
    done = import_mcqs(ws, SLUG, file(tmp_path, published(1), published(2, answer_full=1)))
    assert (done.read, done.kept) == (2, 2)
    found = kept(ws)["31"]
    assert list(found.question.options)[3:] == [line(1)["options"][3], "알 수 없음."]
    assert (found.question.answer, found.question.abstention) == (2, 5)
    assert found.question.pair.id == f"{ACT}_1조 → {DECREE}_1조"
    assert found.source == {"related_doc_ids": [1, 9]}
    export_mcqs(ws, SLUG, tmp_path / "out", scope="all")
    lines = read(tmp_path / "out" / "searchfiresafety.jsonl")
    back = published(1) | {"answer_full": 2}
    del back["related_doc_ids"]
    assert lines[0] == back and len(lines) == 2
    again = import_mcqs(ws, SLUG, tmp_path / "out" / "searchfiresafety.jsonl")
    assert (again.read, again.already) == (2, 2)


def test_they_pass_the_same_filters(ws: Workspace, tmp_path: Path) -> None:
    meta = line(2, query="위 조문에 따르면 며칠 안에 보고해야 합니까?")
    again = line(1, id="again")
    done = import_mcqs(ws, SLUG, file(tmp_path, line(1), meta, again))
    assert done.outcomes == {"duplicate": 1, "kept": 1, "meta": 1}


def test_importing_again_changes_nothing_and_other_words_are_refused(
    ws: Workspace, tmp_path: Path
) -> None:
    path = file(tmp_path, line(1), line(2))
    import_mcqs(ws, SLUG, path)
    again = import_mcqs(ws, SLUG, path)
    assert (again.already, again.kept) == (2, 0)
    other = file(tmp_path, line(3), line(2, answer=1))
    assert fault_of(import_mcqs, ws, SLUG, other)[:2] == ("mcq_id_taken", 2)
    assert kept(ws).keys() == {"q1", "q2"}


def test_what_is_no_question_is_named_and_nothing_is_kept(ws: Workspace, tmp_path: Path) -> None:
    for bad, code, field in (
        (line(1, options=["a", "b"]), "mcq_options", "options"),
        (line(1, options=["a", "b", "c", 4]), "mcq_text", "options"),
        (line(1, answer=0), "mcq_answer", "answer"),
        (line(1, answer=5), "mcq_answer", "answer"),
        (line(1, answer=True), "mcq_answer", "answer"),
        (line(1, query=None), "mcq_text", "query"),
        (line(1, query="a\x00b"), "mcq_text", "query"),
        (line(1, a="없는법_1조"), "mcq_unit", "a"),
        (line(1, b=f"{DECREE}_99조"), "mcq_unit", "b"),
        (line(1, id="x\ny"), "mcq_id", "id"),
        (line(2, id="q2"), "mcq_id_twice", "id"),
        (published(1, answer_full=5), "mcq_published", "answer_full"),
        (published(1, answer_full=1.5), "mcq_published", "answer_full"),
        (published(1, answer_full=True), "mcq_published", "answer_full"),
        (published(1, answer_partial=4), "mcq_published", "answer_partial"),
        (published(1, related_semantic_ids=["a"]), "mcq_published", "related_semantic_ids"),
        (published(1, related_semantic_ids=["a", "b"]), "mcq_unit", "related_semantic_ids"),
        (published(1, option_3=None), "mcq_text", "option_3"),
    ):
        path = file(tmp_path, line(2), bad)
        assert fault_of(import_mcqs, ws, SLUG, path) == (code, 2, field), bad
    assert kept(ws) == {}


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(each) for each in path.read_text("utf-8").splitlines()]


def test_an_export_holds_it_all_and_comes_back(tmp_path: Path, clock: FakeClock) -> None:
    ws = Workspace(tmp_path / "other", clock)
    generated(ws)
    solved(ws, knows)
    both = people(ws)
    checks(ws, 1, *both)
    checks(ws, 2, *both, verdict="drop", cause="unanswerable")
    done = export_mcqs(ws, SLUG, tmp_path / "out")
    assert (done.questions, done.all, done.votes) == (1, 6, 24)
    out = tmp_path / "out"
    assert sorted(path.name for path in out.iterdir()) == sorted(done.files)
    kinds = {"questions", "searchfiresafety", "all", "votes", "report", "report_likelihood", "law"}
    assert {name.partition(".")[0] for name in done.files} == kinds
    everything = {each["id"]: each for each in read(out / "all.jsonl")}
    fates = [each["fate"] for each in everything.values()]
    assert fates.count("kept") == fates.count("dropped") == 1
    assert all(len(each["annotation_ids"]) == 2 for each in everything.values() if each["causes"])
    votes = read(out / "votes.jsonl")
    right = [v for v in votes if v["setting"] == "ab"]
    assert all(v["choice"] == everything[v["id"]]["answer"] for v in right)
    report = json.loads((out / "report.json").read_text("utf-8"))
    assert report["questions"] == 1
    assert report["rows"][0]["accuracy"]["n"] == 1
    again = export_mcqs(ws, SLUG, tmp_path / "again", scope="checked")
    assert again.files == done.files
    for name in done.files:
        assert (tmp_path / "again" / name).read_bytes() == (out / name).read_bytes()
    elsewhere = tmp_path / "fresh"
    fresh = Workspace(elsewhere, clock, file_address(elsewhere / DATABASE_FILE))
    make(fresh)
    export_mcqs(ws, SLUG, tmp_path / "whole", scope="all")
    back = import_mcqs(fresh, SLUG, tmp_path / "whole" / "questions.jsonl")
    assert (back.read, back.kept) == (5, 5)
    for name, each in kept(fresh).items():
        assert list(each.question.options) == everything[name]["options"]
        assert each.question.answer == everything[name]["answer"]
