"""What runs score, kept on disk: the same to the last bit, read alone, and never stale."""

from __future__ import annotations

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from evaluation.ranking.scoring import LEADERBOARD, OFFERED, evaluate, parse_measure
from services.gold import gold_set as gold_sets
from services.gold.gold_set import gold_set
from services.runs import scoring
from services.runs.importing import import_run
from services.runs.questions import query_list, runs_asked
from services.runs.retrieving import retrieve
from services.runs.rows import leaderboard
from services.runs.scoring import score_run
from services.runs.significance import compare_runs
from storage.runs.run_store import run_rankings
from tests.projects.small_law import ACT, RULE, SLUG
from tests.services.small_gold import FIRST, LAMP, LIFE_JACKETS, Gold

pytestmark = pytest.mark.usefixtures("decided")
UNITS = [LIFE_JACKETS, f"{RULE}_article-2", f"{ACT}_별표1", f"{ACT}_4조", LAMP]


@pytest.fixture(autouse=True)
def decided(decided):
    decided([Gold("q1", (LAMP, f"{ACT}_별표1", LIFE_JACKETS)), *FIRST[:1], *FIRST[2:]])
    return decided


@pytest.fixture
def run(ws, tmp_path):
    """Return a run with gold at several ranks, thirds among its scores, and a question missed."""
    lines = [f"q1 Q0 {unit} {rank} {-rank} t" for rank, unit in enumerate(UNITS, 1)]
    (tmp_path / "a.run").write_text("\n".join([*lines, "q2 Q0 x 1 1 t", f"q4 Q0 {LAMP} 1 1 t"]))
    return import_run(ws, SLUG, tmp_path / "a.run", unknown="skip").run_id


@pytest.fixture
def read(monkeypatch):
    """Return what rankings are read from the database from now on: of which questions, or None."""
    asked = []

    def noted(session, run_id, among=None):
        asked.append(among)
        return run_rankings(session, run_id, among)

    monkeypatch.setattr(scoring, "run_rankings", noted)
    return asked


def start_again():
    scoring._scores_in_memory.cache_clear()
    scoring._scores.cache_clear()


def kept_file(ws):
    (file,) = (ws.folder / "cache" / "scores").glob("*.json")
    return file


def evaluated(ws, run, measures):
    with ws.reading() as session:
        rankings = run_rankings(session, run)
    qrels = gold_set(ws, SLUG).qrels
    asked = {query: qrels[query] for query in qrels if query in rankings}
    return evaluate(rankings, asked, measures).within(len(UNITS))


def test_scores_and_figures_are_those_of_an_evaluation_to_the_last_bit(ws, run):
    for measures in ((), LEADERBOARD, OFFERED, (parse_measure("AP@3"), parse_measure("nDCG@2"))):
        for _ in range(2):
            found = score_run(ws, run, measures=measures).evaluation
            wanted = evaluated(ws, run, measures)
            assert found == wanted and found.figures == wanted.figures
            assert list(found.table) == list(wanted.table) == ["q1", "q2", "q4"]
            start_again()
    row = score_run(ws, run, measures=OFFERED).evaluation.table["q1"]
    assert row["Recall@1"] == 1 / 3 and row["AP"] == pytest.approx((1 + 2 / 3 + 3 / 5) / 3)


def test_after_a_start_a_leaderboard_reads_no_run(ws, run, read, monkeypatch):
    other = retrieve(ws, SLUG)
    read.clear()
    start_again()
    missing = {line.run_id: line.missing for line in leaderboard(ws, SLUG).runs}
    assert missing == {other: (), run: ("q2",)}
    assert compare_runs(ws, SLUG, measures=OFFERED).runs
    assert [line.first for line in query_list(ws, run)] == [1, None, None]
    monkeypatch.setattr(gold_sets, "derived", lambda *_: pytest.fail("gold was derived"))
    assert runs_asked(ws, [run, other], "q1") == {run, other}
    assert runs_asked(ws, [run, other], "q3") == {other} and read == []


def test_of_other_gold_only_the_questions_that_it_changes_are_read(ws, run, read, decided):
    score_run(ws, run)
    decided([Gold("q1", (LAMP,)), *FIRST[:1], *FIRST[3:]])  # q1 changed, q4 not settled any more
    found = score_run(ws, run)
    assert read == [{"q1", "q4"}]
    assert found.evaluation == evaluated(ws, run, LEADERBOARD)
    assert found.asked["q1"].ranks == (5,) and found.asked["q4"].gold == ""
    assert found.evaluation.unjudged == ("q4",)
    start_again()
    assert score_run(ws, run).evaluation == found.evaluation and len(read) == 1


def test_another_measure_is_kept_too_until_there_are_too_many(ws, run, read, monkeypatch):
    score_run(ws, run, measures=[parse_measure("Recall@3")])
    start_again()
    score_run(ws, run, measures=[parse_measure("Recall@3")])
    assert read == [None]
    monkeypatch.setattr(scoring, "_MOST", len(OFFERED) + 1)
    score_run(ws, run, measures=[parse_measure("Recall@4")])
    said = json.loads(kept_file(ws).read_bytes().partition(b"\n")[2])
    assert said["measures"] == [*map(repr, OFFERED), "Recall@4"]


@pytest.mark.parametrize("damage", ["changed", "gone", "no folder"])
def test_a_file_that_is_not_as_written_only_costs_time(ws, run, read, damage):
    wanted, file = score_run(ws, run).evaluation, kept_file(ws)
    content = file.read_bytes()
    if damage == "changed":
        file.write_bytes(content.replace(b"0.3", b"0.9", 1))
    else:
        file.unlink()
    if damage == "no folder":
        file.parent.rmdir()
        file.parent.write_text("in the way")
    start_again()
    assert score_run(ws, run).evaluation == wanted and read == [None]
    assert damage == "no folder" or file.read_bytes() == content


def test_a_run_that_has_anothers_number_has_its_own_scores(ws, tmp_path):
    """As where a copy of the database is put back and another run is made then."""

    copy = tmp_path / "copy"

    def brought(unit):
        (tmp_path / "a.run").write_text(f"q1 Q0 {unit} 1 1 t")
        number = import_run(ws, SLUG, tmp_path / "a.run").run_id
        return number, score_run(ws, number).evaluation.table["q1"]["Recall@1"]

    with closing(sqlite3.connect(ws.database)) as now, closing(sqlite3.connect(copy)) as copied:
        now.backup(copied)
    assert brought(LAMP) == (1, 1 / 3)
    ws.engine.dispose()
    copy.replace(ws.database)
    assert brought(f"{ACT}_4조") == (1, 0.0)


def test_several_at_once_keep_one_sound_file(ws, run, read):
    view, gold = score_run(ws, run).run, gold_set(ws, SLUG)
    wanted = scoring.kept_scores(ws, view, gold)
    kept_file(ws).unlink()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: scoring.kept_scores(ws, view, gold), range(8)))
    assert found == [wanted] * 8 and len(read) >= 1
    read.clear()
    assert scoring.kept_scores(ws, view, gold) == wanted and read == []
    assert [file.suffix for file in kept_file(ws).parent.iterdir()] == [".json"]
