"""The queue of amended law on the Amendments page, for items of tasks with a form."""

from __future__ import annotations

import pytest

from annotation.people.members import add_person
from messages import say
from pages.shell.guard import md_literal
from services.law.watch import law_watch
from storage.db.workspace import Workspace
from tests.pages.screens import opened, select, table
from tests.pages.small_project import shown
from tests.services.law.test_watch import amend, mcq
from tests.services.mcq.mcq_project import SLUG, checks, generated, people


@pytest.fixture
def ann(workspace: Workspace) -> int:
    """Make four questions, two of them submitted on, whose law was amended; return who checks."""
    generated(workspace, 4)
    ann, ben = people(workspace)
    checks(workspace, mcq(workspace, 1), ann, ben)
    amend(workspace)
    return ann


FIRST = "도료안전법 시행령 제1조"


def test_who_leads_sees_the_counts_of_each_task_and_confirms(workspace: Workspace, ann: int):
    at = opened("compare", workspace, add_person(workspace, SLUG, "Lead", "researcher"), SLUG)
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
    entry = next(each for each in law_watch(workspace, SLUG).entries if each.place == FIRST)
    key = f"watch-{entry.item_id}-{entry.unit_id}"
    at = at.button(key=f"{key}-set_aside").click().run()
    assert "Enter a reason" in at.error[0].value
    at = at.button(key=f"{key}-confirm").click().run()
    assert "is confirmed for the law in use" in shown(at)
    assert table(at, "Waiting")["Confirmed"].tolist() == [1]
    assert FIRST not in table(at, "Why")["Provision"].tolist()


def test_who_annotates_reads_and_decides_nothing(workspace: Workspace, ann: int) -> None:
    at = opened("compare", workspace, ann, SLUG)
    assert len(table(at, "Why")) == 1, "what they have submitted"
    assert say("compare.pick") in shown(at)
    assert say("watch.pick") not in shown(at), "it would promise what they may not do"
    at = select(at, "compare-rechecks", 0)
    assert not at.button
    assert "Ben" not in shown(at)
