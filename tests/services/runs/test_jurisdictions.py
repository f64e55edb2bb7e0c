"""Each question is searched in the law of its own jurisdiction, and keys of before stay."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from sqlmodel import col, select

from corpus.model import Question
from services.gold.export import export_gold
from services.law.importing import import_questions
from services.law.overview import law_counts, overview
from services.mapping.candidates import build_candidates
from services.runs.methods.preparation import POOLS
from services.runs.questions import query_detail
from services.runs.retrieving import retrieve
from services.runs.strata import strata_of
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.corpus import load_items
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project, find_project
from storage.runs.run_store import run_by_id, run_hits
from storage.tables.core import CandidateRow, CandidateSet, Item, QuestionRow, UnitRow
from tests.projects.small_law import ACT, RULE, SLUG, law, questions
from tests.services.small_gold import LAMP, LIFE_JACKETS, Gold
from tests.support.refusals import refused

OF = {ACT: "kr", RULE: "us-ny"}
ASKED = {"q1": "kr", "q2": "us-ny", "q3": "us-ny", "q4": ""}


@dataclass(frozen=True)
class Decided(Gold):
    """A gold item as far as an export looks at it."""

    lineage: tuple[()] = ()
    snapshot_id: int | None = None
    inherited: None = None
    rejected: tuple[()] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)


GOLD = [
    Decided("q1", (LIFE_JACKETS,)),
    Decided("q2", (LAMP,)),
    Decided("q3", (f"{ACT}_4조",)),  # which stands in other law
    Decided("q4"),
]


def _workspace(folder, clock, law_of, asked):
    ws = Workspace(folder, clock)
    migrate(ws)
    create_project(ws, SLUG, "Ferries")
    statutes = [replace(each, jurisdiction=law_of.get(each.semantic_id, "")) for each in law()]
    keep_statutes(ws, SLUG, statutes, "first")
    said = [replace(each, jurisdiction=asked.get(each.external_id, "")) for each in questions()]
    keep_questions(ws, SLUG, said, "questions.jsonl")
    return ws


@pytest.fixture
def apart(tmp_path, clock, decided):
    decided(GOLD)
    return _workspace(tmp_path / "apart", clock, OF, ASKED)


@pytest.fixture
def plain(tmp_path, clock, decided):
    decided(GOLD)
    return _workspace(tmp_path / "plain", clock, {}, {})


def _hits(ws, run):
    with ws.reading() as session:
        return run_hits(session, run)


METHODS = [
    {"method": "rrf", "of": [{"method": "bm25"}, {"method": "tfidf"}]},
    {"method": "sar", "base": {"method": "bm25"}},
]


@pytest.mark.parametrize("spec", METHODS, ids=lambda spec: spec["method"])
def test_a_run_finds_law_of_the_questions_own_jurisdiction_only(apart, plain, spec):
    found, everywhere = (_hits(ws, retrieve(ws, SLUG, spec)) for ws in (apart, plain))
    for query, jurisdiction in ASKED.items():
        inside = {name for name, of in OF.items() if jurisdiction in ("", of)}
        assert {unit.rpartition("_")[0] for unit, _ in found[query]} <= inside
    assert found["q3"] == []  # a Korean question that is asked of the law of New York
    assert next(unit for unit, _ in everywhere["q3"]) == f"{ACT}_4조"
    own = [unit for unit, _ in everywhere["q2"] if unit.startswith(RULE)]
    assert [unit for unit, _ in found["q2"]] == own


def test_a_question_that_gets_a_jurisdiction_makes_another_run(plain, tmp_path):
    statutes = [replace(each, jurisdiction=OF[each.semantic_id]) for each in law()]
    keep_statutes(plain, SLUG, statutes, "second")
    first = retrieve(plain, SLUG)
    assert retrieve(plain, SLUG) == first
    said = [replace(each, jurisdiction=ASKED[each.external_id]) for each in questions()]
    assert keep_questions(plain, SLUG, said, "questions.jsonl").unchanged == 4
    again = retrieve(plain, SLUG)
    assert again != first
    assert _hits(plain, again)["q3"] == [] != _hits(plain, first)["q3"]
    with refused("question_changed"):
        keep_questions(plain, SLUG, [replace(said[0], jurisdiction="de")], "questions.jsonl")


def test_a_run_of_parts_of_the_corpus_is_extended_while_its_questions_stay_in_theirs(apart):
    run = retrieve(apart, SLUG)
    before = _hits(apart, run)
    came = [
        Question("q5", "나룻배에 구명조끼를 갖추어야 하나요?", "", "ko", jurisdiction="kr"),
        Question("q6", "Does a ferry need a whistle?", "", "en"),
    ]
    keep_questions(apart, SLUG, came, "more.jsonl")
    assert retrieve(apart, SLUG) == run
    after = _hits(apart, run)
    assert {name: after[name] for name in before} == before
    assert {unit.rpartition("_")[0] for unit, _ in after["q5"]} == {ACT}
    assert retrieve(apart, SLUG) == run  # it is found by the parts that its questions have now
    narrow = replace(questions()[3], jurisdiction="kr")
    assert keep_questions(apart, SLUG, [narrow], "questions.jsonl").unchanged == 1
    other = retrieve(apart, SLUG)  # q4 was asked of all law, and is of Korea now
    assert other != run and list(_hits(apart, other)) == list(after)


def test_each_jurisdiction_has_an_index_of_its_own_that_is_kept(apart, tmp_path, clock):
    run = retrieve(apart, SLUG)
    before = {folder.name for folder in apart.indexes.iterdir()}
    assert len(before) == 3  # of all law, of kr, of us-ny
    retrieve(apart, SLUG, k=7)
    assert {folder.name for folder in apart.indexes.iterdir()} == before
    (missed,) = query_detail(apart, run, "q3").missed  # looked for where the run looked
    assert (missed.semantic_id, missed.rank) == (f"{ACT}_4조", None)
    ws = _workspace(tmp_path / "one", clock, dict.fromkeys(OF, "kr"), dict.fromkeys(ASKED, "kr"))
    run = retrieve(ws, SLUG)  # one jurisdiction in all is one corpus
    with ws.reading() as session:
        assert POOLS not in run_by_id(session, run).key.params
    assert len(list(ws.indexes.iterdir())) == 1


def test_candidates_are_of_the_questions_own_law_but_for_what_is_cited(apart):
    build_candidates(apart, SLUG)
    query = (
        select(QuestionRow.external_id, UnitRow.semantic_id)
        .join(Item, col(Item.question_id) == QuestionRow.id)
        .join(CandidateSet, col(CandidateSet.item_id) == Item.id)
        .join(CandidateRow, col(CandidateRow.candidate_set_id) == CandidateSet.id)
        .join(UnitRow, col(UnitRow.id) == CandidateRow.unit_id)
    )
    shown = defaultdict(set)
    with apart.reading() as session:
        for question, unit in session.exec(query):
            shown[question].add(unit.rpartition("_")[0])
    assert shown["q1"] == {ACT}
    assert shown["q2"] == {RULE}


def test_exports_and_screens_say_whose_law_it_is(apart, plain, tmp_path, clock):
    for ws in (apart, plain):
        export_gold(ws, SLUG, tmp_path / ws.folder.name)

    def read(ws, name):
        lines = (tmp_path / ws.folder.name / name).read_text("utf-8").splitlines()
        return [json.loads(line)["metadata"] for line in lines]

    queries = {"q1": "kr", "q2": "us-ny", "q3": "us-ny", "q4": None}
    said = [each.get("jurisdiction") for each in read(apart, "queries.jsonl")]
    assert said == [*queries.values()]
    assert {each["jurisdiction"] for each in read(apart, "corpus.jsonl")} == {"kr", "us-ny"}
    for name in ("queries.jsonl", "corpus.jsonl"):
        assert not any("jurisdiction" in each for each in read(plain, name))
    sheet = "datasheet.json"
    composition = json.loads((tmp_path / "apart" / sheet).read_text("utf-8"))["composition"]
    assert composition["questions by jurisdiction"] == {"kr": 1, "not said": 1, "us-ny": 2}
    assert "jurisdiction" not in (tmp_path / "plain" / sheet).read_text("utf-8")
    assert law_counts(apart, 1).jurisdictions == (("kr", 1), ("us-ny", 1))
    assert overview(apart, SLUG).jurisdictions == (("", 1), ("kr", 1), ("us-ny", 2))
    assert set(strata_of(apart, SLUG)["jurisdiction"]) >= {"kr", "us-ny"}
    assert "jurisdiction" not in strata_of(plain, SLUG)
    ws = Workspace(tmp_path / "back", clock)  # an export is read back with them
    migrate(ws)
    create_project(ws, SLUG, "Ferries")
    import_questions(ws, SLUG, tmp_path / "apart")
    with ws.reading() as session:
        items = load_items(session, find_project(session, SLUG).id)
    assert {each.question.external_id: each.question.jurisdiction for each in items} == ASKED
