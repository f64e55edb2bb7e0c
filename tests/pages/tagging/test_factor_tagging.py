"""Factor tagging as each kind of person finds it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.work.queue_service import open_item
from corpus.cases.model import JudgmentPart, Section
from messages import catalogue, say
from pages.tagging.factor_tagging import PAGE, TAGGING, parts
from pages.task.acts import ACTS, TaskSession, carry_out
from pages.task.viewer_data import ui_words
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.pages import screens
from tests.pages.screens import opened
from tests.pages.small_project import shown
from tests.pages.task.viewer_files import HERE, key_words, require_own_files, require_plain, untold
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


def test_who_does_not_tag_is_told_whose_screen_it_is(house: TaggingHouse) -> None:
    at = opened("factor_tagging", house.ws, house.lead, SLUG)
    assert say("roles.role.annotator") in shown(at)
    assert not at.get("bidi_component")


SCRIPTS = sorted((HERE / "tagging" / "frontend").glob("*.js"))
TEXT = "".join(script.read_text(encoding="utf-8") for script in SCRIPTS)
WORD = re.compile(r"""words\.([a-z_0-9]+)|words: "([a-z_]+)"|words\[`([a-z_]*)\$|words\[[^\]`]*""")
QUOTED = re.compile(r"""words\[([^\]`]+)\]""")
PASSAGE = "머리 \n\n사실이다.  이유𠮷이다.\n"


def used() -> set[str]:
    found = {word for groups in WORD.findall(TEXT) for word in groups if word}
    return found | {name for each in QUOTED.findall(TEXT) for name in re.findall(r'"(\w+)"', each)}


def test_every_file_is_part_of_the_viewer_and_turns_no_text_into_html() -> None:
    require_own_files(TAGGING)

    for script in SCRIPTS:
        require_plain(script)


def test_the_catalogue_has_every_word_that_scripts_use_and_no_other() -> None:
    known = ui_words("tagging", "en")
    assert len(used() | key_words("tagging")) > 50
    assert untold(used(), known) == []
    assert all(f"section_{section}" in known for section in Section)

    own = {key.removeprefix("tagging.ui.") for key in catalogue() if key.startswith("tagging.ui.")}
    frame = {key.removeprefix("frame.ui.") for key in catalogue() if key.startswith("frame.ui.")}
    stems = tuple(word for word in used() if word[-1] == "_")
    noticed = {"notice_along_none"}  # the server names it
    told = used() | key_words("tagging")
    assert sorted(word for word in own - told - frame - noticed if not word.startswith(stems)) == []


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
