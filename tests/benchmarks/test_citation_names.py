"""Citations made from titles: true by construction, and what is read wrong of them is counted."""

from __future__ import annotations

from collections import Counter
from unittest.mock import patch

from benchmarks.citation_names import Law, Written, figures, made, measure
from corpus.citations.catalogue import CatalogueEntry
from corpus.model import Tier, slug

ACTS = [
    f"{a} {b}의 관리 및 {c}에 관한 법률"
    for a, b, c in zip(
        ("등대", "수로", "부두", "선착장", "나룻배", "항로", "방파제", "어망", "돛단배", "도선"),
        ("시설", "이용", "안전", "구조", "운송", "표지", "보수", "어구", "제작", "교육"),
        ("지원", "보전", "점검", "증축", "감독", "관측", "준설", "회수", "수출", "양성"),
        strict=True,
    )
]
ENTRIES = [
    CatalogueEntry(slug(title), title, "", Tier.ACT, f"{slug(title)}_{n}조")
    for act in ACTS
    for title, count in ((act, 12), (f"{act} 시행령", 20), (f"{act} 시행규칙", 6))
    for n in range(1, count + 1)
]
LAW = Law(ENTRIES)


def test_they_are_made_alike_each_time_and_mean_units_of_the_corpus() -> None:
    written = made(LAW, 50)
    assert written == made(Law(ENTRIES), 50)
    units = {unit for one in LAW.corpus.instruments for unit in one.units.values()}
    assert all(one.unit in units or not one.unit for one in written)
    assert all((not one.unit) == one.way.startswith("absent_") for one in written)
    ways = Counter(one.way for one in written)
    assert {"title", "short_run", "short_tier", "same_tier", "level_tier", "absent_title"} <= set(
        ways
    )
    assert max(ways.values()) <= 50


def test_plain_names_are_read_right() -> None:
    found = {figure.name: figure.value for figure in figures(measure(ENTRIES, 50))}
    assert found["recall_title"] == found["recall_tier_outside"] == found["recall_same_tier"] == 1.0
    assert found["open_absent_title"] == found["open_absent_german"] == 1.0


def test_a_reader_that_guesses_is_found_out() -> None:
    """One that reads whatever is cited as the first article of all."""
    first = frozenset({ENTRIES[0].unit_id})
    with patch.object(Written, "read", lambda *_: first):
        found = {figure.name: figure for figure in figures(measure(ENTRIES, 50))}
    assert found["open_absent_title"].value == 0.0
    assert (found["precision_title"].value or 0) < 0.2
    assert (found["misread"].value or 0) > 0.9


def test_a_name_that_two_could_bear_is_not_asked_for() -> None:
    twin = "등대 시설관리의 지원에 관한 법률"
    more = [CatalogueEntry(slug(twin), twin, "", Tier.ACT, f"{slug(twin)}_1조"), *ENTRIES]
    assert not Law(more).alone("등대법")
    assert LAW.alone("등대시설법")
