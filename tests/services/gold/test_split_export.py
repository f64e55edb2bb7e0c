"""Exports of divided gold."""

from __future__ import annotations

import json

import pytest

from construction.gold.splitting import Recipe, Way
from services.gold.export import FILES, Parts, export_gold
from services.gold.splits import make_split, split_state
from storage.export.trec import read_qrels
from tests.projects.split_project import GOLD, SLUG, SPANNING, harbour
from tests.services.gold.test_export import contents, lines
from tests.support.refusals import refused

HALVES = (50, 0, 50)


def state_of(ws):
    """Return the division that there is."""
    found = split_state(ws, SLUG)
    assert found is not None
    return found


@pytest.fixture
def ws(tmp_path, clock):
    return harbour(tmp_path / "ws", clock)


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
