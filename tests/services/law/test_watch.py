"""The amendment watch of every task: what enters the queue, what people say, what stays counted."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.gold.rechecks import Recheck
from annotation.people.members import add_person
from corpus.model import Statute, Unit
from services.law.activation import to_check, use_snapshot
from services.law.watch import LawWatch, TaskCounts, add_check, law_watch, wordings
from services.mcq.export import export_mcqs
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.mcq.questions import questions
from tests.conftest import FakeClock
from tests.services.mcq.mcq_project import SLUG, checks, generated, law, people
from tests.support.refusals import code_of

ACT, DECREE = 0, 1


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    """Return a project of four checked and unchecked questions on linked provisions."""
    made = Workspace(tmp_path / "workspace", clock)
    generated(made, 4)
    return made


def reworded(statutes: list[Statute], number: int, words: str, of: int = DECREE) -> list[Statute]:
    """Return the law with the article of that number saying other words."""

    def changed(unit: Unit) -> Unit:
        return replace(unit, text=words) if unit.order == number else unit

    return _with(statutes, of, map(changed, statutes[of].units))


def _with(statutes: list[Statute], of: int, units: Iterable[Unit]) -> list[Statute]:
    found = list(statutes)
    found[of] = replace(found[of], units=tuple(units))
    return found


def amend(ws: Workspace) -> None:
    """Use law in which the decree's article 1 is reworded, 2 has moved to 20 and 3 is gone."""
    statutes = reworded(law(4), 1, "90일로 한다.")
    moved = {"semantic_id": f"{statutes[DECREE].semantic_id}_20조", "label": "제20조"}
    units = (
        replace(unit, **moved) if unit.order == 2 else unit  # type: ignore[arg-type]
        for unit in statutes[DECREE].units
        if unit.order != 3
    )
    keep_statutes(ws, SLUG, _with(statutes, DECREE, units), "second")


def told(found: LawWatch) -> list[tuple[str, str, str, str]]:
    return sorted(
        (each.unit.rpartition("_")[2], str(each.became), each.progress, each.state)
        for each in found.entries
    )


def mcq(ws: Workspace, number: int) -> int:
    """Return the id of the question on the articles of that number."""
    with ws.reading() as session:
        kept = questions(session, 1)
    return next(e.id for e in kept if e.question.pair.target.unit_id.endswith(f"_{number}조"))


def entries(ws: Workspace) -> list[Recheck]:
    """Return the queue in the order of the articles."""
    return sorted(law_watch(ws, SLUG, task="mcq").entries, key=lambda each: each.unit)


def counts(ws: Workspace, by: int | None = None) -> TaskCounts:
    [found] = law_watch(ws, SLUG, by=by, task="mcq").counts
    kinds = (found.waiting, found.sent_back, found.set_aside, found.redone, found.confirmed)
    assert found.items == sum(kinds) + found.unchanged + found.unknown
    return found


def first(ws: Workspace) -> Recheck:
    return entries(ws)[0]


def test_questions_on_amended_provisions_enter_the_queue(ws: Workspace) -> None:
    ann, ben = people(ws)
    checks(ws, mcq(ws, 1), ann, ben)
    checks(ws, mcq(ws, 2), ann)
    assert law_watch(ws, SLUG, task="mcq").entries == ()
    assert counts(ws).unchanged == 4
    amend(ws)
    found = law_watch(ws, SLUG, task="mcq")
    assert told(found) == [
        ("1조", "changed", "done", "waiting"),
        ("2조", "renumbered", "begun", "waiting"),
        ("3조", "removed", "not_begun", "waiting"),
    ]
    assert {each.task for each in found.entries} == {"mcq_solvability"}
    done, begun, _ = entries(ws)
    assert [basis.person for basis in done.decisions] == ["Ann", "Ben"]
    assert begun.decisions == (), "of what is not all in nothing is told"
    assert (counts(ws).waiting, counts(ws).unchanged) == (3, 1)
    answered = to_check(ws, SLUG).counts.items
    assert answered == {"mcq_solvability": 2}, "nobody answered the third: no decision is in doubt"


def test_both_wordings_are_there_to_read(ws: Workspace) -> None:
    amend(ws)
    said = [wordings(ws, SLUG, entry) for entry in entries(ws)]
    assert [each.old.text.partition("날부터 ")[2] for each in said if each.old] == [
        "11일을 말한다.", "12일을 말한다.", "13일을 말한다.",
    ]  # fmt: skip
    assert [[new.place for new in each.new] for each in said] == [
        ["도료안전법 시행령 제1조"], ["도료안전법 시행령 제20조"], [],
    ]  # fmt: skip
    assert said[0].new[0].text == "90일로 한다."


def test_who_confirms_is_kept_and_an_amendment_after_it_asks_again(ws: Workspace) -> None:
    lead = add_person(ws, SLUG, "Lead", "researcher").id
    amend(ws)
    entry = first(ws)
    add_check(ws, SLUG, "confirm", entry.item_id, entry.unit_id, "the answer is the act's", by=lead)
    again = first(ws)
    assert again.state == "confirmed"
    assert again.check is not None
    assert (again.check.person, again.check.reason) == ("Lead", "the answer is the act's")
    assert (counts(ws).confirmed, counts(ws).waiting) == (1, 2)
    keep_statutes(ws, SLUG, reworded(law(4), 1, "60일로 한다."), "third")
    assert first(ws).state == "waiting", "nobody has seen these words"
    assert (counts(ws).waiting, counts(ws).unchanged) == (1, 3)
    use_snapshot(ws, SLUG, 2)
    assert first(ws).state == "confirmed", "these they have"
    use_snapshot(ws, SLUG, 1)
    assert law_watch(ws, SLUG, task="mcq").entries == (), "the words of the question are back"


def test_two_people_at_once_and_taking_it_back(ws: Workspace) -> None:
    lead, judge = (
        add_person(ws, SLUG, name, role).id
        for name, role in (("Lead", "researcher"), ("Judge", "adjudicator"))
    )
    amend(ws)
    entry = first(ws)
    about: Any = SLUG, "confirm", entry.item_id, entry.unit_id, ""
    add_check(ws, *about, before=None, by=lead)
    assert code_of(add_check, ws, *about, before=None, by=judge) == "law_check_meanwhile"
    assert code_of(add_check, ws, *about, by=judge) == "law_check_already"
    seen = first(ws).check
    assert seen is not None
    add_check(ws, SLUG, "reopen", entry.item_id, entry.unit_id, before=seen.id, by=judge)
    assert first(ws).state == "waiting"
    assert code_of(add_check, ws, *about, before=seen.id, by=lead) == "law_check_reopened"
    add_check(ws, SLUG, "set_aside", entry.item_id, entry.unit_id, "out of scope", by=judge)
    assert first(ws).state == "set_aside"
    assert counts(ws).unconfirmed == 3


def test_sent_back_it_is_done_again_by_those_who_did_it(ws: Workspace) -> None:
    ann, ben = people(ws)
    lead = add_person(ws, SLUG, "Lead", "researcher").id
    checks(ws, mcq(ws, 1), ann, ben)
    amend(ws)
    done, begun, _ = entries(ws)
    about: Any = SLUG, "send_back", done.item_id, done.unit_id, "the period is another"
    assert code_of(add_check, ws, *about) == "law_check_needs_person"
    add_check(ws, *about, by=lead)
    assert first(ws).state == "sent_back"
    checks_again(ws, done.item_id, ann)
    assert first(ws).state == "sent_back", "one of two has answered"
    checks_again(ws, done.item_id, ben)
    assert first(ws).state == "redone"
    assert (counts(ws).redone, counts(ws).waiting) == (1, 2)
    unfinished: Any = SLUG, "send_back", begun.item_id, begun.unit_id, "why"
    assert code_of(add_check, ws, *unfinished, by=lead) == "law_check_unfinished"


def checks_again(ws: Workspace, item: int, person: int) -> None:
    from annotation.work import commands

    commands.take_back(ws, person, item)
    commands.submit(ws, person, item)


def test_who_annotates_is_told_of_what_they_have_submitted_and_of_nobody(ws: Workspace) -> None:
    ann, ben = people(ws)
    lead = add_person(ws, SLUG, "Lead", "researcher").id
    checks(ws, mcq(ws, 1), ann)
    amend(ws)
    [mine] = law_watch(ws, SLUG, by=ann, task="mcq").entries
    assert (mine.progress, [basis.person for basis in mine.decisions]) == ("", [None])
    assert law_watch(ws, SLUG, by=ben, task="mcq").entries == ()
    assert counts(ws, ben).items == 0
    about: Any = SLUG, "confirm", mine.item_id, mine.unit_id
    assert code_of(add_check, ws, *about, by=ann) == "not_allowed"
    add_check(ws, *about, by=lead)
    assert to_check(ws, SLUG, ann).counts.items == {}


def test_what_is_not_in_the_queue_or_of_another_project_is_refused(ws: Workspace) -> None:
    from storage.projects import create_project

    create_project(ws, "other", "Other")
    stranger = add_person(ws, "other", "Stranger", "researcher").id
    amend(ws)
    entry = first(ws)
    about: Any = "confirm", entry.item_id, entry.unit_id
    assert code_of(add_check, ws, "other", *about) == "item_unknown"
    assert code_of(add_check, ws, SLUG, *about, by=stranger) == "person_unknown"
    assert code_of(add_check, ws, SLUG, "confirm", entry.item_id, 1) == "law_check_gone"
    assert code_of(add_check, ws, SLUG, "set_aside", *about[1:], " ") == "law_check_reason"
    assert code_of(law_watch, ws, SLUG, task="cooking") == "task_unwatched"
    assert law_watch(ws, "other").entries == ()


def test_exports_say_how_many_questions_rest_on_amended_law(ws: Workspace, tmp_path: Path) -> None:
    lead = add_person(ws, SLUG, "Lead", "researcher").id
    amend(ws)
    done, other, _ = entries(ws)
    add_check(ws, SLUG, "confirm", done.item_id, done.unit_id, by=lead)
    add_check(ws, SLUG, "set_aside", other.item_id, other.unit_id, "out of scope", by=lead)
    law_said = export_mcqs(ws, SLUG, tmp_path / "out", "all").law
    assert list(law_said.values()) == [2, 1, 1, 0]
    written = json.loads((tmp_path / "out" / "law.json").read_text("utf-8"))
    assert written == law_said
