"""The panels of the Gold screen for splits and for the datasheet."""

from __future__ import annotations

import pytest

from annotation.people.members import list_people
from annotation.work.versioned_texts import DATASHEET_ANSWERS
from construction.gold.datasheet_form import as_yaml
from construction.gold.splitting import Recipe, Way
from pages.shell.guard import md_literal
from services.gold.splits import make_split, split_state
from tests.pages.small_project import page
from tests.projects.small_law import ACT
from tests.projects.split_project import SLUG, harbour, settle


def save(ws, slug, said, *rest):
    return DATASHEET_ANSWERS.save(ws, slug, as_yaml(said), *rest)


def state_of(ws):
    """Return the division that there is."""
    found = split_state(ws, SLUG)
    assert found is not None
    return found


@pytest.fixture
def ws(tmp_path, clock):
    return harbour(tmp_path / "ws", clock)


def people(ws):
    return {each.name: each for each in list_people(ws, SLUG)}


def gold(ws, name="Rae"):
    at = page("gold", ws, people(ws)[name], project=SLUG)
    at.session_state["split-open"] = True  # the panel has been opened
    return at


def test_a_lead_splits_and_places_what_comes_later(ws):
    at = gold(ws, "Rae").run()
    at.number_input(key="split-share-train").set_value(90).run()
    at.button(key="split-make").click().run()
    assert md_literal("90/10/20") in at.error[0].value, "they make no hundred"
    assert split_state(ws, SLUG) is None
    at.number_input(key="split-share-train").set_value(50)
    at.number_input(key="split-share-dev").set_value(0)
    at.number_input(key="split-share-test").set_value(50)
    at.text_input(key="split-note").set_value("first").run()
    at.button(key="split-make").click().run()
    assert not at.error
    state = state_of(ws)
    assert state.view.note == "first" and state.view.recipe.shares == (50, 0, 50)
    settle(ws, "q8", f"{ACT}_2조")
    at = gold(ws, "Rae").run()
    at.button(key="split-leaks").click().run()
    assert at.button(key="split-make").disabled  # until somebody says that questions may move
    at.button(key="split-extend").click().run()
    assert not at.error
    assert state_of(ws).parts["q8"] == "train"
    gold(ws, "Rae").run()


def test_a_lead_splits_all_again_once_they_say_that_questions_may_move(ws):
    make_split(ws, SLUG, Recipe(Way.STATUTE, (50, 0, 50)))
    at = gold(ws).run()
    at.button_group(key="split-by").set_value("date").run()
    assert at.selectbox(key="split-column").options == ["asked"], "the columns with dates"
    at.checkbox(key="split-again-sure").check().run()
    at.button(key="split-make").click().run()
    assert not at.error
    view = state_of(ws).view
    assert (view.number, view.recipe.way, view.recipe.column) == (2, Way.DATE, "asked")
    assert "moved" in at.success[0].value


def test_who_annotates_sees_neither(ws):
    at = gold(ws, "Ann").run()
    assert not [each for each in at.expander if "Train, dev" in each.label]
    assert not [each for each in at.expander if "Datasheet" in each.label]


def test_a_lead_fills_in_the_datasheet(ws):
    at = gold(ws, "Rae").run()
    hostile = "<b>x</b> **y** $z$"
    at.text_area(key=f"datasheet-edit-{SLUG}-1-funding").set_value(hostile).run()
    at.text_input(key="datasheet-note").set_value("begun")
    at.button(key="datasheet-save").click().run()
    assert not at.error
    found = DATASHEET_ANSWERS.editions(ws, SLUG)[0]
    assert (found.number, found.person, found.note) == (2, "Rae", "begun")
    again = gold(ws, "Rae").run()
    assert again.text_area(key=f"datasheet-edit-{SLUG}-2-funding").value == hostile
    labels = [each.label for each in again.expander if "18" in each.label and "19" in each.label]
    assert len(labels) == 1


def test_what_another_saved_meanwhile_is_kept(ws):
    at = gold(ws).run()
    funding, contact = (f"datasheet-edit-{SLUG}-1-{key}" for key in ("funding", "contact"))
    at.text_area(key=funding).set_value("mine").run()
    save(ws, SLUG, {"contact": "theirs", "funding": "theirs"}, "", 1, people(ws)["Rae"].id)
    at.text_area(key=funding).set_value("mine, longer").run()
    assert not [each for each in at.button if each.key == "datasheet-save"]
    at.button(key="datasheet-go-on").click().run()
    funding, contact = (each.replace("-1-", "-2-") for each in (funding, contact))
    assert at.text_area(key=funding).value == "mine, longer"
    assert at.text_area(key=contact).value == "theirs"
    at.button(key="datasheet-save").click().run()
    assert not at.error
    newest = DATASHEET_ANSWERS.editions(ws, SLUG)[0].text
    assert "mine, longer" in newest and "theirs" in newest
