"""Closing gold sets: hand-made sets for each branch of each rule, and what holds of all of them."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from construction.closure import engine
from construction.closure.engine import (
    Fired,
    Found,
    GoldSet,
    closed,
    first_of,
    missing,
    unknown_units,
)
from construction.closure.rules import ClosureRules, parse, starter
from corpus.graph.model import Edge, EdgeType, Origin
from corpus.model import Level, Unit
from normalization import composed
from tests.construction.closure.small_rules import RULES
from tests.projects import closure_law
from tests.projects.closure_law import (
    COMPANY,
    CRITERIA,
    FINE,
    GONE,
    INSPECTION,
    LOAD,
    REPORT,
    UNIVERSITY,
    LawInMemory,
    in_memory,
)
from tests.support.examples import scaled

LAW = in_memory()
STARTER = parse(starter())
SMALL = parse(RULES)
ANCHORED = parse(
    starter().replace(
        "domains: []",
        "domains:\n- key: costs\n  label: {en: Costs, ko: 비용}\n"
        f"  words: [간접비, indirect costs]\n  articles: [{REPORT}]",
    )
)

# With the starter's rules, costs as a domain.
CASES = """
name | question | answer | domain | gold | added, by rule
nothing to add | 신고합니까? |  |  | REPORT |
R1 by a word of the question | 간접비는 얼마입니까? |  |  | INSPECTION | r1 REPORT
R1 not by a word of the answer | 얼마? | 간접비 |  | INSPECTION |
R1 by an English word, whole | Are indirect costs covered? |  |  | INSPECTION | r1 REPORT
R1 not within a word | indirect costsheet |  |  | INSPECTION |
R1 by the axes | 얼마? |  | costs | INSPECTION | r1 REPORT
R1 for no gold at all | 간접비? |  |  |  | r1 REPORT
R1 lacks nothing | 간접비? |  |  | REPORT |
R2 parallel, one way | 대학? |  |  | UNIVERSITY | r2 COMPANY
R2 parallel, the other way | 기업? |  |  | COMPANY | r2 UNIVERSITY
R2 parallel, both there | 둘 다? |  |  | UNIVERSITY COMPANY |
R2 applied article, forward | 뗏목은? |  |  | RAFTS | r2 INSPECTION
R2 not backward | 검사는? |  |  | INSPECTION |
R3 exception and approval, beside | 부득이하면 승인이 필요합니까? |  |  | LOAD | r3 APPROVAL
R3 approval in the answer | 부득이하게 더 태울 수 있나요? | 승인을 받으면 |  | LOAD | r3 APPROVAL
R3 exception alone | 부득이하게 더 태울 수 있나요? | 예. |  | LOAD |
R3 approval alone | 승인이 필요합니까? |  |  | LOAD |
R3 exception in the answer alone | 승인? | 부득이하면 |  | LOAD |
R3 in another statute | 부득이하면 승인? |  |  | UNIVERSITY | r2 COMPANY
R3 in English | May I exceed it with prior consent? |  |  | LOAD | r3 APPROVAL
R3 lacks nothing | 부득이하면 승인? |  |  | LOAD APPROVAL |
R4 fine, with its criteria | 신고하지 않으면 과태료입니까? |  |  | REPORT | r4 CRITERIA FINE
R4 by the answer | 신고하지 않으면? | 과태료를 냅니다. |  | REPORT | r4 CRITERIA FINE
R4 penalty and joint liability | 검사를 안 받으면 처벌됩니까? |  |  | INSPECTION | r4 PENALTY JOINT
R4 of the sanction that is named alone | 과태료는? |  |  | INSPECTION |
R4 both sanctions | 과태료나 벌금은? |  |  | REPORT INSPECTION | r4 CRITERIA FINE PENALTY JOINT
R4 by a gold heading | 얼마입니까? |  |  | FINE | r4 CRITERIA
R4 in English | Is there an administrative fine? |  |  | REPORT | r4 CRITERIA FINE
R4 not within an English word | Is it administrative finery? |  |  | REPORT |
R4 lacks nothing | 과태료? |  |  | REPORT FINE CRITERIA |
one rule upon another | 뗏목을 검사받지 않으면 처벌? |  |  | RAFTS | r2 INSPECTION, r4 PENALTY JOINT
"""


@pytest.mark.parametrize("line", CASES.strip().splitlines()[1:])
def test_each_branch_of_each_rule(line: str) -> None:
    _, question, answer, domain, gold, wanted = (each.strip() for each in line.split("|"))
    units = tuple(getattr(closure_law, name) for name in gold.split())
    found = missing(GoldSet(units, question, answer, domain), ANCHORED, LAW)
    added = {f"{each.rule[:2]} {each.unit}" for each in found.added}
    assert added == {
        f"{rule} {getattr(closure_law, unit)}"
        for rule, *names in map(str.split, filter(None, wanted.split(",")))
        for unit in names
    }
    assert found.complete and found.unknown == ()
    texts = {"question": question, "answer": answer}
    for each in found.added:
        assert each.fired
        for why in each.fired:
            unit = LAW.unit(why.unit)
            texts |= {"text": unit.text, "heading": unit.heading} if unit else {}
            if why.where in texts:
                assert texts[why.where][why.start : why.end] == why.text != ""


def test_an_addition_says_by_which_words_it_is_made() -> None:
    gold = GoldSet((REPORT,), "신고하지 않으면 과태료입니까?")
    fine, criteria = missing(gold, STARTER, LAW).added
    said = Fired("question", "과태료", "과태료", "", 9, 12)
    cited = Fired("text", "제1조", "references", FINE, 0, 3)
    assert (fine.unit, fine.rule, fine.how, fine.via, fine.round) == (
        *(FINE, "r4_sanction", "sanction"),
        *(REPORT, 1),
    )
    assert fine.fired == (said, cited)
    assert (criteria.unit, criteria.via, criteria.round) == (CRITERIA, FINE, 2)
    (group,) = missing(GoldSet((UNIVERSITY,), ""), STARTER, LAW).added
    assert group.fired == (Fired("graph", "indirect_costs", "parallel", UNIVERSITY, 0, 0),)


def test_all_triggers_of_a_rule_that_needs_all_are_told() -> None:
    gold = GoldSet((LOAD,), "부득이하게 더 태우려면 승인이 필요합니까?")
    (one,) = missing(gold, STARTER, LAW).added
    assert [each.text for each in one.fired] == ["부득이", "승인"]
    (small,) = missing(gold, SMALL, LAW).added
    assert [(each.where, each.text) for each in small.fired] == [
        ("question", "부득이"),
        ("heading", "정원"),
    ]


def test_a_trigger_in_a_gold_provision_fires_where_its_words_stand() -> None:
    found = missing(GoldSet((FINE,), ""), SMALL, LAW)
    assert [(each.rule, each.unit) for each in found.added] == [
        ("annexes", CRITERIA),
        ("r4", CRITERIA),
    ]
    assert found.added[0].fired[0].where == "text"


def test_the_annex_of_a_sanction_is_added_and_no_other_annex() -> None:
    def annex(number: int, heading: str) -> Unit:
        name, level = f"가_별표{number}", Level.ANNEX
        return Unit(name, "가", level, f"별표 {number}", heading=heading, text="", order=number)

    article = Unit(
        *("가_1조", "가", Level.ARTICLE, "제1조"), heading="과태료의 부과기준", text="", order=9
    )
    units = [
        article,
        annex(1, "과태료의 부과기준"),
        annex(2, "수수료"),
        annex(3, "과태료의 부과기준"),
    ]
    cites = [("가_1조", "가_별표1"), ("가_1조", "가_별표2"), ("가_별표3", "가_1조")]
    edges = [Edge(*ends, EdgeType.REFERENCES, Origin.TEXT) for ends in cites]
    found = missing(GoldSet(("가_1조",), "얼마?"), STARTER, LawInMemory(units, edges))
    assert {(each.rule, each.unit) for each in found.added} == {
        ("r4_sanction_annex", "가_별표1"),
        ("r4_sanction", "가_별표3"),
    }


@pytest.mark.parametrize(
    ("question", "where"), [("얼마?", "default"), ("간접비?", "question"), ("", "default")]
)
def test_every_question_is_of_the_default_domain(question: str, where: str) -> None:
    rules = parse(RULES.replace("articles: [나루법_1조]", "articles: [나루법_1조]\n  default: yes"))
    for gold in ((INSPECTION,), ()):
        first = missing(GoldSet(gold, question), rules, LAW).added[0]
        assert (first.unit, first.rule, first.via) == ("나루법_1조", "r1", "")
        assert [each.where for each in first.fired] == [where]


@pytest.mark.parametrize("named", ["나루법_1조", "나루법_5조"])  # of a domain, of a rule
def test_a_whole_document_stands_for_its_provisions(named: str) -> None:
    rules = parse(RULES.replace(named, "나루법"))
    wanted = {
        each
        for each in LAW.beside("나루법")
        if (unit := LAW.unit(each)) is not None and not unit.deleted
    }
    found = missing(GoldSet((LOAD,), "부득이하게 간접비?"), rules, LAW)
    assert wanted <= {LOAD, *found.units} and GONE not in found.units and len(wanted) > 5
    assert unknown_units(rules, LAW) == []
    assert unknown_units(parse(RULES.replace(named, "없는법")), LAW)[0][1] == "없는법"


def test_what_the_law_lacks_is_told_and_repealed_articles_are_not_added() -> None:
    rules = parse(RULES.replace("나루법_5조", GONE).replace("나루법_1조", "없는법_1조"))
    assert unknown_units(rules, LAW) == [("costs", "없는법_1조"), ("r3", GONE)]
    found = missing(GoldSet((LOAD, "없는법_9조"), "부득이하면 간접비는?"), rules, LAW)
    assert found.added == () and found.unknown == ("없는법_9조",)


def chain(length: int) -> LawInMemory:
    """Return a law of articles, each of which applies the next one."""
    units = [
        Unit(f"가_{n}조", "가", Level.ARTICLE, f"제{n}조", heading="", text="", order=n)
        for n in range(1, length + 1)
    ]
    edges = [
        Edge(f"가_{n}조", f"가_{n + 1}조", EdgeType.APPLIES, Origin.TEXT) for n in range(1, length)
    ]
    return LawInMemory(units, edges)


def test_a_set_that_does_not_close_within_the_bound_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gold = GoldSet(("가_1조",), "")
    long = missing(gold, STARTER, chain(40))
    assert not long.complete and len(long.added) == engine.MOST_ROUNDS
    short = missing(gold, STARTER, chain(engine.MOST_ROUNDS))
    assert short.complete and len(short.added) == engine.MOST_ROUNDS - 1
    monkeypatch.setattr(engine, "MOST_ADDED", 3)
    assert not missing(gold, STARTER, chain(10)).complete


UNITS = [each for each in LAW.beside("나루법") if each != GONE] + [CRITERIA, UNIVERSITY, COMPANY]
QUESTIONS = [
    "신고합니까?",
    "과태료?",
    "간접비와 벌금?",
    "부득이하게 초과하여 승인을 받으면?",
    "penalty or fine?",
]
GOLD = st.lists(st.sampled_from(UNITS), unique=True, max_size=5)
SETS = st.builds(
    GoldSet, GOLD.map(tuple), st.sampled_from(QUESTIONS), st.sampled_from(["", "과태료"])
)
RULESETS = st.sampled_from([STARTER, ANCHORED, SMALL])


@given(SETS, RULESETS)
def test_a_closed_set_lacks_nothing(gold: GoldSet, rules: ClosureRules) -> None:
    whole = closed(gold, rules, LAW)
    assert missing(whole, rules, LAW).added == ()
    assert whole.units[: len(gold.units)] == gold.units


@given(SETS, GOLD, RULESETS)
def test_a_larger_set_never_closes_to_less(
    gold: GoldSet, more: list[str], rules: ClosureRules
) -> None:
    larger = replace(gold, units=tuple(dict.fromkeys((*gold.units, *more))))
    less, whole = (set(closed(each, rules, LAW).units) for each in (gold, larger))
    assert less <= whole


@settings(max_examples=scaled(60))
@given(SETS, RULESETS, st.randoms(use_true_random=False))
def test_the_order_of_set_rules_and_edges_makes_no_difference(
    gold: GoldSet, rules: ClosureRules, chance: Random
) -> None:
    units = list(gold.units)
    chance.shuffle(units)
    turned = replace(rules, rules=rules.rules[::-1])
    first, second = (
        missing(gold, rules, LAW),
        missing(replace(gold, units=tuple(units)), turned, LAW),
    )
    assert [(e.unit, e.rule, e.round) for e in first.added] == [
        (e.unit, e.rule, e.round) for e in second.added
    ]
    assert missing(replace(gold, units=tuple(units)), rules, LAW) == first


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        ("과태료", "500만원의 과태료를 낸다", "과태료"),
        ("fine", "a fine of ten", "fine"),
        ("fine", "we define it", None),
        ("fine", "fines", None),
        ("Fine", "A FINE!", "FINE"),
        ("fine", "벌금(fine)은", "fine"),
        ("prior approval", "prior\n  approval", "prior\n  approval"),
        ("prior approval", "priorapproval", None),
        ("사전 승인", "사전승인을", "사전승인"),
        ("사전 승인", "사전 승인을", "사전 승인"),
        ("R&D 과제", "R&D과제", "R&D과제"),
        ("R&D 과제", "OR&D과제", None),
        ("§ 5", "under § 5 of", "§ 5"),
        ("a.c", "abc", None),
    ],
)
def test_latin_words_are_found_whole_and_others_wherever_they_stand(
    term: str, text: str, found: str | None
) -> None:
    hit = first_of([term], text)
    assert (hit and text[hit.start : hit.end]) == found


def test_the_first_place_counts_and_there_the_longest_term() -> None:
    assert first_of(["승인", "사전 승인"], "미리 사전 승인을, 승인을") == Found("사전 승인", 3, 8)
    assert first_of(["승인", "벌칙", "벌칙과"], "벌칙과 승인") == Found("벌칙과", 0, 3)
    assert first_of([], "벌칙") is None and first_of(["벌칙"], "") is None


def test_letters_of_either_form_are_the_same() -> None:
    apart = unicodedata.normalize("NFD", "과태료를 낸다")
    assert first_of(["과태료"], apart) == Found("과태료", 0, 3)
    assert first_of([unicodedata.normalize("NFD", "과태료")], "과태료") is not None


@given(st.text(max_size=20).map(composed), st.text(min_size=1, max_size=6).map(composed))
def test_what_is_found_stands_there(text: str, term: str) -> None:
    if not term.split():
        return
    found = first_of([" ".join(term.split())], text)
    if found is not None:
        assert (
            "".join(text[found.start : found.end].split()).casefold()
            == "".join(found.term.split()).casefold()
        )
