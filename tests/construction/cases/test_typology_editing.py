"""Changing a typology without writing YAML."""

from __future__ import annotations

import pytest

from construction.cases.group_mapping import Mapper
from construction.cases.typology import parse, starter
from construction.cases.typology_editing import add_charge, add_title
from errors import UserError
from tests.construction.cases.small_typology import SMALL


def test_a_title_that_was_added_leads_to_its_charge_and_nothing_else_changes() -> None:
    changed = add_title("# ours\n" + SMALL, "honour.insult", " 모욕 미수 ")
    assert changed.startswith("# ours\nstatutes:")
    assert Mapper(parse(changed)).map("모욕미수", (), ()).groups == ("honour.insult",)
    before, after = list(parse(SMALL).groups()), list(parse(changed).groups())
    assert [group for *_, group in before] == [group for *_, group in after]


def test_a_charge_that_was_added_is_a_group_of_its_own() -> None:
    once = add_charge(SMALL, "sexual", "公然猥亵罪")
    twice = add_charge(once, "sexual", "성매매")
    assert Mapper(parse(twice)).map("公然猥亵罪", (), ()).groups == ("sexual.added_1",)
    assert Mapper(parse(twice)).map("성매매", (), ()).groups == ("sexual.added_2",)
    with pytest.raises(UserError) as refused:
        add_charge(SMALL, "nothing", "성매매")
    assert refused.value.code == "typology_charge_unknown"
    with pytest.raises(UserError) as refused:
        add_charge(SMALL, "sexual", "모욕죄")
    assert refused.value.code == "typology_title_twice"


def test_the_starter_keeps_its_groups_and_its_comment() -> None:
    changed = add_title(starter(), "fraud.fraud", "合同诈骗罪")
    assert [each for *_, each in parse(changed).groups()] == [
        each for *_, each in parse(starter()).groups()
    ]
    assert changed.splitlines()[0] == starter().splitlines()[0]


@pytest.mark.parametrize(
    ("charge", "title", "code"),
    [
        ("honour.nothing", "무고", "typology_charge_unknown"),
        ("honour.insult", "명예훼손", "typology_title_twice"),
        ("honour.insult", "·", "typology_title"),
    ],
)
def test_a_title_that_cannot_be_added_is_refused(charge: str, title: str, code: str) -> None:
    with pytest.raises(UserError) as refused:
        add_title(SMALL, charge, title)
    assert refused.value.code == code
