"""The codebook of factors as each kind of person finds it."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from messages import say
from pages.shell.guard import md_literal
from services.tagging.codebook import find_codebook, save_codebook
from storage.db.workspace import Workspace
from tests.construction.tagging.codebooks import SMALL
from tests.pages.screens import opened, person_of, press, table
from tests.pages.small_project import HOSTILE, SLUG, empty_project, leader, shown


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    """Return a project with a small codebook."""
    empty_project(workspace)
    leader(workspace)
    save_codebook(workspace, SLUG, SMALL.replace("en: Weapon,", f"en: '{HOSTILE}',"), "small")
    return workspace


def in_view(ws: Workspace, name: str) -> AppTest:
    """Open a view of the codebook as a researcher."""
    return view(opened("factor_codebook", ws, person_of(ws, SLUG, "Han Bora")), name)


def view(at: AppTest, name: str) -> AppTest:
    at.button_group(key="factor-book-view").set_value(name).run()
    return at


def edit(at: AppTest, kind: str, key: str = "") -> AppTest:
    """Choose what is edited."""
    return at.selectbox(key="factor-book-edit-what").set_value((kind, key)).run()


def save(at: AppTest) -> None:
    at.button(key="factor-book-save").click().run()


def tree(at: AppTest) -> list[str]:
    return [str(each).strip("\u2003▾ ") for each in table(at, "Factor")["Factor"]]


def test_everybody_reads_the_packaged_codebook(workspace: Workspace) -> None:
    at = opened("factor_codebook", workspace, empty_project(workspace)[0])
    lead = say("factor_book.lead", number=1, factors=36, sub_factors=102, claims=39)
    assert lead in shown(at)
    assert len(tree(at)) == 138
    assert len(at.button_group(key="factor-book-view").options) == 3  # no editing


def test_the_tree_is_searched_and_says_what_a_crime_is_asked(ws: Workspace) -> None:
    at = opened("factor_codebook", ws, person_of(ws, SLUG, "Kim Ara"))
    assert tree(at)[0] == "Violence"
    assert HOSTILE in tree(at)[1]
    assert at.header[0].value == md_literal(HOSTILE)
    at.text_input(key="factor-book-search").set_value("둔기").run()
    assert tree(at) == ["Violence", "Kind"]
    assert HOSTILE.split()[0] in table(at, "Factor")["Asked only if"][1]
    at.text_input(key="factor-book-search").set_value("").run()
    at.selectbox(key="factor-book-part").set_value("traffic.drunk_driving").run()
    assert tree(at) == ["Road", "Drink", "General", "Insanity"]
    at.toggle(key="factor-book-claims").set_value(True).run()
    assert tree(at) == ["General", "Insanity"]
    at.text_input(key="factor-book-search").set_value("nothing at all").run()
    assert say("factor_book.nothing") in shown(at)


def test_a_sub_factor_is_edited_without_yaml(ws: Workspace) -> None:
    at = in_view(ws, "edit")
    assert say("factor_book.no_changes", number=2) in shown(at)
    (before,) = (each for each in at.dataframe if "key" in each.value)
    assert before.proto.editing_mode == before.proto.EditingMode.DELETE_ONLY
    press(at, say("factor_book.add_option"))
    (after,) = (each for each in at.dataframe if "key" in each.value)
    assert after.value.iloc[:-1].equals(before.value)
    assert set(after.value.iloc[-1]) == {""}, "a blank row only where one was added"

    at = in_view(ws, "edit")
    edit(at, "sub_factor", "kind")
    at.text_input(key="factor-book-field-kind-label-en").set_value("Sort of weapon").run()
    at.multiselect(key="factor-book-field-kind-when-weapon").set_value([]).run()
    assert "could never be met" in shown(at)  # and nothing to save it with
    assert not [each for each in at.button if each.key == "factor-book-save"]
    at.multiselect(key="factor-book-field-kind-when").set_value([]).run()
    at.number_input(key="factor-book-field-kind-place").set_value(1).run()
    assert say("factor_book.changes", count=3, number=2) in shown(at)
    at.text_input(key="factor-book-note").set_value("plainer").run()
    save(at)
    book = find_codebook(ws, SLUG).book
    kind = book.factors[0].sub_factors[1]
    assert (kind.label["en"], kind.when, book.order[0]) == ("Sort of weapon", {}, "kind")
    assert md_literal(say("guidelines.saved", number=3)) in shown(at)


def test_a_new_factor_begins_with_a_sub_factor(ws: Workspace) -> None:
    at = in_view(ws, "edit")
    edit(at, "new_factor")
    at.text_input(key="factor-book-field-new-factor").set_value("road").run()
    assert md_literal("already") in shown(at)
    at.text_input(key="factor-book-field-new-factor").set_value("theft").run()
    at.text_input(key="factor-book-field-new-first").set_value("value").run()
    at.multiselect(key="factor-book-field-factor-theft-scope").set_value(["theft"]).run()
    for name in ("factor-theft", "value"):
        for language in ("en", "ko"):
            at.text_input(key=f"factor-book-field-{name}-label-{language}").set_value("Value").run()
            at.text_area(key=f"factor-book-field-{name}-help-{language}").set_value("Taken").run()
    at.toggle(key="factor-book-field-value-claim").set_value(True).run()
    save(at)
    factor = find_codebook(ws, SLUG).book.factors[-1]
    assert (factor.key, factor.scope, factor.sub_factors[0].key) == ("theft", ("theft",), "value")


def test_what_is_waited_for_cannot_be_taken_out_and_a_stale_edit_is_refused(ws: Workspace) -> None:
    at = in_view(ws, "edit")
    edit(at, "sub_factor", "weapon")
    at.toggle(key="factor-book-field-weapon-out").set_value(True).run()
    assert md_literal("which is not a sub-factor") in shown(at)
    edit(at, "sub_factor", "drink")
    at.toggle(key="factor-book-field-drink-out").set_value(True).run()
    save_codebook(ws, SLUG, SMALL, "meanwhile")
    save(at)
    assert "saved meanwhile" in shown(at)
    assert "factor-book-save" not in {each.key for each in at.button}
    assert len(find_codebook(ws, SLUG).book.order) == 4
    at.button(key="factor-book-again").click().run()
    assert say("factor_book.editing", "en", number=3, next=4) in shown(at)
    # A field of the same key would still show in the browser what was typed before.
    assert "factor-book-field-drink-out" not in {each.key for each in at.toggle}
    assert not at.toggle(key="factor-book-field-1-drink-out").value
    at.toggle(key="factor-book-field-1-drink-out").set_value(True).run()
    save(at)
    assert len(find_codebook(ws, SLUG).book.order) == 3


def test_files_come_in_after_a_look_and_versions_say_what_changed(ws: Workspace) -> None:
    at = in_view(ws, "files")
    at.file_uploader(key="factor-book-upload").upload(
        "mine.yaml", SMALL.replace("key: drink", "key: weapon").encode(), "text/yaml"
    ).run()
    assert "already taken" in shown(at)
    at.file_uploader(key="factor-book-upload").set_value(
        ("mine.yaml", SMALL.encode(), "text/yaml")
    ).run()
    assert say("factor_book.changes", count=1, number=2) in shown(at)
    at.button(key="factor-book-file-save").click().run()
    assert find_codebook(ws, SLUG).current == 3
    at = view(at, "versions")
    assert table(at, "Version")["Version"].tolist() == [3, 2, 1]
    assert say("factor_book.changes", count=1, number=2) in shown(at)


def test_changes_are_told_by_what_things_are_called(ws: Workspace) -> None:
    text = SMALL.replace("scope: [traffic]", "scope: [traffic, fraud]")
    text = text.replace("when: {weapon: ['yes']}", "when: {weapon: ['no']}")
    at = in_view(ws, "files")
    at.file_uploader(key="factor-book-upload").upload("mine.yaml", text.encode()).run()
    named = {"sub_factor": "Kind", "old": f"{HOSTILE}: Yes", "new": "Weapon: No"}
    assert md_literal(say("factor_book.change.condition", **named)) in shown(at)
    named = {"factor": "Road", "old": "–", "new": "Fraud"}
    assert md_literal(say("factor_book.change.scope", **named)) in shown(at)
