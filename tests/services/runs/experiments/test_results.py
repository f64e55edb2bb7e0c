"""What an experiment came to: figures, tests against its baseline, strata, cost."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace

import pytest

from construction.experiments.lines import Kind
from evaluation.ranking.compare import compare
from services.gold import gold_set
from services.runs.experiments.report import experiment_report, gains_report
from services.runs.experiments.results import experiment_results
from services.runs.experiments.running import run_experiment
from services.runs.experiments.tables import (
    as_file,
    every_number,
    readable,
    table_notes,
    tables_to_print,
    tables_to_read,
)
from services.runs.scoring import score_run
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.projects.small_law import SLUG, small_workspace
from tests.services.small_gold import FIRST, FORM, LAMP, Gold
from tests.support.refusals import code_of, refusal

pytestmark = pytest.mark.usefixtures("decided")

TEXT = """\
name: Depth of words
depth: 20
measures: [Recall@1, MRR@10]
strata: [language, source]
baseline: Whole words
methods:
- {name: Bigrams, method: bm25}
- {name: Whole words, method: bm25, tokeniser: whitespace}
- {name: Bigrams again, method: bm25}
"""


def scores(line):
    assert line.scores is not None
    return line.scores


@pytest.fixture(scope="module")
def ran(tmp_path_factory) -> Iterator[Workspace]:
    """Return a workspace in which the experiment has run, for tests that only read."""
    ws = small_workspace(tmp_path_factory.mktemp("ran") / "ws", FakeClock())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gold_set, "derived", lambda *_: FIRST)
        run_experiment(ws, SLUG, TEXT)
        yield ws


def test_lines_have_the_figures_of_their_runs_and_tests_against_the_baseline(ran):
    results = experiment_results(ran, SLUG, 1)
    labels = [line.line.label for line in results.lines]
    assert labels == ["Bigrams", "Whole words", "Bigrams again"]
    assert (results.missing, results.stale, results.questions) == (0, False, 3)
    assert results.measures == ("Recall@1", "MRR@10")
    scored = {line.line.label: score_run(ran, scores(line).run_id) for line in results.lines}
    wanted = {figure.name: figure for figure in scored["Bigrams"].figures}
    found = [cell.figure for cell in scores(results.lines[0]).cells]
    assert found == [wanted["Recall@1"], wanted["MRR@10"]]
    values = {
        label: {query: row["MRR@10"] for query, row in scored[label].evaluation.table.items()}
        for label in ("Whole words", "Bigrams")
    }
    expected = compare(values, "Whole words")["Bigrams"]
    assert scores(results.lines[0]).cells[1].comparison == expected
    assert scores(results.lines[1]).cells[1].comparison is None
    assert scores(results.lines[2]).run_id == scores(results.lines[0]).run_id
    for line in results.lines:
        assert line.cost.fit_s and line.cost.index_bytes and line.cost.search_ms_per_query
    (environment,) = results.environments
    assert "numpy" in environment["packages"]
    told = experiment_report(results, "ko").as_json()
    for place, measure in enumerate(results.measures):
        figures = [line.cells()[place].figure.as_json() for line in results.lines]
        assert [row["figure"] for row in told[f"lines-{measure}"]] == figures
        tests = {row["column_line"]: row["p_holm"] for row in told[f"tests-{measure}"]}
        assert set(tests) == {"Bigrams", "Bigrams again"}  # against the baseline
    assert "links lost" not in readable(results).head  # no line has noise


def test_a_line_gains_on_the_line_that_it_builds_on(ws):
    built = "- {name: LSA, method: lsa}\n- {name: Fed back, method: rocchio, base: LSA}\n"
    run_experiment(ws, SLUG, TEXT + built)
    results = experiment_results(ws, SLUG, 1)
    base, line = (score_run(ws, scores(each).run_id) for each in results.lines[3:])
    values = {
        name: {query: row["MRR@10"] for query, row in each.evaluation.table.items()}
        for name, each in (("LSA", base), ("Fed back", line))
    }
    expected = compare(values, "LSA")["Fed back"]
    (row,) = gains_report(results).as_json()["gains-MRR@10"]
    assert (row["column_line"], row["base"], row["n"]) == ("Fed back", "LSA", expected.n)
    assert (row["difference"], row["p"]) == (expected.difference.as_json(), expected.p)


def test_lines_are_tested_against_the_strongest_and_the_weakest_simple_baseline(ws):
    fused = "- {name: Both, method: rrf, of: [Bigrams, Whole words]}\n"
    run_experiment(ws, SLUG, TEXT + fused)
    results = experiment_results(ws, SLUG, 1)
    recall, rr = results.columns[None]
    runs = {line.line.label: scores(line).run_id for line in results.lines}
    assert (rr.strongest, rr.weakest) == (runs["Bigrams"], runs["Whole words"])
    assert {recall.strongest, recall.weakest} == {rr.strongest, rr.weakest}  # never one for both
    cell = scores(results.lines[3]).cells[1]
    assert cell.strongest is not None and cell.weakest == cell.comparison
    text = as_file(results, "markdown")
    assert "Difference from the strongest simple baseline" in text
    assert "Difference from the weakest simple baseline, language = en" in text
    assert "by MRR@10 all are equal, Bigrams (" in text
    rows = list(csv.DictReader(io.StringIO(as_file(results, "csv"))))
    both = next(row for row in rows if row["line"] == "Both" and row["measure"] == "MRR@10")
    assert (both["strongest_simple"], both["weakest_simple"]) == ("Bigrams", "Whole words")
    assert float(both["weakest_p_holm"]) == cell.weakest.p_holm


def test_the_file_chooses_the_resamples_and_what_is_corrected_together(ws, ran):
    made = "resamples: 5000\nholm_over: table\n"
    run_experiment(ws, SLUG, TEXT.replace("strata:", f"{made}strata:"))
    results = experiment_results(ws, SLUG, 1)
    text = as_file(results, "markdown")
    assert "(5,000 resamples)" in text
    among = "against the baseline"
    assert f"Holm's correction over all tests of all measures of the table {among}" in text
    for row in csv.DictReader(io.StringIO(as_file(results, "csv"))):
        assert (row["resamples"], row["holm_over"]) == ("5000", "table")
    usual = experiment_results(ran, SLUG, 1)
    assert f"Holm's correction over all tests of a column {among}" in as_file(usual, "markdown")
    # One pair of runs by two measures: against simple baselines too two tests are read together.
    for line, other in zip(usual.lines, results.lines, strict=True):
        for within, over in zip(line.cells(), other.cells(), strict=True):
            assert (within.strongest is None) == (over.strongest is None)
            if within.strongest is not None and over.strongest is not None:
                p = within.strongest.p
                assert p is not None and within.strongest.p_holm == p
                assert over.strongest.p_holm == min(1.0, 2 * p)


def test_strata_that_split_the_questions_have_figures_of_their_own(ran):
    results = experiment_results(ran, SLUG, 1)
    assert results.strata == {("language", "en"): 2, ("language", "ko"): 1}  # all of one source
    assert results.whole == {"source": 1}
    whole = "No strata by source: its values among the questions number 1"
    assert whole in as_file(results, "markdown")
    english = [
        (cell.figure.name, cell.figure.n) for cell in results.lines[0].strata["language", "en"]
    ]
    assert english == [("Recall@1", 1), ("MRR@10", 1)]


def test_gold_that_changed_since_changes_figures_and_no_run(ws, decided):
    run_experiment(ws, SLUG, TEXT)
    assert scores(experiment_results(ws, SLUG, 1).lines[0]).cells[0].figure.n == 2
    decided([*FIRST[:3], Gold("q3", (FORM,))])  # no form is searched
    for gold, n in (("", 3), ("searchable", 2)):
        results = experiment_results(ws, SLUG, 1, gold=gold)
        assert not results.stale and scores(results.lines[0]).cells[0].figure.n == n
    assert run_experiment(ws, SLUG, TEXT).number == 1


def test_a_line_that_learnt_from_other_gold_is_told_and_run_again_as_another(ws, decided):
    text = "name: Learns\nmethods:\n- {name: Prior, method: gold_prior}\n"
    first = run_experiment(ws, SLUG, text)
    assert not experiment_results(ws, SLUG, first.number).stale
    decided([*FIRST[:3], Gold("q3", (LAMP,))])
    assert experiment_results(ws, SLUG, first.number).stale
    second = run_experiment(ws, SLUG, text)
    assert second.number == 2 and not experiment_results(ws, SLUG, 2).stale


def test_a_column_that_no_question_has_is_refused(ws):
    error = refusal(run_experiment, ws, SLUG, TEXT.replace("source]", "mood]"), "x.yaml")
    assert error.code == "column_unknown" and error.where.file == "x.yaml"
    assert "language" in error.remedy() and "source" not in error.remedy()  # all are of one file
    error = refusal(run_experiment, ws, SLUG, TEXT.replace("source]", "split]"), "x.yaml")
    assert error.code == "split_none" and error.where.field == "strata"  # the gold was not divided
    assert "split make" in error.remedy()
    assert code_of(experiment_results, ws, SLUG, 1) == "experiment_unknown"


NOISY = """\
name: Lost links
depth: 20
measures: [Recall@1]
methods:
- {name: SAR, method: sar, base: {method: bm25}, noise: {drop: [0.25, 1], rewire: [0.5]}}
- name: Two parts
  method: rrf
  of: [{method: sar, edges: [specifies]}, {method: cited_by, edges: [references]}]
  noise: {drop: [0.5]}
"""


def test_the_share_of_links_asked_for_and_really_lost_is_told(ws):
    run_experiment(ws, SLUG, NOISY)
    results = experiment_results(ws, SLUG, 1)
    lines = {line.line.label: line.noise for line in results.lines}
    assert lines["SAR"] == () and lines["Two parts"] == ()
    (quarter,), (whole,) = lines["SAR · drop 25 %"], lines["SAR · drop 100 %"]
    assert whole.pairs and whole.lost == whole.pairs == quarter.pairs
    assert quarter.lost == round(0.25 * quarter.pairs)
    assert (quarter.kind, quarter.nominal) == ("drop", 0.25)
    assert quarter.effective == quarter.lost / quarter.pairs
    (both,) = lines["Two parts · drop 50 %"]
    assert both.pairs and both.effective is not None  # of both sets of links together
    table = readable(results)
    told = {row[0]: row[table.head.index("links lost")] for row in table.rows}
    share = f"{100 * quarter.effective:.1f} %"
    assert told["SAR · drop 25 %"] == f"25 % → {share} ({quarter.lost}/{quarter.pairs})"
    assert told["SAR (baseline)"] == "–"
    (row,) = [row for row in every_number(results).rows if row[0] == "SAR · drop 25 %"]
    said = dict(zip(every_number(results).head, row, strict=True))
    assert (said["noise"], said["noise_nominal"]) == ("drop", 0.25)
    assert said["noise_effective"] == quarter.effective
    assert (said["linked_pairs"], said["linked_pairs_lost"]) == (quarter.pairs, quarter.lost)
    assert "a delegation and its twin" in as_file(results, "markdown")


def test_a_stratum_without_gold_is_one_line_in_the_place_of_its_tables(ws):
    run_experiment(ws, SLUG, TEXT.replace("[language, source]", "[gold_count]"))
    results = experiment_results(ws, SLUG, 1)
    text = as_file(results, "markdown").replace("\\", "")
    line = "gold_count = 0 (1 question): none has gold, so nothing is scored."
    assert text.splitlines().count(line) == 1
    assert "gold_count = 0 (1 questions)" not in text and "gold_count = 1" in text
    assert line in as_file(results, "latex").replace("\\_", "_")
    rows = [row for row in every_number(results).rows if "gold_count=0" in row]
    assert rows and all(row[5] is None for row in rows)  # for programs every number stays


def test_runs_are_told_under_the_names_of_the_lines_and_what_they_rerank_with(ran):
    results = experiment_results(ran, SLUG, 1)
    assert [run.label for run in results.runs()] == ["Bigrams", "Whole words", "Bigrams again"]
    walk = {"method": "refwalk", "reranker": {"method": "rerank", "model": "some/model"}}
    kinds: tuple[Kind, ...] = "method", "grid", "method"
    lines = tuple(
        replace(line, line=replace(line.line, spec=walk, kind=kind))
        for line, kind in zip(results.lines, kinds, strict=True)
    )
    told = table_notes(replace(results, lines=lines))[-1]
    assert told.startswith("Bigrams; Bigrams again: RefWalk reranked with")


def in_no_part(results):
    """Return the results as if the Korean questions were those in no part of a division."""
    old, new = ("language", "ko"), ("split", "")
    lines = tuple(
        replace(line, strata={new if key == old else key: it for key, it in line.strata.items()})
        for line in results.lines
    )
    strata = {new if key == old else key: count for key, count in results.strata.items()}
    columns = {new if key == old else key: it for key, it in results.columns.items()}
    return replace(results, lines=lines, strata=strata, columns=columns)


def test_on_one_page_it_is_said_once_what_a_simple_baseline_is(ran):
    results = in_no_part(experiment_results(ran, SLUG, 1))
    filed, printed = list(tables_to_read(results)), list(tables_to_print(results))
    assert [table.rows for table in printed] == [table.rows for table in filed]
    told = [note for table in printed for note in table.notes]
    assert [note.startswith("A simple baseline is one") for note in told] == [True, False, False]
    assert told[1].startswith("Simple baselines here: by Recall@1 ")
    assert as_file(results, "markdown").count("A simple baseline is one") == 3  # each read alone
    titles = [table.title for table in printed]
    assert "split = in no part (1 question)" in titles
    assert "language = en (2 questions)" in titles
    assert "Difference from the strongest simple baseline, split = in no part" in titles
    assert not any("–" in title for title in titles)
    assert "split = – (1 questions)" in as_file(results, "markdown")  # as files always had it
