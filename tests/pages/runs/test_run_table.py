"""The table of runs, its cells, and the identifiers under the ranking of a question."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from annotation.people.members import PersonView, add_person
from annotation.reformulation import approve
from corpus.model import Choice
from evaluation.figure import Figure
from evaluation.ranking.scoring import OFFERED
from messages import say
from pages.runs import query_scores as drawn
from pages.runs.run_table import cell, measure_help
from pages.shell.context import Context
from retrieval.generative.legalsearchlm import Identifier
from services.gold.search_coverage import NotSearched
from services.reformulation.wording import propose
from services.runs.identifiers import IdentifiedHit, StandingIdentifier
from services.runs.retrieving import retrieve
from services.runs.significance import Cell, MeasureColumn, RunScores
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import SLUG, build, question
from tests.pages.runs.test_leaderboard import select
from tests.pages.small_project import SLUG as HITS_SLUG
from tests.pages.small_project import Small, page
from tests.pages.small_project import shown as hits_shown
from tests.services.runs.made_up_rows import run_line

RECALL = "Recall@1"


def reader() -> Context:
    who = PersonView(1, "Lee Sora", "researcher", True, None)
    return Context(Workspace(Path("nowhere")), "fire", who, "en")


def test_every_measure_that_is_offered_is_explained():
    said = {each: measure_help(reader(), repr(each)) for each in OFFERED}
    assert all(each.cutoff is None or str(each.cutoff) in said[each] for each in OFFERED)
    assert all("95 %" in text for text in said.values())
    assert "all that are kept" in measure_help(reader(), "AP")
    alone = measure_help(reader(), "Recall@10", interval=False)
    assert alone == "Share of a question's gold provisions that are among the first 10."


def shown(figure: Figure, *best: int) -> str:
    run = RunScores(run_line(7, "bm25"), 0, (Cell(figure, None),), NotSearched(), True)
    return cell(run, 0, MeasureColumn(RECALL, 7, frozenset(best)))


def test_a_cell_tells_value_and_interval_and_the_best_is_starred():
    figure = Figure(RECALL, 0.5, 3, 0.25, 0.75)
    assert shown(figure, 8).split(" ") == ["0.500", "[0.250,\N{NO-BREAK SPACE}0.750]"]
    assert shown(figure, 7).startswith("★")
    assert shown(Figure(RECALL, None, 0)) == "–"


OPTIONS = (Choice("A", "Rowing boats"), Choice("B", "Ferries"))


def test_bounds_stand_below_the_runs_where_gold_is_inherited(tmp_path, clock):
    house = build(tmp_path / "house", clock, overlap=1)
    lead = add_person(house.ws, SLUG, "Lea", "researcher")
    submit(house, house.ann, house.items[0], (1, 3))
    retrieve(house.ws, SLUG)
    at = page("leaderboard", house.ws, lead, project=SLUG).run()
    assert not at.error
    assert not any("FullCov@10" in str(list(each.value.columns)) for each in at.dataframe)
    keep_questions(house.ws, SLUG, [replace(question(1), choices=OPTIONS)], "questions.jsonl")
    propose(house.ws, SLUG)
    approve(house.ws, SLUG, 1)
    retrieve(house.ws, SLUG)
    at = page("leaderboard", house.ws, lead, project=SLUG).run()
    assert not at.error
    (table,) = (each.value for each in at.dataframe if "FullCov@10" in str(each.value.columns))
    (bounds,) = table.to_dict("records")
    assert bounds["n"] == 1
    assert [value for head, value in bounds.items() if "bound" in str(head)] == ["1.000 [–]"] * 2


HITS = (
    IdentifiedHit(
        *(1, 2.5, "law_1조", "나루안전법", "제1조", "목적"),
        (
            StandingIdentifier(Identifier("나룻배", 2.0, 1.5, -1.0, 7, False, 4, 7), "이 ", "의"),
            StandingIdentifier(Identifier("제1조", 0.5, 0.7, -2.0, 1, True), "", ""),
        ),
    ),
    IdentifiedHit(2, 0.1, "law_2조", "나루안전법", "제2조", "", ()),
)


def test_they_are_worked_out_when_asked_for(small: Small, monkeypatch):
    run = retrieve(small.workspace, HITS_SLUG)
    asked = []

    def found(ws, run_id, question, by=None):
        asked.append((run_id, question, by))
        return HITS

    drawn_texts: list[Any] = []
    monkeypatch.setattr(drawn, "plain_text", lambda spans, *_, **__: drawn_texts.append(spans))
    monkeypatch.setattr(drawn, "identifiers_found", found)
    monkeypatch.setattr(drawn, "tells_identifiers", lambda method, params: method == "bm25")
    at = page("leaderboard", small, small.sora).run()
    at = select(at, f"leaderboard-queries-{run}", 0)
    assert not asked
    toggle = next(each for each in at.toggle if each.label == say("identifiers.show"))
    at = toggle.set_value(True).run()
    assert len(asked) == 1 and asked[0][0] == run and asked[0][2] == small.sora.id
    text = hits_shown(at)
    drawn_texts = [spans for spans in drawn_texts if not isinstance(spans, str)]
    texts = [[span.text for span in spans] for spans in drawn_texts]
    assert texts == [["이 ", "나룻배", "의"], ["제1조"]]
    numbers = {"added": 2.0, "weight": 1.5, "chance": 0.37, "times": 7}
    assert say("identifiers.written", **numbers) in text.replace("\\", "")
    assert say("identifiers.at", start=5, end=7) in text.replace("\\", "")
    assert say("identifiers.in_title") in text
    assert say("identifiers.none") in text
