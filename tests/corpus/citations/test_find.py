"""Finding never fails, cuts exactly, and takes linear time."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.citations.catalogue import Catalogue
from corpus.citations.find import find
from corpus.citations.model import Reason, Status
from corpus.citations.resolve import resolve
from corpus.importers.english.reader import parse_english
from corpus.importers.statutes.records import Notes
from tests.support.examples import scaled

PRIVACY = """45 CFR Part 164 Ferry Privacy
§ 164.502 Uses.
(a) Standard.
(1) Permitted.
(i) To the passenger;
(ii) For the crossing.
§ 164.506 Consent.
Text.
§ 164.514 Other.
(b) Records.
"""
SAFETY = "45 C.F.R. Part 160 Ferry Safety\n§ 160.103 Definitions.\nWords.\n"
COPYRIGHT = "Title 17, United States Code\n§ 107. Fair use\nText.\n§ 101a. More\nText.\n"
LAW = [parse_english(text, "a.txt", Notes()) for text in (PRIVACY, SAFETY, COPYRIGHT)]


def targets(text: str) -> list[tuple[str, list[tuple[str, str]]]]:
    found = resolve(find(text), text, Catalogue.from_statutes(LAW))
    return [
        (one.citation.text, [(t.unit_id.partition("_")[2], t.pinpoint) for t in one.targets])
        for one in found
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See 45 C.F.R. § 164.502(a)(1)(ii).", ("164.502", "(a)/(1)/(ii)")),
        ("See 45 CFR 160.103.", ("160.103", "")),
        ("under 17 U.S.C. § 107, fair use", ("107", "")),
        ("17 USC § 101a", ("101a", "")),
    ],
)
def test_a_section_of_imported_law_is_found(text: str, expected: tuple[str, str]) -> None:
    ((written, found),) = targets(text)
    assert found == [expected]
    assert written in text and written.startswith(("45", "17"))


def test_lists_and_ranges_after_two_signs() -> None:
    assert targets("Under 45 C.F.R. §§ 164.502(a), 164.514(b) and 164.506.") == [
        ("45 C.F.R. §§ 164.502(a)", [("164.502", "(a)")]),
        ("164.514(b)", [("164.514", "(b)")]),
        ("164.506", [("164.506", "")]),
    ]
    written = [text for text, _ in targets("45 C.F.R. §§ 164.502, 17 U.S.C. § 107")]
    assert written == ["45 C.F.R. §§ 164.502", "17 U.S.C. § 107"]
    ((_, found),) = targets("45 C.F.R. §§ 164.502–164.514")
    assert [place for place, _ in found] == ["164.502", "164.506", "164.514"]


def test_law_that_is_not_here_is_said_to_be_missing() -> None:
    text = "18 U.S.C. § 1030 and 17 U.S.C. § 999"
    first, second = resolve(find(text), text, Catalogue.from_statutes(LAW))
    assert (first.status, first.reason) == (Status.UNRESOLVED, Reason.NO_SUCH_INSTRUMENT)
    assert (second.status, second.reason) == (Status.UNRESOLVED, Reason.NO_SUCH_PLACE)


@pytest.mark.parametrize(
    ("text", "number", "pinpoint", "last"),
    [
        ("42 U. S. C. § 1983", "1983", "", ""),
        ("17 U.S.C. §§ 101-107", "101-107", "", ""),
        ("17 U.S.C. §§ 101 to 107", "101", "", "107"),
        ("5 U.S.C. 552a(b)(1)", "552a", "(b)/(1)", ""),
    ],
)
def test_sections_with_letters_and_hyphens(
    text: str, number: str, pinpoint: str, last: str
) -> None:
    ((place,),) = [one.places for one in find(f"See {text}, and more.")]
    assert (place.number, place.pinpoint, place.last) == (number, pinpoint, last)


def test_other_law_of_the_united_states_is_listed_too() -> None:
    text = "Cal. Penal Code § 187; Pub. L. No. 111-148, 124 Stat. 119; 85 Fed. Reg. 1234."
    found = resolve(find(text), text, Catalogue.from_statutes(LAW))
    assert [(one.citation.text, one.reason) for one in found] == [
        ("Cal. Penal Code § 187", Reason.NO_SUCH_INSTRUMENT),
        ("Pub. L. No. 111-148", Reason.NO_SUCH_INSTRUMENT),
        ("85 Fed. Reg. 1234", Reason.NO_SUCH_INSTRUMENT),
    ]


_WORDS = """
「 」 『 』 제 조 항 호 목 의 1 2 10 12 및 · ㆍ , 부터 까지 내지 같은 동 법 법률 영
시행령 시행규칙 기준 규칙 별표 별지 서식 부칙 NFTC LBTC 102 2.1 2.1.1 ( ) [ ] < > ①
가목 이하 " 에 관한 . 2023.4.14 - ~ Article Articles Act the of same Enforcement Decree
Section Annex 9-2 제3호 주택법 중 개정법률 지목 45 C.F.R. CFR U.S.C. § §§ 164.502 (a) (1)
107 1320d-2 Id. Pub. L. No. Fed. Reg. section subsection paragraph to and
"""
FIND_PIECES = st.sampled_from([*_WORDS.split(), " ", "  ", "\n", "\u2028"])
LEGAL_NOISE = st.lists(FIND_PIECES, max_size=60).map("".join)


@settings(max_examples=scaled(400))
@given(LEGAL_NOISE | st.text(max_size=300))
def test_spans_are_exact_and_apart_whatever_the_text(text: str) -> None:
    found = find(text)
    assert all(text[one.start : one.end] == one.text != "" for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize(
    "piece",
    [
        "제1조및",
        "「가",
        "제1조(",
        "에 관한 법률 제1조 ",
        "Article 1 of Aa Bb Cc Dd Ee ",
        "Aa of ",
        "부칙 <",
        "1.1.1 ",
        "별표 1 ",
        "§ 1, ",
        "section 5 of the Act and ",
    ],
)
def test_time_is_linear(piece: str) -> None:
    """So much takes an eighth of a second; with a quadratic pattern it takes minutes."""
    text = piece * (30_000 // len(piece))
    began = time.process_time()
    find(text)
    assert time.process_time() - began < 2
