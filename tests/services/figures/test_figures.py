"""Figures and statistics of a project: what they say, who may ask, what is refused."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from math import log, sqrt
from pathlib import Path
from shutil import copytree

import pytest

from annotation.people.members import add_person
from corpus.graph.model import WALKED, Direction, EdgeType, Origin
from evaluation.figures.buckets import curve
from evaluation.figures.neighbourhood import Link, Role
from evaluation.ranking.scoring import Measure
from evaluation.reports.charts import pictures
from retrieval.core.method import Dense
from retrieval.core.presets import describe
from services.figures import figure_data
from services.figures.dataset_statistics import (
    BeirFolder,
    Likening,
    OtherProject,
    project_likeness,
    statistics,
)
from services.figures.figure_data import View, askable, dense_specs, figure_inputs, other_projects
from services.figures.reports import (
    bars_report,
    hits_report,
    neighbourhood_report,
    similarity_report,
    statistics_report,
)
from services.figures.series import (
    ChosenRuns,
    RunCurves,
    hit_rates,
    question_figure,
    run_bars,
    run_names,
    similarity_curves,
)
from services.gold.gold_set import GoldName, GoldSize, required_gold
from services.law.graph.citation_graph import build_snapshot
from services.runs.marks import mark_runs
from services.runs.methods import preparation
from services.runs.retrieving import retrieve
from storage.db.workspace import Workspace
from storage.law.corpus import load_questions
from storage.law.graph import load_graph
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project, find_project
from tests.conftest import ROOT
from tests.projects.small_law import ACT, RULE, SLUG, law, questions
from tests.services.small_gold import LIFE_JACKETS
from tests.support.refusals import code_of

pytestmark = pytest.mark.usefixtures("decided")
ANNEX = f"{ACT}_별표1"
# The act's second article says "별표 1과 같다": it cites the annex.
ONE = View({"method": "lsa", "dimensions": 16, "min_df": 1}, seeds=1, neighbours=1)


def test_an_edge_of_the_citation_graph_leads_from_the_seed_to_the_missed_annex(
    ws: Workspace,
) -> None:
    rates = hit_rates(ws, SLUG, ONE)
    explicit, cosine, matched = rates.rates
    assert rates.questions == 2  # q4 has no provision, q3 is pending
    assert (explicit.graph, cosine.graph, matched.graph) == ("explicit", "cosine", "matched")
    assert (explicit.missed.value, explicit.missed.n) == (1.0, 1)  # the lamp was found at once
    assert explicit.linked.n == 2
    assert matched.reached.value == pytest.approx(0.5)  # one neighbour for the one citation
    found = question_figure(ws, SLUG, "q1", ONE)
    roles = {point.unit_id: point.role for point in found.found.points}
    assert (roles[LIFE_JACKETS], roles[ANNEX]) == (Role.SEED_GOLD, Role.GOLD)
    assert found.found.explicit.links == (Link(LIFE_JACKETS, ANNEX, True),)
    assert found.question.startswith("나룻배에")
    assert found.names[ANNEX] == "나루안전법 별표 1 (구명조끼의 수)"


def test_neighbours_are_those_of_the_view(ws: Workspace) -> None:
    base, _, queries = figure_inputs(ws, SLUG, ONE)
    assert set(queries) == {"q1", "q2", "q4"}
    assert base.cited([ANNEX]) == {ANNEX: []}
    for view, unit, cited in (
        (replace(ONE, direction="both"), ANNEX, [LIFE_JACKETS]),
        (replace(ONE, types=(EdgeType.APPLIES,)), LIFE_JACKETS, []),
        (replace(ONE, direction="both", origins=(Origin.TEXT,)), ANNEX, [LIFE_JACKETS]),
        (replace(ONE, direction="both", origins=(Origin.HYPERLINK,)), ANNEX, []),
    ):
        assert figure_inputs(ws, SLUG, view)[0].cited([unit]) == {unit: cited}
    near = base.nearest([LIFE_JACKETS], 2)[LIFE_JACKETS]
    assert len(near) == 2 and LIFE_JACKETS not in near


def test_what_cannot_be_is_refused(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    assert code_of(question_figure, ws, SLUG, "q3", ONE) == "figure_question"
    assert code_of(hit_rates, ws, SLUG, View(seeds=0)) == "figure_number"
    assert code_of(hit_rates, ws, SLUG, View(direction="up")) == "figure_direction"  # type: ignore[arg-type]
    assert code_of(hit_rates, ws, SLUG, View({"method": "bm25"})) == "figure_not_dense"
    assert code_of(run_bars, ws, [], [Measure("Recall", 10)]) == "figure_runs"
    assert code_of(run_bars, ws, [7], [Measure("Recall", 10)]) == "run_unknown"
    dot = {"method": "dense", "model": "m", "similarity": "dot"}
    assert figure_data._dense({"method": "rocchio", "base": dot}) is None
    assert figure_data._dense({**dot, "similarity": "cosine"}) is not None
    monkeypatch.setattr(Dense, "unit_length", False)
    assert code_of(hit_rates, ws, SLUG, ONE) == "figure_not_cosine"


def test_runs_are_bars_under_their_names(ws: Workspace) -> None:
    first = retrieve(ws, SLUG)
    second = retrieve(ws, SLUG, {"method": "bm25", "tokeniser": "whitespace"}, label="words")
    assert [each.name for each in run_names(ws, SLUG)] == ["2 · words", "1 · BM25 bigram"]
    found = run_bars(ws, [first, second], [Measure("Recall", 1), Measure("AP")])
    names = ("1 · BM25 bigram", "2 · words")
    bars = [(bar.group, bar.series) for bar in found.bars]
    assert bars == [(measure, name) for name in names for measure in ("Recall@1", "AP")]
    assert found.bars[0].figure.n == 2
    assert bars_report(found, "en").sections[0].lead == ""  # no best run of so few questions
    runs = [retrieve(ws, SLUG, k=depth) for depth in range(1, 8)]  # more than have colours
    few, many = (run_bars(ws, some, [Measure("Recall", 1)]) for some in (runs[:6], runs))
    charts = [bars_report(each, "en").sections[0].chart for each in (few, many)]
    shapes = [(each.labels, each.series) for each in charts if each]
    assert shapes == [(("measure",), "run"), (("run",), "measure")]
    assert code_of(similarity_curves, ws, runs, Measure("Recall", 1)) == "figure_runs"
    deep = run_bars(ws, [runs[4]], [Measure("Recall", 10)])
    assert [bar.figure.n for bar in deep.bars] == [0]
    _, note = bars_report(deep, "en").notes
    assert note.endswith("Recall@10 of 1 run kept to depth 5.")
    assert [each.as_dict() for each in found.gold] == [{"gold": "people", "gold_questions": 3}]


OTHER = "labelled"


def test_figures_are_of_the_gold_set_that_is_named_else_of_the_widest(ws: Workspace) -> None:
    labels = {"q3": (f"{ACT}_4조",), "q2": (LIFE_JACKETS,)}  # q3 is pending
    told = [replace(each, gold_ids=labels.get(each.external_id, ())) for each in questions()]
    create_project(ws, OTHER, "Labelled")
    keep_statutes(ws, OTHER, law(), "first")
    keep_questions(ws, OTHER, told, "labels.jsonl")
    run = retrieve(ws, OTHER)
    sets = {"people": ["q1", "q2"], "source": ["q2", "q3"]}
    for name, asked in (sets | {"people-over-source": ["q1", "q2", "q3"]}).items():
        assert list(askable(ws, OTHER, name)) == asked
        found = hit_rates(ws, OTHER, ONE, gold=name)
        assert (found.questions, found.gold.name) == (len(asked), name)
        assert found.gold.say("ko") in hits_report(found, "ko").notes
        (bar,) = run_bars(ws, [run], [Measure("Recall", 1)], gold=name).bars
        assert bar.figure.n == len(asked)
        described = statistics(ws, OTHER, gold=name)
        assert described.datasets[0].questions == described.gold[OTHER].questions
        assert f"{OTHER}: {found.gold.say()}" in statistics_report(described, "en").notes
        curves = similarity_curves(ws, [run], Measure("Recall", 1), gold=name)
        assert sum(bucket.figure.n for bucket in curves.curves[0].buckets) == len(asked)
        assert curves.gold.say() in similarity_report(curves, "Recall@1", "en").notes
    widest = hit_rates(ws, OTHER, ONE).gold
    assert widest == found.gold and (widest.questions, widest.labelled) == (4, 1)
    assert question_figure(ws, OTHER, "q3", ONE).gold == widest
    assert code_of(question_figure, ws, OTHER, "q3", ONE, gold="people") == "figure_question"
    assert code_of(hit_rates, ws, OTHER, ONE, gold="mine") == "gold_unknown"


def test_every_figure_has_its_picture_and_all_its_numbers(ws: Workspace) -> None:
    run = retrieve(ws, SLUG)
    near = neighbourhood_report(question_figure(ws, SLUG, "q1", ONE), "ko")
    hits = hits_report(hit_rates(ws, SLUG, ONE), "ko")
    bars = bars_report(run_bars(ws, [run], [Measure("Recall", 1)]), "en")
    for report in (near, hits, bars):
        assert report.drawn and pictures(report.drawn, ".svg", dark=True).startswith(b"<svg")
    told = near.as_json()
    assert [each["role"] for each in told["points"]][:3] == ["query", "seed_gold", "gold"]
    assert told["points"][2]["name"] == "나루안전법 별표 1 (구명조끼의 수)"
    edge = told["links"][-1]
    assert (edge["graph"], edge["from_seed"], edge["to_unit"]) == ("explicit", LIFE_JACKETS, ANNEX)
    assert (edge["to_name"], edge["to_gold"]) == ("나루안전법 별표 1 (구명조끼의 수)", 1)
    assert told["hits"] == {"cosine": 1, "explicit": 1}
    assert hits.as_json()["rates"][0]["missed"] == {"value": 1.0, "n": 1, "ci": None}
    assert "| 인용 그래프 |" in hits.written("markdown")
    assert hits.sections[0].lead == ""  # nothing is said of so few questions
    assert bars.as_json()["scores"][0]["measure"] == "Recall@1"


def test_a_bucket_has_its_place_on_the_fitted_line_and_the_run_its_slope() -> None:
    alike = {f"q{n}": n / 40 for n in range(40)}
    fitted = curve("BM25", alike, {q: float(x > 0.4) for q, x in alike.items()})
    found = RunCurves(
        (fitted, curve("LSA", {}, {})), GoldSize(GoldName.PEOPLE, 40, 0), ChosenRuns((100, 5), (2,))
    )
    told = similarity_report(found, "Recall@10", "en").as_json()
    assert "depth 5" in told["notes"][1] and told["notes"][2] == "Run 2 is retired."
    first, last = told["buckets"][0], told["buckets"][-1]
    assert (first["bucket"], first["n"], first["score"]["value"]) == ("0–0.1", 4, 0.0)
    rise = (last["fitted"] - first["fitted"]) / (last["middle"] - first["middle"])
    assert rise == pytest.approx(told["slopes"][0]["slope"]["value"])
    assert told["slopes"][1]["slope"]["value"] is None
    lead = similarity_report(found, "Recall@10", "en").sections[0].lead
    assert lead.startswith("BM25 depends most on shared words")


@pytest.mark.parametrize("direction", ["in", "both"])
def test_citations_of_the_seeds_are_read_and_not_the_whole_graph(
    ws: Workspace, direction: Direction, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_snapshot(ws, 1)
    with ws.reading() as session:
        graph = load_graph(session, 1)
    monkeypatch.setattr(preparation, "load_graph", lambda *_: pytest.fail("read whole"))
    monkeypatch.setattr(figure_data, "_AT_ONCE", 2)
    base, _, _ = figure_inputs(ws, SLUG, replace(ONE, direction=direction))
    units = base.dense.corpus.ids
    found = base.cited(units)
    assert found == {unit: graph.neighbours(unit, WALKED, direction) for unit in units}
    assert any(found.values())


BEIR = ROOT / "tests" / "fixtures" / "beir"


def test_a_cosine_is_that_worked_out_from_counts(ws: Workspace) -> None:
    alike = project_likeness(ws, SLUG, required_gold(ws, SLUG, 1), Likening("whitespace"))
    found = {each.question: each.query_gold for each in alike if each.query_gold is not None}
    # Over the words of the corpus: each unit's statute, label, heading and text.
    texts = {
        unit.semantic_id: f"{statute.title} {unit.label} {unit.heading} {unit.text}".lower().split()
        for statute in law()
        for unit in statute.units
        if unit.level in ("article", "annex") and not unit.deleted
    }
    df = Counter(word for words in texts.values() for word in set(words))

    def weights(words: list[str]) -> dict[str, float]:
        idf = {word: log((1 + len(texts)) / (1 + df[word])) + 1 for word in words if df[word]}
        raw = {word: words.count(word) * idf[word] for word in idf}
        length = sqrt(sum(each**2 for each in raw.values()))
        return {word: each / length for word, each in raw.items()}

    asked = weights(questions()[1].text.lower().split())
    lamp = weights(texts[f"{RULE}_article-1"])
    assert found["q2"] == pytest.approx(sum(asked[word] * lamp.get(word, 0) for word in asked))


def test_a_project_is_described_by_its_settled_questions(ws: Workspace) -> None:
    found = statistics(ws, SLUG)
    (described,) = found.datasets
    assert (described.name, described.questions, described.without_gold) == (SLUG, 3, 1)
    assert described.counts == ((1, 1), (2, 1))
    assert described.cosines["query_gold"].n == described.cosines["gold_answer"].n == 2
    assert found.differences == ()
    told = statistics_report(found, "en").as_json()
    assert told["datasets"][0]["not_searched_questions"] == 0
    assert sum(each["count"] for each in told["query_gold_histogram"]) == 2
    counts = [(each["gold_units"], each["count"]) for each in told["questions_with_gold"]]
    assert counts == [("1", 1), ("2", 1)] and told["tests"] == []
    with ws.reading() as session:
        questions = load_questions(session, find_project(session, SLUG).id).values()
    (asked, answered) = told["lengths"]
    by_column = Counter(each["column"] for each in told["columns"])
    shares = sum(each["share"]["value"] for each in told["columns"])
    assert shares == pytest.approx(len(by_column))  # each question has one value of each here
    assert asked["n"] == len(questions)
    total = sum(len(q.text) for q in questions)
    assert asked["characters"]["value"] * asked["n"] == pytest.approx(total)
    assert answered["n"] == sum(bool(q.answer) for q in questions)


def test_a_beir_folder_has_no_answers_and_is_tested_by_its_questions(
    ws: Workspace, tmp_path: Path
) -> None:
    found = statistics(ws, SLUG, [BeirFolder(BEIR)])
    other = found.datasets[1]
    assert (other.name, other.questions, other.without_gold) == ("beir", 2, 0)
    assert other.cosines["gold_answer"].value is None
    assert other.cosines["query_gold"].value is not None
    assert {each.pair for each in found.differences} == {"query_gold"}
    copytree(BEIR, tmp_path / "packed" / "inside")
    inside = statistics(ws, SLUG, [BeirFolder(tmp_path / "packed", "beir")])
    assert inside == found


def beir_set(folder: Path, name: str = "lease") -> BeirFolder:
    """Write a data set whose ids and folder are words of its question."""
    place = folder / name
    (place / "qrels").mkdir(parents=True)
    documents = [
        {"_id": "rent-d0", "title": "Code Rent", "text": "The tenant pays rent in advance."},
        {"_id": "rent-d1", "title": "", "text": "A breach ends the contract."},
        {"_id": "rent-d2", "title": "Deposit", "text": "The deposit is returned."},
    ]
    query = {"_id": "q1", "text": "lease rent d0 breach", "metadata": {"answer": "A breach."}}
    for file, rows in (("corpus", documents), ("queries", [query])):
        lines = "\n".join(json.dumps(row) for row in rows)
        (place / f"{file}.jsonl").write_text(lines, "utf-8")
    (place / "qrels" / "test.tsv").write_text("q1\trent-d0\t2\nq1\trent-d1\t1\n", "utf-8")
    return BeirFolder(place, "set")


def test_ids_and_the_folder_are_no_words_of_a_passage(ws: Workspace, tmp_path: Path) -> None:
    how = Likening("whitespace", "titled")
    names = ("lease", "d0-rent-breach")
    found = [statistics(ws, SLUG, [beir_set(tmp_path, each)], how).datasets[1] for each in names]
    assert found[0] == found[1]
    assert found[0].cosines["gold_answer"].n == 1


def test_what_is_compared_and_what_of_several_gold_units_is_chosen_and_told(
    ws: Workspace, tmp_path: Path
) -> None:
    values = {}
    other = beir_set(tmp_path)
    for compared in ("titled", "passage"):
        for several in ("mean", "nearest"):
            found = statistics(ws, SLUG, [other], Likening("whitespace", compared, several))
            values[compared, several] = found.datasets[1].cosines["query_gold"].value or 0.0
            notes = statistics_report(found, "en").notes
            told = next(note for note in notes if note.startswith("Compared of"))
            assert ("Passage alone" in told) == (compared == "passage")
            assert ("the nearest" in told) == (several == "nearest")
    assert values["titled", "mean"] != values["passage", "mean"]
    assert all(values[each, "nearest"] > values[each, "mean"] for each in ("titled", "passage"))
    assert code_of(Likening, "bigram", "body") == "method_parameter"
    assert code_of(Likening, "bigram", "titled", "sum") == "statistics_several"


def test_projects_are_compared_by_who_may_see_both(ws: Workspace) -> None:
    create_project(ws, "other", "Other")
    keep_statutes(ws, "other", law(), "first")
    keep_questions(ws, "other", questions(), "questions.jsonl")
    assert other_projects(ws, SLUG, None) == []  # nobody there may see scores
    sora = add_person(ws, SLUG, "Sora", "researcher").id
    there = add_person(ws, "other", "Sora", "researcher").id
    ann = add_person(ws, "other", "Ann", "annotator").id
    assert other_projects(ws, SLUG, None) == [OtherProject("other", there)]
    found = statistics(ws, SLUG, [OtherProject("other", there)], by=sora)
    assert [each.name for each in found.datasets] == [SLUG, "other"]
    ks = next(each for each in found.differences if each.test == "ks")
    assert (ks.statistic, ks.p) == (0.0, 1.0)  # the same law and questions
    assert code_of(statistics, ws, SLUG, [OtherProject("other", ann)], by=sora) == "not_allowed"
    assert code_of(statistics, ws, SLUG, [OtherProject("other", sora)], by=sora) == "person_unknown"


def test_what_cannot_be_compared_is_refused(ws: Workspace, tmp_path: Path) -> None:
    assert code_of(statistics, ws, SLUG, [OtherProject(SLUG)]) == "statistics_same"
    assert code_of(statistics, ws, SLUG, [OtherProject("none")]) == "project_unknown"
    many = [BeirFolder(BEIR, str(n)) for n in range(8)]
    assert code_of(statistics, ws, SLUG, many) == "statistics_many"
    assert code_of(statistics, ws, SLUG, [], Likening("words")) == "method_parameter"
    assert code_of(statistics, ws, SLUG, [BeirFolder(tmp_path)]) == "path_missing"


def test_a_measure_is_drawn_by_similarity_for_each_run(ws: Workspace) -> None:
    runs = [retrieve(ws, SLUG), retrieve(ws, SLUG, {"method": "tfidf"})]
    found = similarity_curves(ws, runs, Measure("Recall", 1), 0.5)
    assert [each.name for each in found.curves] == ["1 · BM25 bigram", "2 · TF-IDF bigram"]
    assert [sum(bucket.figure.n for bucket in each.buckets) for each in found.curves] == [2, 2]
    assert similarity_report(found, "Recall@1", "en").drawn
    assert code_of(similarity_curves, ws, runs, Measure("Recall", 1), 0.0) == "figure_width"
    keep_statutes(ws, SLUG, law(" 새 문장."), "second")
    runs.append(retrieve(ws, SLUG))
    assert code_of(similarity_curves, ws, runs, Measure("AP")) == "figure_snapshots"


def test_retired_runs_offer_no_method(ws: Workspace) -> None:
    retrieve(ws, SLUG)
    run = retrieve(ws, SLUG, {"method": "lsa", "dimensions": 16, "min_df": 1})
    names = ["LSA bigram", "LSA bigram · dimensions 16 · min_df 1"]
    assert [describe(spec) for spec in dense_specs(ws, SLUG)] == names
    mark_runs(ws, SLUG, [run], "retired")
    assert [describe(spec) for spec in dense_specs(ws, SLUG)] == ["LSA bigram"]
