from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.annotation.crew import submit
from tests.annotation.house import House, build
from tests.commands.people.test_members import run
from tests.conftest import FakeClock


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    return build(tmp_path / "ws", clock)


def test_a_guideline_is_read_edited_compared_and_its_answers_taken_over(
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    def said(*words: str) -> dict[str, Any]:
        code, told = run(monkeypatch, capsys, house.ws, "guideline", *words)
        assert code == 0, told
        found: dict[str, Any] = told
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


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("show", "9"), "document_number"),
        (("list", "--kind", "poem"), "document_unknown"),
        (("edit", "/nowhere/x.md", "--note", "n"), "guideline_file"),
        (("migrate", "2", "1"), "migration_back"),
        (("migrate", "1", "2"), "document_number"),
    ],
)
def test_what_cannot_be_is_refused(
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    error: str,
) -> None:
    code, told = run(monkeypatch, capsys, house.ws, "guideline", *words)
    assert (code, told["error"]) == (3, error)
