from __future__ import annotations

import pytest

from annotation.adjudication.disputes import decide
from annotation.agreement.overview import figures, progress_of, report
from annotation.agreement.views import ItemLine
from annotation.forms.form import answer
from annotation.work import commands
from evaluation.agreement.likeness import Answer
from evaluation.figure import share_figure
from storage.projects import find_project
from storage.subjects import Subject, add_items
from storage.tasks import Task
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import SLUG, House

A, B, AB, NONE = frozenset("a"), frozenset("b"), frozenset("ab"), frozenset[str]()


def test_a_project_without_submissions_has_no_figures(house: House) -> None:
    found = report(house.ws, SLUG)
    assert (found.items, found.complete, found.disagreements) == (3, 0, [])
    for figure in found.figures:
        assert (figure.value, figure.n, figure.low, figure.high) == (None, 0, None, None)
    assert [p.person for p in found.progress] == ["Ann", "Ben", "Cho"]
    assert {(p.submitted, p.left) for p in found.progress} == {(0, 3)}
    assert all(p.median_seconds is None for p in found.progress)


def test_the_seconds_of_one_task_are_not_told_of_another(house: House) -> None:
    with house.ws.writing() as session:
        project = find_project(session, SLUG)
        page = Subject(7, "annex-1", "Annex 1", {"draft": None})
        (item,) = add_items(session, project.id, Task.OCR_CORRECTION, [page], house.ws.clock())
    answer(house.ws, house.ann, item, "blocks", [])
    assert [each.drafts for each in progress_of(house.ws, SLUG, Task.OCR_CORRECTION)] == [1]
    commands.submit(house.ws, house.ann, item)
    (mapped, *_) = report(house.ws, SLUG).progress
    assert (mapped.person, mapped.submitted, mapped.median_seconds) == ("Ann", 0, None)
    (corrected,) = progress_of(house.ws, SLUG, Task.OCR_CORRECTION)
    assert (corrected.person, corrected.submitted) == ("Ann", 1)
    assert corrected.median_seconds is not None


def test_agreement_is_over_complete_items_only(house: House) -> None:
    first, second, third = house.items
    submit(house, house.ann, first, (1,))
    submit(house, house.ann, second, (1, 2))
    submit(house, house.ann, third, (3,), unsure=(1,))
    assert report(house.ws, SLUG).figures[0].n == 0
    assert report(house.ws, SLUG).progress[0].unsure_share.n == 0
    submit(house, house.ben, first, (1,))
    submit(house, house.ben, second, (1,))
    found = report(house.ws, SLUG)
    exact, jaccard, alpha = found.figures
    assert (exact.name, exact.value, exact.n) == ("exact_match", 0.5, 2)
    assert (jaccard.name, jaccard.value, jaccard.n) == ("jaccard", 0.75, 2)
    assert (alpha.name, alpha.n) == ("alpha", 2)
    about = second, "q2", "Which boats need a lamp, case 2?"
    assert found.disagreements == [ItemLine(*about, None, case=True)]
    assert (found.items, found.complete, found.differing, found.open) == (3, 2, 1, 1)
    decide(house.ws, house.judge, second, [house.units[1]], False, "So it says.", 1.0)
    decided = report(house.ws, SLUG)
    assert (decided.differing, decided.open) == (1, 0)
    assert found.progress[0].submitted == 3
    assert found.progress[0].unsure_share.value == 0.0
    assert found.progress[0].median_seconds == 4.0
    assert (found.progress[2].person, found.progress[2].left) == ("Cho", 1)


def test_unsure_throughout_states_no_set_and_is_not_an_empty_one(house: House) -> None:
    first, second, _ = house.items
    submit(house, house.ann, first, unsure=(1,))
    submit(house, house.ben, first)
    assert [figure.n for figure in report(house.ws, SLUG).figures] == [0, 0, 0]
    assert report(house.ws, SLUG).complete == 1
    submit(house, house.ann, second)
    submit(house, house.ben, second)
    found = report(house.ws, SLUG)
    assert [(figure.value, figure.n) for figure in found.figures] == [(1.0, 1), (1.0, 1), (None, 1)]
    assert found.progress[0].unsure_share.value == 0.5


def test_drafts_and_skips_are_progress_too(house: House) -> None:
    first, second, _ = house.items
    commands.set_comment(house.ws, house.ann, first, "x")
    commands.skip(house.ws, house.ann, second, "")
    mine = report(house.ws, SLUG).progress[0]
    assert (mine.submitted, mine.drafts, mine.skipped, mine.left) == (0, 1, 1, 1)


@pytest.mark.parametrize(
    ("data", "alpha"),
    [
        ([[A, A], [A, A]], None),  # no variation: chance agreement is undefined
        ([[A, B]], 0.0),
        ([[A, A], [B, B]], 1.0),
    ],
)
def test_no_interval_is_made_up_where_resampling_cannot_tell(
    data: list[list[Answer | None]], alpha: float | None
) -> None:
    found = figures(data)
    assert found[2].value == (None if alpha is None else pytest.approx(alpha))
    assert [(figure.low, figure.high) for figure in found[1:]] == [(None, None)] * 2
    right = sum(first == second for first, second in data)
    assert found[0] == share_figure("exact_match", right, len(data)), "a share has Wilson's"
