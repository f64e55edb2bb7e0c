"""What the keys that a generated question keeps are called on screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.work.versioned_texts import AXES
from messages import catalogue
from pages.task.generated_words import axes_named, finding_words, layer_name, role_name
from storage.cascade.names import Names, names_in
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project, find_project

NONE = Names({}, {}, {}, {}, {}, {}, {})


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Names:
    """Return the names of a project whose second version of the axes renames a type."""
    ws = Workspace(Path(tmp_path_factory.mktemp("names")))
    migrate(ws)
    create_project(ws, "grants", "Grants")
    text = AXES.edition(ws, "grants").text
    AXES.save(ws, "grants", text.replace("en: Rule and exception", "en: Exceptions"), "", 1)
    with ws.reading() as session:
        return names_in(session, find_project(session, "grants").id)


def test_axes_are_called_as_the_newest_version_calls_them(named: Names) -> None:
    axes = {
        "type": "exception_paired",
        "difficulty": "L2",
        "facets": {"lifecycle": "ended", "gone": "x"},
        "domain": "quay",
        "group": "",
    }
    assert list(axes_named(axes, named, "en")) == [
        ("type", "Exceptions"),
        ("level", "L2"),
        ("Stage", "after it has ended"),
        ("gone", "x"),
        ("domain", "quay"),
    ]
    assert ("단계", "끝난 뒤") in list(axes_named(axes, named, "ko"))


def test_roles_are_edges_rules_or_their_own_key(named: Names) -> None:
    assert role_name("anchor", named, "en") == "starting provision"
    assert role_name("delegates_to", named, "ko") == "위임"
    assert role_name("r4_sanction", named, "en") != "r4_sanction"
    assert role_name("stores", named, "en") == "stores"


def test_reasons_are_told_without_a_key(named: Names) -> None:
    assert layer_name("gate", "en") == "Gate"
    part = {"code": "script", "values": {"part": "answer", "letters": "漢"}}
    assert finding_words(part, named, "ko") == "답변에 다른 문자: 漢"
    key = next(iter(named.wordings))
    wording = {"code": f"wording.{key}", "values": {"text": "each of"}}
    assert finding_words(wording, named, "en") == f"{named.wordings[key]['en']}: “each of”"
    rule = {"code": "missing", "values": {"unit": "a", "rule": "r4_sanction", "words": "fine"}}
    assert "r4_sanction" not in finding_words(rule, named, "en")
    held = {"code": "concrete_context", "values": {"holds": False, "reason": "So."}}
    assert finding_words(held, named, "en") == "Concrete context: no. So."


def test_a_reason_of_another_version_is_told_by_its_code() -> None:
    assert finding_words({"code": "no_such_code", "values": {}}, NONE, "en") == "no such code"
    said = {"code": "no_such", "values": {"units": ["a", "b"], "at": 3}}
    assert finding_words(said, NONE, "en") == "no such (at: 3, units: a, b)"
    assert finding_words({"code": "length", "values": {"part": "x"}}, NONE, "en").endswith(
        "(part: x)"
    )


def test_numbers_are_written_as_the_words_say() -> None:
    assert "{length:,}" in catalogue()["cascade.reason.length"]["en"]
    values = {"part": "answer", "length": 1200, "shortest": 1, "longest": 9}
    assert "1,200 characters" in finding_words({"code": "length", "values": values}, NONE, "en")
