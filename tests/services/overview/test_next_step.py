"""What to do next: one thing, by the order that the page of the docs tells."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

import app
from annotation.batches.commands import BatchPlan, close, make_batch
from annotation.batches.sampling import Choice
from annotation.mapping import commands
from annotation.people.members import add_person, change_role
from annotation.work.commands import submit
from annotation.work.queue_service import next_item, open_item
from messages import LANGUAGES, catalogue
from services.law.overview import overview as held_by
from services.overview.next_step import ORDER, NextStep, first_of
from services.overview.report import overview
from services.runs.retrieving import retrieve
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.conftest import ROOT, FakeClock
from tests.pages.small_project import (
    SLUG,
    Small,
    annotated_project,
    empty_project,
    law_and_questions,
    leader,
    small_project,
)
from tests.services.law.law_project import HARBOUR, MARKET, law_project
from tests.services.law.law_project import SLUG as LAW


def test_the_first_of_the_order_is_what_is_next() -> None:
    steps = {key: NextStep(key, 1) for key in ORDER}
    for key in ORDER:
        assert first_of(steps).key == key
        del steps[key]
    assert first_of({}).key == "nothing"


@pytest.mark.parametrize("key", ORDER)
def test_each_step_has_words_a_screen_and_a_command(key: str) -> None:
    step = NextStep(key, 2, "Round 1")
    assert step.screen in app.PAGES
    assert step.command.startswith("touchstone.py ")
    assert all(step.say(language) for language in LANGUAGES)
    assert f"overview.next.{key}" in catalogue()


def test_the_page_tells_the_order() -> None:
    page = (ROOT / "docs" / "overview.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    told = rows[rows.index("| step | when |") + 1 :][: len(ORDER)]
    words = [
        *("import law", "import questions", "add annotators", "propose candidates"),
        *("add an adjudicator", "adjudicate", "see where people differ", "check again"),
        *("assign", "look after a batch", "run a method", "wait", "remind", "export"),
    ]
    assert [row.split("|")[1].strip() for row in told] == words


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace", FakeClock())


def step(ws: Workspace, slug: str = SLUG) -> tuple[str, int]:
    found = overview(ws, slug).next
    return found.key, found.count


def test_setting_up_comes_before_everything(ws: Workspace) -> None:
    migrate(ws)
    create_project(ws, SLUG, "Small")
    assert step(ws)[0] == "law"
    law_and_questions(ws)
    assert step(ws) == ("people", 12)
    add_person(ws, SLUG, "Kim Ara", "annotator")
    assert step(ws) == ("candidates", 6)


def test_law_without_questions_asks_for_questions(ws: Workspace, tmp_path: Path) -> None:
    from services.law.importing import import_statutes
    from tests.services.law.law_project import write_law

    empty_project(ws)
    import_statutes(ws, SLUG, write_law(tmp_path / "law", {"harbour": HARBOUR}))
    assert step(ws)[0] == "questions"


def test_disputes_then_assignment_then_deadline_then_a_run(ws: Workspace) -> None:
    small: Small = annotated_project(ws)
    found = overview(ws, SLUG, small.sora.id).next
    assert (found.key, found.asked) == ("disputes", {"task": "citation_mapping"})
    assert found.command.endswith("--by 'Lee Sora'")
    lead = leader(ws)
    waits = overview(ws, SLUG, lead.id).next
    assert (waits.key, waits.screen) == ("disputes_wait", "agreement"), "they may not settle any"
    assert "Lee Sora" in waits.say()
    assert step(ws) == ("disputes", 2), "the operator may act for whoever may"
    change_role(ws, small.sora.id, "researcher")
    assert step(ws)[0] == "adjudicators"
    change_role(ws, small.sora.id, "adjudicator")
    for name in ("q2", "q4"):
        _decide(small, name)
    assert step(ws) == ("run", 3), "without batches everything is open to everybody"
    people = (small.ara.id, small.jun.id)
    due = ws.clock() + timedelta(days=30)
    number = make_batch(ws, SLUG, BatchPlan("First", people, _choice("q5"), deadline=due))
    assert step(ws) == ("assign", 1), "q6"
    make_batch(ws, SLUG, BatchPlan("Second", people, _choice("q6")))
    assert step(ws) == ("run", 3)
    ws.clock.now += timedelta(days=40)  # type: ignore[attr-defined]
    found = overview(ws, SLUG).next
    assert (found.key, found.batch, found.count) == ("deadline", "First", 1)
    close(ws, SLUG, number)
    retrieve(ws, SLUG)
    assert step(ws) == ("remind", 2), "the run is of the gold as it is now"


def test_what_an_amendment_put_in_doubt_comes_after_disputes(tmp_path: Path) -> None:
    here = law_project(tmp_path, FakeClock())
    here.bring("second", harbour=HARBOUR | {1: "Vessels keep torches."}, market=MARKET)
    found = overview(here.ws, LAW)
    assert found.next.key in ("candidates", "in_doubt")
    assert found.questions.count("in_doubt") == found.in_doubt.gold > 0
    assert found.questions.total == held_by(here.ws, LAW).items


def test_people_are_at_work_only_while_somebody_is(ws: Workspace) -> None:
    small = small_project(ws)
    assert step(ws) == ("remind", 12)
    make_batch(ws, SLUG, BatchPlan("All", (small.ara.id, small.jun.id)))
    assert step(ws) == ("remind", 12)
    item = next_item(ws, small.ara.id)
    assert item is not None
    open_item(ws, small.ara.id, item)
    assert step(ws) == ("wait", 12), "she holds one of its places"
    commands.set_no_provision(ws, small.ara.id, item, True)
    submit(ws, small.ara.id, item)
    ws.clock.now += timedelta(days=6)  # type: ignore[attr-defined]
    assert step(ws) == ("wait", 11)
    ws.clock.now += timedelta(days=1)  # type: ignore[attr-defined]
    assert step(ws) == ("remind", 11)


def _choice(*names: str) -> Choice:
    return Choice(external_ids=names)


def _decide(small: Small, name: str) -> None:
    from annotation.adjudication.disputes import decide

    where = small.workspace, small.sora.id, small.items[name]
    decide(*where, [small.unit("q1", "제1조")], False, "So it is.", 1.0)
