"""Factor tagging as each kind of person finds it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.work.queue_service import open_item
from corpus.cases.model import JudgmentPart, Section
from pages.tagging.factor_tagging import PAGE, parts
from pages.task.acts import ACTS, TaskSession, carry_out
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.pages import screens
from tests.projects.tagging_project import SLUG, TaggingHouse, answer, build, value


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> TaggingHouse:
    return build(tmp_path / "workspace", clock)


def told(house: TaggingHouse, who: int, item: int) -> dict[str, Any]:
    found = screens.told("factor_tagging", house.ws, who, item, SLUG)
    assert found["fixed"]["id"] == item
    return found


def acted(house: TaggingHouse, sitting: TaskSession, **act: Any) -> TaskSession:
    """Carry out one act of Ann's on her first case."""
    sent = {"seq": sitting.seq + 1, "item": house.items[0], **act}
    message = {"client": "browser", "person": house.ann, "have": "", "acts": [sent]}
    carry_out(house.ws, sitting, message, "en", {**ACTS, **PAGE.acts})
    assert not sitting.failed
    return sitting


def sat(house: TaggingHouse) -> TaskSession:
    open_item(house.ws, house.ann, house.items[0])
    return TaskSession(SLUG, house.ann, house.items[0], task=Task.FACTOR_TAGGING)


def test_the_browser_is_told_of_suggestions_only_once_they_may_be_seen(
    house: TaggingHouse,
) -> None:
    item = house.items[0]
    first = told(house, house.ann, item)["fixed"]
    assert "little-model" not in json.dumps(first)
    assert (first["suggestions"], first["suggestedAtAll"]) == ("after", True)
    assert [part[0] for part in first["parts"]] == ["head", "facts", "claims", "sentencing"]
    assert [sub["key"] for sub in first["subs"]] == ["deceived", "manner", "insanity", "settled"]
    answer(house, house.ann, item, [("deceived", value("no"))])
    then = told(house, house.ann, item)
    assert list(then["fixed"]["suggested"]) == ["deceived"]
    assert then["moving"]["answers"] == {"deceived": value("no")}


def test_a_suggestion_comes_with_the_answer_and_goes_with_it(house: TaggingHouse) -> None:
    sitting = acted(house, sat(house), kind="answer", field="deceived", value=value("no"))
    assert list(sitting.told["suggested"]["by"]) == ["deceived"]
    acted(house, sitting, kind="undo")
    assert sitting.told == {"suggested": {"item": house.items[0], "by": {}}}


@pytest.mark.parametrize("setting", ["shown", "hidden"])
def test_nothing_comes_with_the_answer_where_all_or_nothing_is_shown(
    tmp_path: Path, clock: FakeClock, setting: str
) -> None:
    house = build(tmp_path / "workspace", clock, suggestions=setting)
    sitting = acted(house, sat(house), kind="answer", field="deceived", value=value("no"))
    assert sitting.told == {}
    known = told(house, house.ann, house.items[0])["fixed"]["suggested"]
    assert sorted(known) == (["deceived", "insanity", "settled"] if setting == "shown" else [])


def test_going_on_with_one_sub_factor_leads_to_the_case_or_says_that_there_is_none(
    house: TaggingHouse,
) -> None:
    sitting = acted(house, sat(house), kind="along", field="drunk", by=1)
    assert (sitting.item_id, sitting.notice) == (house.items[2], None)
    acted(house, sitting, kind="along", field="manner", by=1, externalId="case-001")
    assert sitting.item_id == house.items[2]
    assert sitting.notice is not None
    assert (sitting.notice["what"], sitting.notice["externalId"]) == ("along_none", "case-001")


def test_progress_is_told_whatever_the_browser_calls_its_language(house: TaggingHouse) -> None:
    for language in ("ko", 3):
        sitting = acted(house, sat(house), kind="progress", language=language)
        assert sitting.told["progress"][0] == ["deceived", "Deceit", "Deceived", 0, 2]


PASSAGE = "머리 \n\n사실이다.  이유𠮷이다.\n"


def test_what_is_in_no_section_is_told_too() -> None:
    found = [JudgmentPart(Section.FACTS, 5, 10), JudgmentPart(Section.REASONING, 12, 17)]
    assert parts(PASSAGE, found) == [
        ["rest", 0, 5],
        ["facts", 5, 12],
        ["reasoning", 12, 17],
        ["rest", 17, 19],
    ]


@given(st.text("가 \n.", max_size=30), st.lists(st.integers(0, 30), max_size=8))
def test_sections_cover_the_text_once_and_in_order(text: str, cuts: list[int]) -> None:
    places = sorted(min(cut, len(text)) for cut in cuts)
    pairs = zip(places[::2], places[1::2], strict=False)
    told = parts(text, [JudgmentPart(Section.FACTS, start, end) for start, end in pairs])
    ends = [each[2] for each in told]
    assert [each[1] for each in told[1:]] == ends[:-1]
    assert all(start < end for _, start, end in told)
    outside = text[: told[0][1]] + text[ends[-1] :] if told else text
    assert not outside.strip()
