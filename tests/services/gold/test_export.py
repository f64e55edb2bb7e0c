"""The export of gold that people made, from their decisions to the bytes.

Also of what was rejected and of what has no text, and what becomes of both elsewhere.
"""

from __future__ import annotations

import csv
import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import ir_measures
import pytest
from ir_measures import RR, P, R, nDCG

import touchstone
from annotation.adjudication import disputes
from annotation.gold.derivation import derive, judged_pairs
from annotation.mapping.commands import add_unit, label, set_no_provision
from annotation.people.members import add_person
from annotation.work.commands import set_comment, submit
from annotation.work.queue_service import open_item, queue
from corpus.importers.beir import read_beir_questions
from evaluation.figure import RESAMPLES
from evaluation.ranking.scoring import Measure
from services.gold import export as module
from services.gold.export import FILES, NO_PROVISION, Pairs, export_gold
from services.law.levels import set_levels
from services.mapping.candidates import build_candidates
from services.runs.retrieving import export_run, retrieve
from services.runs.rows import leaderboard
from services.runs.scoring import evaluated, score_run
from storage.db.workspace import Workspace
from storage.export.trec import read_qrels
from storage.law.corpus import unit_ids
from storage.law.imports import keep_statutes
from storage.law.passages import retrieval_corpus
from tests.projects.project_cache import kept
from tests.projects.small_law import ACT, RULE, SLUG, law, small_workspace
from tests.support.refusals import code_of

JACKETS, LIGHT, LAMP, FORM = f"{ACT}_2조", f"{ACT}_4조", f"{RULE}_article-1", f"{ACT}_별지1서식"
LEFT_OUT = f"{RULE}_article-2"  # by the adjudicator of q2, whom it was put to


@pytest.fixture
def office(tmp_path, clock):
    """Return a workspace whose people can be told what to submit: ``say(person, question, …)``."""
    ws = Workspace(tmp_path / "office", clock)
    return at_work(ws, kept("office", ws, lambda: opened(ws)))


@pytest.fixture
def annotated(tmp_path, clock):
    """q1 agreed on two units, q2 adjudicated, q4 agreed that nothing answers, q3 pending."""
    ws = Workspace(tmp_path / "ws", clock)
    return at_work(ws, kept("annotated office", ws, lambda: work(ws)))


def opened(ws):
    """Fill the workspace; return the ids of its people, items and units."""
    small_workspace(ws.folder, ws.clock)
    ann = add_person(ws, SLUG, "Ann", "annotator").id
    ben = add_person(ws, SLUG, "Ben", "annotator").id
    judge = add_person(ws, SLUG, "Judge", "adjudicator").id
    build_candidates(ws, SLUG)
    items = {entry.external_id: entry.item_id for entry in queue(ws, ann)}
    with ws.reading() as session:
        units = unit_ids(session, 1)
    return {"ann": ann, "ben": ben, "judge": judge, "items": items, "units": units}


def at_work(ws, ids):
    def say(person, question, *accepted, comment=""):
        item = ids["items"][question]
        shown = {each.unit_id for each in open_item(ws, person, item).candidates}
        for unit in (ids["units"][each] for each in accepted):
            if unit in shown:
                label(ws, person, item, unit, "accept")
            else:
                add_unit(ws, person, item, unit)
        if not accepted:
            set_no_provision(ws, person, item, True)
        if comment:
            set_comment(ws, person, item, comment)
        submit(ws, person, item)

    return SimpleNamespace(ws=ws, say=say, **ids)


def work(ws):
    ids = opened(ws)
    office = at_work(ws, ids)
    for person in (office.ann, office.ben):
        office.say(person, "q1", JACKETS, FORM)
        office.say(person, "q4")
    office.say(office.ann, "q2", LAMP, comment="the lamp")
    office.say(office.ben, "q2", LAMP, f"{RULE}_article-2")
    office.say(office.ann, "q3", LIGHT)
    disputes.decide(
        ws, office.judge, office.items["q2"], [office.units[LAMP]], False, "only lamps", 5.0
    )
    return ids


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_beir_files(annotated, tmp_path):
    report = export_gold(annotated.ws, SLUG, tmp_path / "out")
    out = tmp_path / "out"
    assert tuple(sorted(contents(out))) == FILES == report.files
    assert (report.questions, report.no_provision, report.pairs, report.pending) == (3, 1, 3, 1)
    corpus = {line["_id"]: line for line in lines(out / "corpus.jsonl")}
    assert list(corpus) == sorted(corpus)
    assert len(corpus) == report.corpus == 6
    assert not {FORM, f"{ACT}_3조"} & set(corpus)
    assert report.levels == ("article", "section", "annex")
    some = dict.fromkeys(("units", "questions", "pairs"), 1)
    some["questions_without_searched_gold"] = 0
    assert report.not_searched == some | {"reasons": {"form": 1}}
    queries = {line["_id"]: line for line in lines(out / "queries.jsonl")}
    assert list(queries) == ["q1", "q2", "q4"]
    assert queries["q4"]["metadata"] == {"language": "en", "no_provision": True}
    with (out / "qrels" / "test.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    assert rows[0] == ["query-id", "corpus-id", "score"]
    gold = [["q1", JACKETS, "1"], ["q1", FORM, "1"], ["q2", LAMP, "1"]]
    assert rows[1:] == [*gold, ["q2", LEFT_OUT, "0"]]
    assert report.rejected == 1
    assert {row[1] for row in rows[1:]} - set(corpus) == {FORM}  # so that it counts as missed
    assert (out / "qrels.trec").read_text("utf-8") == "".join(
        f"{query} 0 {unit} {grade}\n" for query, unit, grade in rows[1:]
    )


def test_the_lineage_of_agreed_adjudicated_and_missing_provisions(annotated, tmp_path):
    export_gold(annotated.ws, SLUG, tmp_path / "out")
    every = lines(tmp_path / "out" / "gold.jsonl")
    first = every[0]
    assert (first["question_id"], first["unit_id"]) == ("q1", JACKETS)
    assert (first["outcome"], first["no_provision"], first["reason"]) == ("agreed", False, "")
    assert first["citations"] == ["「나루안전법」 제2조"]
    assert first["snapshot"]["name"] == "first"
    assert first["snapshot"]["effective"] == "2026-01-01"
    assert len(first["snapshot"]["content_hash"]) == 64
    ann, ben = first["decisions"]
    assert [ann["person"], ben["person"]] == ["annotator 1", "annotator 2"]
    assert ann["label"] == ben["label"] == "accept"
    assert ann["at"].startswith("2026-01-05T09:") and ann["at"].endswith("+00:00")
    assert ann["guideline_version"] and ann["codebook_version"] and ann["id"] != ben["id"]
    assert ann["snapshot"] == first["snapshot"]
    found = {line["question_id"]: line for line in every if line["relevance"] != 0}
    settled, nothing = found["q2"], found["q4"]
    assert (settled["unit_id"], settled["outcome"]) == (LAMP, "adjudicated")
    assert settled["reason"] == "only lamps"
    assert [each["role"] for each in settled["decisions"]] == ["annotator"] * 2 + ["adjudicator"]
    assert settled["decisions"][0]["comment"] == "the lamp"
    assert (nothing["unit_id"], nothing["no_provision"]) == (None, True)
    assert [each["no_provision"] for each in nothing["decisions"]] == [True, True]
    exported = {(line["question_id"], line["unit_id"], line["relevance"]) for line in every}
    settled_items = [item for item in derive(annotated.ws, SLUG) if item.settled]
    derived: set[tuple[Any, ...]] = {
        (item.external_id, unit, 1) for item in settled_items for unit in item.units
    }
    derived |= {(item.external_id, unit, 0) for item in settled_items for unit in item.rejected}
    derived |= {(item.external_id, None, None) for item in settled_items if not item.units}
    assert exported == derived and len(derived) == 5


def test_the_same_database_gives_the_same_bytes(annotated, tmp_path):
    export_gold(annotated.ws, SLUG, tmp_path / "one")
    copy = tmp_path / "copy"
    shutil.copytree(annotated.ws.folder, copy)
    annotated.ws.clock()
    export_gold(Workspace(copy), SLUG, tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    export_gold(annotated.ws, SLUG, tmp_path / "one")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_other_files_stay_and_a_failure_changes_nothing(annotated, tmp_path, monkeypatch):
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    export_gold(annotated.ws, SLUG, out)
    before = contents(out)
    assert before["notes.txt"] == b"mine" and len(before) == len(FILES) + 1
    monkeypatch.setattr(module, "write_lineage", lambda *_: 1 / 0)
    annotated.say(annotated.ben, "q3", LIGHT)
    with pytest.raises(ZeroDivisionError):
        export_gold(annotated.ws, SLUG, out)
    assert contents(out) == before
    assert not list(tmp_path.rglob(".part-*"))


def test_without_gold_there_is_nothing_to_export(office, tmp_path):
    office.say(office.ann, "q1", JACKETS)
    assert code_of(export_gold, office.ws, SLUG, tmp_path / "out") == "no_gold"
    assert code_of(export_gold, office.ws, "nobody", tmp_path / "out") == "project_unknown"
    assert not (tmp_path / "out").exists()


def amend(office, *statutes):
    """Import other law, which comes into use, with candidates from it."""
    keep_statutes(office.ws, SLUG, list(statutes), "second")
    build_candidates(office.ws, SLUG)


def changed(*places, gone=()):
    """Return the law with the articles at `places` reworded, and some gone."""
    act, rule = law()
    units = []
    for each in act.units:
        place = each.semantic_id.removeprefix(f"{ACT}_")
        if place in places:
            each = replace(each, text=f"{each.text} 새 문장.")
        if place not in gone:
            units.append(each)
    return replace(act, units=tuple(units)), rule


def exported(office, folder, **chosen):
    """Return the report, the corpus by id, the questions, and the lines of lineage."""
    report = export_gold(office.ws, SLUG, folder, **chosen)
    corpus = {line["_id"]: line for line in lines(folder / "corpus.jsonl")}
    queries = [line["_id"] for line in lines(folder / "queries.jsonl")]
    return report, corpus, queries, lines(folder / "gold.jsonl")


def test_gold_that_stands_as_judged_holds_for_newer_law_and_keeps_its_world(annotated, tmp_path):
    amend(annotated, *changed("1조"))
    report, corpus, queries, gold = exported(annotated, tmp_path / "out")
    assert (report.snapshot, report.snapshot_id) == ("second", 2)
    assert {"q1", "q2"} <= set(queries)
    assert corpus[f"{ACT}_1조"]["text"].endswith("새 문장.")
    assert {line["snapshot"]["name"] for line in gold} == {"first"}
    assert {line["corpus_snapshot"]["name"] for line in gold} == {"second"}


def test_amended_gold_is_pending_and_in_no_file(annotated, tmp_path):
    law_now = changed("2조")
    run_before = retrieve(annotated.ws, SLUG)
    amend(annotated, *law_now)
    report, corpus, queries, gold = exported(annotated, tmp_path / "out")
    assert report.amended[0] == "q1" and "q1" not in queries
    assert "q1" not in {line["question_id"] for line in gold}
    assert "q1" not in (tmp_path / "out" / "qrels.trec").read_text("utf-8")
    act, _ = law_now
    words = {each.semantic_id: each.text for each in act.units}
    for unit_id, line in corpus.items():
        assert unit_id.startswith(RULE) or line["text"] == words[unit_id]
    with annotated.ws.reading() as session:
        assert len(corpus) == report.corpus == len(retrieval_corpus(session, 2))
    item = next(each for each in derive(annotated.ws, SLUG) if each.external_id == "q1")
    assert (item.pending, item.amended, item.snapshot_id) == (("amended",), (JACKETS,), 1)
    run = retrieve(annotated.ws, SLUG)
    found, before = (score_run(annotated.ws, each) for each in (run, run_before))
    assert list(found.evaluation.table) == queries and found.evaluation.unjudged[0] == "q1"
    assert "q1" in before.evaluation.table  # by the gold of its own law
    stale = {line.run_id: line.stale for line in leaderboard(annotated.ws, SLUG).runs}
    assert stale == {run: False, run_before: True}  # as it is of older law


def test_another_snapshot_can_be_the_corpus(annotated, tmp_path):
    _, before, *_ = exported(annotated, tmp_path / "before")
    run = retrieve(annotated.ws, SLUG)
    amend(annotated, *changed("2조", gone=("4조",)))
    report, corpus, queries, _ = exported(annotated, tmp_path / "again", snapshot_id=1)
    assert corpus == before and queries == ["q1", "q2", "q4"] and report.amended == ()
    assert contents(tmp_path / "again") == contents(tmp_path / "before")
    assert retrieve(annotated.ws, SLUG, snapshot_id=1) == run
    out = annotated.ws, SLUG, tmp_path / "no", 9
    assert code_of(export_gold, *out) == "snapshot_unknown"


def test_gold_that_is_not_searched_is_in_the_judgements_and_told(annotated, tmp_path):
    """Standard tools count a judged unit that the corpus lacks as missed; so do we."""
    set_levels(annotated.ws, SLUG, ["annex", "article"])
    run = retrieve(annotated.ws, SLUG)
    export_gold(annotated.ws, SLUG, tmp_path / "out")
    export_run(annotated.ws, run, tmp_path / "run.trec")
    told = {line["unit_id"]: line for line in lines(tmp_path / "out" / "gold.jsonl")}
    searched = [told[unit]["searched"] for unit in (JACKETS, FORM, LAMP, None)]
    assert len(told) == 5 and searched == [True, False, True, None]
    assert all(line["corpus_levels"] == ["article", "annex"] for line in told.values())
    qrels = list(ir_measures.read_trec_qrels(str(tmp_path / "out" / "qrels.trec")))
    hits = list(ir_measures.read_trec_run(str(tmp_path / "run.trec")))
    assert FORM in {each.doc_id for each in qrels} - {each.doc_id for each in hits}
    recall = ir_measures.calc_aggregate([ir_measures.R @ 100], qrels, hits)[ir_measures.R @ 100]
    ours = {figure.name: figure.value for figure in score_run(annotated.ws, run).figures}
    assert recall == ours["Recall@100"] == 0.75  # one of two, and one of one
    facts = json.loads((tmp_path / "out" / "datasheet.json").read_text("utf-8"))["composition"]
    assert facts["levels of the retrieval corpus"] == "article, annex"
    assert facts["question-unit pairs whose unit is not in it, which count as missed"] == 1
    assert facts["units not in it, by level or reason"] == {"form": 1}
    assert (tmp_path / "run.trec").read_text("utf-8").split()[5] == "touchstone-bm25:article+annex"


ANNEX, PURPOSE = f"{ACT}_별표1", f"{ACT}_1조"
FIRST_SEARCHABLE, ZERO = {JACKETS: 1}, {PURPOSE: 0}


@pytest.fixture
def judged(office: Any) -> Any:
    """q1: an article and an annex without text, another article rejected; q2: the annex alone;
    q3: no provision, where one was rejected.
    """
    rejected = {"q1": PURPOSE, "q2": LAMP, "q3": LIGHT}
    accepted = {"q1": (JACKETS, ANNEX), "q2": (ANNEX,), "q3": ()}
    for person in (office.ann, office.ben):
        for question, unit in rejected.items():
            label(office.ws, person, office.items[question], office.units[unit], "reject")
            office.say(person, question, *accepted[question])
    return office


def test_what_everybody_rejected_is_of_grade_0(judged: Any, tmp_path: Path) -> None:
    report = export_gold(judged.ws, SLUG, tmp_path)
    assert (report.pairs, report.rejected) == (3, 3)
    counted = judged_pairs(judged.ws, SLUG, derive(judged.ws, SLUG))  # as the screen does
    assert counted == {"pairs": report.pairs, "rejected": report.rejected}
    judgements = {"q1": {JACKETS: 1, ANNEX: 1, **ZERO}, "q2": {ANNEX: 1, LAMP: 0}}
    assert read_qrels(tmp_path / "qrels.trec") == judgements
    assert read_qrels(tmp_path / "qrels" / "test.tsv") == judgements
    assert read_qrels(tmp_path / NO_PROVISION) == {"q3": {LIGHT: 0}}
    told = {(each["question_id"], each["unit_id"]): each for each in lines(tmp_path / "gold.jsonl")}
    zero = told["q1", PURPOSE]
    assert (zero["relevance"], zero["no_provision"]) == (0, False)
    assert [each["label"] for each in zero["decisions"]] == ["reject", "reject"]
    assert told["q3", LIGHT]["no_provision"] and told["q3", None]["relevance"] is None
    assert (told["q1", ANNEX]["has_text"], told["q1", JACKETS]["has_text"]) == (False, True)


def test_positives_only_has_no_zero_anywhere(judged: Any, tmp_path: Path) -> None:
    export_gold(judged.ws, SLUG, tmp_path)
    report = export_gold(judged.ws, SLUG, tmp_path, pairs=Pairs(positives_only=True))
    assert (report.pairs, report.rejected) == (3, 0)
    assert not (tmp_path / NO_PROVISION).exists() and NO_PROVISION not in report.files
    kept = read_qrels(tmp_path / "qrels.trec")
    assert {grade for units in kept.values() for grade in units.values()} == {1}
    assert 0 not in {each["relevance"] for each in lines(tmp_path / "gold.jsonl")}


def test_no_figure_changes_by_what_was_rejected(judged: Any, tmp_path: Path) -> None:
    run, first = retrieve(judged.ws, SLUG), [Measure("Recall", 1)]  # no file here is deeper
    export_run(judged.ws, run, tmp_path / "run.trec")
    figures = score_run(judged.ws, run, measures=first).figures
    hits = list(ir_measures.read_trec_run(str(tmp_path / "run.trec")))
    aggregates = []
    for name, pairs in (("all", Pairs()), ("positives", Pairs(positives_only=True))):
        export_gold(judged.ws, SLUG, tmp_path / name, pairs=pairs)
        qrels = tmp_path / name / "qrels.trec"
        found = evaluated(tmp_path / "run.trec", qrels, first)
        assert found.figures_by(RESAMPLES) == figures
        read = list(ir_measures.read_trec_qrels(str(qrels)))
        aggregates.append(ir_measures.calc_aggregate([R @ 1, P @ 5, RR, nDCG @ 10], read, hits))
    assert aggregates[0] == aggregates[1]
    assert aggregates[0][R @ 1] == next(each.value for each in figures if each.name == "Recall@1")


def test_a_question_of_zeros_alone_is_not_scored(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 a 0\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 2 x\nq2 Q0 b 1 2 x\n")
    recall = [Measure("Recall", 1)]
    (figure,) = evaluated(tmp_path / "run", tmp_path / "qrels", recall).figures
    assert figure.n == 1
    found = touchstone.evaluate(tmp_path / "run", tmp_path / "qrels", measures="Recall@1")
    assert found.figures["Recall@1"].n == 1 and found.table["q2"] == {"Recall@1": None}


def test_our_own_export_is_read_back_with_its_zeros(judged: Any, tmp_path: Path) -> None:
    export_gold(judged.ws, SLUG, tmp_path)
    read = {each.external_id: each for each in read_beir_questions(tmp_path)}
    assert dict(read["q1"].grades) == {JACKETS: 1, ANNEX: 1, **ZERO}
    assert set(read["q1"].gold_ids) == {JACKETS, ANNEX}
    assert (read["q3"].gold_ids, dict(read["q3"].grades)) == ((), {LIGHT: 0})
    law = touchstone.load_law(tmp_path)
    gold = law.gold(touchstone.load_questions(tmp_path))
    assert gold == {"q1": {JACKETS: 1, ANNEX: 1}, "q2": {ANNEX: 1}, "q3": {}}


def test_units_without_text_are_counted_and_can_be_left_out(judged: Any, tmp_path: Path) -> None:
    report = export_gold(judged.ws, SLUG, tmp_path / "all")
    assert report.units_without_text == 1
    counts = {"pairs": 2, "questions": 2, "questions_without_searched_gold": 1, "units": 1}
    assert report.without_text == {**counts, "reasons": {"no_text": 1}}
    sheet = json.loads((tmp_path / "all" / "datasheet.json").read_text("utf-8"))["composition"]
    assert sheet["question-unit pairs whose unit has no text"] == 2
    assert sheet["question-unit pairs that all who decided rejected"] == 3
    left = export_gold(judged.ws, SLUG, tmp_path / "some", pairs=Pairs(searchable_only=True))
    assert left.left_out and left.pairs == 1
    assert read_qrels(tmp_path / "some" / "qrels.trec") == {"q1": FIRST_SEARCHABLE | ZERO}
    same = ("gold.jsonl", "corpus.jsonl")
    assert [contents(tmp_path / "some")[each] for each in same] == [
        contents(tmp_path / "all")[each] for each in same
    ]


def test_the_datasheet_says_how_candidates_were_proposed(judged: Any, tmp_path: Path) -> None:
    for person in (judged.ann, judged.ben):
        judged.say(person, "q4", FORM)  # nobody proposed it
    export_gold(judged.ws, SLUG, tmp_path)
    told = json.loads((tmp_path / "datasheet.json").read_text("utf-8"))["collection"]
    assert list(told["candidates proposed by, with questions"].values()) == [4]
    assert told["candidates per question"].startswith("median ")
    shares = told["gold pairs, by whether and how they were proposed"]
    among, added = shares["among the candidates"], shares["added by people who searched"]
    assert among["n"] == added["n"] == 4 and among["value"] + added["value"] == 1
    assert added["value"] >= 0.25 and added["95 % interval"][1] < 1
    assert shares["proposed by citation"]["value"] == 0.25  # JACKETS, which the answer of q1 cites
