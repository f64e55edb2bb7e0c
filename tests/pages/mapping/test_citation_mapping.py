"""Citation mapping as each kind of person finds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.mapping import commands as mapping_commands
from annotation.people.members import PersonView
from annotation.work import commands, queue_service
from annotation.work.threads import say
from storage.db.workspace import Workspace
from tests.pages.screens import told, viewer
from tests.pages.small_project import Small, empty_project, page, shown, small_project


@pytest.fixture
def small(workspace: Workspace) -> Small:
    return small_project(workspace)


def test_it_opens_the_first_item_and_comes_back_to_the_draft_that_was_left(small: Small):
    data = told("citation_mapping", small, small.ara)
    assert data["fixed"]["externalId"] == "q1"
    assert data["moving"]["total"] == 6
    assert [card["label"] for card in data["fixed"]["candidates"]]
    assert data["words"]["accept"] == "Accept"
    data = told("citation_mapping", small, small.ara, small.items["q4"])
    assert data["fixed"]["externalId"] == "q4"

    where = small.workspace, small.ara.id, small.items["q3"]
    unit = queue_service.open_item(*where).candidates[0].unit_id
    mapping_commands.label(*where, unit, "unsure")
    commands.set_comment(*where, "which paragraph?")
    data = told("citation_mapping", small, small.ara)
    assert data["fixed"]["externalId"] == "q3"
    moving = data["moving"]
    assert moving["decisions"] == {str(unit): "unsure"}
    assert (moving["comment"], moving["status"]) == ("which paragraph?", "draft")

    data = told("citation_mapping", small, small.jun, small.items["q3"])
    assert data["moving"]["decisions"] == {}, "nobody else's draft is told"


def test_an_address_that_names_no_item_leads_to_the_next_one(small: Small):
    for item in ("999", "9" * 23, "9" * 5000, "9" * 19, "x", "-1", "٣", "1e3", "", "<b>"):
        at = page("citation_mapping", small, small.ara)
        at.query_params["item"] = item
        at.run()
        assert viewer(at)["fixed"]["externalId"] == "q1"
        assert "defect" not in shown(at)
        if item in ("999", "9" * 23, "x", "-1"):
            assert bool(at.error) == item.isdecimal()  # a number looks meant, so it is told


def test_a_finished_queue_and_an_empty_project_say_so(small: Small, tmp_path: Path):
    for item in small.items.values():
        mapping_commands.set_no_provision(small.workspace, small.ara.id, item, True)
        commands.submit(small.workspace, small.ara.id, item)
    data = told("citation_mapping", small, small.ara)
    assert data["fixed"] == {"finished": True}
    assert (data["moving"]["done"], data["moving"]["total"]) == (6, 6)
    assert data["moving"]["canTakeBack"]

    empty = Workspace(tmp_path / "empty", small.workspace.clock)
    data = told("citation_mapping", empty, empty_project(empty)[0])
    assert data["fixed"] == {"finished": True}
    assert (data["moving"]["total"], data["moving"]["canTakeBack"]) == (0, False)


def test_an_adjudicator_is_told_that_this_is_not_theirs(small: Small):
    at = page("citation_mapping", small, small.sora).run()
    assert not at.get("bidi_component")
    assert "Only annotators and lawyers can annotate items." in shown(at)


def test_it_speaks_korean(small: Small):
    data = told("citation_mapping", small, small.ara, language="ko")
    assert data["words"]["accept"] == "채택"
    assert data["fixed"]["candidates"][0]["tierName"] == "법률"
    assert data["guideline"]["blocks"][0]["pieces"] == [["인용 조문 매핑", False]]


def test_the_thread_is_counted_for_who_may_read_it(small: Small):
    item = small.items["q1"]
    mapping_commands.set_no_provision(small.workspace, small.ara.id, item, True)
    commands.submit(small.workspace, small.ara.id, item, 4)
    say(small.workspace, small.ara.id, item, "None of them, I think.")

    def moving(person: PersonView) -> tuple[int, int | None]:
        told_ = told("citation_mapping", small, person, item)["moving"]
        return told_["messages"], told_["confidence"]

    assert moving(small.ara) == (1, 4)
    assert moving(small.jun) == (0, None)
    mapping_commands.set_no_provision(small.workspace, small.jun.id, item, True)
    commands.submit(small.workspace, small.jun.id, item)
    assert moving(small.jun) == (1, None)
