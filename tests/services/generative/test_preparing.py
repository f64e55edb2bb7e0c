"""Preparing pairs: of court cases by sentences and by a scripted model, and of a small law."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace

import pytest

from annotation.people.members import add_person
from construction.generative.facts import Fact, KeyTokens
from construction.generative.pairs import PairKind
from retrieval.core.method import ModelReply
from services.cases.importing import import_court_cases
from services.generative.pair_files import ABOUT, HELD_OUT, PAIRS, TEXTS, read_pairs
from services.generative.preparing import CaseText, PairOptions, facts_of, grounded, prepare
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.projects.small_law import SLUG as SMALL
from tests.projects.small_law import small_workspace
from tests.support.refusals import code_of

SLUG = "court"
CASES = PairOptions(statutes=False, aside=0.0)
FACTS = (
    "피고인은 2020. 3. 5. 피해자의 얼굴을 주먹으로 여러 차례 때렸다. "
    "2021년 5월 6일 부산광역시 해운대구. "
    "피고인은 인터넷 게시판에 피해자를 비방하는 글을 올렸다. 피고인은 {name} 물건을 훔쳐 달아났다."
)
NAMES = {name: "모욕" if name < "d" else "사기" for name in "abcdef"}


@dataclass(frozen=True)
class Court:
    """A workspace with court cases of two standard groups, and an annotator of it."""

    ws: Workspace
    ann: int


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Court:
    folder = tmp_path_factory.mktemp("court")
    ws = Workspace(folder / "ws")
    migrate(ws)
    create_project(ws, SLUG, "Court")
    rows = [
        {"id": name, "facts": FACTS.format(name=name), "charges": [charge], "language": "ko"}
        for name, charge in NAMES.items()
    ]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "cases.jsonl").write_text(lines, encoding="utf-8")
    import_court_cases(ws, SLUG, folder / "cases.jsonl")
    return Court(ws, add_person(ws, SLUG, "Ann", "annotator").id)


def test_cases_give_as_many_pairs_of_either_kind_and_those_that_ask_give_none(
    house, tmp_path
) -> None:
    done = prepare(house.ws, SLUG, tmp_path / "out", CASES)
    assert done.made["facts_to_fact"] == done.made["fact_to_fact"] > 0
    about = json.loads((tmp_path / "out" / ABOUT).read_text(encoding="utf-8"))
    asking = set(about["court_cases"]["queries_left_out"])
    assert asking and done.cases_left_out == len(asking)
    assert done.cases == len(NAMES) - len(asking)
    pairs = read_pairs(tmp_path / "out").pairs()
    assert {pair.source_id for pair in pairs} == set(NAMES) - asking
    assert not any("2020" in pair.target or "부산" in pair.target for pair in pairs)
    assert done.facts_dropped["date"] == done.cases
    assert about["court_cases"]["reader"] == "sentences"


def test_pairs_of_one_kind_of_one_category_or_of_naive_identifiers(house, tmp_path) -> None:
    options = replace(CASES, kinds=("fact_to_fact",), categories=("fraud",), identifiers="naive")
    done = prepare(house.ws, SLUG, tmp_path / "out", options)
    pairs = read_pairs(tmp_path / "out").pairs()
    assert {pair.kind for pair in pairs} == {PairKind.FACT_TO_FACT}
    assert {NAMES[pair.source_id] for pair in pairs} == {"사기"}
    assert set(done.made) == {"fact_to_fact"}
    assert {pair.target.split()[0] for pair in pairs} == {"피고인은"}  # how a fact begins


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (replace(CASES, kinds=("fact",)), "generative_option"),
        (replace(CASES, categories=("nothing",)), "generative_category"),
        (PairOptions(facts="model"), "models_role_unset"),
        (PairOptions(aside=0.9), "generative_range"),
        (PairOptions(cases=False), "generative_nothing"),
    ],
)
def test_what_there_is_not_is_refused(house, tmp_path, options, code) -> None:
    assert code_of(prepare, house.ws, SLUG, tmp_path / "out", options) == code


def test_equal_cases_and_options_give_equal_bytes(house, tmp_path) -> None:
    for name in ("a", "b"):
        prepare(house.ws, SLUG, tmp_path / name, CASES)
    for file in (PAIRS, HELD_OUT, TEXTS, ABOUT):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_law_gives_pairs_whose_ends_are_units_of_it(tmp_path, clock) -> None:
    ws = small_workspace(tmp_path / "ws", clock)
    done = prepare(ws, SMALL, tmp_path / "out", PairOptions(aside=0.0, times=1e6))
    pairs = read_pairs(tmp_path / "out").pairs()
    lines = (tmp_path / "out" / TEXTS).read_text(encoding="utf-8").splitlines()
    texts = {said["id"]: said["text"] for said in map(json.loads, lines)}
    assert done.texts == len(texts) and sum(done.kept.values()) == len(pairs) > 0
    for pair in pairs:
        assert pair.source_id in texts and pair.target_text.removesuffix("#title") in texts
        there = " ".join(texts[pair.target_text][pair.target_at :].split())
        assert there.startswith(pair.target)


def scripted(*replies: ModelReply):
    asked = []

    def ask(prompts):
        asked.extend(prompts)
        return list(replies[: len(prompts)])

    return ask, asked


def reply(*facts: tuple[str, bool, str]) -> ModelReply:
    said = [{"fact": fact, "relevant": relevant, "core": core} for fact, relevant, core in facts]
    return ModelReply(json.dumps({"facts": said}, ensure_ascii=False))


def test_a_model_takes_facts_apart_and_what_it_cannot_the_sentences_do() -> None:
    cases = [CaseText(name, FACTS.format(name=name), "ko") for name in ("a", "b", "c")]
    good = reply(
        ("주먹으로 때렸다.", True, "주먹 폭행"), ("3월이다.", False, "3월"),
        ("글을 올렸다.", True, "비방 글 게시"), ("훔쳤다.", True, "절도"),
    )  # fmt: skip
    ask, asked = scripted(good, ModelReply(problem="refused"), ModelReply(problem="invalid"))
    keys = KeyTokens.of(case.facts for case in cases)
    found = facts_of(cases, keys, ask, most=2)
    assert [fact.core for fact in found.facts["a"]] == ["주먹 폭행", "비방 글 게시"]
    assert [fact.number for fact in found.facts["a"]] == [1, 3]
    there = grounded([*found.facts["a"], Fact(9, "", "없는 말")], cases[0].facts, keys)
    assert [fact.core for fact in there] == ["주먹으로 여러 차례 때렸다", "비방하는 글을 올렸다"]
    assert found.notes == Counter(asked=3, refused=1, invalid=1)
    assert found.dropped["irrelevant"] == 1 and found.dropped["beyond"] == 1 + 1 + 1
    assert len(found.facts["b"]) == 2
    assert {each.language for each in asked} == {"ko"} and "주먹" in asked[0].values["text"]
