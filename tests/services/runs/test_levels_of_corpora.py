"""What is searched follows from the law and the project's setting, never from what is gold."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import DatabaseError
from sqlmodel import col, select

from annotation.history.entry import Filter
from annotation.history.reading import read
from annotation.people.members import add_person
from errors import UserError
from evaluation.ranking.scoring import Measure
from retrieval.core.presets import DOWNLOAD_FREE, PRESETS
from services.figures.dataset_statistics import statistics
from services.figures.figure_data import View
from services.figures.series import hit_rates, question_figure
from services.law.levels import read_levels, set_levels
from services.runs.experiments import running
from services.runs.experiments.results import experiment_results
from services.runs.experiments.running import check_experiment, run_experiment
from services.runs.experiments.tables import as_file
from services.runs.importing import import_run
from services.runs.questions import query_detail
from services.runs.retrieving import ground, retrieve
from services.runs.rows import leaderboard
from services.runs.score_table import readable_table
from services.runs.scoring import score_run
from services.runs.significance import compare_runs
from services.runs.strata import strata_of
from storage.law.imports import keep_statutes
from storage.tables.runs import SearchLevels
from tests.projects.small_law import ACT, SLUG, law
from tests.services.small_gold import FORM, LAMP, LIFE_JACKETS, Gold
from tests.support.examples import scaled
from tests.support.refusals import code_of, refusal

pytestmark = pytest.mark.usefixtures("decided")

UNITS = [unit.semantic_id for statute in law() for unit in statute.units]
ADDENDUM = f"{ACT}_부칙-1"


@settings(
    max_examples=scaled(5),  # each ranks by every method
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@example(gold=(frozenset([FORM, ADDENDUM]), frozenset([f"{ACT}_3조"]), frozenset()))
@given(gold=st.tuples(*[st.frozensets(st.sampled_from(UNITS), max_size=4)] * 3))
def test_no_gold_changes_what_is_searched_or_ranked_by_any_method(ws, decided, gold):
    decided([Gold("q1", (LAMP,)), Gold("q2", (LAMP,)), Gold("q3", (LAMP,))])
    usual = ground(ws, SLUG, 1).corpus
    hits = {name: score_run(ws, retrieve(ws, SLUG, PRESETS[name])).hits for name in DOWNLOAD_FREE}
    decided([Gold(f"q{number}", tuple(sorted(units))) for number, units in enumerate(gold, 1)])
    now = ground(ws, SLUG, 1).corpus
    assert (now.ids, now.fingerprint) == (usual.ids, usual.fingerprint)
    assert list(now.documents) == list(usual.documents)
    for name in DOWNLOAD_FREE:
        assert score_run(ws, retrieve(ws, SLUG, PRESETS[name])).hits == hits[name]


def left_out(run):
    """Return the gold that a run did not search, which it must say."""
    assert run.not_searched is not None
    return run.not_searched


def test_a_project_begins_with_articles_sections_annexes_and_every_change_stays(ws):
    view = read_levels(ws, SLUG)
    assert view.levels == ("article", "section", "annex") and view.said.at is None
    counts = {"article": 5, "section": 0, "annex": 1, "form": 1, "addendum": 1}
    assert view.counts == counts
    assert set_levels(ws, SLUG, ["form", "article", "form"])
    assert not set_levels(ws, SLUG, ["article", "form"])
    lead = add_person(ws, SLUG, "Lea", "researcher").id
    assert set_levels(ws, SLUG, ["addendum"], lead)
    said = read_levels(ws, SLUG).said
    assert (said.levels, said.person) == (("addendum",), "Lea")
    with ws.reading() as session:
        rows = session.exec(select(SearchLevels.levels).order_by(col(SearchLevels.id))).all()
    assert rows == [["article", "form"], ["addendum"]]
    told = read(ws, SLUG, Filter(kinds=("levels",))).entries
    assert [each.details["levels"] for each in told] == [["addendum"], ["article", "form"]]
    with pytest.raises(DatabaseError, match="only ever added"), ws.writing() as session:
        session.connection().exec_driver_sql("DELETE FROM search_levels")


@pytest.mark.parametrize(
    ("levels", "code"),
    [([], "levels_none"), (["article", "조"], "levels_unknown"), (["section"], "levels_empty")],
)
def test_a_setting_that_cannot_be_is_refused_and_changes_nothing(ws, levels, code):
    assert code_of(set_levels, ws, SLUG, levels) == code
    assert read_levels(ws, SLUG).said.at is None


def test_a_setting_that_another_law_has_no_unit_of_is_told_when_it_is_searched(ws, decided):
    set_levels(ws, SLUG, ["form"])
    _, rule = law()
    keep_statutes(ws, SLUG, [rule], "without forms")
    decided([Gold("q2", (LAMP,))])
    error = refusal(retrieve, ws, SLUG)
    assert (error.code, error.params["there"]) == ("levels_empty", "article")


def test_another_setting_makes_another_run_that_finds_what_it_searches(ws, decided):
    decided([Gold("q1", (LIFE_JACKETS, FORM)), Gold("q2", (LAMP,))])
    usual = retrieve(ws, SLUG)
    set_levels(ws, SLUG, ["article", "form"])
    other = retrieve(ws, SLUG)
    assert other != usual
    assert FORM in {unit for unit, _ in score_run(ws, other).hits["q1"]}
    lines = {line.run_id: line for line in leaderboard(ws, SLUG).runs}
    assert lines[usual].searched.code == "article+section+annex"
    assert lines[other].searched.code == "article+form"
    assert lines[other].label.endswith("searched article+form")
    assert (left_out(lines[usual]).pairs, left_out(lines[other]).pairs) == (1, 0)
    set_levels(ws, SLUG, ["article", "section", "annex"])
    assert retrieve(ws, SLUG) == usual
    # Both are still explained by what they searched then.
    assert query_detail(ws, other, "q1").gold[1].not_searched == ""
    assert query_detail(ws, usual, "q1").gold[1].not_searched == "form"
    assert compare_runs(ws, SLUG, measures=[Measure("Recall", 10)]).columns[0].baseline == other


def test_by_other_gold_a_run_tells_how_deep_missed_gold_ranks(ws, decided):
    """Its corpus does not hang on the gold, so the method still ranks as it did."""
    decided([Gold("q1", (LIFE_JACKETS,))])
    run = retrieve(ws, SLUG, k=1)
    decided([Gold("q1", (LIFE_JACKETS, f"{ACT}_별표1"))])
    assert not score_run(ws, run).learnt_otherwise
    assert [unit.rank for unit in query_detail(ws, run, "q1").missed] == [2]


def test_questions_split_by_whether_their_gold_is_searched_and_has_a_text(ws, decided):
    annex = f"{ACT}_별표1"  # which is named without its text
    decided([Gold("q1", (LIFE_JACKETS, annex)), Gold("q2", (LAMP,)), Gold("q3", (annex,))])
    run = retrieve(ws, SLUG)
    parts = {"all": ("q2",), "none": ("q3",), "some": ("q1",)}
    assert strata_of(ws, SLUG)["gold_text"] == parts
    assert "gold_searched" not in strata_of(ws, SLUG)
    set_levels(ws, SLUG, ["article"])
    assert "gold_text" not in strata_of(ws, SLUG)  # it is not searched at all
    assert strata_of(ws, SLUG)["gold_searched"] == parts
    decided([Gold("q1", (LIFE_JACKETS, FORM)), Gold("q2", (LAMP,)), Gold("q3", (FORM,))])
    (line,) = compare_runs(ws, SLUG, [run], stratum=("gold_searched", "some")).runs
    assert len(left_out(line).questions) == 1 and not left_out(line).wholly


def test_figures_are_read_on_gold_that_can_be_found_alone(ws, decided):
    annex = f"{ACT}_별표1"
    decided([Gold("q1", (LIFE_JACKETS, annex)), Gold("q2", (LAMP,)), Gold("q3", (annex, FORM))])
    run = retrieve(ws, SLUG)
    whole = compare_runs(ws, SLUG, [run])
    assert (whole.without_text.pairs, len(whole.without_text.questions)) == (2, 2)
    assert whole.runs[0].cells[0].figure.n == 3
    found = compare_runs(ws, SLUG, [run], gold="people:searchable")
    assert found.runs[0].cells[0].figure.n == 2 and not found.without_text.pairs
    assert found.gold.size.as_dict() == {"gold": "people:searchable", "gold_questions": 2}
    assert found.gold.size.left_out == (3, 1)
    assert "3 pairs of gold; 1 question has no other" in readable_table(found).notes[0]
    assert compare_runs(ws, SLUG, [run], gold="searchable").gold == found.gold
    assert whole == compare_runs(ws, SLUG, [run])  # what is kept of one is not taken for the other
    assert code_of(compare_runs, ws, SLUG, [run], gold="people:other") == "gold_unknown"


def test_an_imported_run_does_not_say_what_it_searched_and_compares_with_all(ws, decided, tmp_path):
    decided([Gold("q1", (LIFE_JACKETS, FORM)), Gold("q2", (LAMP,))])
    file = tmp_path / "theirs.run"
    file.write_text(f"q1 Q0 {FORM} 1 2.0 theirs\nq2 Q0 {LAMP} 1 1.0 theirs\n", "utf-8")
    theirs = import_run(ws, SLUG, file).run_id
    set_levels(ws, SLUG, ["article"])
    assert import_run(ws, SLUG, file).run_id == theirs  # the setting has no say in it
    ours = retrieve(ws, SLUG)
    line = next(each for each in leaderboard(ws, SLUG).runs if each.run_id == theirs)
    assert line.searched.code == "not known" and line.not_searched is None
    found = compare_runs(ws, SLUG, measures=[Measure("Recall", 10)], baseline=theirs)
    compared = {run.run_id: run.compared for run in found.runs}
    assert compared == {theirs: True, ours: True}


def test_likeness_and_hit_rates_leave_out_gold_that_is_not_searched_and_count_it(ws, decided):
    decided([Gold("q1", (LIFE_JACKETS, FORM)), Gold("q2", (LAMP,)), Gold("q3", (FORM,))])
    (described,) = statistics(ws, SLUG).datasets
    assert (described.without_gold, described.gold.value) == (1, 1.0)
    assert (described.not_searched, described.not_searched_questions) == (2, 2)
    view = View(spec={"method": "lsa", "dimensions": 2}, seeds=2, neighbours=2)
    hits = hit_rates(ws, SLUG, view)
    assert (hits.questions, len(hits.outside.questions)) == (2, 2)
    assert question_figure(ws, SLUG, "q3", view).not_searched == 1
    set_levels(ws, SLUG, ["article", "form"])
    (described,) = statistics(ws, SLUG).datasets
    assert (described.without_gold, described.not_searched) == (0, 0)
    assert hit_rates(ws, SLUG, view).questions == 3


def test_an_experiment_begun_on_other_levels_is_another_one(ws, decided, monkeypatch):
    decided([Gold("q1", (LIFE_JACKETS, FORM)), Gold("q2", (LAMP,))])
    text = "name: Levels\nmeasures: [Recall@10]\nmethods: [bm25]\n"

    def stopped(*_args, **_more):
        raise UserError("no_gold", slug=SLUG, pending=0)

    with monkeypatch.context() as broken:  # it is another one though it has no run yet
        broken.setattr(running, "run_on", stopped)
        with pytest.raises(running.LinesFailedError):
            run_experiment(ws, SLUG, text)
    set_levels(ws, SLUG, ["article", "form"])
    assert check_experiment(ws, SLUG, text).missing == 1
    assert run_experiment(ws, SLUG, text).number == 2
    set_levels(ws, SLUG, ["article", "section", "annex"])
    assert run_experiment(ws, SLUG, text).number == 1
    for number, searched, units in ((1, "article+section+annex", 1), (2, "article+form", 0)):
        results = experiment_results(ws, SLUG, number)
        (scores,) = (line.scores for line in results.lines)
        assert scores is not None and scores.line.searched.code == searched
        rows = list(csv.DictReader(io.StringIO(as_file(results, "csv"))))
        assert {row["searched"] for row in rows} == {searched}
        assert {row["gold_units_not_searched"] for row in rows} == {str(units)}
        assert scores.line.searched.say() in as_file(results, "markdown")
