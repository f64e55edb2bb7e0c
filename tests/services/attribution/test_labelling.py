"""Labelling claims, against the scripted server: each state, once, and resumed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.batch import End
from llm.structured.shapes import ClaimLabelling
from services.attribution.claims import AttributionOptions
from services.attribution.labelling import label_claims, plan_labels, read_labels
from services.attribution.report import report
from storage.attribution.claims import (
    AttributionCaseView,
    Label,
    LabelsView,
    attribution_cases,
    standing_labels,
)
from tests.annotation.house import SLUG, House
from tests.conftest import FakeClock
from tests.llm.server import Step
from tests.llm.serving import to_the_end
from tests.projects.attribution_project import (
    FILE,
    SAYS_RAFT,
    judged_by,
    label,
    labels,
    make,
    script,
    split,
)
from tests.support.refusals import code_of


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    return make(tmp_path / "ws", clock)


def found(house: House) -> list[tuple[AttributionCaseView, LabelsView]]:
    with house.ws.reading() as session:
        by_case = {case: row for (case, _), row in standing_labels(session, 1).items()}
        return [(each, by_case[each.id]) for each in attribution_cases(session, 1)]


def test_every_claim_of_an_answer_is_labelled_against_all_gold_claims_once(house: House) -> None:
    with judged_by(house.ws) as server:
        script(server)
        plan = plan_labels(house.ws, SLUG, AttributionOptions())
        assert (plan.calls, plan.not_cut) == (0, 6)
        split(house.ws)
        plan = plan_labels(house.ws, SLUG, AttributionOptions())
        done = to_the_end(label_claims, house.ws, plan, stop=True)
        assert (done.end, done.unanswered) == (End.STOPPED, 6)  # which is taken up again
        done = label(house.ws)
        assert (done.asked, done.states, done.end) == (6, {"said": 6}, End.DONE)
        calls = len(server.seen)
        again = label(house.ws)
        assert (again.asked, again.already, len(server.seen)) == (0, 6, calls)
        said = server.seen[-1].body["messages"][-1]["content"]
    assert len(found(house)) == 6
    case, row = found(house)[0]
    assert row.labels == (Label("partial", 0), Label("match", 1), Label("partial", 0))
    assert (row.judge, len(case.predicted.claims), len(case.gold.claims)) == ("judge", 3, 2)
    assert "1. Boats need a lamp at night.\n2. Lamps are lit at dusk." in said


@pytest.mark.parametrize(
    ("step", "state"),
    [
        (Step(text="All match."), "unread"),
        (labels(([3], [])), "unread"),  # a gold claim that is not there
        (Step(text='{"labels": [', finish="length"), "cut_off"),
        (Step(text="", finish="content_filter"), "refused"),
        (Step(do="error", status=500), "failed"),
    ],
)
def test_what_brings_no_labels_has_its_own_state(house: House, step: Step, state: str) -> None:
    with judged_by(house.ws) as server:
        server.on("1. It does.", step)
        server.on("That was not in the form", step)  # the repair
        script(server)
        split(house.ws, systems=(FILE,))
        assert label(house.ws, systems=(FILE,)).states == {state: 1}
        again = label(house.ws, systems=(FILE,))
        assert (again.asked, again.already) == ((1, 0) if state == "failed" else (0, 1))
    ((_, row),) = found(house)
    assert (row.state, row.labels) == (state, ())


def test_what_was_refused_is_told_apart_and_asked_again_where_that_is_wanted(house: House) -> None:
    refusal = Step(text="", finish="content_filter")
    with judged_by(house.ws) as server:
        server.on("Answer:\nIt does", refusal)
        server.on(f"1. {SAYS_RAFT}\n2. {SAYS_RAFT}", refusal)
        script(server)
        split(house.ws)
        label(house.ws)
        plan = plan_labels(house.ws, SLUG, AttributionOptions())
        assert (plan.calls, plan.not_cut, plan.no_claims, plan.unsaid) == (0, 0, 1, 1)
        assert split(house.ws).unsaid == 1
        assert split(house.ws, again=True).states == {"refused": 1}
        assert split(house.ws, again=True).states == {"refused": 1}
        server.rules.clear()
        script(server)
        assert split(house.ws, again=True).states == {"said": 1}
        assert label(house.ws, again=True).states == {"said": 2}
        assert label(house.ws, again=True).asked == split(house.ws, again=True).asked == 0


def test_another_judge_labels_the_claims_that_the_first_one_cut(house: House) -> None:
    with judged_by(house.ws) as server:
        script(server)
        split(house.ws)
        label(house.ws)
        server.plays(house.ws.folder, model="second")
        assert label(house.ws).asked == 0  # it has cut nothing itself
        assert label(house.ws, splitter="judge").states == {"said": 6}
        assert code_of(label, house.ws, splitter="nobody") == "attribution_splitter"
    with house.ws.reading() as session:
        judges = [judge for _, judge in standing_labels(session, 1)]
        assert len(attribution_cases(session, 1)) == 6
    assert judges.count("judge") == judges.count("second") == 6
    assert report(house.ws, SLUG, "second").judges == ("judge", "second")


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_labels_that_are_read_fit_the_claims(
    predicted: int, gold: int, data: st.DataObject
) -> None:
    places = st.lists(st.integers(1, 5), max_size=4)
    rows: st.SearchStrategy[dict[str, object]] = st.builds(
        dict, claim=st.integers(1, 5), match=places, partial=places
    )
    said = {"labels": data.draw(st.lists(rows, min_size=1, max_size=4))}
    read = read_labels(ClaimLabelling.model_validate_json(json.dumps(said)), predicted, gold)
    if read is None:
        return
    assert len(read) == predicted
    for each in read:
        places_of = [place for place, _ in each.relations]
        assert len(set(places_of)) == len(places_of)
        assert all(0 <= place < gold for place in places_of)
        assert (each.label == "none") == (not each.relations)
        assert each.label == min((of for _, of in each.relations), default="none")
