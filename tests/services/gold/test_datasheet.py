from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from annotation.adjudication import disputes
from annotation.adjudication.discussion_views import keep
from annotation.adjudication.tasks import refer
from annotation.people import members
from annotation.people.members import change_role, list_people, set_naming
from annotation.work import commands
from services.gold.datasheet import Sheet
from services.gold.export import FILES, export_gold
from storage.export.datasheet import TO_FILL_IN
from tests.annotation.crew import submit
from tests.annotation.house import SLUG, House


@pytest.fixture
def decided(house: House) -> House:
    """One item agreed, one adjudicated, one without a second submission."""
    for person in (house.ann, house.ben):
        submit(house, person, house.items[0], 1)
        submit(house, person, house.items[1], 1 if person == house.ann else 2)
    submit(house, house.cho, house.items[2], 3)
    disputes.decide(house.ws, house.judge, house.items[1], [house.units[1]], False, "clear", 4.0)
    return house


def facts(house: House, folder: Path, sheet: Sheet | None = None) -> dict[str, Any]:
    export_gold(house.ws, SLUG, folder, sheet=sheet)
    found: dict[str, Any] = json.loads((folder / "datasheet.json").read_text("utf-8"))
    return found


def test_it_counts_what_was_exported(decided: House, tmp_path: Path) -> None:
    sheet = facts(decided, tmp_path / "out")
    composition, labelling = sheet["composition"], sheet["labelling"]
    assert (composition["questions"], composition["questions left out as not settled"]) == (2, 1)
    assert composition["units of the retrieval corpus"] == 5
    assert composition["snapshot of the law"]["name"] == "first"
    assert labelling["outcomes"] == {"adjudicated": 1, "agreed": 1}
    assert labelling["submissions per question"] == {"2": 2}
    assert labelling["adjudicated share"]["value"] == 0.5
    assert labelling["agreement over all complete questions"]["exact_match"]["n"] == 2
    assert sheet["collection"]["roles"] == {"adjudicator": 1, "annotator": 2}
    people = ["annotator 1", "annotator 2", "adjudicator 1"]
    assert [each["person"] for each in sheet["collection"]["people"]] == people
    assert sum(sheet["collection"]["guideline versions"].values()) == 5
    assert sheet["distribution"]["licence"] == TO_FILL_IN
    files = sheet["distribution"]["files"]
    assert sorted(files) == sorted(set(FILES) - {"datasheet.json", "datasheet.md"})
    for name, digest in files.items():
        assert sha256((tmp_path / "out" / name).read_bytes()).hexdigest() == digest


def test_it_counts_consensus_and_conflicts_of_interest(house: House, tmp_path: Path) -> None:
    first, second, _ = house.items
    for item in (first, second):
        submit(house, house.ann, item, 1)
        submit(house, house.ben, item)
    ids = disputes.open_case(house.ws, house.judge, first).annotation_ids
    refer(house.ws, house.judge, first, "Talk it over.", ids)
    commands.take_back(house.ws, house.ben, first)
    commands.undo(house.ws, house.ben, first)
    submit(house, house.ben, first, 1)
    keep(house.ws, house.ann, first)
    change_role(house.ws, house.ann, "adjudicator")
    units = [house.units[1]]
    disputes.decide(house.ws, house.ann, second, units, False, "clear", 4.0)
    labelling = facts(house, tmp_path / "out")["labelling"]
    assert labelling["outcomes"] == {"adjudicated": 1, "consensus": 1}
    assert labelling["adjudicated by somebody who had labelled the question"] == 1
    assert labelling["submissions per question"] == {"2": 2}, "those of before count once"
    assert labelling["agreement over all complete questions"]["exact_match"]["value"] == 0.0


def test_who_agrees_is_named_and_who_does_not_is_not(decided: House, tmp_path: Path) -> None:
    for number, name in ((decided.ann, "Kim Ara"), (decided.ben, "박준"), (decided.judge, "Sora")):
        members.rename(decided.ws, number, name)
    facts(decided, tmp_path / "nobody", Sheet(names=True))
    text = "".join((tmp_path / "nobody" / file).read_text("utf-8") for file in FILES)
    names = [each.name for each in list_people(decided.ws, SLUG)]
    assert not [name for name in names if name in text and name != "Cho"], "nobody agreed"
    members.rename(decided.ws, decided.ann, "Ann")
    reason = "As Ann said: Annex and 박준이 본 대로."
    disputes.decide(
        decided.ws, decided.judge, decided.items[1], [decided.units[1]], False, reason, 1
    )
    for agrees in (True, False, True):
        set_naming(decided.ws, decided.ann, agrees)
    sheet = facts(decided, tmp_path / "out")
    assert sheet["collection"]["people named by"] == "pseudonym"
    assert "As annotator 1 said: Annex and annotator 2이 본 대로." in gold_text(tmp_path / "out")
    sheet = facts(decided, tmp_path / "out", Sheet(names=True))
    people = ["Ann", "annotator 2", "adjudicator 1"]
    assert [each["person"] for each in sheet["collection"]["people"]] == people
    assert sheet["collection"]["people named by"] == "name where they agreed, else pseudonym"
    assert "As Ann said: Annex and annotator 2이 본 대로." in gold_text(tmp_path / "out")


def gold_text(folder: Path) -> str:
    return (folder / "gold.jsonl").read_text("utf-8")


def test_names_and_licences_are_text_and_never_markup(decided: House, tmp_path: Path) -> None:
    members.rename(decided.ws, decided.ann, "<b>[x](y)*")
    set_naming(decided.ws, decided.ann, True)
    facts(decided, tmp_path / "out", Sheet("# a\n# b <script>", names=True))
    text = (tmp_path / "out" / "datasheet.md").read_text("utf-8")
    assert "\\<b\\>\\[x\\]\\(y\\)\\*" in text
    assert "\n# b" not in text
    assert "<script>" not in text.replace("\\<", "")
