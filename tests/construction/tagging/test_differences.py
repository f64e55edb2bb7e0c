from __future__ import annotations

import pytest
from hypothesis import given

from construction.tagging.codebook import Codebook
from construction.tagging.differences import OUTDATING, ChangeKind, differences
from construction.tagging.reading import parse
from tests.construction.tagging.codebooks import SMALL, codebooks

OLD = parse(SMALL)
KNIFE = "key: knife\n            label: {en: Knife, ko: 칼}"
DRINK = SMALL[SMALL.index("      - key: drink") : SMALL.index("  - key: general")]


def changed(*edits: tuple[str, str]) -> list[tuple[str, str, str]]:
    text = SMALL
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    found = differences(OLD, parse(text))
    return [(str(each.kind), each.sub_factor or each.factor, each.option) for each in found]


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([("Was one used?", "Used?")], ("text", "weapon", "")),
        ([("{en: Used., ko: 사용함.}", "{en: U, ko: 사}")], ("option_text", "weapon", "yes")),
        ([("key: knife", "key: blade")], ("option_renamed", "kind", "knife")),
        ([("ordered: true", "ordered: false")], ("rules", "drink", "")),
        ([("source: paper", "source: written")], ("source", "plea", "")),
        ([("when: {weapon: ['yes']}", "when: {weapon: ['no']}")], ("condition", "kind", "")),
        ([("scope: [traffic]", "scope: [traffic, fraud]")], ("scope", "road", "")),
        ([("help: {en: Driving.", "help: {en: On roads.")], ("factor_text", "road", "")),
        ([("order: [weapon, kind", "order: [kind, weapon")], ("order", "", "")),
        ([("drink", "drank")], ("renamed", "drink", "")),
        ([(KNIFE, KNIFE.replace("knife", "axe").replace("Knife", "Axe"))], None),
    ],
)
def test_each_change_is_told_once(edits, expected) -> None:
    found = changed(*edits)
    if expected is None:
        assert found == [("option_removed", "kind", "knife"), ("option_added", "kind", "axe")]
    else:
        assert found == [expected]


def test_what_is_gone_comes_with_its_factor() -> None:
    text = SMALL.replace(DRINK, "").replace(", drink", "")
    head = text[text.index("  - key: road") : text.index("  - key: general")]
    found = differences(OLD, parse(text.replace(head, "")))
    assert [each.kind for each in found] == [ChangeKind.FACTOR_REMOVED, ChangeKind.REMOVED]
    assert found[1].kind in OUTDATING
    back = differences(parse(text.replace(head, "")), OLD)
    assert [each.kind for each in back] == [ChangeKind.FACTOR_ADDED, ChangeKind.ADDED]


@given(codebooks(), codebooks())
def test_only_codebooks_that_say_the_same_do_not_differ(one: Codebook, other: Codebook) -> None:
    assert differences(one, one) == ()
    assert bool(differences(one, other)) is (one != other)
