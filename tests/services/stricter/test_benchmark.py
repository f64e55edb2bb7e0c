"""The benchmarks of court cases: what is exported, where it comes from, what runs score."""

import json
import re
import subprocess

import pytest

from annotation.cases.typologies import choose
from annotation.people.roles import NotAllowedError
from construction.stricter.benchmark import BenchmarkKind
from errors import UserError
from evaluation.ranking.scoring import parse_measure
from services.stricter.benchmark import Drawing
from services.stricter.benchmark_export import FILES, export_benchmark
from services.stricter.scoring import score_bm25, score_file
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.export.trec import read_qrels, write_run
from storage.projects import create_project, find_project
from tests.projects.stricter_project import FRAUD, HOSTILE, INSULT, MODEL, SLUG, build, suggest_all


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    found = build(tmp_path_factory.mktemp("alike") / "ws")
    with found.ws.writing() as session:
        project = find_project(session, SLUG).id
        choose(session, found.ws, project, INSULT, found.cases["c3"], None)
        choose(session, found.ws, project, FRAUD, found.cases["c1"], None)  # no fraud any more
    return found


@pytest.fixture
def folder(house, tmp_path):
    export_benchmark(house.ws, SLUG, tmp_path / "out", licence="CC0")
    return tmp_path / "out"


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_targets_have_grade_two_in_the_stricter_group_and_one_beside_it(folder):
    qrels = read_qrels(folder / "qrels" / "stricter_graded.trec")
    assert qrels[f"{INSULT}/c3"] == {"c1": 2, "c2": 1, "c4": 1, "c5": 1, "c6": 1}
    qrels = read_qrels(folder / "qrels" / "standard.tsv")
    assert qrels[f"{INSULT}/c3"] == dict.fromkeys(("c1", "c2", "c4", "c5", "c6"), 1)
    assert sum(query.startswith(FRAUD) for query in qrels) == 1


def test_a_query_asks_with_the_facts_and_says_who_chose_it(folder):
    asked = {each["_id"]: each for each in lines(folder / "queries.jsonl")}
    query = asked[f"{INSULT}/c3"]
    assert query["text"] == f"c3 피고인은 피해자에게 욕설을 하였다. {HOSTILE}"
    assert query["metadata"]["benchmarks"] == ["standard", "stricter"]
    assert [each["metadata"]["chosen"] for each in asked.values()] == [True, False]


def test_every_case_is_in_the_corpus_in_the_order_it_came(folder):
    corpus = lines(folder / "corpus.jsonl")
    assert [each["_id"] for each in corpus] == [f"c{n}" for n in range(1, 10)]
    assert corpus[8]["text"].endswith("판결한다.")


def test_each_judgement_leads_to_its_rule_and_its_submissions(house, folder):
    told = lines(folder / "lineage.jsonl")
    graded = {"standard": "standard.tsv", "stricter": "stricter_graded.tsv"}
    qrels = {kind: read_qrels(folder / "qrels" / name) for kind, name in graded.items()}
    assert len(told) == sum(len(units) for each in qrels.values() for units in each.values())
    for line in told:
        assert qrels[line["benchmark"]][line["query_id"]][line["case_id"]] == line["relevance"]
        assert [[why["rule"] for why in rules] for rules in line["rules"]] == [["title"]] * 2
        assert (line["decisions"] is None) == (line["relevance"] == 1)
    one = next(line for line in told if line["relevance"] == 2 and line["case_id"] == "c1")
    assert [each["item"] for each in one["decisions"]] == [house.items["c3"], house.items["c1"]]
    assert [len(each["annotations"]) for each in one["decisions"]] == [2, 2]
    assert one["alike"] == 2


def test_the_groups_say_what_is_alike_and_who_is_left_out(folder):
    group = next(each for each in lines(folder / "groups.jsonl") if each["group"] == INSULT)
    assert group["stricter_groups"] == [
        {"cases": ["c1", "c3"], "alike": [["place", ["online"]], ["readers", ["many"]]]}
    ]
    assert (group["untagged"], group["incomplete"]) == (["c6"], {"c5": {"regret": "disputed"}})


def test_checksums_hold_and_the_same_database_gives_the_same_bytes(house, folder, tmp_path):
    subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=folder, check=True)
    export_benchmark(house.ws, SLUG, tmp_path / "again", licence="CC0")
    for file in FILES:
        assert (folder / file).read_bytes() == (tmp_path / "again" / file).read_bytes(), file
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert there == set(FILES)


def test_the_datasheet_counts_what_the_files_hold(folder):
    facts = json.loads((folder / "datasheet.json").read_text("utf-8"))
    told = facts["composition"]
    stricter = read_qrels(folder / "qrels" / "stricter_graded.tsv")
    grades = [grade for units in stricter.values() for grade in units.values()]
    assert told["stricter pairs of grade 2"] == grades.count(2)
    assert told["stricter pairs of grade 1"] == grades.count(1)
    assert told["court cases of the corpus"] == 9
    assert facts["collection"]["people who tagged"] == 2
    assert facts["distribution"]["licence"] == "CC0"
    # A packaged typology keeps its number when a release changes it: the hash tells them apart.
    assert re.fullmatch("1-[0-9a-f]{12}", facts["collection"]["typology version"])
    assert "CC0" in (folder / "datasheet.md").read_text("utf-8")


def test_more_queries_of_a_group_are_its_other_cases(house, tmp_path):
    done = export_benchmark(house.ws, SLUG, tmp_path / "out", Drawing(per_group=3, seed=7))
    assert done.queries == {"standard": 3 + 2, "stricter": 2 + 2}
    assert done.targets == 4


def test_a_perfect_run_scores_one_whether_or_not_it_ranks_the_query(house, folder, tmp_path):
    run = {
        query: [(query.split("/")[1], 9.0)]
        + [(case, float(grade)) for case, grade in sorted(units.items(), key=lambda it: -it[1])]
        for query, units in read_qrels(folder / "qrels" / "stricter_graded.trec").items()
    }
    asked = read_qrels(folder / "qrels" / "standard.trec")
    run |= {query: [(case, 1.0) for case in asked[query]] for query in asked if query not in run}
    write_run(tmp_path / "run.trec", run, "perfect")
    measures = [parse_measure(key) for key in ("P@1", "nDCG@2", "Recall@100")]
    scored = score_file(house.ws, SLUG, tmp_path / "run.trec", measures)
    (note,) = scored.blank()
    assert note.endswith(f"Recall@100 of 1 run kept to depth {max(map(len, run.values()))}.")
    for kind in BenchmarkKind:
        assert [figure.value for figure in scored.scores[kind].figures] == [1.0, 1.0, None]
        assert scored.scores[kind].missing == ()
    assert set(scored.scores[BenchmarkKind.STRICTER].by_category) == {"defamation", "fraud"}


def test_what_of_a_run_the_benchmarks_have_not_is_told(house, tmp_path):
    run = {f"{INSULT}/c3": [("c1", 2.0), ("c77", 1.0)], "old/c1": [("c88", 1.0)]}
    write_run(tmp_path / "run.trec", run, "half")
    scored = score_file(house.ws, SLUG, tmp_path / "run.trec")
    assert scored.unknown_queries == ("old/c1",)
    assert scored.unknown_cases == ("c77",)  # what an unknown query ranks is not scored at all
    assert len(scored.scores[BenchmarkKind.STANDARD].missing) == 1


def test_a_run_of_something_else_is_refused(house, tmp_path):
    write_run(tmp_path / "run.trec", {"q1": [("c1", 1.0)]}, "odd")
    with pytest.raises(UserError) as refused:
        score_file(house.ws, SLUG, tmp_path / "run.trec")
    assert refused.value.code == "case_run_foreign"


def test_bm25_ranks_all_cases_but_the_query_and_its_run_scores_the_same(house, tmp_path):
    done = []
    kept = tmp_path / "bm25.trec"
    scored = score_bm25(house.ws, SLUG, keep=kept, progress=lambda *told: done.append(told))
    assert done[-1] == (2, 2) or done[-1] == (3, 3)
    again = score_file(house.ws, SLUG, kept)
    assert {k: s.figures for k, s in again.scores.items()} == {
        k: s.figures for k, s in scored.scores.items()
    }
    assert (
        scored.scores[BenchmarkKind.STANDARD].figures[-1].value == 1.0
    )  # all are among the first hundred
    for line in kept.read_text("utf-8").splitlines():
        query, _, case, *_ = line.split()
        assert query.split("/")[1] != case


def test_who_may_not_and_what_cannot_be_drawn_is_refused(house, tmp_path):
    with pytest.raises(NotAllowedError):
        export_benchmark(house.ws, SLUG, tmp_path / "out", by=house.ann)
    with pytest.raises(UserError) as refused:
        export_benchmark(house.ws, SLUG, tmp_path / "out", Drawing(per_group=0))
    assert refused.value.code == "case_queries_number"
    assert not (tmp_path / "out").exists()


def test_a_project_without_cases_has_no_benchmark(tmp_path):
    ws = Workspace(tmp_path / "ws")
    migrate(ws)
    create_project(ws, SLUG, "Empty")
    with pytest.raises(UserError) as refused:
        export_benchmark(ws, SLUG, tmp_path / "out")
    assert refused.value.code == "case_benchmark_empty"
    assert not (tmp_path / "out").exists()


def test_an_export_from_a_models_tags_says_so_everywhere(tmp_path):
    house = build(tmp_path / "ws")
    suggest_all(house)
    folder = tmp_path / "out"
    export_benchmark(house.ws, SLUG, folder, Drawing(model=MODEL))
    graded = [line for line in lines(folder / "lineage.jsonl") if line["relevance"] == 2]
    assert {line["case_id"] for line in graded} <= {"c2", "c4"} and graded
    assert all(line["tags_of_model"] == MODEL and not line["decisions"] for line in graded)
    assert all(line["tags_of_model"] == MODEL for line in lines(folder / "groups.jsonl"))
    tags = lines(folder / "tags.jsonl")
    assert {line["model"] for line in tags} == {MODEL} and len(tags) == 6
    assert MODEL in (folder / "README.md").read_text("utf-8")
    facts = json.loads((folder / "datasheet.json").read_text("utf-8"))
    assert facts["collection"]["people who tagged"] == 0
    assert MODEL in facts["labelling"]["stricter groups come from"]
    scored = score_bm25(house.ws, SLUG, drawing=Drawing(model=MODEL))
    assert scored.model == MODEL
