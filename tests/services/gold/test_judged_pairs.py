"""Exports of what was rejected and of what has no text, and what becomes of both elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from ir_measures import RR, P, R, nDCG

import touchstone
from annotation.gold.derivation import derive, judged_pairs
from annotation.mapping.commands import label
from corpus.importers.beir import read_beir_questions
from evaluation.figure import RESAMPLES
from evaluation.ranking.scoring import Measure
from services.gold.export import NO_PROVISION, Pairs, export_gold
from services.runs.retrieving import export_run, retrieve
from services.runs.scoring import evaluate_run, evaluated
from storage.export.trec import read_qrels
from tests.projects.small_law import ACT, RULE, SLUG
from tests.services.gold.test_export import FORM, JACKETS, LIGHT, contents, lines, office

__all__ = ["office"]
ANNEX, PURPOSE, LAMP = f"{ACT}_별표1", f"{ACT}_1조", f"{RULE}_article-1"
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
    figures = evaluate_run(judged.ws, run, measures=first)
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
