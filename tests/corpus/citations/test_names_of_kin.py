"""Names that come near another statute's: read as that one alone, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.citations.catalogue import Catalogue, CatalogueEntry, _is_slip, rank
from corpus.citations.find import find
from corpus.citations.model import Resolution
from corpus.citations.resolve import resolve
from corpus.model import Tier, slug

PIER = "부두의 예방 및 안전에 관한 법률"
TITLES = {
    "등대 보호법": 20,
    "수로 이용법": 20,
    "군수로 이용법": 20,
    "등대공무원의 노동조합 설립 및 운영에 관한 법률": 20,
    "항로 이용자를 두는 등대에 관한 개인정보 보호 규칙": 20,
    "등대지기 임용령": 20,
    "등대지기 임용령 시행규칙": 9,
    "등대청과 그 소속기관 직제": 20,
    "부두의 예방 및 안전에 관한 법률": 20,
    "부두의 예방 및 안전에 관한 법률 시행령": 40,
    "부두의 예방 및 안전에 관한 법률 시행규칙": 9,
    "부두예보의 방재 및 안전조치에 관한 법률 시행규칙": 60,
    "항만 시설법": 20,
    "항만 시설법 시행규칙": 90,
}
CATALOGUE = Catalogue(
    CatalogueEntry(slug(title), title, "", Tier.ACT, f"{slug(title)}_{n}조")
    for title, count in TITLES.items()
    for n in range(1, count + 1)
)


def last(text: str) -> Resolution:
    return resolve(find(text), text, CATALOGUE)[-1]


UNION = "등대공무원의 노동조합 설립 및 운영에 관한 법률"
MEANINGS = """
another kind of act | 「등대기본법」 제5조 | no_such_instrument
another one | 「등대특별법」 제5조 | no_such_instrument
another first word | 「교육공무원의 노동조합 설립 및 운영에 관한 법률」 제5조 | no_such_instrument
another letter of it | 「등대군무원의 노동조합 설립 및 운영에 관한 법률」 제5조 | no_such_instrument
a word more | 「원양 등대공무원의 노동조합 설립 및 운영에 관한 법률」 제5조 | no_such_instrument
a slip | 「등대공무원의 노동조합 설립과 운영에 관한 법률」 제5조 | UNION 5조
a word within | 「등대공무원의 노동조합 설립 및 안전운영에 관한 법률」 제5조 | UNION 5조
a letter | 「등대공무원의 노동조합 설림 및 운영에 관한 법률」 제5조 | UNION 5조
no particles | 「등대공무원 노동조합 설립 운영에 관한 법률」 제5조 | UNION 5조
the longest title | 따라서 군수로 이용법 제5조에 따라 | 군수로 이용법 5조
the shorter one | 수로 이용법 제5조에 따라 | 수로 이용법 5조
of many words | 항로 이용자를 두는 등대에 관한 개인정보 보호 규칙 제5조 | LONG 5조
behind a sentence | 설치한다. 등대청과 그 소속기관 직제 제5조의 규정 | 등대청과 그 소속기관 직제 5조
without blanks | 자는 등대청과그소속기관직제 제5조에서 | 등대청과 그 소속기관 직제 5조
the rule of a title | 「등대지기 임용령」 시행규칙 제4조 | 등대지기 임용령 시행규칙 4조
of the one before | 「등대지기 임용령」 제10조, 시행규칙 제4조 | 등대지기 임용령 시행규칙 4조
of a short name | 부두예방법 시행규칙 제4조 | PIER 시행규칙 4조
in brackets | 「부두예방법」 시행규칙 제4조 | PIER 시행규칙 4조
its decree | 「부두예방법」 시행령 제30조 | PIER 시행령 30조
which has what its rule and a rule of a like name lack | 부두예방법 시행규칙 제30조 | no_such_place
the same | 「부두예방법」 시행규칙 제30조 | no_such_place
the act named before has it | 「항만 시설법」 제5조, 「부두예방법」 시행규칙 제30조 | no_such_place
its rule has | 「항만 시설법 시행규칙」 제5조와 부두예방법 시행규칙 제30조 | no_such_place
"""
LONG = "항로 이용자를 두는 등대에 관한 개인정보 보호 규칙"


@pytest.mark.parametrize("line", MEANINGS.strip().splitlines())
def test_what_is_meant(line: str) -> None:
    for short, title in (("UNION", UNION), ("LONG", LONG), ("PIER", PIER)):
        line = line.replace(short, title)
    _, text, expected = line.split(" | ")
    title, _, place = expected.rpartition(" ")
    found = last(text)
    assert [target.unit_id for target in found.targets] == [f"{slug(title)}_{place}"] * bool(title)
    assert title or found.reason == expected


def test_the_best_name_decides_where_its_rule_is_not_in_the_corpus() -> None:
    lacking = Catalogue(
        CatalogueEntry(slug(title), title, "", Tier.ACT, f"{slug(title)}_5조")
        for title in TITLES
        if title != "부두의 예방 및 안전에 관한 법률 시행규칙"
    )
    for text in ("부두예방법 시행규칙 제5조", "「부두예방법 시행규칙」 제5조"):
        assert resolve(find(text), text, lacking)[-1].targets == ()


@pytest.mark.parametrize(
    "words",
    ["Art. 5 Abs. 1 GG", "Art. 5 GG", "Art. 6 Absatz 2 EUV", "Art. 6 lit. f DSGVO", "§ 5 BGB"],
)
def test_an_article_of_german_law_is_none_of_the_act_named_before(words: str) -> None:
    text = f"항만 시설법 제1조와 달리 {words}"
    assert len(resolve(find(text), text, CATALOGUE)) == 1


def test_a_kind_of_act_is_no_other_kind() -> None:
    assert rank("등대기본법", "등대 보호법") is None
    assert rank("등대특별법", "등대 보호법") is None
    assert rank("등대지원특별법", "등대지원에 관한 특별조치법") is not None


WORDS = st.text(st.sampled_from("등대공무원노동조합설립운영관리"), min_size=8, max_size=14)


@given(WORDS, st.data())
def test_a_particle_more_or_less_is_a_slip_wherever_it_stands(title: str, data) -> None:
    at = data.draw(st.integers(1, len(title)))
    particle = data.draw(st.sampled_from("의에을를과와및등"))
    assert _is_slip(title[:at] + particle + title[at:], title)
    assert _is_slip(title, title[:at] + particle + title[at:])


@given(WORDS, st.data())
def test_another_word_in_its_place_is_none(title: str, data) -> None:
    at = data.draw(st.integers(0, len(title) - 1))
    if title.count(title[at]) == 1:
        assert not _is_slip(title[:at] + "쿵" + title[at + 1 :], title)
