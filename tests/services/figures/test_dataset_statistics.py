"""Statistics of data sets: what they compare, and that what is not there is missing."""

from __future__ import annotations

import json
from collections import Counter
from math import log, sqrt
from pathlib import Path
from shutil import copytree

import pytest

from annotation.people.members import add_person
from errors import UserError
from evaluation.ranking.scoring import Measure
from retrieval.core.presets import describe
from services.figures.dataset_statistics import (
    BeirFolder,
    Likening,
    OtherProject,
    question_gold,
    statistics,
)
from services.figures.figure_data import askable, dense_specs, other_projects
from services.figures.reports import similarity_report, statistics_report
from services.figures.series import similarity_curves
from services.gold.gold_set import required_gold
from services.runs.marks import retire
from services.runs.retrieving import retrieve
from storage.db.workspace import Workspace
from storage.law.corpus import load_questions
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project, find_project
from tests.conftest import ROOT
from tests.projects.small_law import RULE, SLUG, law, questions
from tests.support.refusals import code_of

pytestmark = pytest.mark.usefixtures("decided")
BEIR = ROOT / "tests" / "fixtures" / "beir"


def second_project(ws: Workspace) -> None:
    create_project(ws, "other", "Other")
    keep_statutes(ws, "other", law(), "first")
    keep_questions(ws, "other", questions(), "questions.jsonl")


def test_a_cosine_is_that_worked_out_from_counts(ws: Workspace) -> None:
    found = question_gold(ws, SLUG, required_gold(ws, SLUG, 1), Likening("whitespace"))
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
    second_project(ws)
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
    with pytest.raises(UserError):
        statistics(ws, SLUG, [BeirFolder(tmp_path)])


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


def test_what_figures_can_be_made_of(ws: Workspace) -> None:
    assert [each.external_id for each in askable(ws, SLUG)] == ["q1", "q2"]
    retrieve(ws, SLUG)
    run = retrieve(ws, SLUG, {"method": "lsa", "dimensions": 16, "min_df": 1})
    specs = dense_specs(ws, SLUG)
    assert [describe(spec) for spec in specs] == [
        "LSA bigram",
        "LSA bigram · dimensions 16 · min_df 1",
    ]
    retire(ws, SLUG, [run])
    assert [describe(spec) for spec in dense_specs(ws, SLUG)] == ["LSA bigram"]
