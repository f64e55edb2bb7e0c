"""Every question is in just one state, and what is to be done next is told."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import app
from annotation.adjudication.disputes import decide
from annotation.batches.commands import BatchPlan, close, make_batch
from annotation.batches.sampling import Choice
from annotation.batches.views import ItemSlots
from annotation.gold.derivation import GoldItem, Pending, count_gold
from annotation.gold.lineage import Outcome
from annotation.mapping import commands
from annotation.people.members import add_person, change_role
from annotation.work.commands import submit
from annotation.work.queue_service import next_item, open_item
from messages import catalogue
from services.law.overview import overview as held_by
from services.mapping.candidates import build_candidates
from services.overview.guide import Guide
from services.overview.questions import (
    FINAL,
    ORDER,
    STATES,
    NextStep,
    QuestionState,
    by_state,
    first_of,
    state_of,
)
from services.overview.report import overview
from services.overview.words import rough_time
from services.pace import CANDIDATES, expected_seconds, keep_pace
from services.runs.retrieving import retrieve
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.annotation.house import statute
from tests.conftest import FakeClock
from tests.pages.small_project import (
    SLUG,
    Small,
    annotated_project,
    empty_project,
    law_and_questions,
    leader,
    small_project,
)
from tests.projects import mcq_project
from tests.services.law.law_project import HARBOUR, MARKET, law_project
from tests.services.law.law_project import SLUG as LAW

REASONS: tuple[Pending, ...] = (
    *("differ", "unsure", "flagged", "recalled", "amended", "no_candidates", "recurated"),
    *("not_begun", "waiting", "sent_back", "given_back", "adjudication", "unseen"),
)
OUTCOMES = st.sampled_from([each for each in get_args(Outcome) if each != "pending"])


def item(number: int, *pending: Pending, outcome: Outcome = "agreed", none: bool = False):
    said: Outcome = "pending" if pending else outcome
    units = () if none or pending else ("act_1",)
    name = f"q{number}"
    return GoldItem(number, name, name, said, none and not pending, units, pending, 1, ())


def slots(number: int, batch: int | None = None, closed: bool = False, apart: bool = False):
    return ItemSlots(number, "citation_mapping", batch, closed, apart, 2, 0)


@st.composite
def projects(draw: st.DrawFn):
    items, places = [], []
    for number in range(draw(st.integers(0, 12))):
        why = draw(st.lists(st.sampled_from(REASONS), max_size=3, unique=True))
        items.append(item(number, *why, outcome=draw(OUTCOMES), none=draw(st.booleans())))
        batch = draw(st.sampled_from([None, 1, 2]))
        closed, apart = (draw(st.booleans()) and batch is not None for _ in range(2))
        if draw(st.integers(0, 9)):  # an item may have come between two queries
            places.append(slots(number, batch, closed, apart))
    return items, places, draw(st.sets(st.integers(0, 12)))


@given(projects())
def test_the_states_always_add_up_to_the_questions(project):
    items, places, prepared = project
    found = by_state(items, places, prepared)
    assert found.total == len(items) == found.final + found.pending
    told = found.as_dict()
    assert sum(each["count"] for each in told["states"].values()) == told["total"]
    named = [name for each in told["states"].values() for name in each["questions"]]
    assert sorted(named) == sorted(each.external_id for each in items)
    gold = count_gold(items)
    assert (gold.final, gold.pending) == (found.final, found.pending)
    assert found.count("no_provision") == gold.no_provision


@pytest.mark.parametrize(
    ("pending", "place", "prepared", "state"),
    [
        ((), slots(1), True, "gold"),
        (("differ",), slots(1), True, "dispute"),
        (("differ", "flagged"), slots(1), True, "dispute"),
        (("flagged",), slots(1), True, "flagged"),
        (("unsure",), slots(1, 1, apart=True), True, "dispute"),
        (("recalled",), slots(1, 1, closed=True), True, "dispute"),
        (("sent_back",), slots(1), True, "sent_back"),
        (("given_back",), slots(1), True, "sent_back"),
        (("amended",), slots(1, 1), True, "in_doubt"),
        (("no_candidates",), slots(1), False, "in_doubt"),
        (("recurated",), slots(1), False, "recurated"),
        (("waiting",), slots(1), False, "waiting"),
        (("waiting",), slots(1, 1, closed=True), True, "closed"),
        (("waiting",), slots(1, 1, apart=True), True, "apart"),
        (("not_begun",), slots(1, 1, closed=True, apart=True), True, "apart"),
        (("not_begun",), slots(1, 1, closed=True), False, "closed"),
        (("not_begun",), slots(1, 1), True, "not_begun"),
        (("not_begun",), slots(1, 1), False, "no_candidates"),
        (("not_begun",), slots(1), True, "not_assigned"),
        (("not_begun",), None, True, "not_begun"),
    ],
)
def test_what_is_to_be_done_first_is_the_state(
    pending: tuple[Pending, ...], place: ItemSlots | None, prepared: bool, state: QuestionState
):
    assert state_of(item(1, *pending), place, prepared) == state


def test_the_first_of_the_order_is_what_is_next() -> None:
    steps = {key: NextStep(key, 1) for key in ORDER}
    for key in ORDER:
        assert first_of(steps).key == key
        del steps[key]
    assert first_of({}).key == "nothing"


def test_each_state_and_step_has_words_and_a_step_a_screen_and_a_command() -> None:
    assert set(STATES) == set(get_args(QuestionState)) > set(FINAL)
    words = {f"overview.state.{state}" for state in STATES}
    assert words | {f"overview.next.{key}" for key in ORDER} <= set(catalogue())
    for key in ORDER:
        step = NextStep(key, 2, "Round 1")
        assert step.screen in app.PAGES
        assert step.command.startswith("touchstone.py ")
        assert step.say()


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
    keep_statutes(ws, SLUG, [statute()], "law")
    assert step(ws)[0] == "questions"
    law_and_questions(ws)
    assert step(ws) == ("candidates", 6)
    build_candidates(ws, SLUG)
    assert step(ws) == ("people", 12)
    add_person(ws, SLUG, "Kim Ara", "annotator")
    assert step(ws) == ("annotators", 1)
    add_person(ws, SLUG, "Park Jun", "annotator")
    assert step(ws) == ("first_batch", 6)


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
        where = ws, small.sora.id, small.items[name]
        decide(*where, [small.unit("q1", "제1조")], False, "So it is.", 1.0)
    assert step(ws) == ("run", 3), "without batches everything is open to everybody"
    people = (small.ara.id, small.jun.id)
    due = ws.clock() + timedelta(days=30)
    number = make_batch(
        ws, SLUG, BatchPlan("First", people, Choice(external_ids=("q5",)), deadline=due)
    )
    assert step(ws) == ("assign", 1), "q6"
    make_batch(ws, SLUG, BatchPlan("Second", people, Choice(external_ids=("q6",))))
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
    assert step(ws) == ("first_batch", 6)
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


def guide(ws: Workspace, slug: str = SLUG) -> Guide:
    found = overview(ws, slug).guide
    assert found is not None
    return found


def done(ws: Workspace) -> list[str]:
    return [each.name for each in guide(ws).steps if each.done]


def test_each_step_is_done_once_its_result_is_there(ws: Workspace) -> None:
    empty_project(ws)
    assert done(ws) == [] and guide(ws).next.todo.key == "law"
    law_and_questions(ws)
    assert done(ws) == ["law", "questions"]
    assert [(each.count, each.more) for each in guide(ws).steps[:2]] == [(1, 3), (6, 0)]
    assert guide(ws).next.seconds is None, "nothing was measured"
    made = build_candidates(ws, SLUG)
    assert expected_seconds(ws, CANDIDATES, made.built) == pytest.approx(made.seconds)
    assert done(ws) == ["law", "questions", "candidates"]
    assert (guide(ws).next.count, guide(ws).next.wanted) == (1, 2)
    jun = add_person(ws, SLUG, "Park Jun", "lawyer")
    assert guide(ws).next.todo.screen == "assignment"
    make_batch(ws, SLUG, BatchPlan("First", (jun.id,), overlap=1))
    assert overview(ws, SLUG).guide is None


def test_whoever_submitted_or_works_on_other_tasks_needs_no_guide(
    ws: Workspace, tmp_path: Path
) -> None:
    annotated_project(ws)
    assert overview(ws, SLUG).guide is None
    quay = mcq_project.build(tmp_path / "quay", FakeClock())
    assert overview(quay.ws, mcq_project.SLUG).guide is None


def test_a_step_takes_as_long_as_the_last_time_by_its_size(ws: Workspace) -> None:
    empty_project(ws)
    assert expected_seconds(ws, CANDIDATES, 3) is None
    keep_pace(ws, CANDIDATES, 10, 4.0)
    assert expected_seconds(ws, CANDIDATES, 25) == 10.0
    keep_pace(ws, CANDIDATES, 0, 4.0)
    assert expected_seconds(ws, CANDIDATES, 25) == 10.0, "no work tells nothing"
    (ws.cache / "pace.json").write_text('{"candidates": 3}')
    assert expected_seconds(ws, CANDIDATES, 25) is None


def test_times_are_said_roughly() -> None:
    said = [rough_time(seconds, "en") for seconds in (0.2, 18, 59.9, 150, 9000)]
    assert said == ["1 s", "20 s", "60 s", "2 min", "2 h"]
