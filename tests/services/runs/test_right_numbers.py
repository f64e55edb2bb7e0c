"""Figures under every order of acts: gold comes and goes, runs come in, questions and law too.

After every step each figure that a leaderboard shows equals one that ir_measures works out from the
exported run and the gold of the named set, on the questions that the table says it rests on; and no
run has lost or changed a ranking.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import mean
from typing import Any

import ir_measures
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from ir_measures import AP, RR, R, nDCG

from annotation.gold.derivation import derive
from annotation.work.commands import take_back
from corpus.model import Question
from errors import UserError
from evaluation.ranking.scoring import parse_measure
from services.gold.gold_set import GoldName
from services.runs.importing import import_run
from services.runs.refreshing import refresh_runs
from services.runs.retrieving import export_run, retrieve
from services.runs.rows import leaderboard
from services.runs.significance import compare_runs
from storage.law.imports import keep_questions, keep_statutes
from storage.runs.run_store import run_hits
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import ANSWER, SLUG, House, build, propose, statute
from tests.conftest import FakeClock
from tests.support.examples import scaled

MEASURES = {"Recall@1": R @ 1, "Recall@3": R @ 3, "nDCG@10": nDCG @ 10, "MRR@10": RR, "AP": AP}
METHODS = st.sampled_from(
    [
        {"method": "bm25", "tokeniser": "whitespace"},
        {"method": "tfidf"},
        {"method": "similar_questions"},
    ]
)
ARTICLES = st.sets(st.integers(1, 5), min_size=1, max_size=3)
LABELS = st.dictionaries(st.integers(1, 7), st.integers(0, 3), max_size=3)  # 6 and 7 are no law
ITEMS = st.sampled_from([0, 1, 2])


def unit(number: int) -> str:
    return f"lake-act_article-{number}"


class Figures(RuleBasedStateMachine):
    """Acts of a lead and a researcher, with what they should come to beside them."""

    @initialize()
    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        place = Path(self.folder.name)
        self.house: House = build(place / "ws", FakeClock(), overlap=1)
        self.ws, self.scratch = self.house.ws, place / "their.run"
        # The source of the first three questions says article 1 of each.
        self.source: dict[str, dict[str, int]] = {f"q{n}": {unit(1): 1} for n in (1, 2, 3)}
        self.asked = {"q1", "q2", "q3"}
        self.rankings: dict[int, dict[str, list[tuple[str, float]]]] = {}
        self.changed = 0

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

    @rule(at=ITEMS, articles=ARTICLES)
    def decide(self, at: int, articles: set[int]) -> None:
        """Decide a question; one that is decided, or of other law now, may refuse."""
        try:
            submit(self.house, self.house.ann, self.house.items[at], sorted(articles))
        except UserError:
            return

    @rule(at=ITEMS)
    def withdraw(self, at: int) -> None:
        try:
            take_back(self.ws, self.house.ann, self.house.items[at])
        except UserError:
            return

    @rule(labels=LABELS)
    def import_question(self, labels: dict[int, int]) -> None:
        name = f"q{len(self.asked) + 1}"
        grades = {unit(number): grade for number, grade in labels.items()}
        gold = {each: grade for each, grade in grades.items() if grade > 0}
        came = Question(
            *(name, f"Which boats need lamp {len(labels)}?", ANSWER, "en"),
            gold_ids=tuple(gold),
            grades=tuple(grades.items()) if set(grades.values()) - {1} else (),
        )
        keep_questions(self.ws, SLUG, [came], "more.jsonl")
        self.asked.add(name)
        if gold:
            self.source[name] = gold

    @rule(method=METHODS)
    def run(self, method: dict[str, Any]) -> None:
        retrieve(self.ws, SLUG, method, 10)

    @rule(data=st.data())
    def import_file(self, data: st.DataObject) -> None:
        questions = data.draw(st.sets(st.sampled_from(sorted(self.asked)), min_size=1))
        lines = []
        for name in sorted(questions):
            numbers = data.draw(st.permutations(range(1, 8)))[: data.draw(st.integers(1, 7))]
            lines += [
                f"{name} Q0 {unit(number)} {rank} {10 - rank} theirs"
                for rank, number in enumerate(numbers, 1)
            ]
        self.scratch.write_text("\n".join(lines), "utf-8")
        done = import_run(self.ws, SLUG, self.scratch, unknown="keep")
        assert done.counts.questions == len(questions)
        assert done.counts.not_in_file == len(self.asked) - len(questions)

    @rule()
    def refresh(self) -> None:
        found = refresh_runs(self.ws, SLUG)
        assert not found.failed
        lines = leaderboard(self.ws, SLUG).runs
        made = {new for _, new in found.done}
        assert not [line for line in lines if line.run_id in made and line.stale]
        assert not refresh_runs(self.ws, SLUG).done

    @rule()
    def change_the_law(self) -> None:
        self.changed += 1
        report = keep_statutes(self.ws, SLUG, [statute(f" Change {self.changed}.")], "next")
        propose(self.house, report.snapshot_id)

    @invariant()
    def runs_and_figures_are_right(self) -> None:
        if hasattr(self, "house"):
            self._no_ranking_is_lost()
            self._figures_are_those_of_ir_measures()

    def _no_ranking_is_lost(self) -> None:
        for line in leaderboard(self.ws, SLUG, with_retired=True).runs:
            with self.ws.reading() as session:
                now = run_hits(session, line.run_id)
            before = self.rankings.get(line.run_id, {})
            assert {name: now.get(name) for name in before} == before
            self.rankings[line.run_id] = now

    def _figures_are_those_of_ir_measures(self) -> None:
        for name in ("", *GoldName):
            for unlike in (False, True):
                self._compare(name, unlike)

    def _compare(self, name: str, unlike: bool) -> None:
        measures = [parse_measure(key) for key in MEASURES]
        board = compare_runs(self.ws, SLUG, None, measures, gold=name, unlike=unlike)
        compared = [run for run in board.runs if run.compared]
        ground = [set(self.rankings[run.run_id]) for run in compared]
        common = set.intersection(*ground) if ground else set()
        for run in board.runs:
            qrels = self._qrels(run.line.snapshot_id, name)
            own = set(self.rankings[run.run_id])
            wanted = {q: qrels[q] for q in (common if run.compared else own) if qrels.get(q)}
            expected = self._expected(run.run_id, wanted)
            for (key, values), cell in zip(expected.items(), run.cells, strict=True):
                assert cell.figure.n == len(wanted), (name, key)
                value = mean(values) if values else None
                assert cell.figure.value == pytest.approx(value), (name, key)

    def _qrels(self, snapshot: int, name: str) -> dict[str, dict[str, int]]:
        """Return what a gold set should have: the source's labels, people's decisions over them."""
        people = {
            item.external_id: {each: max(1, item.grades.get(each, 1)) for each in item.units}
            for item in derive(self.ws, SLUG, snapshot)
            if item.settled
        }
        if name == "people":
            return people
        if name == "source":
            return self.source
        return {**self.source, **people}

    def _expected(self, run: int, qrels: dict[str, dict[str, int]]) -> dict[str, list[float]]:
        """Return each measure's values of the judged questions, by ir_measures on the files."""
        export_run(self.ws, run, self.scratch)
        found: dict[str, dict[str, float]] = {key: dict.fromkeys(qrels, 0.0) for key in MEASURES}
        docs = [
            each for each in ir_measures.read_trec_run(str(self.scratch)) if each.query_id in qrels
        ]
        judged = [
            ir_measures.Qrel(query, each, grade)
            for query, units in qrels.items()
            for each, grade in units.items()
        ]
        if docs:
            names = {str(measure): key for key, measure in MEASURES.items()}
            for each in ir_measures.iter_calc(list(MEASURES.values()), judged, docs):
                found[names[str(each.measure)]][each.query_id] = each.value
        return {key: list(values.values()) for key, values in found.items()}


TestFigures = Figures.TestCase
TestFigures.settings = settings(
    max_examples=scaled(4),
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
