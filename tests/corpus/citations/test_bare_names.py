"""Former law: every way to say that an act is meant as it was, and words that only look like it."""

from __future__ import annotations

from datetime import date

import pytest

from corpus.citations.catalogue import Catalogue, CatalogueEntry
from corpus.citations.find import find
from corpus.citations.model import Reason, Resolution, Status
from corpus.citations.resolve import resolve
from corpus.graph.resolve import read_statute
from corpus.model import Level, Statute, Tier, Unit

ACT, DECREE = "등대법", "등대법 시행령"
LONG = "등대의 설치 및 관리에 관한 법률"
CATALOGUE = Catalogue(
    CatalogueEntry(title.replace(" ", "-"), title, "", Tier.ACT, f"{title.replace(' ', '-')}_{n}조")
    for title in (ACT, DECREE, LONG)
    for n in range(1, 21)
)


def read(text: str, question: str = "") -> list[Resolution]:
    """Find and resolve the citations of an answer to a question."""
    asked = resolve(find(question), question, CATALOGUE)
    return resolve(find(text), text, CATALOGUE, asked)


@pytest.mark.parametrize(
    "text",
    [
        "구 등대법 제8조",
        "구등대법 제8조",
        "(구) 등대법 제8조",
        "구 「등대법」 제8조",
        "「구 등대법」 제8조",
        "「등대법」(구) 제8조",
        "구)등대법 제8조",
        "[구] 등대법 제8조",
        "舊 등대법 제8조",
        "옛 등대법 제8조",
        "신·구 등대법 제8조",
        "구 등대법상 제8조",
        "구 등대법 §8①",
        "개정 전 등대법 제8조",
        "개정 전의 「등대법」 제8조",
        "개정되기 전의 등대법 제8조",
        "시행되기 전의 등대법 제8조",
        "종전의 「등대법」 제8조",
        "종전의 규정에 의한 「등대법」 제8조",
        "폐지된 「등대법」 제8조",
        "법률 제12345호로 일부개정되기 전의 「등대법」 제8조",
        "법률 제8974호로 전부개정되기 전의 구 등대법 제8조",
        "2008. 3. 21. 법률 제8974호로 개정되기 전의 등대법 제8조",
        "등대법(개정 전) 제8조",
        "등대법(구법) 제8조",
        "등대법(2008. 3. 21. 법률 제8974호로 개정되기 전의 것) 제8조",
        "구 등대법(2008. 3. 21. 법률 제8974호로 전부 개정되기 전의 것, 이하 같다) 제8조",
        "「등대법」[법률 제8974호로 개정되기 이전의 것] 제8조제1항",
        "등대법 제8조(2008. 3. 21. 법률 제8974호로 개정되기 전의 것)",
        "등대법 제8조(구법)",
        "당시 등대법 제8조",
        "당시 시행되던 「등대법」 제8조",
        "과거의 등대법 제8조",
    ],
)
def test_former_law_is_never_todays(text: str) -> None:
    for written in (f"처분은 {text}에 따른다.", text):
        (one,) = read(written)
        assert (one.status, one.reason) == (Status.UNRESOLVED, Reason.FORMER_VERSION)
        assert (one.instrument_title, one.unit_ids, one.targets) == (ACT, ("등대법_8조",), ())
        assert one.citation.text in written
        assert written[one.citation.start : one.citation.end] == one.citation.text


@pytest.mark.parametrize(
    "text",
    [
        "구청장은 등대법 제8조",
        "강남구 등대법 제8조",
        "연구 등대법 제8조",
        "항만 구역 등대법 제8조",
        "구조에 관한 등대법 제8조",
        "구 소방서 건물은 등대법 제8조",
        "개정된 등대법 제8조",
        "시행 전 날 등대법 제8조",
        "개정 전후의 등대법 제8조",
        "현행 등대법 제8조",
        "종전의 예에 따라 등대법 제8조",
        "등대법(2008. 3. 21. 법률 제8974호) 제8조",
    ],
)
def test_words_that_only_look_like_it(text: str) -> None:
    (one,) = read(text)
    assert [target.unit_id for target in one.targets] == ["등대법_8조"]


@pytest.mark.parametrize(
    ("text", "question", "former"),
    [
        ("구 등대법 제8조와 같은 법 제9조", "", [True, True]),
        ("구 등대법 제8조와 동법 시행령 제9조", "", [True, True]),
        ("구 등대법 제8조, 제9조", "", [True, True]),
        ("구 등대법 제8, 9조", "", [True, True]),
        ("구 등대법 제8조 제1항, 같은 조 제2항", "", [True, True]),
        ("구 등대법 제8조. 전조에 따른다", "", [True, True]),
        ("구 등대법에 따라 허가하였다. 같은 법 제9조", "", [True]),
        ("구 등대법(이하 '법'이라 한다) 제8조와 법 제9조", "", [True, True]),
        ("구 등대법(이하 '구 등법'이라 한다) 제8조와 구 등법 제9조", "", [True, True]),
        ("등대법 제8조. 구법 제9조", "", [False, True]),
        ("등대법 제8조. 종전 규정 제9조", "", [False, True]),
        ("등대법 제8조. 구 시행령 제9조", "", [False, True]),
        ("등대법 제8조. 개정 전 제9조", "", [False, True]),
        ("구 등대법 제8조와 등대법 제9조", "", [True, False]),
        ("구 등대법 제8조 대신 현행 등대법 제9조, 같은 법 제10조", "", [True, False, False]),
        ("등대법 제8조, 제9조(개정되기 전의 것)", "", [True, True]),
        ("같은 법 제9조", "구 등대법 제8조가 무엇인가?", [True]),
    ],
)
def test_what_points_at_former_law_is_former(text: str, question: str, former: list[bool]) -> None:
    found = read(text, question)
    assert [one.reason is Reason.FORMER_VERSION for one in found] == former
    assert [bool(one.targets) for one in found] == [not each for each in former]


def test_a_bare_place_beside_both_versions_points_at_neither() -> None:
    assert read("등대법 제1조, 구 등대법 제8조. 그리고 제9조")[-1].reason is Reason.NO_ANTECEDENT


@pytest.mark.parametrize(
    ("text", "amended"),
    [
        ("구 등대법(2008. 3. 21. 법률 제8974호로 개정되기 전의 것) 제8조", date(2008, 3, 21)),
        ("2008년 3월 21일 법률 제8974호로 개정되기 전의 등대법 제8조", date(2008, 3, 21)),
        ("구 등대법(2008. 13. 41. 법률 제8974호로 개정되기 전의 것) 제8조", None),
        ("구 등대법 제8조", None),
    ],
)
def test_the_date_of_the_amendment(text: str, amended: date | None) -> None:
    (one,) = find(text)
    assert one.mention.former is not None
    assert one.mention.former.amended == amended


def test_an_act_that_the_corpus_lacks_or_that_was_replaced_says_so_first() -> None:
    assert read("구 산림훼손방지법 제5조")[0].reason is Reason.NO_SUCH_INSTRUMENT
    assert read("구 소방법 제5조")[0].reason is Reason.PREDECESSOR


def test_a_law_that_cites_former_law_makes_no_edge_to_todays() -> None:
    text = "종전의 「등대법」 제8조와 같은 법 제9조, 등대법 제10조, 개정되기 전의 제3조에 따른다."
    unit = Unit("등대법-시행령_2조", "등대법-시행령", Level.ARTICLE, "제2조", "", text, 0)
    statute = Statute("등대법-시행령", DECREE, "", Tier.DECREE, "ko", (unit,))
    read_references = read_statute(statute, CATALOGUE).references
    assert [str(one.reason or one.status) for one in read_references] == [
        "former_version",
        "former_version",
        "resolved",
        "former_version",
    ]
