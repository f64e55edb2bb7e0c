"""The lines of an experiment's file on court cases: group scores, and what lines lack."""

from __future__ import annotations

from dataclasses import replace

import pytest

from construction.stricter.benchmark import BenchmarkKind
from errors import UserError
from evaluation.ranking.scoring import parse_measure
from services.stricter.method_table import CaseTable, score_experiment
from services.stricter.report_tables import scores_report, table_report
from services.stricter.scoring import score_bm25
from tests.projects.stricter_project import SLUG, StricterHouse, build
from tests.support.refusals import code_of

TEXT = """\
name: Cases
measures: [P@5, Recall@100]
methods:
- {name: BM25, method: bm25, k1: 0.9, b: 0.4}
- {name: LSA, method: lsa}
- {name: Reranked, method: rerank, base: BM25, model: some/reranker}
- {name: SAR, method: sar, base: BM25}
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> StricterHouse:
    return build(tmp_path_factory.mktemp("table") / "ws")


@pytest.fixture(scope="module")
def table(house: StricterHouse) -> CaseTable:
    return score_experiment(house.ws, SLUG, TEXT, "cases.yaml")


def test_a_line_scores_what_the_built_in_method_of_its_parameters_scores(
    house: StricterHouse, table: CaseTable
) -> None:
    measures = [parse_measure(key) for key in ("P@5", "Recall@100")]
    wanted = score_bm25(house.ws, SLUG, measures=measures)
    (bm25, lsa, *_) = table.lines
    assert bm25.scores is not None and lsa.scores is not None
    for kind in BenchmarkKind:
        assert bm25.scores.scores[kind].figures == wanted.scores[kind].figures
        assert [figure.name for figure in lsa.scores.scores[kind].figures] == ["P@5", "Recall@100"]


def test_what_cannot_be_run_is_a_line_without_scores_and_a_note_with_what_to_do(
    table: CaseTable,
) -> None:
    report = table_report(table, "en")
    told = report.as_json()
    for kind in BenchmarkKind:
        of_all = {row["line"]: row for row in told[kind] if row["category"] == "all"}
        assert list(of_all) == ["BM25", "LSA", "Reranked", "SAR"]
        for lacking in ("Reranked", "SAR"):
            assert (of_all[lacking]["P@5"], of_all[lacking]["groups"]) == (None, 0)
        assert of_all["BM25"]["P@5"]["n"] == of_all["BM25"]["groups"] in (1, 2)
        assert len({row["category"] for row in told[kind]}) > 1
    assert told["lacking"].keys() == {"Reranked", "SAR"}
    notes = "\n".join(report.notes)
    assert "some/reranker" in notes and "TOUCHSTONE_DOWNLOAD_MODELS" in notes and "SAR" in notes
    standard, stricter = report.sections
    assert standard.title != stricter.title
    assert "P@5" in standard.lead and standard.chart
    assert standard.chart.only == ("category", "all")


def test_rules_that_read_in_a_model_s_place_are_told_of(table: CaseTable) -> None:
    (first, *others) = table.lines
    line = replace(first.line, spec={"method": "lightrag", "base": {"method": "lsa"}})
    read_by_rule = replace(table, lines=(replace(first, line=line), *others))
    notes = table_report(read_by_rule, "en").notes
    assert any("reader: stand_in" in note and "BM25" in note for note in notes)
    assert not any("stand_in" in note for note in table_report(table, "en").notes)


def test_groups_of_a_model_s_tags_name_it_in_every_row_of_the_stricter_ones(
    house: StricterHouse,
) -> None:
    scored = replace(score_bm25(house.ws, SLUG), model="m")
    told = scores_report(scored, "en").as_json()
    assert told["tags_of_model"] == "m"
    assert {row["tags_of"] for row in told["stricter"]} == {"m"}
    assert "tags_of" not in told["standard"][0]
    assert told["standard"][0]["category"] == "all"


def test_progress_says_at_which_line_it_is(house: StricterHouse) -> None:
    told: list[tuple[int, int, str, int, int]] = []
    text = TEXT[: TEXT.index("- {name: LSA")]
    score_experiment(house.ws, SLUG, text, progress=lambda *each: told.append(each))
    assert told[-1][:3] == (0, 1, "BM25") and told[-1][3] == told[-1][4] > 0


def test_what_is_wrong_is_said_before_anything_is_ranked(house: StricterHouse) -> None:
    for text, code in (
        (TEXT.replace("Recall@100", "Recall@200").replace("measures", "depth: 200\nmeasures"), 1),
        (TEXT.replace("method: lsa", "method: lsb"), 2),
    ):
        with pytest.raises(UserError) as refused:
            score_experiment(house.ws, SLUG, text, "cases.yaml")
        assert refused.value.code == {1: "experiment_depth", 2: "unknown_method"}[code]
        assert refused.value.where.file == "cases.yaml"
    text = "name: N\nmeasures: [P@5]\nmethods:\n- {name: S, method: sar, base: {method: bm25}}\n"
    assert code_of(score_experiment, house.ws, SLUG, text) == "method_graph"  # of the first line
