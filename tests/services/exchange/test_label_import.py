from __future__ import annotations

import json
import multiprocessing
import os
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest

from annotation.check.project import check
from annotation.history.reading import Filter, everything, read
from annotation.people import members
from annotation.work import commands, queue_service
from errors import UserError
from services.exchange.label_import import LabelsReport, import_labels
from tests.annotation.conftest import house
from tests.annotation.house import SLUG, House

__all__ = ["house"]

FIXTURES = Path(__file__).parents[2] / "fixtures" / "labels"
DECISIONS = {
    "Article 1": {"unit": "lake-act_article-1", "decision": "accept"},
    "not Article 2": {"unit": "lake-act_article-2", "decision": "reject"},
    "Article 5": {"unit": "lake-act_article-5", "decision": "unsure"},
    "Nothing": {"no_provision": True},
}
PEOPLE = {"10": "Ann", "11": "Ben", "ben@example.org": "Ben"}


def guide(folder: Path, **changes: Any) -> Path:
    said = {"item": "question_id", "choices": "provisions", "comment": "why"}
    path = folder / "guide.json"
    path.write_text(json.dumps({**said, "people": PEOPLE, "decisions": DECISIONS} | changes))
    return path


def submitted(house: House) -> dict[tuple[str | None, str | None], Any]:
    found = read(house.ws, SLUG, Filter(kinds=("submission",))).entries
    return {
        (each.person, each.item): (
            each.details.get("labels", {}),
            each.details["no_provision"],
            each.details["comment"],
        )
        for each in found
    }


@pytest.mark.parametrize(
    ("file", "tool", "item", "comment", "report"),
    [
        ("label_studio.json", "label-studio", "question_id", "lamp 1\n둘째 줄", (2, 0, 1, 0)),
        ("argilla_sdk2.json", "argilla", "id", "lamp 1", (3, 0, 0, 0)),
        ("argilla_server.jsonl", "argilla", "question_id", "lamp 1", (2, 1, 1, 0)),
    ],
)
def test_labels_come_in_as_if_given_here(
    house: House,
    tmp_path: Path,
    file: str,
    tool: str,
    item: str,
    comment: str,
    report: tuple[int, ...],
) -> None:
    said = (house.ws, SLUG, FIXTURES / file, tool, guide(tmp_path, item=item))
    assert import_labels(*said) == LabelsReport(*report)
    found = submitted(house)
    labels = {"lake-act_article-1": "accept", "lake-act_article-2": "reject"}
    assert found["Ann", "q1"] == (labels, False, comment)
    assert found["Ann", "q2"] == ({}, True, "")
    states = {each.external_id: each.status for each in queue_service.queue(house.ws, house.ben)}
    assert (states["q1"], states["q2"]) == {
        "label_studio.json": ("skipped", "todo"),
        "argilla_sdk2.json": ("submitted", "todo"),
        "argilla_server.jsonl": ("draft", "skipped"),
    }[file]
    assert check(house.ws, SLUG) == []
    assert import_labels(*said).already == report[0]
    assert submitted(house) == found


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"item": "number"}, "labels_shape"),
        ({"people": {"10": "Ann"}}, "labels_person"),
        ({"people": PEOPLE | {"10": "Judge"}}, "labels_person"),
        ({"people": PEOPLE | {"10": "Ben"}}, "labels_twice"),
        ({"decisions": {"Nothing": {"no_provision": True}}}, "labels_choice"),
        (
            {"decisions": DECISIONS | {"Article 1": {"unit": "x", "decision": "accept"}}},
            "labels_unit",
        ),
        ({"decisions": {"Article 1": {"unit": "x"}}}, "labels_guide"),
        ({"decisions": DECISIONS | {"Nothing": DECISIONS["not Article 2"]}}, "labels_empty"),
        (
            {"decisions": DECISIONS | {"not Article 2": {"no_provision": True}}},
            "accept_beside_none",
        ),
        ({"choices": ""}, "labels_guide"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_kept(
    house: House,
    tmp_path: Path,
    changes: dict[str, Any],
    error: str,
) -> None:
    file = FIXTURES / "label_studio.json"
    with pytest.raises(UserError) as refused:
        import_labels(house.ws, SLUG, file, "label-studio", guide(tmp_path, **changes))
    assert refused.value.code == error
    assert refused.value.where.file
    assert read(house.ws, SLUG, Filter(kinds=("draft", "submission"))).total == 0


def test_an_import_that_fails_midway_leaves_nothing_behind(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything_kept(house)
    submit, calls = commands.submit, []

    def fail_second(*at: Any) -> int:
        calls.append(at)
        if len(calls) == 2:
            raise UserError("item_settled")
        return submit(*at)

    said = (house.ws, SLUG, FIXTURES / "label_studio.json", "label-studio", guide(tmp_path))
    monkeypatch.setattr("annotation.work.commands.submit", fail_second)
    with pytest.raises(UserError, match="adjudicator has decided"):
        import_labels(*said)
    assert len(calls) == 2, "the first label was submitted by then"
    assert everything_kept(house) == before
    monkeypatch.undo()
    assert import_labels(*said) == LabelsReport(2, 0, 1, 0)


def test_an_import_that_is_killed_midway_leaves_nothing_behind(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything_kept(house)
    said = (house.ws, SLUG, FIXTURES / "label_studio.json", "label-studio", guide(tmp_path))
    house.ws.engine.dispose()
    # Skipping comes after a submission.
    monkeypatch.setattr("annotation.work.commands.skip", lambda *_: os.kill(os.getpid(), SIGKILL))
    child = multiprocessing.get_context("fork").Process(target=import_labels, args=said)
    child.start()
    child.join(100)
    assert child.exitcode == -SIGKILL
    monkeypatch.undo()
    assert everything_kept(house) == before
    assert import_labels(*said) == LabelsReport(2, 0, 1, 0)


def everything_kept(house: House) -> list[dict[str, Any]]:
    return [each.as_dict() for each in everything(house.ws, SLUG)]


@pytest.mark.parametrize(
    "text", ["{", "[1]", '{"a": 1}', '[{"data": {}, "annotations": {}}]', "[["]
)
@pytest.mark.parametrize("tool", ["label-studio", "argilla"])
def test_another_file_is_refused(house: House, tmp_path: Path, text: str, tool: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text)
    with pytest.raises(UserError) as refused:
        import_labels(house.ws, SLUG, file, tool, guide(tmp_path))
    assert refused.value.code in ("labels_shape", "labels_json")


def test_of_an_unknown_tool_nothing_is_read(house: House, tmp_path: Path) -> None:
    members.rename(house.ws, house.ann, "Ann")
    with pytest.raises(UserError) as refused:
        import_labels(house.ws, SLUG, tmp_path / "x", "paper", guide(tmp_path))
    assert refused.value.code == "labels_tool"
