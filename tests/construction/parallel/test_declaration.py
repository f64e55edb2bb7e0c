"""Parallel groups as a project declares them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from construction.parallel.declaration import (
    Group,
    Member,
    free_key,
    parse,
    starter,
    with_groups,
)
from corpus.model import Tier
from errors import UserError
from normalization import composed
from tests.construction.parallel.small_groups import SMALL
from tests.support.refusals import fault_of


def test_a_declaration_is_read_with_its_slots_tier_and_members() -> None:
    found = parse(SMALL)
    assert [slot.key for slot in found.slots] == ["university", "company"]
    (group,) = found.groups
    assert (group.key, group.tier, group.label["ko"]) == ("lamps", Tier.ACT, "등불")
    assert group.members[0] == Member("나루법_1조", "university")


def test_the_starter_has_the_slots_of_the_paper_and_no_group() -> None:
    found = parse(starter())
    assert len(found.slots) == 4 and found.groups == ()


def test_members_of_one_slot_are_no_parallels_of_each_other() -> None:
    members = (
        Member("가_1조", "a"),
        Member("가_2조", "a"),
        Member("나_1조", "b"),
        Member("다_1조"),
    )
    pairs = set(Group("k", {}, Tier.ACT, members).pairs())
    assert ("가_1조", "가_2조") not in pairs and ("가_2조", "가_1조") not in pairs
    assert len(pairs) == 2 * (len(list(combinations(members, 2))) - 1)
    assert {(b, a) for a, b in pairs} == pairs


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ("tier: act", "tier: 법률", "parallel_tier"),
        ("- key: lamps", "- key: Lamps", "parallel_key"),
        ("slot: company", "slot: nobody", "parallel_slot"),
        ("나루법_3조", "나루법_1조", "parallel_unit_twice"),
        ("나루법_3조", "나루법", "parallel_unit"),
        ("slot: company", "slot: university", "parallel_alone"),
        ("- key: company", "- key: university", "parallel_key_twice"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(before: str, after: str, code: str) -> None:
    assert before in SMALL
    found, line, _ = fault_of(parse, SMALL.replace(before, after), "mine.yaml")
    assert found == code and line


# Files are read composed, so a text that comes back equal is composed before it is written.
_WORD = st.text(min_size=1, max_size=12).map(composed).filter(lambda text: text.split() == [text])
GROUPS = st.lists(
    st.builds(
        Group,
        st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True),
        st.fixed_dictionaries({"en": _WORD, "ko": _WORD}),
        st.sampled_from(Tier),
        st.lists(_WORD, min_size=2, max_size=5, unique=True).map(
            lambda names: tuple(Member(f"{name}_1조") for name in names)
        ),
    ),
    max_size=4,
    unique_by=lambda group: group.key,
)


@given(GROUPS, st.sampled_from([SMALL, starter(), "groups:\n", "slots: []\ngroups: [] # none\n"]))
def test_what_is_added_is_read_back_and_nothing_else_changes(
    groups: list[Group], text: str
) -> None:
    before = parse(text)
    kept = {group.key for group in before.groups}
    added = [group for group in groups if group.key not in kept and _storable(group)]
    after = parse(with_groups(text, added))
    assert after == replace(before, groups=(*before.groups, *added))


def _storable(group: Group) -> bool:
    try:
        parse(with_groups(starter(), [group]))
    except UserError as error:
        assert error.code == "text_unstorable"
        return False
    return True


def test_a_key_that_is_taken_gets_a_number() -> None:
    assert free_key("a", ["b"]) == "a"
    assert free_key("a", ["a", "a_2"]) == "a_3"
