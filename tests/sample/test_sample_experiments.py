"""The sample's experiments sweep what can change a ranking: no line of a sweep is there in vain."""

from __future__ import annotations

import pytest

from benchmarks.retrieval_quality import Shelf, corpus_of, resources_of
from construction.experiments.lines import sweeps
from construction.experiments.reading import parse
from corpus.importers.beir import read_questions
from corpus.importers.legalize_kr import read_tree
from retrieval.core.model import Query
from tests.conftest import ROOT

SAMPLE = ROOT / "sample"
FILES = sorted((SAMPLE / "experiments").glob("*.yaml"))


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    return Shelf(resources_of(read_tree(SAMPLE / "statutes")))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_sweep_gives_at_least_two_rankings(file, shelf):
    experiment = parse(file.read_text("utf-8"))
    corpus = corpus_of(read_tree(SAMPLE / "statutes"))
    asked = [
        Query(question.external_id, question.text)
        for question in read_questions(SAMPLE / "questions.jsonl")
    ]
    found = sweeps(experiment)
    for sweep in found:
        rankings = set()
        for _, position in sweep.points:
            run = shelf.ready(experiment.lines[position].spec, corpus).search(asked, 100)
            rankings.add(tuple(tuple(hit.unit_id for hit in hits) for hits in run.values()))
        assert len(rankings) > 1, f"{sweep.entry}: {sweep.path} changes nothing"
    if file.stem == "refwalk":
        assert {sweep.path for sweep in found} >= {"N", "M", "delta"}
