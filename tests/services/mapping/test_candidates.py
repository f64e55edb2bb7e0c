from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select

from annotation.people.members import add_person
from annotation.work import queue_service
from annotation.work.versioned_texts import PARALLEL_GROUPS
from construction.mapping import Candidate, CandidateSet, Why, propose
from retrieval.lexical.bm25_method import BM25
from services.law.importing import import_questions, import_statutes
from services.mapping.candidate_methods import LABELS
from services.mapping.candidates import build_candidates
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from storage.tables.core import CandidateRow
from tests.annotation.house import question, statute
from tests.conftest import ROOT
from tests.support.refusals import code_of

SLUG = "lake"


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "workspace")
    migrate(workspace)
    create_project(workspace, SLUG, "Lake law")
    return workspace


def test_what_is_missing_is_said(ws: Workspace) -> None:
    assert code_of(build_candidates, ws, "nowhere") == "project_unknown"
    keep_questions(ws, SLUG, [question(1)], "q.jsonl")
    assert code_of(build_candidates, ws, SLUG) == "corpus_missing"
    create_project(ws, "law-only", "Law only")
    keep_statutes(ws, "law-only", [statute()], "n")
    assert code_of(build_candidates, ws, "law-only") == "questions_missing"


def test_only_items_without_current_candidates_are_built(ws: Workspace) -> None:
    keep_statutes(ws, SLUG, [statute()], "first")
    keep_questions(ws, SLUG, [question(1), question(2)], "q.jsonl")
    seen: list[tuple[int, int]] = []
    first = build_candidates(ws, SLUG, lambda done, total: seen.append((done, total)))
    assert (first.items, first.built, first.kept) == (2, 2, 0)
    (units, _), *_ = seen  # of the two indexes that are made, whole units and their titles
    assert seen == [(units, units), (units, units), (1, 2), (2, 2)]
    assert first.candidates > 0
    assert build_candidates(ws, SLUG).built == 0
    keep_questions(ws, SLUG, [question(3)], "q.jsonl")
    third = build_candidates(ws, SLUG)
    assert (third.built, third.kept) == (1, 2)
    keep_statutes(ws, SLUG, [statute(" Changed.")], "second")
    assert build_candidates(ws, SLUG).built == 3


def test_what_became_of_the_citations_is_told_by_reason_and_missing_instruments(ws: Workspace):
    keep_statutes(ws, SLUG, [statute()], "first")
    texts = (
        "Article 1 of the Lake Act, Article 9 of the Lake Act and Article 2 of the Pier Act apply.",
        "Article 5 of the Pier Act applies.",
        "Article 3 of the Dock Act applies; so does Article 4 of the Dock Act.",
        "Nothing is cited.",
    )
    asked = [replace(question(number), answer=text) for number, text in enumerate(texts, 1)]
    keep_questions(ws, SLUG, asked, "q.jsonl")
    done = build_candidates(ws, SLUG)
    assert done.citations == {"resolved": 1, "unresolved": 5}
    assert done.reasons == {"unresolved": {"no_such_instrument": 4, "no_such_place": 1}}
    assert (done.citing, done.absent, done.others) == (3, 4, 0)
    missing = [(each.title, each.citations, each.questions) for each in done.missing]
    assert missing == [("Pier Act", 2, 2), ("Dock Act", 2, 1)]
    lines = done.lines()
    assert lines[:2] == ["6 citations in 3 questions, of these:", "- 1 resolved to one provision"]
    assert lines[2].startswith("- 5 not resolved: 4 the statute is not in this corpus; 1 the")
    assert "Pier Act (2 citations in 2 questions); Dock Act (2 citations in 1 question)" in lines[3]
    assert "import statutes FILE --add" in lines[3]
    assert "other" not in lines[3] and "; 2 others." in replace(done, others=2).lines()[3]
    assert build_candidates(ws, SLUG).lines() == ["The answers of these questions cite nothing."]


def test_a_build_that_fails_leaves_no_set_of_it(ws: Workspace) -> None:
    keep_statutes(ws, SLUG, [statute()], "first")
    keep_questions(ws, SLUG, [question(1), question(2)], "q.jsonl")

    def stray(asked: Any, *rest: Any) -> CandidateSet:
        if asked.external_id == "q1":
            return propose(asked, *rest)
        return CandidateSet((), (Candidate("sea-act_article-1", 1, (Why("text", 1, 1.0),)),))

    assert code_of(build_candidates, ws, SLUG, proposer=stray) == "candidate_unknown"
    assert build_candidates(ws, SLUG).built == 2


def test_the_sample_gets_candidates_that_an_annotator_can_open(ws: Workspace) -> None:
    import_statutes(ws, SLUG, ROOT / "sample" / "statutes")
    import_questions(ws, SLUG, ROOT / "sample" / "questions.jsonl")
    report = build_candidates(ws, SLUG)
    assert report.as_dict()["built"] == report.items > 0
    assert report.citations["resolved"] > 0
    person = add_person(ws, SLUG, "A", "annotator").id
    cited = 0
    for entry in queue_service.queue(ws, person):
        view = queue_service.open_item(ws, person, entry.item_id)
        listed = {candidate.unit_id for candidate in view.candidates}
        for citation in view.citations:
            assert view.answer[citation.start : citation.end] == citation.text
            if citation.status == "resolved":
                assert citation.unit_ids
                assert set(citation.unit_ids) <= listed
        cited += sum(why.source == "citation" for c in view.candidates for why in c.why)
        for candidate in view.candidates:
            for start, end in (*candidate.marks, *candidate.pinpoints):
                assert 0 <= start < end <= len(candidate.text)
    assert cited > 0


@pytest.mark.parametrize("changed", ["", " Changed."], ids=["same law", "newer law"])
def test_a_build_that_another_one_overtook_adds_nothing(ws: Workspace, changed: str) -> None:
    keep_statutes(ws, SLUG, [statute()], "first")
    keep_questions(ws, SLUG, [question(1), question(2)], "q.jsonl")

    def overtaken(asked: Any, *rest: Any) -> CandidateSet:
        keep_statutes(ws, SLUG, [statute(changed)], "meanwhile")
        build_candidates(ws, SLUG)
        return propose(asked, *rest)

    report = build_candidates(ws, SLUG, proposer=overtaken)
    assert (report.items, report.built, report.kept, report.candidates) == (2, 0, 2, 0)
    assert build_candidates(ws, SLUG).built == 0


def test_another_method_may_search_the_texts(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_statutes(ws, SLUG, [statute()], "first")
    keep_questions(ws, SLUG, [question(1)], "q.jsonl")
    assert build_candidates(ws, SLUG).built == 1
    spec = {"method": "bm25", "tokeniser": "whitespace"}
    assert build_candidates(ws, SLUG, spec=spec).built == 1
    assert build_candidates(ws, SLUG, spec=spec).built == 0
    assert build_candidates(ws, SLUG).built == 1
    assert build_candidates(ws, SLUG, spec=spec).built == 1
    monkeypatch.setattr(BM25, "VERSION", BM25.VERSION + 1)  # it ranks in another way now
    assert build_candidates(ws, SLUG, spec=spec).built == 1
    assert code_of(build_candidates, ws, SLUG, spec={"method": "guess"}) == "unknown_method"


def test_successors_that_the_project_declares_are_offered_at_once(ws: Workspace) -> None:
    law = replace(statute(), title="Harbour Standard (HBLC 107)", language="en")
    keep_statutes(ws, SLUG, [law], "first")
    cited = "OLDC 107 제1조에 따른다."
    keep_questions(ws, SLUG, [replace(question(1), answer=cited)], "q.jsonl")
    assert build_candidates(ws, SLUG).absent == 1
    number, text = PARALLEL_GROUPS.edition(ws, SLUG).number, PARALLEL_GROUPS.edition(ws, SLUG).text
    more = text.replace("successors:\n", "successors:\n- {code: OLDC, to: [HBLC]}\n", 1)
    PARALLEL_GROUPS.save(ws, SLUG, more, "Standards of the harbour", number)
    again = build_candidates(ws, SLUG)
    assert (again.built, again.absent) == (1, 0)
    assert build_candidates(ws, SLUG).built == 0


@pytest.mark.parametrize(("amended", "kept"), [("2003. 1. 1.", "law of 2001"), ("1999. 1. 1.", "")])
def test_former_law_names_the_snapshot_that_keeps_it(
    ws: Workspace, amended: str, kept: str
) -> None:
    for year in (2001, 2005, 2020):
        law = replace(statute(f" {year}."), title="등대법", effective=date(year, 1, 1))
        keep_statutes(ws, SLUG, [law], f"law of {year}")
    cited = f"구 등대법({amended} 법률 제8974호로 개정되기 전의 것) 제1조, 제2조에 따른다."
    keep_questions(ws, SLUG, [replace(question(1), answer=cited)], "q.jsonl")
    build_candidates(ws, SLUG)
    person = add_person(ws, SLUG, "A", "annotator").id
    (entry,) = queue_service.queue(ws, person)
    shown = queue_service.open_item(ws, person, entry.item_id).citations
    assert [(one.reason, one.kept_in) for one in shown] == [("former_version", kept)] * 2


def test_labels_of_the_source_come_first_to_be_verified(ws: Workspace) -> None:
    keep_statutes(ws, SLUG, [statute()], "first")
    last = statute().units[-1].semantic_id
    keep_questions(ws, SLUG, [replace(question(1), gold_ids=(last, "nowhere"))], "q.jsonl")
    assert build_candidates(ws, SLUG, spec=LABELS).built == 1
    assert build_candidates(ws, SLUG, spec=LABELS).built == 0
    with ws.reading() as session:
        why = list(session.exec(select(CandidateRow.why).order_by(col(CandidateRow.rank))))
    assert why[0][0]["source"] == "source"
    assert sum(each["source"] == "source" for row in why for each in row) == 1
