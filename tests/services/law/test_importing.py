"""Law and questions imported, and previews, which count what an import would keep."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from shutil import make_archive
from time import process_time
from zipfile import ZipFile

import pytest

from corpus.importers.legalize_kr import read_tree
from corpus.importers.statutes.merge import Meeting
from corpus.importers.table import ReadingRules
from errors import UserError
from services.law.graph.citation_graph import build
from services.law.importing import import_questions, import_statutes
from services.law.overview import overview
from services.law.preview import (
    law_in_use,
    preview_questions,
    preview_statutes,
    save_rules,
    saved_rules,
)
from storage.db.workspace import Workspace
from storage.law.corpus import load_questions, snapshot_by_id
from storage.law.graph import graph_view
from storage.law.imports import keep_statutes
from storage.projects import find_project
from tests.annotation.house import statute
from tests.conftest import ROOT
from tests.projects.bare_project import bare_project
from tests.support.refusals import code_of, refused

SLUG = "p"
RULE = ROOT / "sample" / "statutes" / "ko" / "가온화재안전기본법" / "시행규칙.md"


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return bare_project(tmp_path / "workspace", SLUG)


def test_the_sample_is_imported_and_a_second_time_changes_nothing(ws: Workspace) -> None:
    seen: list[tuple[int, int]] = []
    tree, questions = ROOT / "sample" / "statutes", ROOT / "sample" / "questions.jsonl"
    first = import_statutes(ws, SLUG, tree, lambda done, total: seen.append((done, total)))
    assert first.new
    assert first.statutes == 8
    assert seen.count((8, 8)) == 2  # files read, then references found
    assert seen[-1][0] == seen[-1][1] > 8  # edges and references kept
    with ws.reading() as session:
        view = graph_view(session, first.snapshot_id)
    assert view is not None and view.references > 0
    assert not build(ws, SLUG).new
    asked = import_questions(ws, SLUG, questions)
    lines = [line for line in questions.read_text("utf-8").splitlines() if line.strip()]
    assert asked.new == len(lines)
    assert not import_statutes(ws, SLUG, tree).new
    again = {"new": 0, "unchanged": asked.new, "completed": 0}
    assert import_questions(ws, SLUG, questions).as_dict() == again


def test_rows_without_a_place_are_named_and_the_rest_comes_in(
    ws: Workspace, tmp_path: Path
) -> None:
    file = tmp_path / "law.csv"
    file.write_text(
        "법령명,조문번호,내용\n가로등관리법,제1조,목적\n가로등관리법,3-Apr,점등\n", "utf-8"
    )
    seen, done = preview_statutes(ws, SLUG, file), import_statutes(ws, SLUG, file)
    assert (seen.units, done.units) == (1, 1)
    (note,) = done.left_out
    assert (note.code, note.where.line) == ("spreadsheet_place", 3)
    assert done.as_dict()["left_out"] == [note.render()]
    assert note in seen.problems


def beir_set(folder: Path, qrels: str, answer: str = "") -> Path:
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    (folder / "qrels" / "test.tsv").write_text(qrels, "utf-8")
    query = {"_id": "q1", "text": "Who keeps a lamp?", "metadata": {"answer": answer}}
    (folder / "queries.jsonl").write_text(json.dumps(query), "utf-8")
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "text": "The owner."}\n', "utf-8")
    return folder


def test_grades_and_answers_are_kept_and_added_to_what_is_there(
    ws: Workspace, tmp_path: Path
) -> None:
    folder = beir_set(tmp_path / "set", "q1\td1\t1\n")
    import_questions(ws, SLUG, folder)
    done = import_questions(ws, SLUG, beir_set(folder, "q1\td1\t1\nq1\td2\t0\n", "The owner."))
    assert (done.new, done.unchanged, done.completed) == (0, 1, 1)
    with ws.reading() as session:
        question = load_questions(session, find_project(session, SLUG).id)["q1"]
    assert (question.answer, question.grades) == ("The owner.", (("set_d1", 1), ("set_d2", 0)))
    with refused("question_changed"):
        import_questions(ws, SLUG, beir_set(folder, "q1\td1\t1\nq1\td2\t-1\n", "The owner."))


def test_a_snapshot_from_before_there_were_graphs_gets_one(ws: Workspace) -> None:
    tree = ROOT / "sample" / "statutes"
    keep_statutes(ws, SLUG, read_tree(tree), "old")
    again = import_statutes(ws, SLUG, tree)
    assert not again.new
    with ws.reading() as session:
        assert graph_view(session, again.snapshot_id) is not None


@pytest.mark.real_data
def test_the_real_law_is_imported_in_seconds(ws: Workspace, shared_data: Path) -> None:
    began = process_time()
    report = import_statutes(ws, SLUG, shared_data / "korean-law" / "fire-safety")
    assert report.statutes == 155
    assert report.articles > 6_800
    asked = import_questions(ws, SLUG, shared_data / "searchfiresafety" / "qna.jsonl")
    assert asked.new == 619
    assert process_time() - began < 20


def statutes_in_use(ws: Workspace) -> list[str]:
    there = law_in_use(ws, SLUG)
    assert there is not None
    return sorted(there.statute_ids)


def test_an_import_takes_the_place_of_what_is_in_use_and_says_so(ws: Workspace) -> None:
    first = import_statutes(ws, SLUG, ROOT / "sample" / "statutes")
    assert (first.before, first.meeting) == (None, None)
    one = import_statutes(ws, SLUG, RULE)
    assert (one.before, one.statutes) == (first.snapshot_id, 1)
    assert one.meeting == Meeting(common=1, new=0, others=7)


def test_statutes_are_added_to_those_in_use_with_one_graph(ws: Workspace, tmp_path: Path) -> None:
    parts = sorted(RULE.parent.glob("*.md"))
    for part in parts:
        report = import_statutes(ws, SLUG, part, add=True)
    assert report.added and report.meeting == Meeting(common=0, new=1, others=len(parts) - 1)
    whole = bare_project(tmp_path / "whole", SLUG)
    at_once = import_statutes(whole, SLUG, RULE.parent)
    with ws.reading() as one, whole.reading() as other:
        pairs = [(one, report.snapshot_id), (other, at_once.snapshot_id)]
        assert len({snapshot_by_id(*each).content_hash for each in pairs}) == 1
        views = [graph_view(*each) for each in pairs]
    assert views[0] and views[1]
    assert (views[0].edges, views[0].references) == (views[1].edges, views[1].references)


def test_what_is_added_takes_the_place_of_its_older_wording(ws: Workspace, tmp_path: Path) -> None:
    first = import_statutes(ws, SLUG, ROOT / "sample" / "statutes")
    newer = tmp_path / "시행규칙.md"
    newer.write_text(RULE.read_text("utf-8").replace("한다.", "하여야 한다."), "utf-8")
    report = import_statutes(ws, SLUG, newer, add=True)
    assert report.meeting == Meeting(common=1, new=0, others=7)
    assert (report.statutes, report.units, report.new) == (first.statutes, first.units, True)
    assert not import_statutes(ws, SLUG, RULE, add=True).new
    assert import_statutes(ws, SLUG, RULE, add=True).before is None


def test_what_came_into_use_meanwhile_is_not_lost(ws: Workspace) -> None:
    import_statutes(ws, SLUG, RULE)

    def meanwhile(done: int, total: int) -> None:
        if done == total == 2:  # the references of both statutes were found
            import_statutes(ws, SLUG, RULE.parent)

    with refused("import_overtaken"):
        import_statutes(ws, SLUG, RULE.parent / "법률.md", meanwhile, add=True)
    assert len(statutes_in_use(ws)) == 4


def test_an_archive_is_read_as_what_it_holds(ws: Workspace, tmp_path: Path) -> None:
    file = Path(make_archive(str(tmp_path / "law"), "zip", RULE.parent))
    folder = import_statutes(ws, SLUG, RULE.parent)
    packed = import_statutes(ws, SLUG, file)
    assert not packed.new
    assert packed.snapshot_id == folder.snapshot_id
    assert preview_statutes(ws, SLUG, file).statutes == 4
    file = tmp_path / "questions.zip"
    with ZipFile(file, "w") as archive:
        archive.write(ROOT / "sample" / "questions.jsonl", "questions.jsonl")
    assert import_questions(ws, SLUG, file).new > 0


@pytest.mark.parametrize("name", ["nothing", "nothing.zip"])
def test_a_path_with_nothing_at_it_or_an_unknown_project_is_refused(
    ws: Workspace, tmp_path: Path, name: str
) -> None:
    for read in (import_statutes, preview_statutes):
        assert code_of(read, ws, SLUG, tmp_path / name) == "path_missing"
    for act in (import_statutes, import_questions, preview_statutes):
        assert code_of(act, ws, "nowhere", tmp_path / name) == "project_unknown"


FIXTURES = ROOT / "tests" / "fixtures"


def test_a_preview_counts_shows_and_keeps_nothing(ws: Workspace, tmp_path: Path) -> None:
    seen = preview_statutes(ws, SLUG, FIXTURES / "searchfiresafety")
    assert (seen.format, seen.statutes, seen.units, seen.links) == ("searchfiresafety", 3, 5, 4)
    assert seen.levels == {"article": 3, "section": 1, "annex": 1}
    assert seen.tiers == {1: 1, 2: 1, 4: 1}
    assert [unit.semantic_id for unit in seen.first] == [
        *("나루터-안전법_1조", "나루터-안전법_2조의2"),
        *("나루터-안전법-시행령_3조", "나루터-안전법-시행령_별표1-2호의가"),
        "등불의-안전기술기준-NFTC-901_2.1",
    ]
    assert [note.code for note in seen.problems] == ["link_missing"]
    assert json.loads(json.dumps(seen.as_dict()))["units"] == 5
    assert overview(ws, SLUG).snapshot_id is None
    file = tmp_path / "a.txt"
    file.write_text("X Act\n§ 1. A\n" + "words " * 20_000, encoding="utf-8")
    (note,) = preview_statutes(ws, SLUG, file).problems
    assert note.code == "long_unit" and "§ 1" in note.render()


def test_rules_are_set_once_and_used_again(ws: Workspace, tmp_path: Path) -> None:
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text("p,q\nArticle 1,Lamps.\n", encoding="utf-8")
    second.write_text("p,q\nArticle 2,Whistles.\n", encoding="utf-8")
    rules = ReadingRules({"place": "p", "text": "q"}, title="Ferry Act")
    assert import_statutes(ws, SLUG, first, rules=rules).units == 1
    assert saved_rules(ws, SLUG) == rules
    seen = preview_statutes(ws, SLUG, second)
    assert seen.first[0].semantic_id == "Ferry-Act_article-2"
    with pytest.raises(UserError):  # rules of an import that failed are not saved
        import_statutes(ws, SLUG, first, rules=ReadingRules({"text": "nowhere"}))
    assert saved_rules(ws, SLUG) == rules
    save_rules(ws, SLUG, rules).write_text("{", encoding="utf-8")  # damaged since
    with pytest.raises(UserError) as caught:
        preview_statutes(ws, SLUG, second)
    assert caught.value.where.file == "p.json"


def _lines(folder: Path, name: str, *rows: Mapping[str, object]) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_labels_are_counted_with_those_that_the_corpus_has(ws: Workspace, tmp_path: Path) -> None:
    unit = statute().units[0].semantic_id
    plain = {"question": "May I swim?", "answer": "Yes."}
    path = _lines(
        tmp_path,
        "q.jsonl",
        plain | {"question_id": "a", "semantic_ids": [unit, "sea-act_article-1"]},
        plain | {"question_id": "b", "semantic_ids": [unit], "law_references": ["Article 1"]},
        plain | {"question_id": "c", "answer": ""},
    )
    first = preview_questions(ws, SLUG, path)
    assert (first.ids, first.in_corpus, first.absent) == (2, None, ())
    assert "no law is in use yet" in first.lines()[2]
    keep_statutes(ws, SLUG, [statute()], "law")
    seen = preview_questions(ws, SLUG, path)
    assert (seen.questions, seen.answers, seen.citing, seen.labelled) == (3, 2, 1, 2)
    assert (seen.pairs, seen.grades, seen.ids, seen.in_corpus) == (3, {1: 3}, 2, 1)
    assert seen.absent == ("sea-act_article-1",)
    assert seen.lines() == [
        "3 questions: 2 with an official answer, 1 with citations listed in the file.",
        "Labels of the source: 2 questions, 3 pairs of question and provision (by grade: 1: 3).",
        "1 of the 2 provisions that they name are in the law in use.",
        "Not there, for example: sea-act_article-1",
        "Nothing was kept.",
    ]
    assert import_questions(ws, SLUG, path).new == 3, "nothing was kept by looking"


def test_grades_of_a_beir_folder_are_counted(ws: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    _lines(
        folder, "corpus.jsonl", {"_id": "d1", "text": "A lake."}, {"_id": "d2", "text": "A sea."}
    )
    _lines(folder, "queries.jsonl", {"_id": "q1", "text": "Lake?"}, {"_id": "q2", "text": "Sea?"})
    (folder / "qrels").mkdir()
    rows = "q1\td1\t2\nq1\td2\t0\nq9\td1\t1\n"
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}")
    seen = preview_questions(ws, SLUG, folder)
    assert (seen.questions, seen.labelled, seen.pairs, seen.grades) == (2, 1, 2, {0: 1, 2: 1})
    assert len(seen.notes) == 1
    empty = _lines(tmp_path, "none.jsonl", {"question_id": "a", "question": "Why?", "answer": ""})
    assert "The file has no labels." in preview_questions(ws, SLUG, empty).lines()
