"""The commands about suggestions, agreement and settling of factors."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from tests.commands.called import command_line, told
from tests.llm.server import scripted
from tests.llm.serving import point_at
from tests.projects import tagged_project
from tests.projects.tagged_project import TagHouse
from tests.services.tagging.test_suggestions import speaks


@pytest.fixture
def house(tmp_path: Path) -> TagHouse:
    made = tagged_project.build(tmp_path / "workspace", number=2)
    tagged_project.tag(made, made.ann, 0, {"weapon": [("knife", "with a knife")]})
    tagged_project.tag(made, made.ben, 0, comment="Unclear.", weapon="gun")
    return made


def run(house: TagHouse, *words: str, code: int = 0) -> Any:
    """Run ``factors …`` as JSON; return what it printed."""
    done, said = told(house.ws.folder, "factors", *words)
    assert done == code
    return said


def text(house: TagHouse, *words: str) -> str:
    """Run ``factors …``; return the words it printed."""
    return command_line(house.ws.folder, "factors", *words).stdout


def test_a_dispute_is_found_read_and_settled(house: TagHouse) -> None:
    assert "case-1" in text(house, "disputes", "--by", "Cho")
    shown = text(house, "dispute", "case-1", "weapon", "--by", "Cho")
    assert "“with a knife”" in shown
    assert "Unclear." in shown
    decide = ("settle", "case-1", "weapon", "--by", "Cho", "--reason", "A blade.")
    first = run(house, *decide, "--option", "knife")
    assert first["open"] == ["blade"]
    assert "Still open of case-1: blade." in text(house, *decide, "--option", "knife")
    error = run(house, "dispute", "case-9", "weapon", "--by", "Cho", code=3)
    assert "factors disputes" in error["remedy"]


def test_the_report_and_the_tags_are_written(house: TagHouse, tmp_path: Path) -> None:
    tags = tmp_path / "tags.csv"
    found = run(house, "report")
    assert (found["cases"], found["open"]) == (1, 1)
    assert {each["sub_factor"] for each in found["agreement"]} == {
        "weapon", "blade", "motives", "insanity_claim",
    }  # fmt: skip
    assert run(house, "tags", str(tags))["rows"] == 4
    with tags.open(encoding="utf-8") as file:
        assert {row["state"] for row in csv.DictReader(file)} == {
            "disputed", "not_asked", "agreed",
        }  # fmt: skip
    assert "asked of some people" in text(house, "report")


def test_suggestions_are_asked_for_and_their_showing_is_set(house: TagHouse) -> None:
    with scripted() as server:
        point_at(house.ws, server)
        speaks(server)
        assert "8 suggestions are new" in text(house, "suggest")
        again = run(house, "suggest", "--limit", "1")
    assert (again["recalled"], again["new"]) == (2, 0)
    assert "Suggestions are after." in text(house, "suggestions")
    assert "hidden. Items shown anew: 1." in text(house, "suggestions", "hidden")
    assert run(house, "suggestions")["setting"] == "hidden"
