"""Groups that likeness proposes."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from construction.parallel.declaration import Group, Member, Slot, parse, starter
from construction.parallel.likeness import Provision, propose
from corpus.model import Tier

SLOTS = parse(starter()).slots
WORDS = "{}은 연구개발비 가운데 간접비를 직접비의 100분의 {} 이내에서 계상하여야 한다."


def act(unit: str, heading: str, text: str, tier: Tier = Tier.NOTICE, path=()) -> Provision:
    return Provision(unit, unit.rpartition("_")[0], tier, heading, text, path)


COSTS = [
    act("기준_80조", "대학의 간접비 계상", WORDS.format("대학", 30), path=("제4장 대학",)),
    act("기준_60조", "비영리기관의 간접비 계상", WORDS.format("비영리기관", 20), path=("제3장",)),
    act("기준_40조", "영리기관의 간접비 계상", WORDS.format("영리기관", 10), path=("제2장",)),
]


def test_one_duty_for_several_institutions_is_proposed_with_its_slots_score_and_reason() -> None:
    (found,) = propose(COSTS, SLOTS).found
    assert found.members == (
        Member("기준_40조", "for_profit"),
        Member("기준_60조", "non_profit"),
        Member("기준_80조", "university"),
    )
    assert (found.score, found.highest, propose(COSTS, SLOTS).compared) == (0.9091, 0.9122, 3)
    assert found.heading == "의간접비계상" and len(found.headings) == 3
    assert found.without == ("대학", "비영리기관", "영리기관")
    title = {"en": "간접비 계상", "ko": "간접비 계상"}
    assert found.group("k") == Group("k", title, Tier.NOTICE, found.members)


def test_what_stands_in_one_chapter_or_at_another_tier_is_no_parallel() -> None:
    same = [
        act("가법_1조", "신고", "갑은 을에게 신고한다."),
        act("가법_2조", "신고", "갑은 을에게 신고한다."),
    ]
    assert propose(same).found == ()
    other = [same[0], act("나법_1조", "신고", "갑은 을에게 신고한다.", Tier.ACT)]
    assert propose(other).found == ()
    assert len(propose([same[0], act("나법_1조", "신고", "갑은 을에게 신고한다.")]).found) == 1


def test_equal_headings_over_other_words_are_not_proposed() -> None:
    two = [
        act("가법_1조", "신고", "갑은 을에게 배를 알린다."),
        act("나법_1조", "신고", "등불은 밤마다 켠다."),
    ]
    found = propose(two)
    assert found.found == () and found.compared == 2


def test_the_most_alike_are_grouped_and_none_that_is_unlike_one_of_them() -> None:
    said = {"가법_1조": "배는 밤에 켠다", "나법_1조": "배는 밤에 등불을 켠다"}
    said |= {"가법_2조": "밤에 등불을 켠다 꼭"}
    three = [act(unit, "신고", text) for unit, text in said.items()]
    found = propose(three, at_least=0.3).found
    assert [(each.units, each.score) for each in found] == [(("가법_2조", "나법_1조"), 0.7715)]


def test_headings_of_routine_are_left_out_and_counted() -> None:
    purposes = [act(f"법{n}_1조", "목 적", "이 법은 안전을 목적으로 한다.") for n in range(2)]
    assert (propose(purposes).found, propose(purposes).too_common) == ((), 1)
    many = [act(f"법{n}_1조", "수수료", "수수료는 총리령으로 정한다.") for n in range(13)]
    found = propose(many)
    assert (found.found, found.too_common) == ((), 1)
    assert len(propose(many, most=13).found) == 1


def test_decomposed_text_is_read_like_composed_text() -> None:
    apart = [
        Provision(
            each.unit,
            each.statute,
            each.tier,
            unicodedata.normalize("NFD", each.heading),
            unicodedata.normalize("NFD", each.text),
            each.path,
        )
        for each in COSTS
    ]
    assert propose(apart, SLOTS).found[0].members == propose(COSTS, SLOTS).found[0].members
    assert propose(apart, SLOTS).found[0].score == propose(COSTS, SLOTS).found[0].score


_PROVISIONS = st.lists(
    st.builds(
        act,
        st.from_regex(r"[가나다]_[1-9]조", fullmatch=True),
        st.sampled_from(["신고", "등불", ""]),
        st.text("갑을병 정", max_size=12),
        st.sampled_from([Tier.ACT, Tier.DECREE]),
    ),
    max_size=12,
    unique_by=lambda each: each.unit,
)


@given(_PROVISIONS, st.floats(0.05, 1), st.randoms())
def test_every_two_of_a_group_are_as_alike_as_it_says(provisions, at_least, random) -> None:
    found = propose(provisions, at_least=at_least).found
    by_unit = {each.unit: each for each in provisions}
    for each in found:
        members = [by_unit[unit] for unit in each.units]
        assert at_least - 1e-4 <= each.score <= each.highest <= 1.0001
        assert len({member.tier for member in members}) == 1
        assert len({member.place for member in members}) == len(members) > 1
    taken = [unit for each in found for unit in each.units]
    assert len(set(taken)) == len(taken)
    shuffled = list(provisions)
    random.shuffle(shuffled)
    assert propose(shuffled, at_least=at_least).found == found


def test_a_slot_is_named_once_or_not_at_all() -> None:
    twice = [
        act("가_1조", "대학의 경비", "경비를 적는다."),
        act("나_1조", "대학의 경비", "경비를 적는다."),
    ]
    (found,) = propose(twice, SLOTS).found
    assert [member.slot for member in found.members] == ["", ""]
    assert propose(twice, [Slot("x", {"en": "X", "ko": "경비"})]).found
