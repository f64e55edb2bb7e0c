"""The Amendments screen: what changed, what rests on it, and the queue of amended law."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from annotation.adjudication.disputes import decide
from annotation.people.members import PersonView, add_person
from corpus.model import Statute
from messages import say
from pages.shell.guard import md_literal
from services.law.activation import to_check
from services.law.watch import law_watch
from storage.db.workspace import Workspace
from storage.law.corpus import load_statutes
from storage.law.imports import keep_statutes
from tests.pages import screens
from tests.pages.screens import buttons, metrics, select, table
from tests.pages.screens import opened as watch_opened
from tests.pages.small_project import (
    HOSTILE,
    SLUG,
    Small,
    annotated_project,
    leader,
    shown,
    small_project,
)
from tests.services.law.test_watch import amend as watch_amend
from tests.services.law.test_watch import mcq
from tests.services.mcq.mcq_project import SLUG as WATCH_SLUG
from tests.services.mcq.mcq_project import checks, generated, people


@pytest.fixture
def amended(workspace: Workspace) -> Small:
    """Return the annotated project with 제1조 reworded and 제3조 moved to 제5조."""
    small = annotated_project(workspace)
    amend(workspace)
    return small


def amend(workspace: Workspace) -> None:
    with workspace.reading() as session:
        law = load_statutes(session, 1)[0]
    first, second, third = law.units
    units = (
        replace(first, text=first.text.replace("층마다", "방마다") + HOSTILE),
        second,
        replace(third, semantic_id=third.semantic_id.replace("3조", "5조"), label="제5조"),
    )
    new: Statute = replace(law, units=units, number="2")
    keep_statutes(workspace, SLUG, [new], "second")


def opened(small: Small, person: PersonView) -> AppTest:
    return screens.opened("compare", small, person)


def test_with_one_snapshot_it_says_what_to_do_and_with_two_that_nothing_rests_on_it(
    workspace: Workspace,
) -> None:
    small = small_project(workspace)
    assert "needs two snapshots" in opened(small, small.ara).info[0].value
    amend(workspace)
    assert "No decision rests on" in opened(small, small.sora).success[0].value


def test_an_annotator_compares_and_sees_their_own_decisions_without_names(amended: Small) -> None:
    at = opened(amended, amended.ara)
    assert metrics(at) == ["1", "0", "0", "1"]
    assert [each.value for each in at.selectbox][:2] == [1, 2]
    assert "second" in at.caption[0].value
    changed = table(at, "Provision", "Before")
    assert changed["Provision"].tolist() == ["제1조", "제5조"]
    assert changed["Before"].tolist() == ["", "제3조"]

    queue = table(at, "Why")
    assert queue["Id"].tolist() == ["q1", "q2", "q3", "q5"]
    assert "4 of your questions" in shown(at)
    assert not {"Gold", "Who and when (UTC)"} & set(queue.columns)
    there = f"project={SLUG}&person={amended.ara.id}&lang=en&item={amended.items['q1']}"
    assert queue["Open"][0] == f"citation_mapping?{there}"
    assert "Park Jun" not in shown(at)

    at = select(at, "compare-units", 0)
    pieces = str([each.proto for each in at.get("bidi_component")])
    assert "removed" in pieces and "inserted" in pieces
    assert "<img src=x" not in shown(at), "statute text goes to the browser as data only"

    at.button_group(key="compare-show").set_value("renumbered").run()
    assert table(at, "Provision", "Before")["Provision"].tolist() == ["제5조"]
    at.button_group(key="compare-show").set_value("added").run()
    assert not len(table(at, "Provision", "Before"))
    at.selectbox(key="compare-older").set_value(2).run()
    assert "cannot be compared with itself" in at.error[0].value


def test_an_adjudicator_sees_what_rests_on_it_and_who_decided(amended: Small) -> None:
    where = amended.workspace, amended.sora.id, amended.items["q2"]
    decide(*where, [], True, "none", 3)
    at = opened(amended, amended.sora)
    queue = table(at, "Why")
    assert queue["Id"].tolist() == ["q1", "q2", "q3"]
    assert queue["Provision"].tolist() == ["화재안전법 제1조", "–", "–"]
    assert queue["Why"].tolist() == [
        "what it rests on was amended",
        *["waiting for candidates from this law"] * 2,
    ]
    assert queue["Gold"].tolist() == [True] * 3
    assert md_literal("3 questions, 3 of them gold before") in shown(at)
    assert md_literal("Of these, 2 were answered") in shown(at)
    assert not at.button, "to choose the law, and to finish it, is for who leads"
    assert "Kim Ara 2026-01-05" in queue["Who and when (UTC)"][0]
    assert queue["Open"][0].startswith("gold?")

    decide(*where, [amended.unit("q1", "제1조")], False, "so", 3)
    decided = table(opened(amended, amended.sora), "Why")["Open"][1]
    assert decided.startswith("adjudication?"), "where it was decided by hand"
    assert decided.endswith(f"&item={amended.items['q2']}")


def test_who_leads_makes_candidates_and_chooses_the_law(amended: Small) -> None:
    workspace, lead = amended.workspace, leader(amended.workspace)
    at = opened(amended, lead)
    at = at.button(key="to-check-finish").click().run()
    assert "to-check-finish" not in buttons(at)
    assert "no_candidates" not in {each.reason for each in to_check(workspace, SLUG).entries}
    assert md_literal(to_check(workspace, SLUG, lead.id).counts.lines()[0]) in shown(at)

    assert "compare-use-2" not in buttons(at), "it is in use"
    at = at.button(key="compare-use-1").click().run()
    assert "in use now" in at.success[0].value
    assert at.button(key="compare-use-2")
    at.selectbox(key="compare-older").set_value(1)
    at.selectbox(key="compare-newer").set_value(2).run()
    assert "Shown as if snapshot 2 were in use" in shown(at)


@pytest.fixture
def ann(workspace: Workspace) -> int:
    """Make four questions, two of them submitted on, whose law was amended; return who checks."""
    generated(workspace, 4)
    ann, ben = people(workspace)
    checks(workspace, mcq(workspace, 1), ann, ben)
    watch_amend(workspace)
    return ann


FIRST = "도료안전법 시행령 제1조"


def test_who_leads_sees_the_counts_of_each_task_and_confirms(workspace: Workspace, ann: int):
    at = watch_opened(
        "compare", workspace, add_person(workspace, WATCH_SLUG, "Lead", "researcher"), WATCH_SLUG
    )
    (counts,) = table(at, "Waiting").to_dict("records")
    assert counts == {
        "Task": "MCQ solvability",
        "Items": 4,
        "Waiting": 3,
        "Sent back": 0,
        "Set aside": 0,
        "Done again": 0,
        "Confirmed": 0,
        "Law unchanged": 1,
        "Unknown provision": 0,
    }
    assert md_literal("1 multiple-choice question") in shown(at)
    at = select(at, "compare-rechecks", table(at, "Why")["Provision"].tolist().index(FIRST))
    pieces = str([each.proto for each in at.get("bidi_component")])
    assert "watch-old" in pieces and "watch-new-0" in pieces
    entry = next(each for each in law_watch(workspace, WATCH_SLUG).entries if each.place == FIRST)
    key = f"watch-{entry.item_id}-{entry.unit_id}"
    at = at.button(key=f"{key}-set_aside").click().run()
    assert "Enter a reason" in at.error[0].value
    at = at.button(key=f"{key}-confirm").click().run()
    assert "is confirmed for the law in use" in shown(at)
    assert table(at, "Waiting")["Confirmed"].tolist() == [1]
    assert FIRST not in table(at, "Why")["Provision"].tolist()


def test_who_annotates_reads_and_decides_nothing(workspace: Workspace, ann: int) -> None:
    at = watch_opened("compare", workspace, ann, WATCH_SLUG)
    assert len(table(at, "Why")) == 1, "what they have submitted"
    assert say("compare.pick") in shown(at)
    assert say("watch.pick") not in shown(at), "it would promise what they may not do"
    at = select(at, "compare-rechecks", 0)
    assert not at.button
    assert "Ben" not in shown(at)
