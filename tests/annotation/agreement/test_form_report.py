"""Agreement on the answers to forms, and between who said something first and who checked it."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.agreement.overview import progress_of
from annotation.agreement.report import odd_times, part, report, totals
from annotation.agreement.views import ReportPart, View
from annotation.guidelines.editing import new_version
from annotation.guidelines.migration import migrate_answers
from annotation.people.members import add_person
from annotation.work import commands
from errors import UserError
from storage.db.workspace import Workspace
from storage.tasks import Task
from tests.annotation.agreement.test_report import row
from tests.annotation.judging.answered import SLUG as ANSWERS
from tests.annotation.judging.answered import Answered, verdict
from tests.annotation.judging.answered import build as build_answered
from tests.conftest import FakeClock
from tests.projects import attribution_review_project as attribution
from tests.projects.mcq_project import SLUG, McqHouse, build, submitted
from tests.projects.project_cache import kept_project
from tests.projects.tagging_project import SLUG as TAGGED
from tests.projects.tagging_project import answer, value
from tests.projects.tagging_project import build as build_tagging
from tests.services.ocr.pages_project import SLUG as PAGES
from tests.services.ocr.pages_project import PagesProject, pages_project, paragraph
from tests.support.drawn_pages import drawn
from tests.support.refusals import code_of

MCQ = Task.MCQ_SOLVABILITY


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> McqHouse:
    """Ann and Ben say the same of two questions and differ on the third; Eve says nothing."""
    ws = Workspace(tmp_path / "workspace", clock)
    return kept_project("quay with a third person", ws, lambda: _answered(ws.folder, clock))


def _answered(folder: Path, clock: FakeClock) -> McqHouse:
    found = build(folder, clock)
    add_person(found.ws, SLUG, "Eve", "annotator")
    for person in (found.ann, found.ben):
        submitted(found, person, found.items[0])
        submitted(found, person, found.items[1], "drop", cause="unclear")
    submitted(found, found.ann, found.items[2])
    submitted(found, found.ben, found.items[2], "drop", right="no", cause="wrong_answer")
    return found


def test_each_field_has_the_statistics_of_its_scale(house: McqHouse) -> None:
    (table,) = totals(house.ws, SLUG, task=MCQ)
    assert (table.view, table.items) == (View.FIELDS, 3)
    raw = row(table, "verdict", statistic="raw").finding.figure
    assert raw.value == pytest.approx(2 / 3)
    assert raw.n == 3
    assert raw.low is not None
    named = {each.finding.statistic for each in table.rows if each.names == ("verdict",)}
    assert named == {"cohen_kappa", "ac1", "alpha_nominal", "raw"}
    sure = [each.finding for each in table.rows if each.names == ("alone_sure",)]
    assert sure[0].statistic == "cohen_kappa_quadratic"  # an order: near misses count in part
    assert sure[0].reason == "no_variation"
    # Causes are given to what is dropped: two people gave one on a single item.
    cause = row(table, "cause", statistic="raw").finding.figure
    assert (cause.value, cause.n, cause.low, cause.high) == (1.0, 1, None, None)
    behind = row(table, "verdict", statistic="raw").items
    assert behind[0].external_id == "mcq-003"  # least alike first


def test_who_submitted_nothing_is_in_no_figure(house: McqHouse) -> None:
    (pairs,) = part(house.ws, SLUG, ReportPart.PAIRS, task=MCQ)
    assert {each.names[1:] for each in pairs.rows} == {("Ann", "Ben")}
    assert [each.person for each in progress_of(house.ws, SLUG, MCQ)] == ["Ann", "Ben"]
    assert [each.submitted for each in progress_of(house.ws, SLUG, MCQ, house.ann)] == [3]
    assert progress_of(house.ws, SLUG, Task.FACTOR_TAGGING) == []


def test_each_answer_has_its_own_figure_and_times_are_told(house: McqHouse) -> None:
    (found,) = part(house.ws, SLUG, ReportPart.CATEGORIES, task=MCQ)
    assert row(found, "verdict", "drop").finding.figure.value == pytest.approx(2 / 3)
    assert not [each for each in found.rows if each.names == ("verdict", "fix")]
    assert [each.person for each in odd_times(house.ws, SLUG, task=MCQ).people] == ["Ann", "Ben"]
    assert part(house.ws, SLUG, ReportPart.DRIFT, task=MCQ) == []


def test_who_annotates_sees_figures_and_nothing_behind_them(house: McqHouse) -> None:
    found = report(house.ws, SLUG, house.ann, MCQ)
    assert found.times is None
    (table,) = found.tables
    assert row(table, "verdict", statistic="raw").finding.figure.n == 3
    assert all(each.items == () for each in table.rows)
    with pytest.raises(UserError):
        part(house.ws, SLUG, ReportPart.PAIRS, house.ann, MCQ)
    assert code_of(totals, house.ws, SLUG, task="poetry") == "task_unknown"


def test_sub_factors_compare_as_choices_or_as_sets(tmp_path: Path, clock: FakeClock) -> None:
    house = build_tagging(tmp_path / "workspace", clock)
    given = {house.ann: ("manner_01",), house.ben: ("manner_01", "manner_02")}
    for item in house.items[:2]:
        for person, manners in given.items():
            said = [("deceived", value("yes")), ("manner", value(*manners))]
            answer(house, person, item, [*said, ("insanity", value("not_mentioned"))])
            commands.submit(house.ws, person, item)
    (table,) = totals(house.ws, TAGGED, task=Task.FACTOR_TAGGING)
    assert row(table, "manner", statistic="mean_jaccard").finding.figure.value == 0.5
    assert row(table, "deceived", statistic="raw").finding.figure.value == 1.0
    assert [each.names for each in table.rows if each.names == ("drunk",)] == []
    (each,) = part(house.ws, TAGGED, ReportPart.CATEGORIES, task=Task.FACTOR_TAGGING)
    assert row(each, "manner", "manner_02").finding.figure.value == 0.0


@pytest.fixture
def pages(tmp_path: Path, clock: FakeClock) -> PagesProject:
    return pages_project(Workspace(tmp_path / "ws", clock), tmp_path / "files")


def test_a_verified_page_is_compared_with_its_correction(pages: PagesProject) -> None:
    task = Task.OCR_VERIFICATION
    (table,) = totals(pages.ws, PAGES, task=task)
    assert not table.rows or table.rows[0].finding.figure.value is None
    for number in (1, 2, 3):
        pages.bring(f"{number}.pdf", drawn(str(number)))
        pages.correct(number, [paragraph("열 글자가 있다")])
    pages.verify(1, [paragraph("열 글자가 있다")])
    pages.verify(2, [paragraph("열 글자는 있다")])
    (table,) = totals(pages.ws, PAGES, task=task)
    assert (table.view, table.items) == (View.PAGES, 2)
    cer, wer, same = (each.finding.figure for each in table.rows)
    assert (cer.name, cer.n, same.value) == ("cer", 2, 0.5)
    assert cer.value == pytest.approx(1 / 16)
    assert wer.value == pytest.approx(1 / 6)
    assert cer.low is not None
    assert len(table.rows[0].items) == 2
    (pairs,) = part(pages.ws, PAGES, ReportPart.PAIRS, task=task)
    assert {each.names for each in pairs.rows} == {("Ann", "Ben")}
    new_version(pages.ws, PAGES, "guideline", Task.OCR_CORRECTION, {"en": "Again."}, "why", 1)
    migrate_answers(pages.ws, PAGES, "guideline", Task.OCR_CORRECTION, 1, 2, {}, "so")
    assert totals(pages.ws, PAGES, task=task)[0].rows[0].finding == table.rows[0].finding
    commands.take_back(pages.ws, pages.ben, pages.item(2, Task.OCR_VERIFICATION))
    (table,) = totals(pages.ws, PAGES, task=task)
    assert (table.rows[0].finding.figure.n, table.rows[0].finding.figure.low) == (1, None)


@pytest.fixture
def project(tmp_path: Path, clock: FakeClock) -> Answered:
    return build_answered(tmp_path, clock)


def test_a_review_is_compared_with_every_rating(project: Answered) -> None:
    for question, (ann, ben) in {"q1": (True, True), "q2": (True, False)}.items():
        project.rate(project.ann, ann, question)
        project.rate(project.ben, ben, question)
    (ratings,) = totals(project.ws, ANSWERS, task=Task.ANSWER_RATING)
    assert row(ratings, "rating", statistic="raw").finding.figure.value == 0.5
    review = Task.JUDGE_REVIEW
    assert totals(project.ws, ANSWERS, task=review)[0].items == 0
    project.judge(verdict("q1", False), verdict("q2", True))
    project.review(True, "under", "more_specific")
    project.review(False, "over", "more_specific", question="q2")
    (table,) = totals(project.ws, ANSWERS, task=review)
    raw = row(table, "consensus", statistic="raw").finding.figure
    assert (raw.value, raw.n) == (0.75, 4)  # of four ratings; Ann's of q2 was not upheld
    (pairs,) = part(project.ws, ANSWERS, ReportPart.PAIRS, task=review)
    assert {each.names for each in pairs.rows} == {
        ("consensus", "Ann", "Ada"),
        ("consensus", "Ben", "Ada"),
    }


def test_each_criterion_has_its_statistics_over_claims(tmp_path: Path, clock: FakeClock) -> None:
    house = attribution.build(tmp_path / "w", clock)
    for at, item in enumerate(house.items):
        attribution.submitted(house, house.ann, item)
        other = {"label_2": "none", "gold_2": None, "supported_1": "no"} if at == 0 else {}
        attribution.submitted(house, house.ben, item, **other)
    (table,) = totals(house.ws, attribution.SLUG, task=Task.ATTRIBUTION)
    assert table.items == 3
    found = {(each.names[0], each.finding.statistic): each.finding.figure for each in table.rows}
    raw = found["label", "raw"]
    assert (raw.value, raw.n) == (8 / 9, 9)  # nine claims of three answers
    assert found["supported", "raw"].value == 8 / 9
    # Ann 3/9 of each label; Ben 3, 2, 4: (8/9 - 27/81) / (1 - 27/81)
    assert found["label", "cohen_kappa"].value == pytest.approx((8 / 9 - 1 / 3) / (2 / 3))
    assert {name for name, _ in found} == {"label", "supported"}
