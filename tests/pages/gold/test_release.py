"""Releases on the Gold screen."""

from __future__ import annotations

import json

from streamlit.testing.v1 import AppTest

from annotation.people.consent import set_naming
from services.bundle import releases_folder
from services.gold.release import kept_releases
from storage.db.workspace import Workspace
from tests.pages.screens import opened
from tests.pages.small_project import SLUG, annotated_project, shown

SAID = {"name": "lake-law", "version": "1.0", "licence": "MIT", "description": "Law of the lake."}


def filled(at: AppTest, **said: str) -> AppTest:
    for key, text in said.items():
        boxes = at.text_area if key in ("description", "authors") else at.text_input
        boxes(key=f"release-{key}").set_value(text)
    at.button(key="release-run").click().run()
    return at


def plain(text: str) -> str:
    return text.replace("\\", "")


def test_a_release_is_made_and_the_next_lists_its_changes(workspace: Workspace) -> None:
    small = annotated_project(workspace)
    at = opened("gold", small, small.sora)
    at.session_state["release-open"] = True
    at.run()
    said = plain(filled(at, **SAID | {"licence": ""}).error[0].value)
    assert "lacks: licence, authors" in said
    at = filled(at, licence="MIT", authors="Kim\nLee")
    assert "Released lake-law-1.0" in plain(at.success[0].value) and "errors" in shown(at)
    folder = releases_folder(workspace, SLUG) / "lake-law-1.0"
    assert json.loads((folder / "release.json").read_text("utf-8"))["authors"] == ["Kim", "Lee"]
    assert [each.label for each in at.download_button if "zip" in each.label]
    assert "has been released already" in plain(filled(at).error[0].value)
    at = filled(at, version="1.1", licence="", authors="", description="")
    assert "Since version 1.0: 0 added" in plain(shown(at))
    assert kept_releases(workspace, SLUG) == ["lake-law-1.1", "lake-law-1.0"]


def test_names_are_written_after_a_second_yes(workspace: Workspace) -> None:
    small = annotated_project(workspace)
    at = opened("gold", small, small.sora)
    at.session_state["release-open"] = True
    at.run()
    at.checkbox(key="release-names").check().run()
    assert at.button(key="release-run").disabled and "Nobody has agreed" in at.info[0].value
    set_naming(workspace, small.jun.id, True)
    at.run()
    assert at.button(key="release-run").disabled
    at.checkbox(key="release-sure").check().run()
    filled(at, **SAID, authors="Kim")
    readme = releases_folder(workspace, SLUG) / "lake-law-1.0" / "README.md"
    assert "Park Jun" in readme.read_text("utf-8") and "Kim Ara" not in readme.read_text("utf-8")


def test_who_may_not_export_sees_no_release(workspace: Workspace) -> None:
    small = annotated_project(workspace)
    at = opened("gold", small, small.jun)
    assert not [each for each in at.expander if each.label == "Release"]
