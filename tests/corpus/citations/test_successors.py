"""Superseded standards: their successors' places are candidates, and nothing resolves to them."""

from __future__ import annotations

from datetime import date

import pytest

from corpus.citations.catalogue import Catalogue, CatalogueEntry
from corpus.citations.find import find
from corpus.citations.model import Reason, Resolution, Status
from corpus.citations.resolve import resolve
from corpus.citations.successors import Succession, Successors, read_successors, shipped
from corpus.model import Tier
from tests.support.refusals import refusal

PERFORMANCE = "등명설비의 화재안전성능기준(NFPC 109)"
TECHNICAL = "등명설비의 화재안전기술기준(NFTC 109)"
FINE = "유도설비의 화재안전기술기준(NFTC 303)"
PLACES = {
    PERFORMANCE: {"3조": "정의", "4조": "수원", "5조": "가압송수장치"},
    TECHNICAL: {"1.7": "용어의 정의", "2.1": "수원", "2.2": "가압송수장치", "4.1": "특례"},
    FINE: {"2.1": "일반", "2.1.1": "", "2.1.2": "", "2.2": "배선"},
    "건축법": {"102조": "벌칙", "109조": "벌칙"},
}
ENTRIES = [
    CatalogueEntry(title, title, "고시", Tier.NOTICE, f"{title}_{place}", heading)
    for title, places in PLACES.items()
    for place, heading in places.items()
]
CATALOGUE = Catalogue(ENTRIES)


def read(text: str, catalogue: Catalogue = CATALOGUE) -> list[Resolution]:
    """Find and resolve the citations of a text."""
    return resolve(find(text), text, catalogue)


CANDIDATES = """
「등명설비의 화재안전기준(NFSC 109)」 제4조 → NFPC 4조, NFTC 2.1
「등명설비의 화재안전기준(NFSC109)」제5조제1항 → NFPC 5조, NFTC 2.2
「등명설비의 화재안전기준」 제3조 → NFPC 3조
등명설비의 화재안전기준 제3조 → NFPC 3조
상기 등명설비의 화재안전기준(NFSC 109) 제3조 → NFPC 3조
NFSC 109 4.1 → NFTC 4.1
NFSC 109 2.1.1.3 → NFTC 2.1, NFPC 4조
「등명설비의 화재안전기준(NFSC 109)」 제9조(가압송수장치) → NFPC 5조, NFTC 2.2
NFSC 109 제99조
「등명설비의 화재안전기준(NFSC 109)」
"""


@pytest.mark.parametrize("line", CANDIDATES.strip().splitlines())
def test_the_places_of_the_successors_are_candidates(line: str) -> None:
    text, _, units = line.partition(" → ")
    (one,) = read(text)
    assert (one.status, one.reason, one.targets) == (Status.UNRESOLVED, Reason.SUPERSEDED, ())
    assert one.instrument_title == f"{PERFORMANCE}, {TECHNICAL}"
    titles = {"NFPC": PERFORMANCE, "NFTC": TECHNICAL}
    wanted = (each.split(" ") for each in units.split(", ") if each)
    assert one.unit_ids == tuple(f"{titles[title]}_{place}" for title, place in wanted)


def test_what_the_corpus_has_no_successor_of_is_superseded_too() -> None:
    (one,) = read("NFSC 777 2.1")
    assert (one.reason, one.instrument_title) == (Reason.SUPERSEDED, "NFPC 777, NFTC 777")


def test_a_code_that_is_in_use_is_not_superseded() -> None:
    (one,) = read("「등명설비의 화재안전기준(NFTC 109)」 2.2")
    assert [target.unit_id for target in one.targets] == [f"{TECHNICAL}_2.2"]
    assert read("「계단의 화재안전기준(NFTC 501A)」 1.7")[0].reason is Reason.NO_SUCH_INSTRUMENT


def test_a_standard_that_is_in_the_corpus_is_resolved() -> None:
    old = CatalogueEntry("old", "등명설비의 화재안전기준(NFSC 109)", "", Tier.NOTICE, "old_4조")
    (one,) = read("NFSC 109 제4조", Catalogue([*ENTRIES, old]))
    assert [target.unit_id for target in one.targets] == ["old_4조"]


@pytest.mark.parametrize(
    ("section", "unit", "pinpoint"),
    [
        ("2.1.1", "2.1.1", ""),
        ("2.1.1.3", "2.1.1", "2.1.1.3"),
        ("2.2.4", "2.2", "2.2.4"),
        ("2.2", "2.2", ""),
        ("2.1", "2.1", ""),
        ("2.1.9", None, ""),
        ("2.1.9.1", None, ""),
    ],
)
def test_the_deepest_section_that_is_a_unit(section: str, unit: str | None, pinpoint: str) -> None:
    (one,) = read(f"NFTC 303 {section}")
    expected = [(f"{FINE}_{unit}", pinpoint)] if unit else []
    assert [(target.unit_id, target.pinpoint) for target in one.targets] == expected
    assert (one.reason is None) is (unit is not None)


def test_a_project_declares_others() -> None:
    text = """successors:
- {code: ABCC, to: [NFTC], since: 2020-02-01}
- {title: "등명관리법", to: ["건축법"]}
"""
    own = read_successors(text)
    assert own.entries[0] == Succession(code="ABCC", to=("NFTC",), since=date(2020, 2, 1))
    catalogue = Catalogue(ENTRIES, own)
    assert read("ABCC 109 2.2", catalogue)[0].unit_ids == (f"{TECHNICAL}_2.2",)
    assert read("「등명관리법」 제102조", catalogue)[0].reason is Reason.PREDECESSOR
    assert read("NFSC 109 2.2", catalogue)[0].reason is Reason.NO_SUCH_INSTRUMENT
    assert read("NFSC 109 2.2", Catalogue(ENTRIES, Successors()))[0].unit_ids == ()


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ("- {to: [NFPC]}", 2),
        ("- {code: NFSC, title: 소방법, to: [NFPC]}", 2),
        ("- {code: NFSC}", 2),
        ("- {code: NFSC, to: [NFPC], since: soon}", 2),
        ("- {code: NFSC, to: [NFPC], until: 2022-12-01}", 2),
    ],
)
def test_a_wrong_entry_is_refused_with_its_line(entry: str, line: int) -> None:
    assert refusal(read_successors, f"successors:\n{entry}\n").where.line == line


def test_the_split_of_2022_is_shipped() -> None:
    entry = next(each for each in shipped().entries if each.kind == "code")
    assert (entry.former, entry.to, entry.since) == ("NFSC", ("NFPC", "NFTC"), date(2022, 12, 1))
    assert shipped().of("", "NFSC103A") == (("NFPC 103A", "NFTC 103A"), True)
