"""Gold divided into parts: what is placed, what never moves, and exports of it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from annotation.work.commands import take_back
from annotation.work.queue_service import queue
from construction.gold.splitting import LeftOut, Recipe, Way
from services.gold import gold_set
from services.gold.export import FILES, Parts, export_gold
from services.gold.leakage import leakage
from services.gold.splits import make_split, split_of_gold, split_state, splits
from services.runs.strata import strata_of
from storage.export.trec import read_qrels
from storage.gold import find_split
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project, project_by_slug
from tests.projects.small_law import ACT, RULE, law
from tests.projects.split_project import (
    GOLD,
    SLUG,
    SPANNING,
    TWINS,
    harbour,
    questions,
    settle,
)
from tests.services.gold.test_export import contents, lines
from tests.services.small_gold import Gold
from tests.support.refusals import code_of, refused

HALVES = (50, 0, 50)
BENCH = "bench"


def state_of(ws, number=None, slug=SLUG):
    """Return the division that there is, or that of the number."""
    found = split_state(ws, slug, number)
    assert found is not None
    return found


def leaks(ws, **above):
    """Return what the parts have in common."""
    found = leakage(ws, SLUG, **above)
    assert found is not None
    return found


@pytest.fixture
def ws(tmp_path, clock):
    return harbour(tmp_path / "ws", clock)


def test_by_statute(ws):
    assert make_split(ws, SLUG, Recipe(Way.STATUTE, HALVES)).new == 6
    state = state_of(ws)
    assert state.left_out == {SPANNING: LeftOut.SPANS}
    assert state.reasons == {"no_gold": 1, "spans": 1}
    law = {"q1": ACT, "q2": ACT, "q3": ACT, "q4": RULE, "q5": RULE}
    parts = {state.parts[name]: statute for name, statute in law.items()}
    assert parts == {"train": ACT, "test": RULE}
    assert [(line.questions, line.statutes) for line in state.lines] == [(4, 1), (2, 1)]
    assert sum(line.no_provision for line in state.lines) == 1
    (between,) = leaks(ws).between
    assert (between.statutes, between.provisions) == (0, 0)
    found = strata_of(ws, SLUG)["split"]  # figures are split by it
    assert list(found) == ["test", "train", ""] and found[""] == (SPANNING,)
    for part in ("train", "test"):
        assert list(found[part]) == [name for name, at in state.parts.items() if at == part]
    made = make_split(ws, SLUG, Recipe(Way.DATE, HALVES, column="asked"), again=True)
    now = state_of(ws).parts
    moved = sum(now.get(name, part) != part for name, part in state.parts.items())
    assert (made.new, made.moved, made.stayed) == (0, moved, len(state.parts) - moved)


def test_by_near_duplicates(ws):
    for seed in range(2):
        make_split(ws, SLUG, Recipe(Way.NEAR, HALVES, seed), again=True)
        state = state_of(ws)
        assert state.parts[TWINS[0]] == state.parts[TWINS[1]]
        assert state.reasons == {"no_gold": 1}
        assert leaks(ws).pairs == ()


def test_by_date(ws):
    make_split(ws, SLUG, Recipe(Way.DATE, (50, 20, 30), column="asked"))
    state = state_of(ws)
    assert state.reasons == {"no_date": 1, "no_gold": 1}
    assert state.parts == {
        **dict.fromkeys(("q1", "q2", "q3"), "train"),
        "q4": "dev",
        **dict.fromkeys(("q5", "q6"), "test"),
    }
    found = leaks(ws)
    assert [(each.one, each.other, each.statutes) for each in found.between] == [
        ("train", "dev", 0),
        ("train", "test", 0),
        ("dev", "test", 1),
    ]
    make_split(ws, SLUG, Recipe(Way.DATE, (17, 0, 83), column="asked"), again=True)
    found = leaks(ws)
    assert [(each.one, each.other) for each in found.pairs] == [TWINS]  # torn apart
    (between,) = found.between
    assert (between.near, between.touched, between.n, between.provisions) == (1, 1, 5, 1)
    assert leaks(ws, above=0.99).pairs == ()


def test_what_is_settled_later_is_counted_then_placed_and_nobody_moves(ws):
    first = make_split(ws, SLUG, Recipe(Way.NEAR, HALVES), "the first")
    before = dict(state_of(ws).parts)
    settle(ws, "q8", f"{ACT}_2조")
    state = state_of(ws)
    assert state.left_out == {"q8": LeftOut.LATER} and state.pending == 0
    assert code_of(lambda: make_split(ws, SLUG, Recipe(Way.STATUTE))) == "split_other"
    made = make_split(ws, SLUG)
    assert (made.number, made.new, made.stayed, made.moved) == (first.number + 1, 1, 7, 0)
    now = state_of(ws)
    assert {name: now.parts[name] for name in before} == before
    assert "q8" in now.parts and now.left_out == {}
    assert state_of(ws, 1).parts == before  # the version before stays as it was
    assert [each.note for each in splits(ws, SLUG)] == ["", "the first"]
    assert code_of(lambda: make_split(ws, SLUG)) == "split_same"


def test_what_cannot_be_divided_is_refused(ws):
    def make(*args, **more):
        return lambda: make_split(ws, SLUG, Recipe(*args, **more))

    assert code_of(make(Way.DATE, HALVES, column="when")) == "split_dates"
    assert code_of(make(Way.DATE, HALVES, column="topic")) == "split_part_empty"
    assert code_of(make(Way.STATUTE)) == "split_part_empty"  # two statutes for three parts
    assert code_of(lambda: make_split(ws, SLUG, note="n" * 1001)) == "text_too_long"
    assert splits(ws, SLUG) == [] and split_state(ws, SLUG) is None
    assert leakage(ws, SLUG) is None and "split" not in strata_of(ws, SLUG)
    assert code_of(lambda: split_state(ws, SLUG, 7)) == "split_unknown"
    assert code_of(lambda: leakage(ws, SLUG, above=2)) == "split_near"


def test_a_question_whose_gold_falls_away_stays_where_it_is(ws):
    make_split(ws, SLUG, Recipe(Way.STATUTE, HALVES))
    with ws.reading() as session:
        found = find_split(session, project_by_slug(ws, SLUG).id)
        assert found is not None and found.size == 6
    item = next(each.item_id for each in queue(ws, 1) if each.external_id == "q4")
    take_back(ws, 1, item)
    state = state_of(ws)
    assert "q4" not in state.parts
    assert [line.gone for line in state.lines] == [0, 1]
    assert state.reasons == {"no_gold": 1, "spans": 1}
    assert code_of(lambda: make_split(ws, SLUG)) == "split_same"
    settle(ws, "q4", f"{RULE}_article-1")
    assert state_of(ws).parts["q4"] == "test"


@pytest.fixture
def bench(ws):
    """The same questions in a project where labels came with them and nobody has decided."""
    create_project(ws, BENCH, "Benchmark")
    keep_statutes(ws, BENCH, law(), "first")
    labelled = [replace(each, gold_ids=GOLD.get(each.external_id, ())) for each in questions()]
    keep_questions(ws, BENCH, labelled, "benchmark.jsonl")
    return ws


def test_labels_of_the_data_are_divided_where_nobody_has_decided(bench):
    asked = Recipe(Way.STATUTE, HALVES)
    assert code_of(lambda: make_split(bench, BENCH, replace(asked, gold="people"))) == "no_gold"
    assert code_of(lambda: make_split(bench, BENCH, replace(asked, gold="our"))) == "gold_unknown"
    assert make_split(bench, BENCH, asked).new == 5  # of the widest set that has a question
    state = state_of(bench, slug=BENCH)
    assert state.view.recipe.gold == state.gold.name == "source"
    assert state.left_out == {SPANNING: LeftOut.SPANS}
    assert state.reasons == {"no_gold": 2, "spans": 1}  # q6 and q8 have no label
    assert (state.as_dict()["gold"], state.as_dict()["gold_questions"]) == ("source", 6)
    assert code_of(lambda: make_split(bench, BENCH, replace(asked, gold="people"))) == "split_other"
    assert code_of(lambda: make_split(bench, BENCH, asked)) == "split_same"
    assert code_of(lambda: make_split(bench, BENCH)) == "split_same"


def test_an_export_of_what_people_decided_has_the_parts_of_a_split_of_labels(bench, monkeypatch):
    make_split(bench, BENCH, Recipe(Way.STATUTE, HALVES, gold="source"))
    parts = state_of(bench, slug=BENCH).parts
    people = [Gold("q1", (f"{ACT}_2조",)), Gold("q8", (f"{ACT}_2조",))]
    monkeypatch.setattr(gold_set, "derived", lambda *_: people)
    project = project_by_slug(bench, BENCH)
    exported = split_of_gold(bench, project, gold_set.gold_set(bench, BENCH), None)
    assert exported is not None
    assert exported.parts == {"q1": parts["q1"]} and exported.left_out == {"q8": LeftOut.LATER}
    assert state_of(bench, slug=BENCH).parts == parts  # it stands on the set that was divided
    made = make_split(bench, BENCH, Recipe(Way.NEAR, HALVES), again=True)
    state = state_of(bench, made.number, BENCH)
    assert state.gold.name == "people-over-source" and "q8" in state.parts
    assert state_of(bench, 1, BENCH).gold.name == "source"
    make_split(bench, BENCH, Recipe(Way.NEAR, HALVES, gold="searchable"), again=True)
    narrowed = state_of(bench, slug=BENCH)
    assert narrowed.view.recipe.gold == narrowed.gold.label == "people-over-source:searchable"


def test_each_part_has_judgements_of_its_own(ws, tmp_path):
    make_split(ws, SLUG, Recipe(Way.STATUTE, HALVES))
    done = export_gold(ws, SLUG, tmp_path / "out")
    parts = state_of(ws).parts
    assert done.split == 1
    assert set(done.files) == {*FILES, "qrels/train.tsv"} == set(contents(tmp_path / "out"))
    for part in ("train", "test"):
        judged = read_qrels(tmp_path / "out" / "qrels" / f"{part}.tsv")
        assert {name: tuple(units) for name, units in judged.items()} == {
            name: GOLD[name] for name, here in parts.items() if here == part and GOLD[name]
        }
    assert SPANNING in read_qrels(tmp_path / "out" / "qrels.trec")  # which holds all gold
    queries = {each["_id"]: each["metadata"] for each in lines(tmp_path / "out" / "queries.jsonl")}
    assert {name: each.get("split") for name, each in queries.items()} == {
        name: parts.get(name) for name in GOLD
    }
    for line in lines(tmp_path / "out" / "gold.jsonl"):
        assert line.get("split") == parts.get(line["question_id"])
    facts = json.loads((tmp_path / "out" / "datasheet.json").read_text("utf-8"))["composition"]
    assert facts["split"].startswith("version 1, no statute that is gold in two parts, 50/0/50")
    assert facts["questions by part"] == {"train": 4, "test": 2}
    assert sum(facts["questions in no part"].values()) == 1
    assert facts["statutes that are gold in both parts"] == {"train and test": 0}


def test_without_a_split_the_bytes_are_what_they_were(ws, tmp_path):
    export_gold(ws, SLUG, tmp_path / "before")
    make_split(ws, SLUG, Recipe(Way.STATUTE, HALVES))
    export_gold(ws, SLUG, tmp_path / "out")
    again = export_gold(ws, SLUG, tmp_path / "out", parts=Parts(none=True))
    assert again.split is None
    # Judgements of parts that are no more are gone, so that nobody takes them for these.
    assert contents(tmp_path / "out") == contents(tmp_path / "before")


def test_files_of_others_stay(ws, tmp_path):
    mine = tmp_path / "out" / "qrels" / "dev.tsv"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine", "utf-8")
    for text in ("{", "[]", '{"distribution": {"files": 3}}', '{"distribution": []}'):
        (tmp_path / "out" / "datasheet.json").write_text(text, "utf-8")
        export_gold(ws, SLUG, tmp_path / "out")
        assert mine.read_text("utf-8") == "mine"


def test_an_earlier_version_can_be_exported(ws, tmp_path):
    make_split(ws, SLUG, Recipe(Way.STATUTE, HALVES))
    export_gold(ws, SLUG, tmp_path / "first")
    make_split(ws, SLUG, Recipe(Way.DATE, HALVES, column="asked"), again=True)
    assert export_gold(ws, SLUG, tmp_path / "second").split == 2
    assert export_gold(ws, SLUG, tmp_path / "again", parts=Parts(1)).split == 1
    assert contents(tmp_path / "again") == contents(tmp_path / "first")
    assert contents(tmp_path / "second") != contents(tmp_path / "first")
    with refused("split_unknown"):
        export_gold(ws, SLUG, tmp_path / "none", parts=Parts(9))
    assert not (tmp_path / "none").exists()
