"""Exported judgements give trec_eval the figures stated; experiments on court cases.

pytrec_eval is trec_eval's own code. It is handed the files as they are, with no relevance level
(``-l``) and nothing taken out.
"""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import fmean

import pytest
import pytrec_eval

from construction.stricter.benchmark import BenchmarkKind
from evaluation.ranking.scoring import parse_measure
from normalization.grouping import grouped
from services.stricter.benchmark_export import README, export_benchmark, qrels_of
from services.stricter.groups import Drawing
from services.stricter.report_tables import CaseTable, score_experiment, scores_report, table_report
from services.stricter.scoring import MEASURES, score_bm25, score_file
from storage.export.trec import read_qrels, write_run
from tests.projects.stricter_project import SLUG, StricterHouse, build
from tests.support.refusals import code_of, refusal

MORE = tuple(map(parse_measure, ("P@1", "AP", "RR", "AnyGold@2", "Recall@2", "nDCG@2", "nDCG")))


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return build(tmp_path_factory.mktemp("plain") / "ws")


def exported(house, tmp_path, drawing, shuffle):
    """Return the folder of an export and a run on it, of all other cases in a random order."""
    folder = tmp_path / "out"
    export_benchmark(house.ws, SLUG, folder, drawing)
    standard, stricter = (folder / f"qrels/{kind}.trec" for kind in BenchmarkKind)
    queries = read_qrels(standard) | read_qrels(stricter)
    run = {}
    for query in sorted(queries):
        others = [f"c{n}" for n in range(1, 10) if f"c{n}" != query.split("/")[1]]
        shuffle.shuffle(others)
        run[query] = [(case, -float(rank)) for rank, case in enumerate(others)]
    write_run(tmp_path / "run.trec", run, "random")
    return folder, tmp_path / "run.trec"


def trec_eval(qrels, run, measure):
    """Return query -> value as trec_eval prints them with -q, called with nothing else."""
    with qrels.open() as judgements, run.open() as ranked:
        judged, found = pytrec_eval.parse_qrel(judgements), pytrec_eval.parse_run(ranked)
    values = pytrec_eval.RelevanceEvaluator(judged, {measure.trec_request}).evaluate(found)
    return {query: measure.read(each) for query, each in values.items()}


@pytest.mark.parametrize("kind", BenchmarkKind)
@pytest.mark.parametrize("seed", range(2))
def test_plain_trec_eval_gives_every_figure_stated(house, tmp_path, kind, seed):
    folder, run = exported(house, tmp_path, Drawing(), random.Random(seed))
    measures = (*MEASURES, *MORE)
    scored = score_file(house.ws, SLUG, run, measures).scores[kind]
    for measure, figure in zip(measures, scored.figures, strict=True):
        plain = trec_eval(folder / qrels_of(kind, measure), run, measure)
        assert fmean(plain.values()) == pytest.approx(figure.value, abs=1e-9), measure


def test_the_threshold_matters_here(house, tmp_path):
    # Were the graded file read plainly, P would count grade 1 as relevant: another figure.
    folder, run = exported(house, tmp_path, Drawing(), random.Random(0))
    measure = parse_measure("P@5")
    strict, graded = (
        fmean(trec_eval(folder / "qrels" / f"{name}.trec", run, measure).values())
        for name in ("stricter", "stricter_graded")
    )
    assert strict < graded
    with (folder / "qrels/stricter_graded.trec").open() as file, run.open() as ranked:
        level = pytrec_eval.RelevanceEvaluator(
            pytrec_eval.parse_qrel(file), {"P.5"}, relevance_level=2
        ).evaluate(pytrec_eval.parse_run(ranked))
    assert fmean(each["P_5"] for each in level.values()) == strict  # -l 2, as the README says


def test_with_several_queries_of_a_group_the_readme_says_how_means_differ(house, tmp_path):
    drawing = Drawing(per_group=3, seed=7)
    folder, run = exported(house, tmp_path, drawing, random.Random(1))
    measure = parse_measure("P@2")
    figure = score_file(house.ws, SLUG, run, [measure], drawing).scores[BenchmarkKind.STANDARD]
    plain = trec_eval(folder / "qrels/standard.trec", run, measure)
    groups = grouped((query.split("/")[0], value) for query, value in plain.items())
    assert fmean(map(fmean, groups.values())) == pytest.approx(figure.figures[0].value)
    assert "counts a group once" in (folder / README).read_text("utf-8")


def test_one_query_of_a_group_needs_no_word_about_means_and_binary_files_have_the_targets_alone(
    house, tmp_path
):
    folder, _ = exported(house, tmp_path, Drawing(), random.Random(1))
    text = (folder / README).read_text("utf-8")
    assert "counts a group once" not in text
    for said in ("-l 2", "qrels/stricter.trec", "qrels/stricter_graded.trec", "-c"):
        assert said in text
    sheet = (folder / "datasheet.md").read_text("utf-8")
    assert "stricter\\_graded" in sheet and "-l 2" in sheet
    for ending in ("trec", "tsv"):
        graded = read_qrels(folder / "qrels" / f"stricter_graded.{ending}")
        assert read_qrels(folder / "qrels" / f"stricter.{ending}") == {
            query: {case: 1 for case, grade in cases.items() if grade == 2}
            for query, cases in graded.items()
        }
        assert {grade for cases in graded.values() for grade in cases.values()} == {1, 2}


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
    deep = TEXT.replace("Recall@100", "Recall@200").replace("measures", "depth: 200\nmeasures")
    unknown = TEXT.replace("method: lsa", "method: lsb")
    for text, code in ((deep, "experiment_depth"), (unknown, "unknown_method")):
        error = refusal(score_experiment, house.ws, SLUG, text, "cases.yaml")
        assert (error.code, error.where.file) == (code, "cases.yaml")
    text = "name: N\nmeasures: [P@5]\nmethods:\n- {name: S, method: sar, base: {method: bm25}}\n"
    assert code_of(score_experiment, house.ws, SLUG, text) == "method_graph"  # of the first line
