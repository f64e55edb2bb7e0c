from __future__ import annotations

import csv
import json
from pathlib import Path

from annotation.history.reading import everything
from annotation.people import members
from annotation.work import commands
from services.history.export import export_history, history_bytes
from tests.annotation.house import SLUG, House
from tests.support.refusals import code_of


def test_both_formats_hold_every_entry(house: House, tmp_path: Path) -> None:
    commands.set_comment(house.ws, house.ann, house.items[0], 'a "word",\n둘째 줄')
    entries = [each.as_dict() for each in everything(house.ws, SLUG)]
    for name in ("history.jsonl", "history.csv"):
        assert export_history(house.ws, SLUG, tmp_path / name) == len(entries)
        assert history_bytes(house.ws, SLUG, Path(name).suffix) == (tmp_path / name).read_bytes()
    lines = (tmp_path / "history.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == entries
    with (tmp_path / "history.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [json.loads(row["details"]) for row in rows] == [each["details"] for each in entries]


def test_a_name_is_never_a_formula(house: House, tmp_path: Path) -> None:
    members.rename(house.ws, house.ann, "=1+1")
    export_history(house.ws, SLUG, tmp_path / "history.csv")
    text = (tmp_path / "history.csv").read_text("utf-8")
    assert ",'=1+1," in text
    assert ",=1+1" not in text


def test_another_ending_is_refused(house: House, tmp_path: Path) -> None:
    assert code_of(export_history, house.ws, SLUG, tmp_path / "history.txt") == "history_ending"
