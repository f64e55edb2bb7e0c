"""What an experiment came to: figures, tests against its baseline, strata, cost."""

from __future__ import annotations

import pytest

from errors import UserError
from evaluation.ranking.compare import compare
from services.runs.experiments.results import experiment_list, experiment_results
from services.runs.experiments.running import run_experiment
from services.runs.experiments.tables import as_file
from services.runs.scoring import score_run
from tests.projects.small_law import ACT, SLUG
from tests.services.small_gold import FIRST, LAMP, Gold

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


def test_lines_have_the_figures_of_their_runs_and_tests_against_the_baseline(ws):
    run_experiment(ws, SLUG, TEXT)
    results = experiment_results(ws, SLUG, 1)
    assert [line.line.label for line in results.lines] == [
        "Bigrams",
        "Whole words",
        "Bigrams again",
    ]
    assert (results.missing, results.stale, results.questions) == (0, False, 3)
    assert results.measures == ("Recall@1", "MRR@10")
    scored = {line.line.label: score_run(ws, scores(line).run_id) for line in results.lines}
    wanted = {figure.name: figure for figure in scored["Bigrams"].evaluation.figures}
    assert [cell.figure for cell in scores(results.lines[0]).cells] == [
        wanted["Recall@1"],
        wanted["MRR@10"],
    ]
    values = {
        label: {query: row["MRR@10"] for query, row in each.evaluation.table.items()}
        for label, each in scored.items()
        if label != "Bigrams again"
    }
    expected = compare(values, "Whole words")["Bigrams"]
    assert scores(results.lines[0]).cells[1].comparison == expected
    assert scores(results.lines[1]).cells[1].comparison is None
    assert scores(results.lines[2]).run_id == scores(results.lines[0]).run_id


def test_strata_that_split_the_questions_have_figures_of_their_own(ws):
    run_experiment(ws, SLUG, TEXT)
    results = experiment_results(ws, SLUG, 1)
    assert results.strata == {("language", "en"): 2, ("language", "ko"): 1}  # all of one source
    assert results.whole == {"source": 1}
    assert "No strata by source: its values among the questions number 1" in as_file(
        results, "markdown"
    )
    english = results.lines[0].strata["language", "en"]
    assert [(cell.figure.name, cell.figure.n) for cell in english] == [
        ("Recall@1", 1),
        ("MRR@10", 1),
    ]


def test_cost_and_environment_come_from_the_runs(ws):
    run_experiment(ws, SLUG, TEXT)
    results = experiment_results(ws, SLUG, 1)
    for line in results.lines:
        cost = line.cost
        assert cost.fit_s and cost.index_bytes and cost.search_ms_per_query
    (environment,) = results.environments
    assert "numpy" in environment["packages"]


def test_one_that_was_stopped_shows_what_is_there(ws):
    class Killed(BaseException):
        pass

    def stop(done, *_):
        if done == 1:
            raise Killed

    with pytest.raises(Killed):
        run_experiment(ws, SLUG, TEXT, progress=stop)
    results = experiment_results(ws, SLUG, 1)
    assert (results.missing, results.stale) == (2, False)
    assert results.lines[0].scores is not None and results.lines[1].scores is None
    assert results.lines[1].cost.fit_s is None and results.lines[1].strata == {}
    (listed,) = experiment_list(ws, SLUG)
    assert (listed.number, listed.name, listed.done, listed.by) == (1, "Depth of words", 1, "")


def test_gold_that_changed_since_is_told(ws, decided):
    run_experiment(ws, SLUG, TEXT)
    decided([*FIRST[:3], Gold("q3", (LAMP, f"{ACT}_4조"))])
    results = experiment_results(ws, SLUG, 1)
    assert results.stale and scores(results.lines[0]).cells[0].figure.n == 2
    run_experiment(ws, SLUG, TEXT)
    assert [(each.number, each.done) for each in experiment_list(ws, SLUG)] == [(2, 3), (1, 3)]
    assert not experiment_results(ws, SLUG, 2).stale


def test_an_unknown_experiment_is_refused(ws):
    with pytest.raises(UserError) as refused:
        experiment_results(ws, SLUG, 1)
    assert refused.value.code == "experiment_unknown"


def test_a_column_that_no_question_has_is_refused(ws):
    with pytest.raises(UserError) as refused:
        run_experiment(ws, SLUG, TEXT.replace("source]", "mood]"), "x.yaml")
    assert refused.value.code == "column_unknown" and refused.value.where.file == "x.yaml"
