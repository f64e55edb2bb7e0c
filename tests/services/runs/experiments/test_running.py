"""Experiments run line by line, go on where they stopped, and are never computed twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from annotation.people.members import add_person
from corpus.model import Question
from errors import UserError, Where
from services.background.tasks import STOPPED
from services.runs import retrieving
from services.runs.experiments.results import experiment_list, experiment_results
from services.runs.experiments.running import (
    LinesFailedError,
    check_experiment,
    run_experiment,
    stored_experiment,
)
from services.runs.methods.preparation import prepared
from services.runs.retrieving import retrieve
from storage.law.imports import keep_questions, keep_statutes
from storage.runs.experiments import experiment_lines, list_experiments, records_of
from storage.runs.run_store import list_runs, run_hits
from tests.llm.serving import serving
from tests.projects.small_law import SLUG, law
from tests.services.small_gold import FIRST, LAMP, Gold
from tests.support.refusals import code_of, refusal

pytestmark = pytest.mark.usefixtures("decided")

SWEEP = """\
name: Sweep
depth: 20
methods:
- name: BM25
  method: bm25
  grid: {b: [0.25, 0.5]}
- {name: Again, method: bm25, b: 0.5}
- {name: SAR, method: sar, base: BM25, noise: {rewire: [0.5]}}
"""
LABELS = ["BM25", "BM25 · b=0.25", "BM25 · b=0.5", "Again", "SAR", "SAR · rewire 50 %"]


def lines(ws, stored):
    with ws.reading() as session:
        return experiment_lines(session, stored.id)


def test_every_line_gets_its_run_and_equal_lines_the_same(ws, monkeypatch):
    told = []
    stored = run_experiment(ws, SLUG, SWEEP, progress=lambda *said: told.append(said))
    assert told[0] == (0, 6, "BM25", 0, 4) and told[-1] == (6, 6, "SAR · rewire 50 %", 0, 4)
    assert [each[0] for each in told] == sorted(each[0] for each in told)
    assert (stored.number, stored.name, stored.text) == (1, "Sweep", SWEEP)
    found = lines(ws, stored)
    assert [line.label for line in found] == LABELS
    runs = {line.label: line.run_id for line in found}
    assert runs["Again"] == runs["BM25 · b=0.5"] and len(set(runs.values())) == 5
    assert retrieve(ws, SLUG, {"method": "bm25", "b": 0.25}, k=20) == runs["BM25 · b=0.25"]
    with ws.reading() as session:
        records = records_of(session, runs.values())
    assert records[runs["SAR"]].label == "SAR"
    assert records[runs["SAR"]].environment["python"]
    assert stored_experiment(ws, SLUG, 1) == stored
    before = check_experiment(ws, SLUG, SWEEP)  # where nothing changed, nothing is computed
    assert before.missing == 0 and None not in before.runs
    monkeypatch.setattr(retrieving, "prepared", lambda *_: pytest.fail("computed again"))
    assert run_experiment(ws, SLUG, "# with a remark\n" + SWEEP) == stored
    with ws.reading() as session:
        assert len(list_experiments(session, 1)) == 1 and len(list_runs(session, 1)) == 5


def test_one_that_was_stopped_goes_on_where_it_stopped(ws, monkeypatch):
    class Killed(BaseException):
        pass

    def stop(done, _lines, _label, _questions, _all):
        if done == 2:
            raise Killed

    with pytest.raises(Killed):
        run_experiment(ws, SLUG, SWEEP, progress=stop)
    stored = stored_experiment(ws, SLUG, 1)
    assert [line.position for line in lines(ws, stored)] == [0, 1]
    assert check_experiment(ws, SLUG, SWEEP).missing == 4
    results = experiment_results(ws, SLUG, 1)
    assert (results.missing, results.stale) == (4, False)
    assert results.lines[1].scores is not None and results.lines[2].scores is None
    assert results.lines[2].cost.fit_s is None and results.lines[2].strata == {}
    (listed,) = experiment_list(ws, SLUG)
    assert (listed.number, listed.name, listed.done, listed.by) == (1, "Sweep", 2, "")
    fitted = []

    def counted(ws, spec, *rest):
        fitted.append(spec)
        return prepared(ws, spec, *rest)

    monkeypatch.setattr(retrieving, "prepared", counted)
    assert run_experiment(ws, SLUG, SWEEP) == stored
    assert [spec.get("b") for spec in fitted] == [0.5, None, None]  # the third BM25, SAR twice
    assert [line.label for line in lines(ws, stored)] == LABELS


def test_a_stop_within_a_line_ends_the_experiment_there_and_is_no_failed_line(ws):
    told = []

    def stop(done, _lines, _label, questions, _all):
        told.append((done, questions))
        if len(told) == 2:
            raise UserError(STOPPED)

    assert code_of(run_experiment, ws, SLUG, SWEEP, progress=stop) == STOPPED
    assert [done for done, _ in told] == [0, 0] and lines(ws, stored_experiment(ws, SLUG, 1)) == []


def test_a_line_that_fails_does_not_keep_the_others_from_being_run(ws, monkeypatch):
    def fails(ws, spec, *rest):
        if spec["method"] == "sar":
            raise UserError("method_graph", method="sar")
        return prepared(ws, spec, *rest)

    text = SWEEP + "- {name: Last, method: tfidf}\n"
    told = []
    with monkeypatch.context() as patched:
        patched.setattr(retrieving, "prepared", fails)
        tell = lambda *said: told.append(said)  # noqa: E731
        error = refusal(run_experiment, ws, SLUG, text, "x.yaml", progress=tell)
    assert error.code == "experiment_lines_failed" and error.where.file == "x.yaml"
    assert error.params == {"count": 2, "lines": 7}
    assert error.what().count("there is no citation graph") == 1  # of both lines
    assert "SAR · rewire 50 %" in error.what()
    stored = stored_experiment(ws, SLUG, 1)
    assert [line.label for line in lines(ws, stored)] == [*LABELS[:4], "Last"]
    assert told[-1][0] == 7
    assert run_experiment(ws, SLUG, text) == stored
    assert [line.label for line in lines(ws, stored)] == [*LABELS, "Last"]


def test_two_processes_may_run_one_experiment_at_once(ws):
    """Each waits for the other's writing alone: one experiment, one run of each line."""
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: run_experiment(ws, SLUG, SWEEP), range(2))
    assert first == second
    assert [line.label for line in lines(ws, first)] == LABELS
    with ws.reading() as session:
        assert len(list_experiments(session, 1)) == 1 and len(list_runs(session, 1)) == 5


def test_other_law_is_another_experiment_and_other_gold_or_more_questions_are_not(ws, decided):
    first = run_experiment(ws, SLUG, SWEEP)
    decided([*FIRST[:3], Gold("q3", (LAMP,))])
    keep_questions(ws, SLUG, [Question("q5", "등불?", "", "ko")], "more.jsonl")
    plan = check_experiment(ws, SLUG, SWEEP)
    assert (plan.questions, plan.missing, {*plan.behind}) == (5, 6, {*range(6)})
    second = run_experiment(ws, SLUG, SWEEP)
    assert check_experiment(ws, SLUG, SWEEP).missing == 0
    keep_statutes(ws, SLUG, law(" 새 문장."), "second")
    third = run_experiment(ws, SLUG, SWEEP)
    on_the_first = run_experiment(ws, SLUG, SWEEP + "corpus: 1\n")
    assert [each.number for each in (first, second, third, on_the_first)] == [1, 1, 2, 1]
    assert (second.snapshot_id, third.snapshot_id) == (1, 2)
    runs = [{line.run_id for line in lines(ws, each)} for each in (first, second, third)]
    assert runs[0] == runs[1] and not runs[1] & runs[2]


def test_a_file_names_the_gold_set_that_it_is_read_on(ws):
    plan = check_experiment(ws, SLUG, SWEEP + "gold: people\n")
    assert (plan.on.gold.name, len(plan.on.gold.items), plan.questions) == ("people", 3, 4)
    assert code_of(check_experiment, ws, SLUG, SWEEP + "gold: source\n") == "no_gold"
    first = run_experiment(ws, SLUG, SWEEP)
    assert run_experiment(ws, SLUG, SWEEP + "gold: people\n").number != first.number


def test_gold_that_changes_meanwhile_does_not_divide_an_experiment(ws, decided):
    text = """\
name: Learn
methods:
- {name: Prior, method: gold_prior}
- {name: Alike, method: similar_questions}
"""

    def change(*_):
        decided([*FIRST[:3], Gold("q3", (LAMP,))])

    learnt = check_experiment(ws, SLUG, text).on.gold
    stored = run_experiment(ws, SLUG, text, progress=change)
    assert stored.gold_hash == learnt.hash
    with ws.reading() as session:
        runs = list_runs(session, 1)
        assert len(runs) == 2
        assert {run.key.gold_hash for run in runs} == {
            learnt.learning_hash(["q1", "q2", "q3", "q4"])
        }
        assert {tuple(run_hits(session, run.id)) for run in runs} == {("q1", "q2", "q3", "q4")}


@pytest.mark.parametrize(
    ("extra", "code"),
    [
        ("corpus: abcdef0123", "experiment_corpus"),
        ("gold: '0123456789'", "gold_unknown"),
        ("depth: 5", "field_repeated"),
        ("- {name: Off, method: weighted, of: [BM25, SAR], weights: [1]}", "weighted_weights"),
    ],
)
def test_what_cannot_run_here_is_refused_before_anything_is_stored(ws, extra, code):
    for act in (check_experiment, run_experiment):
        error = refusal(act, ws, SLUG, f"{SWEEP}{extra}\n", "sweep.yaml")
        assert error.code == code and error.where.file == "sweep.yaml"
    with ws.reading() as session:
        assert list_experiments(session, 1) == [] and list_runs(session, 1) == []


LACKS = """\
name: Of three
depth: 20
methods:
- {name: A, method: bm25}
- {name: B, method: dense, model: FOLDER}
- {name: C, method: tfidf}
- {name: D, method: expand, base: A}
"""


def test_a_line_that_needs_what_is_not_here_is_told_and_the_others_are_run(ws, tmp_path):
    text = LACKS.replace("FOLDER", str(tmp_path))
    plan = check_experiment(ws, SLUG, text, "x.yaml")
    told = {at: (error.code, error.where) for at, error in plan.lacking.items()}
    assert told == {
        1: ("model_folder", Where("x.yaml", 5, "B")),
        3: ("models_role_unset", Where("x.yaml", 7, "D")),
    }
    error = refusal(run_experiment, ws, SLUG, text, "x.yaml")
    assert (error.code, error.params) == ("experiment_lines_failed", {"count": 2, "lines": 4})
    assert 'line 5, field "B": ' in error.what()
    assert [line.label for line in lines(ws, stored_experiment(ws, SLUG, 1))] == ["A", "C"]
    nothing = "name: None\nmethods:\n- {name: B, method: endpoint}\n"
    error = refusal(run_experiment, ws, SLUG, nothing, "x.yaml")  # every line lacks something
    assert (error.code, error.where) == ("models_role_unset", Where("x.yaml", 3, "B"))
    with ws.reading() as session:
        assert len(list_experiments(session, 1)) == 1
    with serving(ws), pytest.raises(UserError):  # it goes on once what a line needs is here
        run_experiment(ws, SLUG, text)
    assert [line.label for line in lines(ws, stored_experiment(ws, SLUG, 1))] == ["A", "C", "D"]


def test_who_may_not_have_models_run_is_told_before_anything_is_computed(ws):
    text = SWEEP + "- {name: Asked, method: expand, base: BM25}\n"
    adjudicator = add_person(ws, SLUG, "Cho", "adjudicator").id
    with serving(ws):
        for act in (check_experiment, run_experiment):
            assert code_of(act, ws, SLUG, text, by=adjudicator) == "not_allowed"
        with ws.reading() as session:
            assert list_runs(session, 1) == []
        made = run_experiment(ws, SLUG, text)
        assert run_experiment(ws, SLUG, text, by=adjudicator) == made


OLD_NAME = """\
name: Before groups were there
methods:
- {name: BM25, method: bm25}
- {name: SAR, method: sar, base: BM25, edges: [references, parallel]}
"""


def test_a_file_that_names_parallel_is_read_and_never_taken_for_something_else(ws):
    plan = check_experiment(ws, SLUG, OLD_NAME)
    assert {at: error.code for at, error in plan.lacking.items()} == {1: "parallel_undeclared"}
    assert "co_specifies" in plan.lacking[1].remedy()
    with pytest.raises(LinesFailedError):
        run_experiment(ws, SLUG, OLD_NAME)
    assert [line.label for line in lines(ws, stored_experiment(ws, SLUG, 1))] == ["BM25"]
    run_experiment(ws, SLUG, OLD_NAME.replace("parallel", "co_specifies"))
