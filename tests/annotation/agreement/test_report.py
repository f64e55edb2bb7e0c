from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.agreement import calibration
from annotation.agreement.calibration import Known
from annotation.agreement.overview import work_of
from annotation.agreement.report import headline, odd_times, part, report, totals
from annotation.agreement.views import FigureRow, ReportPart, Table, View
from annotation.batches.commands import BatchPlan, make_batch, set_pool
from annotation.people import members
from annotation.people.roles import NotAllowedError
from annotation.work import commands
from errors import UserError
from evaluation.agreement.interpretation import Reading
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import SLUG, House, given_back
from tests.conftest import FakeClock

BEHIND = (ReportPart.PAIRS, ReportPart.DRIFT, ReportPart.CATEGORIES, ReportPart.CALIBRATION)


def annotated(house: House) -> House:
    """Ann and Ben agree on the first item, differ on the second; the third is not complete."""
    first, second, third = house.items
    submit(house, house.ann, first, (1, 2), comment="kept")
    submit(house, house.ben, first, (1, 2))
    submit(house, house.ann, second, (1, 4), unsure=(3,))
    submit(house, house.ben, second, (2,), unsure=(3,))
    submit(house, house.cho, third, (3,))
    return house


def of(tables: list[Table], view: View) -> Table:
    return next(each for each in tables if each.view is view)


def row(table: Table, *names: str, statistic: str | None = None) -> FigureRow:
    return next(
        each
        for each in table.rows
        if each.names == names and statistic in (None, each.finding.statistic)
    )


def test_an_empty_project_says_why_there_is_nothing(house: House) -> None:
    found = report(house.ws, SLUG)
    assert {each.part for each in found.tables} == set(ReportPart)
    for table in found.tables:
        assert table.items == 0
        assert all(each.finding.figure.value is None for each in table.rows)
        assert all(each.finding.reason is not None for each in table.rows)
    assert found.times is not None
    assert (found.times.decisions, found.times.people) == ((), ())


def test_both_views_are_over_complete_items_with_their_own_n(house: House) -> None:
    tables = totals(annotated(house).ws, SLUG)
    answers, decisions = of(tables, View.QUESTIONS), of(tables, View.CANDIDATES)
    assert (answers.items, decisions.items) == (2, 2)
    raw = row(answers, statistic="raw").finding.figure
    assert (raw.value, raw.n) == (0.5, 2)
    # Both decided 1 and 2 on the first item, only 3 on the second; 4 was shown to nobody.
    raw = row(decisions, statistic="raw").finding.figure
    assert (raw.value, raw.n) == (1.0, 3)
    # What one decided is a gap, which alpha allows.
    keys = ["alpha_nominal", "cohen_kappa", "fleiss_kappa", "ac1", "raw"]
    assert [each.finding.statistic for each in decisions.rows] == keys
    differ = Reading("statistics.differences", {"differing": 1, "more": 0})
    assert answers.notes == (differ, Reading("statistics.advice.sets"))
    assert decisions.notes == (Reading("statistics.advice.nominal_gaps"),)
    assert row(decisions, statistic="fleiss_kappa").finding.figure.value == 1.0
    lines = row(answers, statistic="raw").items
    told = [(each.external_id, each.agreement, each.case) for each in lines]
    assert told == [("q2", 0.0, True), ("q1", 1.0, False)]


def test_each_pair_has_its_own_items(house: House) -> None:
    first, second, third = house.items
    for who, item in ((house.ann, first), (house.ben, first), (house.ben, second)):
        submit(house, who, item, (1,))
    submit(house, house.cho, second, (2,))
    submit(house, house.cho, third, (2,))
    answers = of(part(house.ws, SLUG, ReportPart.PAIRS), View.QUESTIONS)
    assert [each.names for each in answers.rows] == [("Ann", "Ben"), ("Ann", "Cho"), ("Ben", "Cho")]
    behind = [[line.external_id for line in each.items] for each in answers.rows]
    assert behind == [["q1"], [], ["q2"]]
    assert [each.finding.figure.n for each in answers.rows] == [1, 0, 1]


def test_categories_are_labels_and_provisions_most_chosen_first(house: House) -> None:
    tables = part(annotated(house).ws, SLUG, ReportPart.CATEGORIES)
    labels, units = of(tables, View.CANDIDATES), of(tables, View.QUESTIONS)
    assert [each.names[0] for each in labels.rows] == ["accept", "reject", "unsure"]
    assert row(labels, "accept").finding.figure.value == 1.0
    assert [line.external_id for line in row(labels, "unsure").items] == ["q2"]
    counts = [(each.names[0][-1], each.finding.figure.n) for each in units.rows]
    assert counts == [("1", 2), ("2", 2), ("4", 1)]
    assert row(units, "lake-act_article-4").finding.figure.value == 0.0


def test_drift_is_in_the_order_in_which_items_were_completed(
    house: House, clock: FakeClock
) -> None:
    first, second, third = house.items
    for who, item in ((house.ann, second), (house.ben, second), (house.ann, first)):
        submit(house, who, item, (1,))
    began = f"{clock.now:%Y-%m-%d}"
    clock.now += timedelta(days=1)
    submit(house, house.ben, first, (2,))
    ended = f"{clock.now:%Y-%m-%d}"
    clock.now += timedelta(days=1)
    submit(house, house.ann, third, (1,))
    submit(house, house.ben, third, unsure=(1,))  # one answer, which is compared with none
    drift = part(house.ws, SLUG, ReportPart.DRIFT)
    (window,) = of(drift, View.QUESTIONS).rows
    assert window.names == (began, ended)
    assert window.finding.figure.n == 2
    assert [line.external_id for line in window.items] == ["q1", "q2"]


def test_the_headline_is_what_the_statistics_say(house: House) -> None:
    annotated(house)
    found = headline(house.ws, SLUG)
    assert [each.finding.statistic for each in found.rows] == ["raw", "mean_jaccard", "alpha_masi"]
    everything = of(totals(house.ws, SLUG), View.QUESTIONS)
    for each in found.rows:
        assert each == row(everything, statistic=each.finding.statistic)
    own = headline(house.ws, SLUG, house.ann)
    assert [each.finding for each in own.rows] == [each.finding for each in found.rows]
    assert all(each.items == () for each in own.rows)


def test_behind_a_persons_progress_are_their_questions(house: House) -> None:
    annotated(house)
    found = work_of(house.ws, SLUG, house.ann)
    assert [(each.item.external_id, each.status, each.unsure) for each in found] == [
        ("q1", "submitted", False),
        ("q2", "submitted", True),
        ("q3", "todo", None),
    ]
    ann, _ = odd_times(house.ws, SLUG).people
    spent = {line.external_id: seconds for line, seconds in ann.submissions}
    assert [each.seconds for each in found] == [spent["q1"], spent["q2"], None]
    # The third has one submission of two: what it says is not read yet.
    assert [each.unsure for each in work_of(house.ws, SLUG, house.cho)][-1] is None
    with pytest.raises(UserError, match="nobody with the number"):
        work_of(house.ws, SLUG, 2**70)


def test_calibration_opens_the_items_missed_then_those_right(house: House) -> None:
    known = [Known("q1", ("lake-act_article-1",)), Known("q2", ("lake-act_article-2",))]
    calibration.set_known_answers(house.ws, SLUG, known)
    plan = BatchPlan(name="Batch", people=(house.ann, house.ben), calibration=0.5)
    make_batch(house.ws, SLUG, plan)
    set_pool(house.ws, SLUG, is_open=True)
    for item in house.items:
        submit(house, house.ann, item, (1,))
    (table,) = part(house.ws, SLUG, ReportPart.CALIBRATION)
    assert table.items == 1
    ann = row(table, "Ann")
    assert (ann.finding.figure.value, ann.finding.figure.n) == (0.0, 1)
    assert [(line.external_id, line.agreement) for line in ann.items] == [("q2", 0.0)]


def test_times_are_over_complete_items(house: House) -> None:
    found = odd_times(annotated(house).ws, SLUG)
    assert [(each.person, each.n) for each in found.people] == [("Ann", 2), ("Ben", 2)]
    assert found.decisions == ()
    assert not any(each.odd for each in found.people)
    ann = found.people[0]
    assert (ann.low, ann.high) == (None, None)  # of two there is no interval
    assert sorted(line.external_id for line, _ in ann.submissions) == ["q1", "q2"]
    assert [seconds for _, seconds in ann.submissions] == sorted(
        (seconds for _, seconds in ann.submissions), reverse=True
    )


def test_who_annotates_sees_totals_and_nothing_behind_them(house: House) -> None:
    annotated(house)
    who = members.change_role(house.ws, house.ann, "lawyer").id
    found = report(house.ws, SLUG, who)
    assert {each.part for each in found.tables} == {ReportPart.STATISTICS}
    assert found.times is None
    everything = report(house.ws, SLUG, house.judge)
    assert {each.part for each in everything.tables} == set(ReportPart)
    for own, full in zip(found.tables, everything.tables, strict=False):
        assert all(each.items == () for each in own.rows)
        assert [each.finding for each in own.rows] == [each.finding for each in full.rows]
    assert totals(house.ws, SLUG, who) == list(found.tables)
    for each in BEHIND:
        with pytest.raises(NotAllowedError):
            part(house.ws, SLUG, each, who)
    with pytest.raises(NotAllowedError):
        odd_times(house.ws, SLUG, who)
    with pytest.raises(NotAllowedError):
        work_of(house.ws, SLUG, house.ann, who)


def test_figures_for_who_annotates_are_over_what_they_submitted(house: House) -> None:
    annotated(house)
    first = house.items[0]
    new = members.add_person(house.ws, SLUG, "New", "annotator").id
    assert {each.items for each in report(house.ws, SLUG, new).tables} == {0}
    assert totals(house.ws, SLUG, house.ann)[0].items == 2
    given_back(house, house.ann, first)
    assert totals(house.ws, SLUG, house.ann)[0].items == 1, "she may change it"
    commands.take_back(house.ws, house.ann, first)
    submit(house, house.cho, first, (1,))
    assert totals(house.ws, SLUG)[0].items == 2
    assert totals(house.ws, SLUG, house.ann)[0].items == 1, "they owe the first one again"
