"""A word that counts something counts the same set on every page and in every command."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from annotation.adjudication.tasks import TASKS, disputes_of
from annotation.agreement.overview import progress_of, report
from annotation.batches.views import list_batches
from annotation.gold.derivation import count_gold, derive
from annotation.people.members import list_people
from annotation.start.waiting import waiting_for
from messages import say
from services.gold.gold_set import gold_set
from services.law.activation import to_check
from services.law.overview import overview as held_by
from services.overview.questions import FINAL
from services.overview.report import Overview, overview
from services.runs.rows import leaderboard
from services.sample.loading import load_sample
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.tasks import Task
from tests.commands.called import command_line
from tests.conftest import FakeClock
from tests.pages.small_project import annotated_project, leader, page
from tests.projects.worked_project import worked_project


@dataclass(frozen=True)
class Place:
    """A workspace with its project, a lead and an adjudicator."""

    ws: Workspace
    slug: str
    lead: Any
    judge: int

    @property
    def found(self) -> Overview:
        """The overview as the lead sees it."""
        return overview(self.ws, self.slug, self.lead.id)

    def told(self, *words: str) -> dict[str, Any]:
        """Return what a command prints as JSON."""
        done = command_line(self.ws.folder, "--json", *words)
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found


@pytest.fixture(
    scope="module", params=["small", pytest.param("sample", marks=pytest.mark.long), "worked"]
)
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Return a small project, the sample as it is loaded, and one with work of every kind."""
    folder: Path = tmp_path_factory.mktemp(request.param) / "workspace"
    if request.param == "small":
        small = annotated_project(Workspace(folder, FakeClock()))
        return Place(small.workspace, "small", leader(small.workspace), small.sora.id)
    if request.param == "worked":
        ws = worked_project(folder)
    else:
        ws = Workspace(folder)
        migrate(ws)
        load_sample(ws)
    people = list_people(ws, "sample")
    role = {each.role: each for each in people if each.active}
    return Place(ws, "sample", role["administrator"], role["adjudicator"].id)


def test_final_and_pending_are_those_of_gold_leaderboard_and_commands(place: Place) -> None:
    questions = place.found.questions
    states = [line.item_id for found in questions.states.values() for line in found]
    assert len(states) == len(set(states)) == questions.total == held_by(place.ws, place.slug).items
    assert questions.total == questions.final + questions.pending
    gold = count_gold(derive(place.ws, place.slug, by=place.lead.id))
    assert (gold.final, gold.pending) == (questions.final, questions.pending)
    assert gold.no_provision == questions.count("no_provision")
    held = gold_set(place.ws, place.slug)
    assert held.pending == questions.pending
    lines = [line for state in FINAL for line in questions.states.get(state, ())]
    own = {item.external_id for item in held.items if not item.inherited}
    assert {line.external_id for line in lines} == own
    board = leaderboard(place.ws, place.slug, place.lead.id, gold="people")
    assert (board.gold.pending, board.questions) == (questions.pending, questions.total)
    told = place.told("status")
    assert told["outcomes"].get("pending", 0) == questions.pending
    assert told["overview"]["by_state"] == questions.as_dict()
    assert told["items"] == questions.total
    at = page("gold", place.ws, place.lead, project=place.slug).run()
    metrics = {each.label: each.value for each in at.metric}
    assert metrics[say("gold.pending")] == f"{questions.pending:,}"
    none, final = questions.count("no_provision"), questions.final
    counts = {"total": questions.total, "final": final, "with": final - none, "none": none}
    of_final = say("gold.of_final", **{name: f"{count:,}" for name, count in counts.items()})
    assert (of_final in [each.value for each in at.caption]) == bool(final)


def test_open_disputes_are_those_of_adjudication_my_work_and_the_sidebar(place: Place) -> None:
    found = place.found
    queues = {task: disputes_of(task).queue(place.ws, place.judge) for task in TASKS}
    waits = {task: sum(e.state == "open" for e in queue) for task, queue in queues.items()}
    assert {task: waits[task] for task in found.disputes} == found.disputes
    assert sum(waits.values()) == found.disputes_open
    own = waiting_for(place.ws, place.judge)
    assert sum(each.open for each in own.disputes) == found.disputes_open
    assert own.open_of.get("adjudication", 0) - own.requests == found.disputes_open
    judge = next(e.name for e in list_people(place.ws, place.slug) if e.id == place.judge)
    cases = place.told("adjudicate", "list", "--task", "all", "--by", judge)["cases"]
    assert sum(each["state"] == "open" for each in cases) == found.disputes_open
    apart = found.questions.count("dispute", "flagged")
    assert found.disputes[Task.CITATION_MAPPING] == apart


def test_submissions_and_batches_are_those_of_agreement_assignment_and_my_work(
    place: Place,
) -> None:
    found = place.found
    batches = {each.id: each for each in list_batches(place.ws, place.slug, place.lead.id)}
    now = place.ws.clock()
    for line in found.work:
        assert sum(each.submitted for each in line.people) == line.made + line.beyond, line
        if line.batch_id is None:
            continue
        batch = batches[line.batch_id]
        assert (line.made, line.wanted, line.items) == (batch.made, batch.wanted, batch.items)
        assert line.state == batch.state_at(now)
    shown = {line.batch_id for line in found.work} - {None}
    assert shown == {n for n, each in batches.items() if each.state_at(now) in ("open", "late")}
    for line in (each for each in found.work if not each.batch):
        progress = (
            report(place.ws, place.slug, place.lead.id).progress
            if line.task == Task.CITATION_MAPPING
            else progress_of(place.ws, place.slug, line.task, place.lead.id)
        )
        own = {each.person: each.submitted for each in progress if each.submitted}
        said = {each.person: each.submitted for each in line.people}
        assert said.items() >= own.items(), "who may not do the task any more is in one alone"


def test_what_is_in_doubt_is_what_amendments_lists(place: Place) -> None:
    counts = to_check(place.ws, place.slug, place.lead.id).counts
    found = place.found
    assert found.in_doubt == counts
    assert place.told("status")["to_check"] == counts.as_dict()
    assert found.questions.count("in_doubt") >= counts.gold
    at = page("overview", place.ws, place.lead, project=place.slug).run()
    assert not at.exception
