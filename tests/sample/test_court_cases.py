"""The sample's court cases are cut, charged and grouped as its page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from construction.cases.group_mapping import Mapper
from construction.cases.typology import parse, starter
from corpus.cases.model import Judgment, Section
from corpus.cases.reading import read_judgments

FILE = Path(__file__).resolve().parents[2] / "sample" / "court_cases.jsonl"
GROUPS = {
    "drunk-1": ("traffic.drunk_driving",),
    "drunk-2": ("traffic.drunk_driving",),
    "drunk-3": ("traffic.drunk_driving", "traffic.negligent_injury"),
    "drunk-4": ("traffic.drunk_driving",),
    "fraud-1": ("fraud.fraud",),
    "fraud-2": ("fraud.fraud",),
    "fraud-3": ("fraud.fraud",),
    "fraud-4": ("fraud.fraud",),
    "defamation-1": ("defamation.defamation.falsehood",),
    "defamation-2": ("defamation.defamation.falsehood",),
    "defamation-3": ("defamation.defamation.fact",),
    "fire-1": (),
}


@pytest.fixture(scope="module")
def judgments() -> list[Judgment]:
    return [read.judgment for read in read_judgments(FILE)]


def test_every_case_has_every_field_and_its_sections(judgments: list[Judgment]) -> None:
    assert [each.external_id for each in judgments] == list(GROUPS)
    for each in judgments:
        assert each.court and each.date and each.title and each.charges and each.provisions
        found = {part.section for part in each.parts}
        assert found >= {Section.HEAD, Section.FACTS, Section.REASONING, Section.CONCLUSION}
        assert (Section.CLAIMS in found) == (each.external_id not in ("drunk-3", "fire-1"))


def test_cases_fall_into_the_packaged_groups(judgments: list[Judgment]) -> None:
    mapper = Mapper(parse(starter()))
    found = {
        each.external_id: mapper.map(each.title, each.charges, each.provisions).groups
        for each in judgments
    }
    assert found == GROUPS
