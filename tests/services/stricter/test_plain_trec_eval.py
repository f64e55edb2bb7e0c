"""The exported judgements give trec_eval, called plainly, the figures that the product states.

pytrec_eval is trec_eval's own code. It is handed the files as they are, with no relevance level
(``-l``) and nothing taken out.
"""

import random
from statistics import fmean

import pytest
import pytrec_eval

from construction.stricter.benchmark import BenchmarkKind
from evaluation.ranking.scoring import parse_measure
from services.stricter.benchmark_export import README, export_benchmark, qrels_of
from services.stricter.groups import Drawing
from services.stricter.scoring import MEASURES, score_file
from storage.export.trec import read_qrels, write_run
from tests.projects.stricter_project import SLUG, build

MORE = tuple(map(parse_measure, ("P@1", "AP", "RR", "AnyGold@2", "Recall@2", "nDCG@2", "nDCG")))


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return build(tmp_path_factory.mktemp("plain") / "ws")


def exported(house, tmp_path, drawing, shuffle):
    """Return the folder of an export and a run on it, of all other cases in a random order."""
    folder = tmp_path / "out"
    export_benchmark(house.ws, SLUG, folder, drawing)
    queries = read_qrels(folder / "qrels/standard.trec") | read_qrels(
        folder / "qrels/stricter.trec"
    )
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
    groups: dict[str, list[float]] = {}
    for query, value in plain.items():
        groups.setdefault(query.split("/")[0], []).append(value)
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
