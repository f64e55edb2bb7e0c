from __future__ import annotations

from corpus.citations.catalogue import Catalogue, CatalogueEntry
from corpus.citations.find import find
from corpus.citations.instruments import places_typed
from corpus.citations.resolve import resolve
from corpus.model import Tier

LAWS = (
    ("가온 건축질서법", "법률", Tier.ACT),
    ("가온 화재안전 기본법", "법률", Tier.ACT),
    ("가온 화재안전 기본법 시행령", "대통령령", Tier.DECREE),
)
CATALOGUE = Catalogue(
    CatalogueEntry(title, title, kind, tier, f"{title}_{number}조")
    for title, kind, tier in LAWS
    for number in ("2", "12", "12의2")
)


def typed(text: str, limit: int = 10) -> list[str]:
    return places_typed(text, resolve(find(text), text, CATALOGUE), CATALOGUE, limit)


def test_a_bare_article_is_found_in_every_instrument_acts_first() -> None:
    assert typed("제12조") == [f"{title}_12조" for title, _, _ in LAWS]


def test_part_of_a_name_brings_its_instruments_first_and_drops_the_others() -> None:
    assert typed("화재안전 기본법 제12조") == [
        "가온 화재안전 기본법_12조",
        "가온 화재안전 기본법 시행령_12조",
    ]
    assert typed("질서법 제2조") == ["가온 건축질서법_2조", *typed("질서법 제2조")[1:]]


def test_what_resolves_is_left_to_resolving_and_what_is_not_there_is_not_found() -> None:
    for text in ("「가온 화재안전 기본법」 제12조", "소화기 설치", "제99조"):
        assert typed(text) == []
    assert len(typed("제2조", limit=2)) == 2
