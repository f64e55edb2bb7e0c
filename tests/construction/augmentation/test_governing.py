"""Governing provisions drawn from the graph by the demands of a cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from construction.augmentation.axes import (
    Axes,
    Cell,
    Demand,
    Wanted,
    can_be,
    facets_for,
    parse,
    starter,
)
from construction.augmentation.governing import (
    ANCHOR,
    LONGEST,
    SHORTEST,
    WRITE,
    Drawn,
    GoverningSet,
    Law,
    Provision,
    draw,
    repeats,
    writing_values,
)
from construction.augmentation.rubric import LEVELS, difficulty
from corpus.graph.model import Edge, EdgeType, Origin
from errors import UserError
from llm.prompts.prompt_files import prompt
from tests.support.examples import scaled

AXES = parse(starter())
PLAIN = "창고의 관리자는 시설을 점검하고 그 결과를 장부에 적어 세 해 동안 보관하여야 한다."
EXCEPTION = f"{PLAIN} 다만, 작은 창고의 경우에는 그러하지 아니하다."
SANCTION = f"{PLAIN} 이를 위반한 자에게는 백만원 이하의 과태료를 부과한다."
DOWN, CITES = EdgeType.DELEGATES_TO, EdgeType.REFERENCES


def provision(unit: str, text: str = PLAIN, language: str = "ko") -> Provision:
    return Provision(unit, unit.split("_")[0], 1, text, language, unit)


def law(
    provisions: list[Provision],
    *edges: tuple[str, EdgeType, str],
    groups: dict[str, dict[str, str]] | None = None,
    axes: Axes = AXES,
) -> Law:
    joined = [Edge(source, target, kind, Origin.TEXT) for source, kind, target in edges]
    return Law.of(provisions, joined, groups or {}, axes.rubric)


def drawn(found: Law, kind: str, level: str, *demands: Demand, count: int = 99) -> Drawn:
    [cell] = draw(found, AXES, {Wanted(Cell(kind, level), 99, demands): count}, seed=0)
    return cell


def units(cell: Drawn) -> set[frozenset[str]]:
    return {frozenset(each.units) for each in cell.sets}


SMALL = law(
    [
        provision("법_1조", EXCEPTION),
        *(provision(f"법_{n}조") for n in (2, 3)),
        provision("법_9조", SANCTION),
        *(provision(f"영_{n}조") for n in (1, 2)),
        provision("칙_2조"),
        provision("고시_1조"),
        provision("고시_2조"),
    ],
    ("법_1조", CITES, "영_1조"),
    ("법_1조", DOWN, "영_1조"),
    ("법_1조", EdgeType.APPLIES, "영_1조"),
    ("영_1조", CITES, "법_1조"),
    ("법_2조", DOWN, "영_2조"),
    ("영_2조", DOWN, "칙_2조"),
    ("법_9조", CITES, "법_1조"),
    ("법_2조", CITES, "법_3조"),
    groups={"costs": {"고시_1조": "university", "고시_2조": "company"}},
)


def told(sets: Iterable[GoverningSet]) -> list[str]:
    return [f"{' '.join((*each.units, *each.roles[1:]))} {each.seed}".strip() for each in sets]


def test_sets_of_each_shape_come_once() -> None:
    assert told(SMALL.sets()) == [
        *sorted(SMALL.provisions),
        *(f"{units} delegates_to" for units in ("법_1조 영_1조", "법_2조 영_2조", "영_2조 칙_2조")),
        *(f"{units} references" for units in ("법_2조 법_3조", "법_9조 법_1조")),
        "법_2조 영_2조 칙_2조 delegates_to delegates_to",
        "법_2조 법_3조 영_2조 references delegates_to",
        "고시_1조 고시_2조 parallel",
    ]


def test_a_set_has_six_provisions_at_most_and_a_provision_begins_twenty_chains() -> None:
    ends = [f"칙_{n}조" for n in range(1, 8)]
    hub = law(
        [provision(unit) for unit in ("법_1조", *ends)], *(("법_1조", CITES, e) for e in ends)
    )
    assert [len(each.units) for each in hub.sets()] == [*[1] * 8, *[2] * 7, 3, 4, 5, 6]
    seeded = [len(each.units) for each in hub.seeded_sets({"q": ("법_1조",), "none": ()})]
    assert seeded == [1, *[2] * 7, 3, 4, 5, 6]
    ends = [f"칙_{n}조" for n in range(1, 23)]
    down = [("법_1조", DOWN, "영_1조"), *(("영_1조", DOWN, end) for end in ("법_1조", *ends))]
    chains = law([provision(unit) for unit in ("법_1조", "영_1조", *ends)], *down)
    found = [each.units for each in chains.sets() if each.units[:2] == ("법_1조", "영_1조")]
    assert Counter(map(len, found)) == {2: 1, 3: 20}


def test_a_set_begins_with_what_leaves_the_matter_to_the_other() -> None:
    [found] = [each for each in SMALL.sets() if set(each.units) == {"법_1조", "영_1조"}]
    assert (found.units, found.roles) == (("법_1조", "영_1조"), (ANCHOR, DOWN))
    assert found.gold() == [
        {"unit": "법_1조", "pinpoint": "", "role": "anchor"},
        {"unit": "영_1조", "pinpoint": "", "role": "delegates_to"},
    ]


@pytest.mark.parametrize(
    ("kind", "level", "demands", "sets"),
    [
        ("single_clause", "L1", (Demand.SANCTION,), [["법_9조"]]),
        ("single_clause", "L2", (Demand.EXCEPTION,), [["법_1조"]]),
        ("single_clause", "L2", (Demand.PARALLEL,), [["고시_1조", "고시_2조"]]),
        ("single_clause", "L3", (Demand.DELEGATION,),
         [["법_2조", "영_2조"], ["영_2조", "칙_2조"], ["법_2조", "영_2조", "칙_2조"],
          ["법_2조", "법_3조", "영_2조"]]),
        ("single_clause", "L4", (Demand.SANCTION,), [["법_9조", "법_1조"]]),
        ("single_clause", "L4", (Demand.CROSS_DOCUMENT,), [["법_1조", "영_1조"]]),
        ("exception_paired", "L4", (), [["법_1조", "영_1조"], ["법_9조", "법_1조"]]),
        ("institution_specific", "L1", (), [["고시_1조"], ["고시_2조"]]),
        ("multi_facet", "L4", (), [["법_1조"], ["법_1조", "영_1조"], ["법_9조", "법_1조"]]),
    ],
)  # fmt: skip
def test_a_cell_is_filled_by_its_demands(
    kind: str, level: str, demands: tuple[Demand, ...], sets: list[list[str]]
) -> None:
    found = drawn(SMALL, kind, level, *demands)
    assert units(found) == {frozenset(each) for each in sets}
    assert (found.found, found.lacking, found.possible) == (len(sets), 99 - len(sets), True)


def test_a_seed_is_asked_on_its_gold_and_on_what_that_leads_to() -> None:
    seeds: dict[str, tuple[str, ...]] = {
        "q4": ("없는법_1조",),
        "q1": ("법_2조",),
        "q2": ("법_1조",),
        "q3": ("법_2조", "고시_1조"),
    }
    assert told(SMALL.seeded_sets(seeds)) == [
        *("법_2조 q1", "법_2조 법_3조 references q1", "법_2조 영_2조 delegates_to q1"),
        "법_2조 영_2조 칙_2조 delegates_to delegates_to q1",
        "법_2조 법_3조 영_2조 references delegates_to q1",
        *("법_1조 q2", "법_1조 법_9조 citing q2", "법_1조 영_1조 delegates_to q2"),
        "법_1조 법_9조 영_1조 citing delegates_to q2",
        *("법_2조 고시_1조 seed q3", "법_2조 고시_1조 법_3조 seed references q3"),
        "법_2조 고시_1조 영_2조 seed delegates_to q3",
        "법_2조 고시_1조 고시_2조 seed parallel q3",  # a parallel of the gold
        "법_2조 고시_1조 영_2조 칙_2조 seed delegates_to delegates_to q3",
        "법_2조 고시_1조 법_3조 영_2조 seed references delegates_to q3",
        "법_2조 고시_1조 법_3조 영_2조 고시_2조 seed references delegates_to parallel q3",
    ]
    assert {each.roles[0] for each in SMALL.seeded_sets(seeds)} == {ANCHOR}


def test_variants_of_a_cell_have_its_level_and_go_round_the_seeds() -> None:
    wanted = {Wanted(Cell("single_clause", level), 9): 2 for level in ("L1", "L4")}
    seeds: dict[str, tuple[str, ...]] = {"q1": ("법_9조",), "q2": ("고시_1조",)}
    first, hard = draw(SMALL, AXES, wanted, 0, {}, seeds)
    assert [(each.seed, each.units) for each in first.sets] in (
        [("q1", ("법_9조",)), ("q2", ("고시_1조",))],
        [("q2", ("고시_1조",)), ("q1", ("법_9조",))],
    )
    assert [set(each.units) for each in hard.sets] == [{"법_9조", "법_1조"}]
    tried = {"single_clause-L1": {each.identity for each in first.sets}}
    assert draw(SMALL, AXES, wanted, 0, tried, seeds)[0].sets == ()
    graph_only = {"single_clause-L1": {("", each.units) for each in first.sets}}
    assert len(draw(SMALL, AXES, wanted, 0, graph_only, seeds)[0].sets) == 2


def test_four_institutions_of_a_group_are_three_steps() -> None:
    slots = {f"고시_{n}조": f"slot{n}" for n in range(4)}
    found = law([provision(unit) for unit in slots], groups={"costs": slots})
    assert units(drawn(found, "institution_specific", "L3")) == {frozenset(slots)}
    assert len(units(drawn(found, "institution_specific", "L2"))) == 6
    assert [found.group_of(some) for some in (["고시_3조"], ["법_1조"])] == ["costs", ""]
    seven = {f"고시_{n}조": str(n) for n in range(7)}  # too many slots for one set
    parallels = law([provision(unit) for unit in seven], groups={"g": seven})
    assert [len(each.units) for each in parallels.sets()] == [*[1] * 7, *[2] * 21]


def test_what_is_too_short_or_too_long_or_of_another_language_governs_nothing() -> None:
    found = law(
        [
            provision("법_1조", "가" * (SHORTEST - 1)),
            provision("법_2조", "가" * (LONGEST + 1)),
            provision("법_3조", "가" * SHORTEST),
            provision("법_4조", "가" * LONGEST),
            provision("act_4", "The keeper shall check the store twice a year.", "en"),
        ],
        ("법_3조", CITES, "법_1조"),
        ("법_3조", CITES, "act_4"),
        ("법_3조", CITES, "법_3조"),
        ("법_3조", CITES, "없는법_1조"),
    )
    assert [each.units for each in found.sets()] == [("act_4",), ("법_3조",), ("법_4조",)]
    short = Law.of([provision("법_1조", "삭제")], [], {}, AXES.rubric, gold=["법_1조"])
    assert [each.units for each in short.sets()] == [("법_1조",)]


def test_a_domain_draws_from_its_statutes() -> None:
    text = starter().replace("domains: []", "domains:\n- key: fee\n  label: {en: F, ko: 비용}\n"
                             "  anchors: [고시_1조]\n")  # fmt: skip
    axes = parse(text)
    wanted = Wanted(Cell("single_clause", "L1"), 9, domain="fee")
    [found] = draw(SMALL, axes, {wanted: 9}, seed=0)
    assert units(found) == {frozenset({"고시_1조"}), frozenset({"고시_2조"})}


@given(st.integers(0, 1000), st.integers(0, 8), st.integers(0, 8))
def test_a_larger_draw_begins_with_the_smaller_one(seed: int, few: int, more: int) -> None:
    few, more = sorted((few, more))
    wanted = Wanted(Cell("single_clause", "L1"), 9)
    sets = [draw(SMALL, AXES, {wanted: count}, seed)[0].sets for count in (few, more)]
    assert sets[1][: len(sets[0])] == sets[0]
    anchors = [each.units[0] for each in sets[1]]
    assert len(set(anchors)) == len(anchors)  # sets that begin alike come last


def test_what_was_tried_is_not_drawn_again() -> None:
    wanted = Wanted(Cell("exception_paired", "L4"), 9)
    tried = {wanted.cell.id: {("", tuple(sorted(("법_1조", "영_1조"))))}}
    [found] = draw(SMALL, AXES, {wanted: 9}, 0, tried)
    assert units(found) == {frozenset({"법_9조", "법_1조"})}
    assert (found.found, found.tried, found.lacking) == (2, 1, 8)


@pytest.mark.parametrize(
    ("kind", "levels"),
    [
        ("single_clause", "L1 L2 L3 L4"),
        ("exception_paired", "L2 L3 L4"),
        ("institution_specific", "L1 L2 L3 L4"),
        ("general_principle", "L1 L2 L3 L4"),
        ("multi_facet", "L3 L4"),
    ],
)
def test_which_levels_a_type_can_have_at_all(kind: str, levels: str) -> None:
    found = [each for each in LEVELS if can_be(AXES.type(kind), each, AXES.rubric)]
    assert found == levels.split()


def test_demands_that_contradict_a_level() -> None:
    plain, rubric = AXES.type("single_clause"), AXES.rubric
    assert not can_be(plain, "L2", rubric, [Demand.CROSS_DOCUMENT])
    assert not can_be(plain, "L1", rubric, [Demand.EXCEPTION])
    assert not can_be(plain, "L1", rubric, [Demand.DELEGATION])
    assert can_be(plain, "L4", rubric, list(Demand))


@given(st.integers(0, 10_000), st.sampled_from(["", *(each.key for each in AXES.facets)]))
def test_facets_are_as_many_as_the_type_joins_and_the_cell_s_comes_first(
    seed: int, facet: str
) -> None:
    for kind in AXES.types:
        found = facets_for(AXES, Cell(kind.key, "L3", facet), seed, "법_1조")
        assert len(found) == kind.facets
        assert not facet or next(iter(found)) == facet
        for key, value in found.items():
            assert value in [each.key for each in AXES.facet(key).values]


@pytest.mark.parametrize("text", ["", "a", "a:", ":L1", "a:L1:b:c", "a:L1:"])
def test_what_names_no_cell(text: str) -> None:
    with pytest.raises(UserError):
        Cell.read(text)


def test_a_cell_is_read() -> None:
    assert Cell.read("a:L1") == Cell("a", "L1") and Cell.read("a:L1:b") == Cell("a", "L1", "b")


TEXTS = st.sampled_from([PLAIN, EXCEPTION, SANCTION, "짧다"])
NAMES = [f"{statute}_{n}조" for statute in ("법", "영") for n in range(4)]


@settings(max_examples=scaled(40))
@given(
    st.fixed_dictionaries(dict.fromkeys(NAMES, TEXTS)),
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.sampled_from(list(EdgeType)), st.sampled_from(NAMES)),
        max_size=12,
    ),
    st.sets(st.sampled_from(NAMES), max_size=4),
)
def test_whatever_the_law_sets_are_of_their_cell(
    texts: dict[str, str], edges: list[tuple[str, EdgeType, str]], group: set[str]
) -> None:
    found = law(
        [provision(name, text) for name, text in texts.items()],
        *edges,
        groups={"g": dict.fromkeys(sorted(group), "")},
    )
    wanted = {Wanted(Cell(kind.key, level), 3): 3 for kind in AXES.types for level in LEVELS}
    for cell in draw(found, AXES, wanted, 0):
        assert cell.possible or not cell.found
        assert cell.lacking == 3 - len(cell.sets) >= 0
        kind = AXES.type(cell.wanted.cell.type)
        for each in cell.sets:
            assert len(set(each.units)) == len(each.units) == len(each.roles)
            seen = found.reference_set(each)
            seen = replace(
                seen, conditional=seen.conditional or kind.conditional, arity=kind.facets
            )
            assert difficulty(seen, AXES.rubric) == cell.wanted.cell.difficulty


AXES_OF_DRAFTS = parse(
    starter().replace(
        "domains: []", "domains:\n- key: fee\n  label: {en: Fees, ko: 비용}\n  anchors: [법_1조]\n"
    )
)
SAID = {
    "type": "exception_paired",
    "difficulty": "L4",
    "facets": {"lifecycle": "ended", "geography": "abroad"},
    "domain": "fee",
}


def provision_of_drafts(language: str, number: int = 1) -> Provision:
    return Provision(f"법_{number}조", "법", 1, f"Text {number}", language, f"Act {number}")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["Stage: after it has ended", "Place: abroad", "Fees", "its exception", "(none)"]),
        ("ko", ["단계: 끝난 뒤", "장소: 국외", "비용", "예외", "(없음)"]),
    ],
)
def test_the_cell_is_told_in_the_language_of_the_provisions(language: str, said: list[str]) -> None:
    values = writing_values(
        AXES_OF_DRAFTS, SAID, [provision_of_drafts(language, n) for n in (1, 2)]
    )
    [_, user] = prompt(WRITE, language).messages(values)
    for words in [*said, "[1] Act 1\nText 1", "[2] Act 2\nText 2"]:
        assert words in user.text


def test_a_question_is_shown_for_its_tone_and_what_is_not_there_is_said() -> None:
    values = writing_values(
        AXES_OF_DRAFTS, SAID | {"facets": {}, "domain": ""}, [provision_of_drafts("en")], "May I?"
    )
    assert values["style"] == "May I?"
    assert values["facets"] == values["domain"] == "(none)"
    assert values["seed"] == ""


def test_repeats_are_named_by_what_they_repeat() -> None:
    known = [("q-1", "When must I report the new store?")]
    drafts = [
        "when must I report the new store",  # as the known one, but for case and marks
        "How long do I keep the book of goods?",
        "How long do I keep the book of goods??",
        "How long do I keep a book of goods?",  # nearly the second
        "Who pays for the inspection of the alarm?",
    ]
    assert repeats(drafts, known) == {0: "q-1", 2: "#2", 3: "#2"}
    assert repeats(drafts, known, alike=1.0) == {0: "q-1", 2: "#2"}
    assert repeats(drafts, []) == {2: "#2", 3: "#2"}


@given(st.lists(st.text(min_size=1, max_size=12), max_size=8))
def test_what_is_said_again_word_for_word_always_repeats(texts: list[str]) -> None:
    found = repeats([*texts, *texts], [])
    assert set(range(len(texts), 2 * len(texts))) <= set(found)
