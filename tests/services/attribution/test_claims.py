"""Cutting answers into claims, against the scripted server: each state, once, and resumed."""

from __future__ import annotations

from pathlib import Path

import pytest

from llm.batch import End
from services.attribution.claims import AttributionOptions, plan_splits, split_claims
from services.attribution.labelling import plan_labels
from storage.attribution.claims import ClaimsView, claims_by_id, standing_claims
from tests.annotation.house import SLUG, House
from tests.conftest import FakeClock
from tests.llm.server import Step
from tests.llm.serving import to_the_end
from tests.projects.attribution_project import (
    FILE,
    FREE,
    SAYS_LAMP,
    SAYS_RAFT,
    cuts,
    judged_by,
    make,
    script,
    split,
    unit,
)
from tests.support.refusals import refused


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    return make(tmp_path / "ws", clock)


def claims(house: House) -> list[ClaimsView]:
    with house.ws.reading() as session:
        return list(standing_claims(session, 1).values())


def test_answers_by_provision_list_their_claims_and_the_others_are_cut_once(house: House) -> None:
    with judged_by(house.ws) as server:
        script(server)
        plan = plan_splits(house.ws, SLUG, AttributionOptions())
        done = to_the_end(split_claims, house.ws, plan, stop=True)
        assert (done.end, done.states, done.unanswered) == (End.STOPPED, {}, 5)
        assert done.without_call == 3
        done = split(house.ws)
        # Two free answers, one from a file, and the official answers of q1 and q2.
        assert (done.asked, done.without_call, done.already) == (5, 0, 3)
        assert (done.states, done.end, done.unanswered) == ({"said": 5}, End.DONE, 0)
        calls = len(server.seen)
        again = split(house.ws)
        assert (again.asked, again.without_call, again.already) == (0, 0, 8)
        assert len(server.seen) == calls
    found = claims(house)
    assert len(found) == 8
    by_form = [each for each in found if each.splitter == "form"]
    assert [[c.cites for c in each.claims] for each in by_form] == [
        [(unit(1),), (unit(1),), (unit(3, "(1)"),)],
        [(unit(2),), (unit(4),)],
        [(unit(4),), (unit(5),)],
    ]
    free = next(each for each in found if each.case_id and each.splitter == "judge")
    assert [each.text for each in free.claims] == [SAYS_LAMP, SAYS_RAFT]
    assert free.prompt_version.startswith("1-")


def test_answers_of_both_formats_can_be_cut_by_the_same_model(house: House) -> None:
    with judged_by(house.ws) as server:
        script(server)
        split(house.ws)
        free = {each.id for each in claims(house) if each.case_id and each.splitter == "judge"}
        server.on("Answer:", cuts("It does."))
        done = split(house.ws, cut_all=True)
        assert (done.asked, done.without_call, done.already) == (3, 0, 5)
        assert split(house.ws, cut_all=True).asked == 0
        said = [each.body["messages"][-1]["content"] for each in server.seen[-3:]]
        assert plan_labels(house.ws, SLUG, AttributionOptions(cut_all=True)).not_cut == 0
    cut = [each for each in claims(house) if each.case_id and each.splitter == "judge"]
    assert len(cut) == len(free) + 3
    listed = [each for each in claims(house) if each.splitter == "form"]
    assert all(any(claim.text in text for text in said) for e in listed for claim in e.claims)


def test_the_judge_is_asked_with_the_published_sampling_and_without_the_footer(
    house: House,
) -> None:
    with judged_by(house.ws) as server:
        script(server)
        split(house.ws, systems=(FREE,))
        bodies = [each.body for each in server.seen]
    assert {(each["temperature"], each["top_p"]) for each in bodies} == {(0.6, 0.95)}
    assert not any("[References]" in each["messages"][-1]["content"] for each in bodies)


def test_what_brings_no_claims_has_its_own_state_and_never_counts_as_none(house: House) -> None:
    for repeat, (step, state) in enumerate(
        (
            (Step(text="Claims: none."), "unread"),
            (Step(text='{"claims": []}'), "unread"),
            (cuts(*map(str, range(21))), "unread"),
            (cuts("  "), "unread"),
            (Step(text='{"claims": ["Boats', finish="length"), "cut_off"),
            (Step(text="", finish="content_filter"), "refused"),
            (Step(do="error", status=500), "failed"),
        )
    ):
        with judged_by(house.ws) as server:
            server.on("Answer:\nIt does", step)
            server.on("That was not in the form", step)  # the repair
            script(server)
            done = split(house.ws, systems=(FILE,), repeat=repeat)
        assert done.states == {"said": 1, state: 1}
        row = next(each for each in claims(house) if each.case_id)
        assert (row.state, row.claims) == (state, ())


def test_only_a_failed_call_is_made_again(house: House) -> None:
    with judged_by(house.ws) as server:
        server.on("Answer:\nIt does", Step(do="error", status=500), cuts("It does."))
        script(server)
        assert split(house.ws, systems=(FILE,)).states == {"failed": 1, "said": 1}
        again = split(house.ws, systems=(FILE,))
        assert (again.asked, again.already, again.states) == (1, 1, {"said": 1})


def test_a_repeat_asks_anew_and_recalls_when_it_is_taken_up(house: House) -> None:
    with judged_by(house.ws) as server:
        script(server)
        split(house.ws, systems=(FILE,))
        calls = len(server.seen)
        assert split(house.ws, systems=(FILE,), repeat=1).states == {"said": 2}
        assert len(server.seen) == 2 * calls
        split(house.ws, systems=(FILE,), repeat=1)
        assert len(server.seen) == 2 * calls
    with house.ws.reading() as session:
        assert len(claims_by_id(session, 1)) == 4


def test_an_unknown_system_and_sampling_out_of_range_are_refused(house: House) -> None:
    with judged_by(house.ws):
        for wrong, code in (
            ({"systems": ("nobody",)}, "attribution_system"),
            ({"temperature": 2.5}, "attribution_sampling"),
            ({"top_p": 0.0}, "attribution_sampling"),
        ):
            with refused(code):
                plan_splits(house.ws, SLUG, AttributionOptions(**wrong))
