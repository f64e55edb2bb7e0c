from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import touchstone
from services.exchange import label_import
from tests.annotation.house import House
from tests.commands.called import told
from tests.services.exchange.label_studio import record
from tests.services.exchange.test_label_import import FIXTURES, guide, many


def brought(house: House, file: Path, words: Path, *more: str) -> list[str]:
    return ["import", "labels", str(file), "--from", "label-studio", "--mapping", str(words), *more]


def test_labels_come_in_by_command(house: House, tmp_path: Path) -> None:
    words = brought(house, FIXTURES / "label_studio.json", guide(tmp_path))
    code, said = told(house.ws.folder, *words)
    assert (code, said["submitted"], said["skipped"], said["waiting"]) == (0, 2, 1, 0)
    code, said = told(house.ws.folder, *words)
    assert (code, said["submitted"], said["already"], said["refused"]) == (0, 0, 3, [])


def test_labels_that_do_not_fit_are_left_out_where_that_is_asked_for(
    house: House, tmp_path: Path
) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps([record(8), record(1, "lake-act_article-4"), record(9)]))
    words = brought(house, file, guide(tmp_path))
    code, said = told(house.ws.folder, *words, "--unit-ids")
    assert (code, said["error"]) == (3, "labels_item")
    assert [each["field"] for each in said["refused"]] == ["[1]", "[1]", "[3]", "[3]"]
    code, said = told(house.ws.folder, *words, "--unit-ids", "--leave-out")
    assert (code, said["submitted"], len(said["refused"])) == (0, 2, 4)


def test_mistakes_are_told_by_kind_and_value_the_most_frequent_first_and_the_remedy_last(
    house: House,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "labels.json"
    unknown = [record(100 + n) for n in (*range(12), 7)]
    file.write_text(json.dumps([*unknown, record(1, "odd")]))
    words = brought(house, file, guide(tmp_path))
    code, _, heard = typed(monkeypatch, capsys, house, *words)
    lines = [line.strip() for line in heard.splitlines()]
    assert code == 3 and lines[0].endswith(": 28 labels do not fit:")
    assert len(lines) == 1 + 10 + 1 + 1
    assert "'q107'" in lines[1] and '4 labels, first at field "[8]"' in lines[1]
    assert lines[2].startswith("The project has no question 'q100'. 2 labels")
    assert lines[11].startswith("… and 3 more mistakes of 6 labels")
    assert lines[12].startswith("Remedy: Import the questions first")
    assert "add --unit-ids to the command" in lines[12]
    assert '"unit_ids": "accept" to the mapping file' in lines[12]
    _, said = told(house.ws.folder, *words)
    assert len(said["refused"]) == 28


def typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], house: House, *words: str
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["touchstone.py", "--workspace", str(house.ws.folder), *words])
    code = touchstone.main()
    done = capsys.readouterr()
    return code, done.out, done.err


def test_a_stopped_import_says_how_to_go_on(
    house: House,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = brought(house, *many(tmp_path, house, 40))
    one_set = label_import.bring_in

    def stopped(ws: Any, ready: Any, report: Any, stop: Any, **more: Any) -> Any:
        sets: list[int] = []
        return one_set(
            ws, ready, lambda *at: sets.append(at[0]), lambda: len(sets) > 1 or stop(), **more
        )

    monkeypatch.setattr("services.exchange.label_import.bring_in", stopped)
    code, said, _ = typed(monkeypatch, capsys, house, *words)
    assert code == 130
    assert "Stopped. 55 are still to come in: run the same command again." in said
    monkeypatch.undo()
    code, said, _ = typed(monkeypatch, capsys, house, *words)
    assert code == 0
    assert said.startswith("55 submitted, 0 left as drafts, 0 set aside, 25 already there.")
