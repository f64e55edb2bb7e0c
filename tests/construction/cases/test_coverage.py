"""Coverage counted as the paper's Table 4 does."""

from __future__ import annotations

from construction.cases.coverage import CategoryRow, coverage
from construction.cases.group_mapping import Mapper, Missed
from construction.cases.typology_reading import parse
from tests.construction.cases.small_typology import SMALL

CASES = [
    ("모욕", ("상법 제1조",)),
    ("모욕, 명예훼손", ("형법 제307조 제1항",)),
    (
        "모욕, 성폭력범죄의처벌등에관한특례법위반(허위영상물편집·반포등)",
        ("성폭력처벌법 제14조의2 제2항",),
    ),
    ("무고", ()),
    ("무고", ()),
    ("", ()),
]


def test_a_case_counts_once_for_each_category_and_once_in_all() -> None:
    typology = parse(SMALL)
    mapper = Mapper(typology)
    found = coverage(typology, (mapper.map(title, (), said) for title, said in CASES))
    assert found.rows == (CategoryRow("honour", 4, 2, 3), CategoryRow("sexual", 2, 1, 1))
    assert (found.groups, found.filled) == (6, 3)
    assert (found.cases, found.mapped, found.multiple, found.assigned) == (6, 3, 2, 4)
    assert found.share == 3 / 6
    assert found.by_group["honour.insult"] == 3
    assert found.by_group["honour.defamation.falsehood"] == 0
    unknown, none = Missed("무고", "unknown_title"), Missed("", "no_title")
    assert found.missed == ((unknown, 2), (none, 1))


def test_of_no_case_there_is_no_share() -> None:
    assert coverage(parse(SMALL), []).share is None
