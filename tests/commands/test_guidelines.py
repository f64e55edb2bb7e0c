from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.annotation.crew import submit
from tests.annotation.house import SLUG, House
from tests.commands.called import told
from tests.conftest import FakeClock
from tests.projects.mcq_project import build as build_mcq
from tests.projects.mcq_project import submitted
from tests.projects.other_guideline import began_otherwise


def test_the_text_that_touchstone_comes_with_is_shown_and_taken_over(house: House) -> None:
    def said(*words: str) -> tuple[int, dict[str, Any]]:
        return told(house.ws.folder, "guideline", "builtin", *words)

    assert said() == (0, {"offered": False})
    assert said("--do")[1]["error"] == "document_no_builtin"
    began_otherwise(house.ws, SLUG)
    code, offer = said()
    assert (code, offer["offered"], offer["number"]) == (0, True, 1)
    assert list(offer["pieces"]) == ["ko"]  # what it says in English is the same
    assert {each["kind"] for each in offer["pieces"]["ko"]} == {"same", "removed", "inserted"}
    assert said("--do", "--expected", "7")[1]["error"] == "document_stale"
    assert said("--do")[1]["version"].startswith("2-")
    assert said() == (0, {"offered": False})


def test_a_guideline_is_read_edited_compared_and_its_answers_taken_over(
    house: House, tmp_path: Path
) -> None:
    def said(*words: str) -> Any:
        code, found = told(house.ws.folder, "guideline", *words)
        assert code == 0, found
        return found

    submit(house, house.ann, house.items[0], 1)
    text = said("show")["text"]
    file = tmp_path / "new.md"
    file.write_text(text.replace("Accept", "Take"), "utf-8")
    assert said("edit", str(file), "--note", "plainer")["version"].startswith("2-")
    changed = [each for each in said("diff", "1")["pieces"] if each["kind"] != "same"]
    assert (changed[0]["text"].strip("*"), changed[1]["text"].strip("*")) == ("Accept", "Take")
    assert [each["number"] for each in said("list")["versions"]] == [2, 1]
    assert said("decisions", "1")["decisions"][0]["question"] == "q1"
    assert said("migrate", "1", "2", "--answer", "accept=again")["counts"]["again"] == 1
    assert said("decisions", "2")["decisions"] == []
    assert said("migrate", "1", "2", "--do", "--reason", "plainer")["counts"]["same"] == 1
    assert len(said("decisions", "2")["decisions"]) == 1
    assert "[[options]]" in said("show", "--kind", "codebook")["text"]


def test_answers_to_a_form_are_taken_over(tmp_path: Path, clock: FakeClock) -> None:
    house = build_mcq(tmp_path / "ws", clock)
    for person in (house.ann, house.ben):
        for item, cause in zip(house.items[:2], ("unclear", "outdated"), strict=True):
            submitted(house, person, item, "drop", cause=cause)
    where = "--kind", "codebook", "--task", "mcq_solvability"

    def said(*words: str) -> Any:
        return told(house.ws.folder, "guideline", *words, *where)[1]

    text = said("show")["text"]
    file = tmp_path / "new.toml"
    file.write_text(text.replace("Badly worded", "Badly put"), "utf-8")
    said("edit", str(file), "--note", "plainer")
    seen = said("migrate", "1", "2")
    assert {each["question"]: each["fate"] for each in seen["submissions"]} == {
        "mcq-001": "again",
        "mcq-002": "same",
    }
    assert seen["submissions"][0]["why"] == [
        {"why": "changed", "field": "cause", "option": "unclear"}
    ]
    chosen = "--answer", "cause.unclear=same", "--item", "mcq-002"
    assert said("migrate", "1", "2", *chosen)["counts"]["again"] == 2
    assert said("migrate", "1", "2", *chosen, "--do", "--reason", "so")["counts"]["same"] == 2
    assert [each["submissions"] for each in said("list")["versions"]] == [2, 0]
    assert said("migrate", "1", "2", "--answer", "poem=again")["error"] == "migration_field"
    for word, error in (("outdated", None), ("poem", "migration_option")):
        assert said("migrate", "1", "2", "--answer", f"cause.unclear={word}").get("error") == error
