"""A run scored and tested in a notebook says what the command line says of the same files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import touchstone
from corpus.model import Level, Question, Statute, Tier, Unit
from corpus.run import Hit, Run
from errors import UserError
from evaluation.figure import RESAMPLES
from evaluation.ranking.scoring import parse_measure
from library.evaluation import evaluate, plot_differences, plot_measures
from library.files import write_run
from services.runs.scoring import compare_evaluated, evaluated
from tests.support.refusals import code_of

QRELS = {f"q{n:02}": [f"d{n}", f"e{n}"] for n in range(30)}
GOOD = {
    query: ["x", *units] if at % 3 else units[::-1]
    for at, (query, units) in enumerate(QRELS.items())
}
POOR = {query: ["x", "y", *units[:1]] if query < "q25" else units for query, units in QRELS.items()}
MEASURES = ["MRR@3", "Recall@1", "nDCG@3"]


def _known(value: float | None) -> float:
    assert value is not None
    return value


def test_figures_and_tests_are_those_of_the_command_line(tmp_path: Path) -> None:
    result = evaluate(GOOD, QRELS, against=POOR, measures=MEASURES)
    (tmp_path / "qrels").write_text(
        "".join(f"{query} 0 {unit} 1\n" for query, units in QRELS.items() for unit in units)
    )
    for name, run in (("good", GOOD), ("poor", POOR)):
        write_run(run, tmp_path / name)
    known = [parse_measure(key) for key in MEASURES]
    good, poor = (evaluated(tmp_path / n, tmp_path / "qrels", known) for n in ("good", "poor"))
    assert list(result.figures.values()) == good.figures_by(RESAMPLES)
    told = compare_evaluated(good, poor)
    assert result.tests == {"against": told}
    mine = told["MRR@3"]
    assert mine.n == 30 and _known(mine.difference.value) > 0
    assert _known(mine.difference.low) < _known(mine.difference.high)
    assert _known(mine.p) < 0.01 and mine.tally.wins + mine.tally.ties + mine.tally.losses == 30
    from_files = evaluate(tmp_path / "good", tmp_path / "qrels", tmp_path / "poor", MEASURES)
    assert from_files.tests["poor"] == told and from_files.name == "good"


def test_several_others_are_corrected_together_and_told_apart() -> None:
    alike = Run({}, "good")
    result = evaluate(GOOD, QRELS, {"good": GOOD, "poor": POOR}, ["MRR@3"])
    assert list(result.others) == ["good", "poor"]
    alone = evaluate(GOOD, QRELS, POOR, ["MRR@3"]).tests["against"]["MRR@3"]
    both = result.tests["poor"]["MRR@3"]
    assert both.p == alone.p and both.p_holm == pytest.approx(2 * _known(both.p))
    assert result.tests["good"]["MRR@3"].difference.value == 0
    table = evaluate(GOOD, QRELS, POOR, MEASURES, holm_over="table").tests["against"]
    assert max(_known(each.p_holm) / _known(each.p) for each in table.values()) == pytest.approx(3)
    again = evaluate(Run(alike, "a"), QRELS, Run(alike, "a"), ["MRR@3"])
    assert list(again.others) == ["a (2)"]


def test_each_outcome_is_counted_where_it_belongs() -> None:
    qrels = {"a": ["x"], "b": ["y"], "none": {"z": 0}}
    result = evaluate({"a": ["x"], "other": ["x"]}, qrels, measures=["Recall@1"])
    assert result.figures["Recall@1"].value == 0.5 and result.figures["Recall@1"].n == 2
    assert result.missing == ("b",) and result.unjudged == ("other",)
    assert result.table["none"] == {"Recall@1": None}
    assert "1 judged question has no answer in the run and scores 0." in str(result)
    assert "1 judged question has no relevant unit and is not scored." in str(result)
    assert "1 question of the run has no judgements" in result._repr_html_()
    assert result.questions()["Recall@1"].isna().tolist() == [False, False, True]


def test_frames_have_a_row_for_each_figure_and_test() -> None:
    result = evaluate(Run(), QRELS, {"one": GOOD, "<b>": POOR}, MEASURES)
    frame, tests = result.to_frame(), result.tests_frame()
    assert len(frame) == 9 and set(frame["run"]) == {"run", "one", "<b>"}
    assert (frame[frame["run"] == "run"]["value"] == 0).all()  # no answer is asked and unanswered
    assert len(tests) == 6 and (tests["n"] == 30).all() and (tests["difference"] <= 0).all()
    assert "<b>" not in result._repr_html_()


def test_a_result_is_a_report_with_pictures_and_tables() -> None:
    result = evaluate(GOOD, QRELS, {"poor": POOR}, MEASURES)
    found, drawn = result.report("ko").as_json(), result._repr_html_()
    assert found["scores"][0]["score"] == result.figures[MEASURES[0]].as_json()
    assert found["tests"][0]["p_holm"] == result.tests["poor"][MEASURES[0]].p_holm
    assert drawn.count("<img ") == drawn.count("<table>") == 2 and "<th>p (Holm)</th>" in drawn
    assert "p(Holm)" in str(result.report("ko")) and "Against" in str(result)


def test_plots_are_pictures_of_what_was_found(tmp_path: Path) -> None:
    result = evaluate(GOOD, QRELS, {"poor": POOR, "달리": GOOD}, MEASURES)
    measures, differences = plot_measures(result, "ko"), plot_differences(result, mode="dark")
    values = measures.spec["data"]["values"]
    assert [each["label"] for each in values][:3] == MEASURES and {e["n"] for e in values} == {30}
    assert "점수(n = 30)" in str(measures.spec)
    assert len(differences.spec["data"]["values"]) == 6
    shown = measures._repr_mimebundle_()
    assert shown["application/vnd.vegalite.v6+json"] == measures.spec
    assert "달리" in shown["image/svg+xml"]
    differences.save(tmp_path / "d.png")
    assert (tmp_path / "d.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(UserError):
        differences.save(tmp_path / "d.pdf")
    none = plot_differences(evaluate(GOOD, QRELS))
    none.save(str(tmp_path / "none.svg"))
    assert not none.spec["data"]["values"]


def test_what_cannot_be_is_refused() -> None:
    given: tuple[tuple[dict[str, Any], str], ...] = (
        ({"measures": ["F@3"]}, "unknown_measure"),
        ({"measures": [10]}, "unknown_measure"),
        ({"resamples": 5}, "library_resamples"),
        ({"resamples": "many"}, "library_whole"),
        ({"holm_over": "all"}, "library_family"),
        ({"against": 5}, "library_run"),
    )
    for more, code in given:
        assert code_of(evaluate, GOOD, QRELS, **more) == code
    for draw in (touchstone.plot_measures, touchstone.plot_differences):
        assert code_of(draw, [{"q": ["a"]}]) == "library_result"
    few = evaluate(GOOD, QRELS, measures=["MRR@3"], resamples=100).figures["MRR@3"]
    usual = evaluate(GOOD, QRELS, measures=["MRR@3"]).figures["MRR@3"]
    assert few.value == usual.value and (few.low, few.high) != (usual.low, usual.high)


def test_ids_written_in_two_ways_are_pointed_at() -> None:
    result = evaluate({"q": ["Act art. 1"], "r": ["Act art. 2"]}, {"q": ["act_article-1"]})
    assert result.strange == ("act_article-1", "Act art. 1")
    assert "are the units called the same" in str(result) and "Act art. 1" in str(result)
    other = evaluate({"q": ["b"], "r": ["a"]}, {"q": ["a"], "r": ["c"]})  # no hit, yet the same ids
    assert other.strange is None and "called the same" not in str(other)
    assert evaluate({"q": []}, {"q": ["a"]}).strange is None


def test_a_figure_deeper_than_its_run_is_blank_and_not_tested() -> None:
    keys = ["Recall@3", "Recall@4", "AP"]
    result = evaluate(GOOD, QRELS, {"poor": POOR}, keys, holm_over="table")
    assert result.figures["Recall@4"].value is None and result.figures["AP"].n == 30
    assert result.tests["poor"]["Recall@4"].p is None
    two = evaluate(GOOD, QRELS, {"poor": POOR}, ["Recall@3", "AP"], holm_over="table")
    assert [result.tests["poor"][key].p_holm for key in ("Recall@3", "AP")] == [
        two.tests["poor"][key].p_holm for key in ("Recall@3", "AP")
    ]
    assert "Recall@4 of 2 runs kept to depth 3" in str(result) and "no relevant" not in str(result)


def test_what_was_asked_for_counts_and_not_what_was_found() -> None:
    found, depth = {"q": [Hit("a", 1.0)]}, 10
    assert evaluate(Run(found, depth=depth), {"q": ["a"]}, measures="Recall@10").table == {
        "q": {"Recall@10": 1.0}
    }
    assert evaluate(Run(found), {"q": ["a"]}, measures="Recall@10").table == {
        "q": {"Recall@10": None}
    }


def _law_with_a_named_annex() -> touchstone.Law:
    body = {"A_1조": "이 법은 배를 정한다.", "A_별표1": " "}
    units = tuple(
        Unit(name, "A", Level.ANNEX if "별표" in name else Level.ARTICLE, name, "배", text, at)
        for at, (name, text) in enumerate(body.items(), 1)
    )
    return touchstone.Law([Statute("A", "배법", "act", Tier.ACT, "ko", units)])


def test_gold_that_cannot_be_found_is_counted_and_can_be_left_out() -> None:
    law = _law_with_a_named_annex()
    labels = {"q1": ("A_1조", "A_별표1"), "q2": ("B_1조", "B_2조"), "q3": ("A_별표1",)}
    gold = law.gold(Question(name, name, "", "ko", gold_ids=ids) for name, ids in labels.items())
    run = {name: ["A_1조"] for name in labels}
    result = evaluate(run, gold, measures="Recall@1")
    assert result.unsearchable == {
        "q1": {"A_별표1": "no_text"},
        "q2": {"B_1조": "absent", "B_2조": "absent"},
        "q3": {"A_별표1": "no_text"},
    }
    assert (result.figures["Recall@1"].value, result.figures["Recall@1"].n) == (0.5 / 3, 3)
    said = "4 judgements of 3 questions"
    counted = "2 absent from the snapshot, 2 without text"
    assert said in str(result) and counted in str(result) and counted in result._repr_html_()
    left = evaluate(run, gold, run, "Recall@1", searchable_only=True)
    assert (left.figures["Recall@1"].value, left.figures["Recall@1"].n) == (1.0, 1)
    assert left.others["against"] == left.figures
    assert left.unsearchable == result.unsearchable and left.left_out
    assert f"Left out: {said}" in str(left)


def test_a_law_can_be_named_for_judgements_from_elsewhere() -> None:
    law = _law_with_a_named_annex()
    qrels = {"q1": {"A_1조": 1, "A_별표1": 0, "B_1조": 2}}
    run = {"q1": ["A_1조"]}
    assert not evaluate(run, qrels, measures="Recall@1").unsearchable
    result = evaluate(run, qrels, measures="Recall@1", law=law, searchable_only=True)
    assert result.unsearchable == {"q1": {"B_1조": "absent"}}  # what is judged 0 is no gold
    assert result.figures["Recall@1"].value == 1.0
    assert code_of(evaluate, run, qrels, searchable_only=True) == "library_no_law"
