""""""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.compare.compare import (
    SIMILAR,
    DateOrder,
    Dates,
    compare,
    date_order,
    moved,
    renamed,
    similarity,
)
from corpus.compare.model import Aspect, Comparison, Status, StatuteStatus
from corpus.model import Level, Statute, Unit
from tests.corpus.compare.law import FARE, ICE, LAMP, LAWS, VEST, article, deleted, statute
from tests.corpus.importers.fixtures import law_of

MIRRORED = {Status.ADDED: Status.REMOVED, Status.REMOVED: Status.ADDED}


def became(comparison: Comparison) -> list[tuple[str, str | None, str | None]]:
    """Return (status, old id, new id) of every unit."""
    return [
        (
            str(each.status),
            each.old.semantic_id if each.old else None,
            each.new.semantic_id if each.new else None,
        )
        for statute in comparison.statutes
        for each in statute.units
    ]


def test_each_status() -> None:
    old = statute(article("1", LAMP), article("2", VEST), article("3", FARE), article("4", ICE))
    new = statute(
        article("1", LAMP), article("2", VEST + " 점검표를 둔다."), article("2의2", FARE),
        article("5", "부두에는 신호 깃발을 올린다."),
    )  # fmt: skip
    assert became(compare([old], [new])) == [
        ("unchanged", "나루법_1조", "나루법_1조"),
        ("changed", "나루법_2조", "나루법_2조"),
        ("renumbered", "나루법_3조", "나루법_2조의2"),
        ("removed", "나루법_4조", None),
        ("added", None, "나루법_5조"),
    ]


def test_articles_that_move_on_by_one_are_renumbered() -> None:
    old = statute(article("1", LAMP), article("2", VEST), article("3", FARE))
    new = statute(article("1", ICE), article("2", LAMP), article("3", VEST), article("4", FARE))
    assert became(compare([old], [new])) == [
        ("added", None, "나루법_1조"),
        ("renumbered", "나루법_1조", "나루법_2조"),
        ("renumbered", "나루법_2조", "나루법_3조"),
        ("renumbered", "나루법_3조", "나루법_4조"),
    ]


def test_a_place_marked_as_deleted_holds_no_provision() -> None:
    old = statute(article("1", LAMP), article("2", VEST), deleted("3"))
    new = statute(deleted("1"), deleted("2"), article("3", FARE), article("4", LAMP))
    assert became(compare([old], [new])) == [
        ("removed", "나루법_2조", "나루법_2조"),
        ("added", "나루법_3조", "나루법_3조"),
        ("renumbered", "나루법_1조", "나루법_4조"),
    ]


def test_a_rewritten_article_is_changed() -> None:
    change = compare([statute(article("1", LAMP))], [statute(article("1", ICE, "얼음"))])
    unit = change.statutes[0].units[0]
    assert (unit.status, unit.aspects) == (Status.CHANGED, (Aspect.HEADING, Aspect.TEXT))
    assert unit.similarity < 0.5


def test_dates_chapters_and_order_are_no_change() -> None:
    unit = article("1", LAMP)
    moved = replace(unit, path=("제2장",), order=9, effective=date(2027, 1, 1))
    old, new = statute(unit), replace(statute(moved), effective=date(2027, 1, 1))
    assert compare([old], [new]).statutes[0].status is StatuteStatus.UNCHANGED


def test_a_statute_under_another_title_is_found_and_its_units_are_renumbered() -> None:
    units = (article("1", LAMP), article("2", VEST), article("3", FARE))
    old, other = statute(*units), statute(article("1", ICE), title="얼음법")
    new = statute(*units[:2], article("3", FARE + " 뱃삯을 깎을 수 있다."), title="나루와배법")
    compared = compare([old, other], [new, other])
    assert [str(each.status) for each in compared.statutes] == ["renamed", "unchanged"]
    assert became(compared)[:3] == [
        ("renumbered", "나루법_1조", "나루와배법_1조"),
        ("renumbered", "나루법_2조", "나루와배법_2조"),
        ("renumbered", "나루법_3조", "나루와배법_3조"),
    ]
    assert [bool(each.aspects) for each in compared.statutes[0].units] == [False, False, True]


def test_statutes_that_come_and_go() -> None:
    old, new = statute(article("1", LAMP)), statute(article("1", ICE), title="얼음법")
    compared = compare([old], [new])
    assert [str(each.status) for each in compared.statutes] == ["removed", "added"]
    assert compared.counts == {Status.REMOVED: 1, Status.ADDED: 1}


@given(LAWS)
def test_law_compared_with_itself_is_unchanged(law: list[Statute]) -> None:
    compared = compare(law, law)
    assert set(compared.counts) <= {Status.UNCHANGED}
    assert compared.touched == ()
    assert compared.counts.total() == sum(not u.deleted for each in law for u in each.units)


@given(LAWS, LAWS)
def test_every_provision_stands_in_exactly_one_change(old: list[Statute], new: list[Statute]):
    compared = [each for statute in compare(old, new).statutes for each in statute.units]
    for law, side in ((old, "old"), (new, "new")):
        seen = Counter(getattr(each, side).semantic_id for each in compared if getattr(each, side))
        assert set(seen.values()) <= {1}
        living = {u.semantic_id for s in law for u in s.units if not u.deleted}
        assert living <= set(seen)


@given(LAWS, LAWS)
def test_read_backwards_added_is_removed(old: list[Statute], new: list[Statute]) -> None:
    def pairs(compared: Comparison) -> set[tuple[Unit | None, Unit | None, Status]]:
        return {(u.old, u.new, u.status) for s in compared.statutes for u in s.units}

    mirrored = {(b, a, MIRRORED.get(s, s)) for a, b, s in pairs(compare(new, old))}
    assert pairs(compare(old, new)) == mirrored


@pytest.mark.real_data
def test_the_real_fire_safety_statutes_are_compared_in_seconds(shared_data: Path) -> None:
    old = [*law_of(shared_data / "korean-law" / "fire-safety")]
    new, expected = amend(old)
    began = process_time()
    compared = compare(old, new)
    assert process_time() - began < 5
    found = [each for each in became(compared) if each[0] != "unchanged"]
    assert sorted(found, key=str) == sorted(expected, key=str)


def amend(law: list[Statute]) -> tuple[list[Statute], list[tuple[str, str | None, str | None]]]:
    """Amend ten articles of every statute that has as many; return it with what was done."""
    expected: list[tuple[str, str | None, str | None]] = []
    amended = []
    for each in law:
        units = [u for u in each.units if u.semantic_id.endswith("조") and len(u.text) > 100]
        if len(units) < 40 or each.language != "ko":
            amended.append(each)
            continue
        changed, gone, again = units[3], units[9], units[20]
        branch = replace(again, semantic_id=again.semantic_id + "의77", label=again.label + "의77")
        fresh = replace(changed, semantic_id=changed.semantic_id + "의88", text=ICE, heading="얼음")
        swap = {
            changed.semantic_id: (
                replace(changed, text=changed.text + " 다만, 강은 제외한다."),
                fresh,
            ),
            gone.semantic_id: (),
            again.semantic_id: (branch,),
        }
        own = [new for u in each.units for new in swap.get(u.semantic_id, (u,))]
        amended.append(replace(each, units=tuple(own)))
        expected += [
            ("changed", changed.semantic_id, changed.semantic_id),
            ("removed", gone.semantic_id, None),
            ("renumbered", again.semantic_id, branch.semantic_id),
            ("added", None, fresh.semantic_id),
        ]
    assert len(expected) > 40
    return amended, expected


EARLY, LATE, NEVER = date(2020, 1, 1), date(2026, 1, 1), date(9999, 1, 1)
DATES = st.sampled_from([None, EARLY, LATE, NEVER])
LAW = st.dictionaries(st.sampled_from("abc"), st.tuples(DATES, DATES))


@pytest.mark.parametrize(
    ("old", "new", "order"),
    [
        ((EARLY, NEVER), (LATE, EARLY), DateOrder(1, 0, 0)),
        ((EARLY, EARLY), (EARLY, NEVER), DateOrder(1, 0, 0)),
        ((None, LATE), (EARLY, EARLY), DateOrder(0, 1, 0)),
        ((None, LATE), (EARLY, None), DateOrder(0, 0, 1)),
    ],
)
def test_promulgation_counts_first_then_the_effective_date(
    old: Dates, new: Dates, order: DateOrder
) -> None:
    assert date_order({"a": old, "b": old}, {"a": new, "c": new}) == order


@given(LAW, LAW)
def test_read_the_other_way_later_is_earlier(old: dict[str, Dates], new: dict[str, Dates]) -> None:
    there, back = date_order(old, new), date_order(new, old)
    assert (there.later, there.earlier, there.same) == (back.earlier, back.later, back.same)
    assert there.later + there.earlier + there.same == len(old.keys() & new.keys())
    assert not (there.backwards and back.backwards)


def pairs(old: list[Unit], new: list[Unit]) -> list[tuple[str, str]]:
    return [(one.label, other.label) for one, other, _ in moved(old, new)]


def test_a_provision_is_found_by_its_words() -> None:
    old = [article("1", LAMP), article("2", VEST)]
    new = [article("7", VEST + " 점검표를 둔다."), article("8", LAMP), article("9", ICE)]
    assert pairs(old, new) == [("제1조", "제8조"), ("제2조", "제7조")]


def test_below_the_threshold_nothing_is_found() -> None:
    half = LAMP[: len(LAMP) // 2] + FARE[len(FARE) // 2 :]
    assert similarity(article("1", LAMP), article("2", half)) < SIMILAR
    assert pairs([article("1", LAMP)], [article("2", half)]) == []


@pytest.mark.parametrize("twin", [LAMP, LAMP + " 또는 횃불을 든다."])
def test_a_tie_is_left_open(twin: str) -> None:
    new = [article("2", twin + " 가"), article("3", twin + " 나")]
    assert pairs([article("1", twin)], new) == []
    assert pairs(new, [article("1", twin)]) == []


def test_the_exact_words_win_over_nearly_the_same() -> None:
    new = [article("2", LAMP), article("3", LAMP + ".")]
    assert pairs([article("1", LAMP)], new) == [("제1조", "제2조")]


def test_only_living_units_of_one_level_are_paired_and_headings_alone_must_be_equal() -> None:
    annex = replace(article("2", LAMP), level=Level.ANNEX)
    assert pairs([article("1", LAMP)], [annex]) == []
    assert pairs([deleted("1")], [deleted("2")]) == []
    assert pairs([article("1", "")], [article("2", "")]) == []
    known = replace(article("1", "", "구명조끼의 수와 보관"), text_missing=True)
    near = replace(known, semantic_id="나루법_2조", heading="구명조끼의 수와 보관 장소")
    assert pairs([known], [near]) == []
    assert len(moved([known], [replace(near, heading=known.heading)])) == 1


OLD = statute(article("1", LAMP), article("2", VEST), article("3", FARE))


def names(old: list[Statute], new: list[Statute]) -> list[tuple[str, str]]:
    return [(one.title, other.title) for one, other in renamed(old, new)]


def test_another_title_is_one_statute_if_half_of_its_lines_were_kept() -> None:
    most = statute(article("1", LAMP), article("2", VEST), article("3", ICE), title="강법")
    assert names([OLD], [most]) == [("나루법", "강법")]


TWINS = [statute(*OLD.units, title=title) for title in ("강법", "배법")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([OLD], [statute(article("1", LAMP), article("2", ICE), title="강법")]),
        ([OLD], TWINS),
        (TWINS, [OLD]),
        ([OLD], [replace(TWINS[0], language="en")]),
        ([statute()], [statute(title="강법")]),
    ],
    ids=["too little kept", "two fit", "to two", "another language", "without text"],
)
def test_other_titles_are_other_statutes(old: list[Statute], new: list[Statute]) -> None:
    assert names(old, new) == []
