"""Suggestions: what a model is asked, what is kept of it, and that nothing is asked twice."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path

import pytest

from annotation.forms.suggestions import Suggestions
from annotation.tagging.suggestion_visibility import set_suggestions
from llm.batch import End, Progress
from services.tagging.suggestions import SuggestDone, SuggestionOptions, plan_suggesting, suggest
from storage.subjects import shown_items
from storage.tagging import SuggestionView, suggestions
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.llm.server import Server, Step
from tests.llm.serving import serving
from tests.projects import tagged_project
from tests.projects.tagged_project import FACTS, SLUG, TagHouse
from tests.support.refusals import code_of


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> TagHouse:
    return tagged_project.build(tmp_path / "workspace", clock, number=2)


def answers(*said: tuple[str, str, str]) -> str:
    """Return what a model answers: sub-factor, options joined by +, quotation."""
    rows = [{"sub_factor": k, "options": o.split("+") if o else [], "quote": q} for k, o, q in said]
    return json.dumps({"answers": rows})


MEANS = answers(("weapon", "knife", "with a\nknife"), ("blade", "long", "the sword was long"))
PERSON = answers(("motives", "not_stated", ""), ("insanity_claim", "claimed_accepted", FACTS[:20]))


def speaks(server: Server, means: str = MEANS, person: str = PERSON) -> None:
    server.on("# Means", Step(text=means))
    server.on("# Person", Step(text=person))


def run(
    house: TagHouse, wish: SuggestionOptions | None = None, by: int | None = None
) -> SuggestDone:
    ready = plan_suggesting(house.ws, SLUG, wish or SuggestionOptions(), by)
    return asyncio.run(suggest(house.ws, ready, Progress(0), threading.Event()))


def kept(house: TagHouse, case: int = 0) -> dict[str, SuggestionView]:
    with house.ws.reading() as session:
        rows = suggestions(session, house.project_id).values()
    return {each.sub_factor: each for each in rows if each.court_case_id == house.cases[case]}


def test_a_quotation_counts_only_where_the_judgment_has_it(house: TagHouse) -> None:
    with serving(house.ws) as server:
        speaks(server)
        done = run(house)
    assert (done.cases, done.calls, done.new, done.end) == (2, 4, 8, End.DONE)
    assert done.states == {"not_stated": 2, "quoted": 4, "unquoted": 2}
    found, text = kept(house), tagged_project.judgment(0)
    weapon = found["weapon"]
    assert (weapon.options, weapon.state) == (["knife"], "quoted")
    assert text[weapon.start :].startswith("with a knife") and weapon.quote == "with a knife"
    assert (found["blade"].state, found["blade"].start) == ("unquoted", None)
    assert found["motives"].options == ["not_stated"]


def test_the_model_reads_the_whole_judgment_under_its_headings(house: TagHouse) -> None:
    with serving(house.ws) as server:
        speaks(server)
        run(house, SuggestionOptions(cases=("case-2",), factors=("means",)))
    [seen] = server.seen
    said = seen.body["messages"][-1]["content"]
    for words in ("Case 2.", "[Facts]", FACTS, tagged_project.SENTENCE, "- gun: Gun – A firearm."):
        assert words in said
    assert "Leave this out unless weapon is one of: knife." in said
    assert "insanity_claim" not in said


def test_nothing_is_asked_or_kept_twice(house: TagHouse) -> None:
    with serving(house.ws) as server:
        speaks(server)
        first, again = run(house, SuggestionOptions(limit=1, seed=3)), run(house)
        third = run(house)
        assert sum(server.counts.values()) == 4
    assert (first.new, again.recalled, again.new) == (4, 2, 4)
    assert (third.recalled, third.new, third.shown) == (4, 0, 0)


def test_what_was_stopped_is_taken_up(house: TagHouse) -> None:
    stopped = threading.Event()
    stopped.set()
    with serving(house.ws) as server:
        speaks(server)
        ready = plan_suggesting(house.ws, SLUG, SuggestionOptions())
        done = asyncio.run(suggest(house.ws, ready, Progress(0), stopped))
        assert (done.end, done.new) == (End.STOPPED, 0)
        assert run(house).new == 8


UNUSABLE = (  # what a model says of a case, and the state that its suggestion has
    (answers(("weapon", "spear", "with a knife")), "unknown"),
    (answers(("weapon", "knife+gun", "with a knife")), "unparsed"),
    (answers(("weapon", "knife", "x"), ("weapon", "gun", "y")), "unparsed"),
    (answers(("weapon", "not_stated+gun", "")), "unparsed"),
    (answers(), "unparsed"),
    (answers(("weapon", "", "")), "not_stated"),
    ("no object", "unparsed"),
)


def test_what_cannot_be_used_suggests_nothing(tmp_path: Path, clock: FakeClock) -> None:
    house = tagged_project.build(tmp_path / "workspace", clock, number=len(UNUSABLE))
    with serving(house.ws) as server:
        server.on("no JSON object", Step(text="still none"))
        for number, (said, _) in enumerate(UNUSABLE, 1):
            server.on(f"Case {number}.", Step(text=said))
        run(house, SuggestionOptions(factors=("means",)))
    found = [kept(house, number) for number in range(len(UNUSABLE))]
    assert [each["weapon"].state for each in found] == [state for _, state in UNUSABLE]
    assert not any("blade" in each for each in found[:-1]), "under a condition it may be left out"


def test_a_refusal_is_kept_and_a_failure_is_asked_again(house: TagHouse) -> None:
    with serving(house.ws) as server:
        server.on("# Means", Step(do="refuse", text="no"))
        server.on("# Person", Step(do="error", status=500), Step(text=PERSON))
        done = run(house, SuggestionOptions(cases=("case-1",)))
        assert (done.failed, done.states) == (1, {"refused": 2})
        assert run(house, SuggestionOptions(cases=("case-1",))).failed == 0
    assert kept(house)["motives"].state == "not_stated"


def test_what_cannot_be_asked_is_refused(house: TagHouse) -> None:
    def refused(code: str, wish: SuggestionOptions, by: int | None = None) -> None:
        assert code_of(plan_suggesting, house.ws, SLUG, wish, by) == code

    for said, unfit in (
        ("sometimes", "suggestions_setting"),
        (Suggestions.AFTER, "suggestions_same"),
    ):
        assert code_of(set_suggestions, house.ws, SLUG, said, None) == unfit
    refused("models_role_unset", SuggestionOptions())
    with serving(house.ws):
        refused("factor_suggest_case", SuggestionOptions(cases=("case-9",)))
        refused("factor_unknown", SuggestionOptions(factors=("moons",)))
        refused("factor_suggest_none", SuggestionOptions(limit=0))


def test_items_show_what_is_newest_but_not_the_complete_ones(house: TagHouse) -> None:
    tagged_project.tag(house, house.ann, 0)
    tagged_project.tag(house, house.ben, 0)
    with serving(house.ws) as server:
        speaks(server)
        assert run(house).shown == 1
    newest = max(each.id for each in kept(house, 1).values())
    with house.ws.reading() as session:
        shown = [each.shown for each in shown_items(session, house.project_id, Task.FACTOR_TAGGING)]
    assert [each["suggested"] for each in shown] == [0, newest]
    assert set_suggestions(house.ws, SLUG, "shown", house.lead) == 1
    with house.ws.reading() as session:
        shown = [each.shown for each in shown_items(session, house.project_id, Task.FACTOR_TAGGING)]
    assert [each["suggestions"] for each in shown] == ["after", "shown"]
