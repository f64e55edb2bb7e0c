"""Two snapshots compared, and going back to one."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from time import process_time

import pytest

from corpus.compare.model import LawChange, Status, StatuteStatus
from corpus.importers.legalize_kr import read_tree
from services.law.activation import use_snapshot
from services.law.comparison import change_in_words, compare, dates_in_words
from services.law.overview import law_counts, overview
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.gold.test_rechecks import amended_law
from tests.annotation.house import SLUG, House, build, statute
from tests.conftest import FakeClock
from tests.corpus.compare.law import FARE, LAMP, article
from tests.corpus.compare.law import statute as korean
from tests.corpus.compare.test_compare import amend
from tests.projects.bare_project import bare_project
from tests.support.refusals import code_of, refused


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    """Return a project with the Lake Act as snapshot 1 and amended as snapshot 2."""
    made = build(tmp_path / "workspace", clock)
    for person in (made.ann, made.ben):
        submit(made, person, made.items[0], (1,))
    keep_statutes(made.ws, SLUG, [amended_law(), korean(article("1", FARE))], "second")
    return made


def test_the_snapshot_in_use_is_compared_with_the_one_before_it(house: House) -> None:
    report = compare(house.ws, SLUG)
    assert (report.old.id, report.new.id, report.new.in_use) == (1, 2, True)
    assert report.units == {
        Status.CHANGED: 1,
        Status.RENUMBERED: 1,
        Status.REMOVED: 1,
        Status.UNCHANGED: 2,
        Status.ADDED: 1,
    }
    assert report.statutes == {StatuteStatus.CHANGED: 1, StatuteStatus.ADDED: 1}
    assert report.law == LawChange(differ=1, equal=0, new=1, gone=0)
    told = json.loads(json.dumps(report.as_dict()))
    assert told["old"] == {"id": 1, "name": "first", "effective": "2026-01-01", "in_use": False}
    assert [unit["status"] for unit in told["changes"][0]["units"]] == [
        "changed", "renumbered", "removed",
    ]  # fmt: skip
    back = compare(house.ws, SLUG, 2, 1)
    assert (back.old.id, back.new.id) == (2, 1)
    assert back.units[Status.REMOVED] == back.units[Status.ADDED] == 1
    assert back.law == LawChange(differ=1, equal=0, new=0, gone=1)
    assert compare(house.ws, SLUG, 1, 2) is report, "two snapshots are compared once"


def test_the_change_says_which_statutes_from_which_law_to_which(house: House) -> None:
    report = compare(house.ws, SLUG)
    day = f"{report.new.imported:%Y-%m-%d}"
    assert change_in_words(report, "en") == (
        f"4 provisions of 2 statutes changed from law 1 (effective 2026-01-01, imported {day}) "
        f"to law 2 (effective 2026-01-01, imported {day}): Lake Act (3), 나루법 (1)."
    )
    by_title = {each.statute.title: each for each in report.comparison.touched}
    assert dates_in_words(by_title["Lake Act"]) == "2026-01-01"
    later = replace(by_title["Lake Act"].statute, effective=date(2026, 7, 1))
    assert dates_in_words(replace(by_title["Lake Act"], new=later)) == "2026-01-01 → 2026-07-01"
    same = replace(report, comparison=replace(report.comparison, statutes=()))
    assert change_in_words(same, "en") == ""


def test_statutes_that_say_the_same_are_counted_and_not_read(house: House) -> None:
    keep_statutes(house.ws, SLUG, [amended_law(), korean(article("1", LAMP))], "third")
    report = compare(house.ws, SLUG)
    assert [each.statute.title for each in report.comparison.statutes] == ["나루법"]
    assert (report.same_statutes, report.same_units) == (1, 4)
    assert report.units == {Status.CHANGED: 1, Status.UNCHANGED: 4}


def test_law_that_is_imported_again_comes_into_use_again(house: House) -> None:
    again = keep_statutes(house.ws, SLUG, [amended_law(), korean(article("1", FARE))], "again")
    first = keep_statutes(house.ws, SLUG, [statute()], "first again")
    assert (again.new, again.before) == (False, None), "it was in use"
    assert (first.new, first.snapshot_id, first.before) == (False, 1, 2)
    assert [line.in_use for line in overview(house.ws, SLUG).snapshots] == [False, True]
    assert compare(house.ws, SLUG).new.id == 1


def test_what_cannot_be_compared_is_refused(house: House, tmp_path: Path) -> None:
    assert code_of(compare, house.ws, SLUG, 1, 1) == "compare_same"
    with refused("snapshot_unknown") as caught:
        compare(house.ws, SLUG, 7, 2)
    assert "2 (second, 2026-01-01), 1 (first, 2026-01-01)" in caught.value.remedy()
    create_project(house.ws, "empty", "Empty")
    assert code_of(compare, house.ws, "empty") == "compare_needs_two"


@pytest.mark.long
@pytest.mark.real_data
def test_the_real_law_is_compared_in_seconds(
    tmp_path: Path, clock: FakeClock, shared_data: Path
) -> None:
    ws = bare_project(tmp_path / "w", "p", clock)
    law = read_tree(shared_data / "korean-law" / "fire-safety")
    new, expected = amend(law)
    for version in (law, new):
        keep_statutes(ws, "p", version, "law")
    began = process_time()
    report = compare(ws, "p")
    assert process_time() - began < 5
    assert sum(len(each.touched) for each in report.comparison.statutes) == len(expected)
    assert report.statutes[StatuteStatus.CHANGED] == len(expected) // 4


def test_the_counts_add_up_to_the_units_of_both_snapshots(house: House) -> None:
    gone = replace(article("2", "삭제"), deleted=True)
    keep_statutes(house.ws, SLUG, [amended_law(), korean(article("1", LAMP), gone)], "third")
    for old, new in ((1, 2), (2, 3), (3, 1), (1, 3)):
        report = compare(house.ws, SLUG, old, new)
        sides = zip((old, new), report.provisions, report.deleted, strict=True)
        for snapshot, provisions, deleted in sides:
            assert provisions + deleted == law_counts(house.ws, snapshot).units
    assert compare(house.ws, SLUG, 2, 3).deleted == (0, 1)


def test_a_version_that_comes_into_force_later_is_the_newer_one(house: House) -> None:
    keep_statutes(house.ws, SLUG, [replace(statute(), effective=date(2020, 1, 1))], "oldest")
    report = compare(house.ws, SLUG)
    assert report.new.in_use and report.dates.backwards
    assert not compare(house.ws, SLUG, 1, 2).dates.backwards
    older = replace(statute(), promulgated=date(2025, 1, 1), effective=date(2025, 2, 1))
    newer = replace(statute(), promulgated=date(2025, 6, 1), effective=date(9999, 1, 1))
    first = keep_statutes(house.ws, SLUG, [older], "older").snapshot_id
    second = keep_statutes(house.ws, SLUG, [newer], "newer").snapshot_id
    assert not compare(house.ws, SLUG, first, second).dates.backwards
    assert compare(house.ws, SLUG, second, first).dates.backwards


def test_a_snapshot_of_another_project_is_refused(house: House) -> None:
    create_project(house.ws, "other", "Other")
    for number in (1, 3, -1, 2**70):
        assert code_of(use_snapshot, house.ws, "other", number) == "snapshot_unknown"
