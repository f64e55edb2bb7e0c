"""The stricter groups of a project: what counts, what is left out, what one tag moves."""

import json
import re
import subprocess
from dataclasses import replace

import pytest

from annotation.forms.adjudication import settle
from annotation.guidelines.editing import new_version
from annotation.people.members import add_person
from annotation.people.roles import NotAllowedError
from annotation.work.versioned_texts import TYPOLOGY
from construction.cases.typology import starter
from construction.stricter.benchmark import BenchmarkKind
from construction.stricter.grouping import Gap, Grouping, Level
from evaluation.ranking.scoring import parse_measure
from services.stricter.benchmark_export import FILES, export_benchmark
from services.stricter.group_detail import (
    CaseMove,
    CaseSplit,
    SplitPart,
    choices,
    key_of,
    moves_of,
    splits_of,
    steps,
    what_if,
)
from services.stricter.groups import Drawing, revision, stricter, tagging_models
from services.stricter.scoring import score_bm25, score_file
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.export.trec import read_qrels, write_run
from storage.projects import create_project, find_project
from storage.tables.cases import QueryChoice
from storage.tasks import Task
from tests.projects.stricter_project import (
    BOOK,
    FRAUD,
    HOSTILE,
    INSULT,
    MODEL,
    SLUG,
    build,
    suggest_all,
    tag,
)
from tests.support.refusals import code_of


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return build(tmp_path_factory.mktemp("alike") / "ws")


@pytest.fixture
def found(house):
    return stricter(house.ws, SLUG)


def test_the_cases_most_alike_are_grouped_and_how_far_it_backed_off(house, found):
    insult = found.group(INSULT)
    assert insult.table.columns == ("place", "readers", "regret")
    assert insult.groups == ((house.cases["c1"], house.cases["c3"]),)
    assert (insult.found.depth, insult.backed_off) == (2, 1)
    assert key_of(insult, 0) == (("place", ("online",)), ("readers", ("many",)))
    assert steps(insult) == (Level(3, 0, 0), Level(2, 1, 2), Level(1, 1, 3))
    assert insult.untagged == (house.cases["c6"],)  # it lacks a tag and stands in no group
    assert insult.table.gaps == {house.cases["c5"]: {"regret": Gap.DISPUTED}}
    fraud = found.group(FRAUD)
    assert fraud.groups == ((house.cases["c7"], house.cases["c8"]),)
    assert key_of(fraud, 0)[1] == ("readers", ("not_asked",))  # which is alike, too
    assert fraud.backed_off == 0
    assert [each.key for each in found.groups] == [FRAUD, INSULT]
    assert house.cases["c9"] in found.cases  # which is of no standard group


def test_what_one_more_sub_factor_would_split(house, found):
    one, three = house.cases["c1"], house.cases["c3"]
    assert splits_of(found.group(INSULT), 0) == (
        CaseSplit(
            "regret",
            False,
            (SplitPart(("shown",), (one,)), SplitPart(("denied",), (three,))),
        ),
        CaseSplit("record", True, (SplitPart(("clean",), (one,)), SplitPart(None, (three,)))),
    )
    assert splits_of(found.group(FRAUD), 0) == ()  # nobody answers what is optional
    three_cases = replace(found.group(INSULT), found=Grouping(2, ((2, 0, 3),)))
    parts = splits_of(three_cases, 0)[0].parts
    assert [part.answer for part in parts] == [("shown",), ("denied",)]  # the largest first


def test_one_tag_that_would_bring_a_case_in_or_make_a_longer_group(house, found):
    one, three, four = (house.cases[name] for name in ("c1", "c3", "c4"))
    many, few, shown, denied = ("many",), ("few",), ("shown",), ("denied",)
    assert moves_of(found, found.group(INSULT)) == (
        CaseMove(four, "readers", few, many, 3, (one,), True),
        CaseMove(one, "regret", shown, denied, 3, (three,), True),
        CaseMove(three, "regret", denied, shown, 3, (one,), True),
        CaseMove(one, "readers", many, few, 3, (four,), True),
        CaseMove(three, "readers", many, few, 2, (four,), False),
    )


def test_a_tag_that_decides_what_is_asked_moves_more_than_itself(house, found):
    insult = found.group(INSULT)
    told = what_if(found, insult, house.cases["c1"], "place", ("street",))
    assert told.after == ((house.cases["c1"], house.cases["c2"]),)
    assert (told.depth_before, told.depth_after, told.gaps) == (2, 3, {})
    told = what_if(found, insult, house.cases["c2"], "place", ("online",))
    assert told.gaps == {"readers": Gap.UNANSWERED} and told.after == told.before
    told = what_if(found, insult, house.cases["c5"], "regret", ("shown",))  # which is disputed
    assert (told.after, told.depth_after) == (((house.cases["c2"], house.cases["c5"]),), 3)


def test_only_answers_of_the_codebook_can_be_tried(house, found):
    assert code_of(found.group, "traffic.drunk_driving") == "stricter_group_unknown"
    assert code_of(stricter, house.ws, SLUG, model="other") == "stricter_model_unknown"
    insult = found.group(INSULT)
    assert choices(found, insult, "regret") == (("shown",), ("denied",), ("not_stated",))
    for case, answer, code in (("c1", "sold", "answer"), ("c7", "shown", "cell")):
        asked = found, insult, house.cases[case], "regret", (answer,)
        assert code_of(what_if, *asked) == f"stricter_no_{code}"


def test_a_case_counts_once_all_who_should_have_tagged_it_and_the_larger_tie_is_first(tmp_path):
    house = build(tmp_path / "ws")
    eve = add_person(house.ws, SLUG, "Eve", "lawyer").id
    assert stricter(house.ws, SLUG).group(INSULT).untagged == (house.cases["c6"],)
    before = revision(house.ws, SLUG)
    assert revision(house.ws, SLUG) == before
    tag(house, eve, "c6", {"place": "street", "regret": "denied"})
    assert revision(house.ws, SLUG) != before
    insult = stricter(house.ws, SLUG).group(INSULT)
    assert insult.untagged == ()
    assert insult.found == Grouping(2, ((0, 2), (1, 4)))


def test_whatever_may_change_the_groups_changes_the_revision(tmp_path):
    house = build(tmp_path / "ws")
    seen = {revision(house.ws, SLUG)}
    new_version(house.ws, SLUG, "codebook", Task.FACTOR_TAGGING, {"mul": "# x\n" + BOOK}, "", 2)
    seen.add(revision(house.ws, SLUG))
    text = starter().replace('label: {en: "Fraud"', 'label: {en: "Frauds"', 1)
    TYPOLOGY.save(house.ws, SLUG, text, "a name", 1)
    seen.add(revision(house.ws, SLUG))
    value = {"options": ["shown"], "evidence": []}
    judge = add_person(house.ws, SLUG, "Judge", "adjudicator").id
    settle(house.ws, judge, house.items["c5"], {"regret": value}, "the text says so")
    seen.add(revision(house.ws, SLUG))
    assert len(seen) == 4
    assert stricter(house.ws, SLUG).group(INSULT).table.gaps == {}


def test_groups_from_a_models_tags_stand_beside_those_of_people(tmp_path):
    house = build(tmp_path / "ws")
    people, before = stricter(house.ws, SLUG), revision(house.ws, SLUG)
    assert tagging_models(house.ws, SLUG) == ()
    suggest_all(house)
    assert tagging_models(house.ws, SLUG) == (MODEL,)
    assert revision(house.ws, SLUG) != before
    found = stricter(house.ws, SLUG, model=MODEL)
    assert (people.model, found.model) == ("", MODEL)
    insult = found.group(INSULT)
    assert insult.groups == ((house.cases["c2"], house.cases["c4"]),)
    assert insult.table.gaps == {
        house.cases["c3"]: {"readers": Gap.STALE},
        house.cases["c5"]: {"regret": Gap.UNANSWERED},
        house.cases["c6"]: {"regret": Gap.UNANSWERED},
    }
    assert found.group(FRAUD).untagged == (house.cases["c7"], house.cases["c8"])
    assert stricter(house.ws, SLUG) == people  # nothing of it is anybody's decision


@pytest.fixture(scope="module")
def house_of_benchmark(tmp_path_factory):
    found = build(tmp_path_factory.mktemp("alike") / "ws")
    chosen = {INSULT: found.cases["c3"], FRAUD: found.cases["c1"]}  # which is no fraud any more
    at = found.ws.clock()
    with found.ws.writing() as session:
        project = find_project(session, SLUG).id
        for group, case in chosen.items():
            row = QueryChoice(project_id=project, group_key=group, court_case_id=case, at=at)
            session.add(row)
    return found


@pytest.fixture
def folder(house_of_benchmark, tmp_path):
    export_benchmark(house_of_benchmark.ws, SLUG, tmp_path / "out", licence="CC0")
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
    corpus = lines(folder / "corpus.jsonl")
    assert [each["_id"] for each in corpus] == [f"c{n}" for n in range(1, 10)]
    assert corpus[8]["text"].endswith("판결한다.")
    group = next(each for each in lines(folder / "groups.jsonl") if each["group"] == INSULT)
    assert group["stricter_groups"] == [
        {"cases": ["c1", "c3"], "alike": [["place", ["online"]], ["readers", ["many"]]]}
    ]
    assert (group["untagged"], group["incomplete"]) == (["c6"], {"c5": {"regret": "disputed"}})


def test_each_judgement_leads_to_its_rule_and_its_submissions(house_of_benchmark, folder):
    told = lines(folder / "lineage.jsonl")
    graded = {"standard": "standard.tsv", "stricter": "stricter_graded.tsv"}
    qrels = {kind: read_qrels(folder / "qrels" / name) for kind, name in graded.items()}
    assert len(told) == sum(len(units) for each in qrels.values() for units in each.values())
    for line in told:
        assert qrels[line["benchmark"]][line["query_id"]][line["case_id"]] == line["relevance"]
        assert [[why["rule"] for why in rules] for rules in line["rules"]] == [["title"]] * 2
        assert (line["decisions"] is None) == (line["relevance"] == 1)
    one = next(line for line in told if line["relevance"] == 2 and line["case_id"] == "c1")
    assert [each["item"] for each in one["decisions"]] == [
        house_of_benchmark.items["c3"],
        house_of_benchmark.items["c1"],
    ]
    assert [len(each["annotations"]) for each in one["decisions"]] == [2, 2]
    assert one["alike"] == 2


def test_checksums_hold_and_the_same_database_gives_the_same_bytes(
    house_of_benchmark, folder, tmp_path
):
    subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=folder, check=True)
    export_benchmark(house_of_benchmark.ws, SLUG, tmp_path / "again", licence="CC0")
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


def test_a_perfect_run_scores_one_whether_or_not_it_ranks_the_query(
    house_of_benchmark, folder, tmp_path
):
    run = {
        query: [(query.split("/")[1], 9.0)]
        + [(case, float(grade)) for case, grade in sorted(units.items(), key=lambda it: -it[1])]
        for query, units in read_qrels(folder / "qrels" / "stricter_graded.trec").items()
    }
    asked = read_qrels(folder / "qrels" / "standard.trec")
    run |= {query: [(case, 1.0) for case in asked[query]] for query in asked if query not in run}
    write_run(tmp_path / "run.trec", run, "perfect")
    measures = [parse_measure(key) for key in ("P@1", "nDCG@2", "Recall@100")]
    scored = score_file(house_of_benchmark.ws, SLUG, tmp_path / "run.trec", measures)
    (note,) = scored.blank()
    assert note.endswith(f"Recall@100 of 1 run kept to depth {max(map(len, run.values()))}.")
    for kind in BenchmarkKind:
        assert [figure.value for figure in scored.scores[kind].figures] == [1.0, 1.0, None]
        assert scored.scores[kind].missing == ()
    assert set(scored.scores[BenchmarkKind.STRICTER].by_category) == {"defamation", "fraud"}


def test_what_of_a_run_the_benchmarks_have_not_is_told(house_of_benchmark, tmp_path):
    run = {f"{INSULT}/c3": [("c1", 2.0), ("c77", 1.0)], "old/c1": [("c88", 1.0)]}
    write_run(tmp_path / "run.trec", run, "half")
    scored = score_file(house_of_benchmark.ws, SLUG, tmp_path / "run.trec")
    assert scored.unknown_queries == ("old/c1",)
    assert scored.unknown_cases == ("c77",)  # what an unknown query ranks is not scored at all
    assert len(scored.scores[BenchmarkKind.STANDARD].missing) == 1
    write_run(tmp_path / "odd.trec", {"q1": [("c1", 1.0)]}, "odd")
    foreign = code_of(score_file, house_of_benchmark.ws, SLUG, tmp_path / "odd.trec")
    assert foreign == "case_run_foreign"


def test_bm25_ranks_all_cases_but_the_query_and_its_run_scores_the_same(
    house_of_benchmark, tmp_path
):
    done = []
    kept = tmp_path / "bm25.trec"
    ws, told = house_of_benchmark.ws, lambda *each: done.append(each)
    scored = score_bm25(ws, SLUG, keep=kept, progress=told)
    assert done[-1] == (2, 2) or done[-1] == (3, 3)
    again = score_file(ws, SLUG, kept)
    for kind in BenchmarkKind:
        assert again.scores[kind].figures == scored.scores[kind].figures
    # All are among the first hundred.
    assert scored.scores[BenchmarkKind.STANDARD].figures[-1].value == 1.0
    for line in kept.read_text("utf-8").splitlines():
        query, _, case, *_ = line.split()
        assert query.split("/")[1] != case


def test_who_may_not_and_what_cannot_be_drawn_is_refused(house_of_benchmark, tmp_path):
    where = house_of_benchmark.ws, SLUG, tmp_path / "out"
    with pytest.raises(NotAllowedError):
        export_benchmark(*where, by=house_of_benchmark.ann)
    assert code_of(export_benchmark, *where, Drawing(per_group=0)) == "case_queries_number"
    ws = Workspace(tmp_path / "ws")
    migrate(ws)
    create_project(ws, SLUG, "Empty")
    assert code_of(export_benchmark, ws, SLUG, tmp_path / "out") == "case_benchmark_empty"
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
