"""Factor tagging: the case in the browser, items of court cases, a case in one more group."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from annotation.people.members import PersonView, add_person
from annotation.work import commands
from annotation.work.queue_service import open_item
from annotation.work.versioned_texts import TYPOLOGY
from corpus.cases.model import JudgmentPart, Section
from messages import say
from pages.shell.guard import md_literal
from pages.tagging.factor_tagging import PAGE, parts
from pages.task.acts import ACTS, TaskSession, carry_out
from services.tagging.items import make_items
from storage.tasks import Task
from tests.annotation.tagging.test_tags import NEW, ONE_MORE, item_of, tag
from tests.conftest import FakeClock
from tests.pages import screens
from tests.pages.screens import metrics, opened, person_of
from tests.pages.screens import told as grouped_told
from tests.pages.small_project import shown
from tests.projects.tagging_project import SLUG, TaggingHouse, answer, build, value
from tests.services.cases.grouped_cases import FACT, Grouped, bring_in
from tests.services.cases.grouped_cases import SLUG as GROUPED_SLUG
from tests.services.cases.grouped_cases import build as grouped_build


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


def test_the_browser_is_told_of_suggestions_only_once_they_may_be_seen(house: TaggingHouse) -> None:
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


@pytest.fixture
def house_grouped(tmp_path: Path, clock: FakeClock) -> Grouped:
    made = grouped_build(tmp_path / "workspace", clock)
    bring_in(made.ws, GROUPED_SLUG, [("2022-1", "", ("모욕", "무고"), ())])
    make_items(made.ws, GROUPED_SLUG)
    return made


def lawyer(house_grouped: Grouped) -> PersonView:
    return add_person(house_grouped.ws, GROUPED_SLUG, "Lawyer", "lawyer")


def my_work(house_grouped: Grouped, person: PersonView) -> str:
    return shown(opened("start", house_grouped.ws, person, GROUPED_SLUG))


def test_the_lawyer_of_a_case_is_told_where_they_work_and_in_the_case(
    house_grouped: Grouped,
) -> None:
    item, ann = item_of(house_grouped, "2022-1"), lawyer(house_grouped)
    other = person_of(house_grouped.ws, GROUPED_SLUG, house_grouped.annotator)
    tag(house_grouped, ann.id, item)
    which = md_literal(say("start.tasks.joined_which", name="2022-1", count=1))
    assert which not in my_work(house_grouped, ann)
    TYPOLOGY.save(house_grouped.ws, GROUPED_SLUG, ONE_MORE, "one more", 2, house_grouped.researcher)
    make_items(house_grouped.ws, GROUPED_SLUG)
    assert which in my_work(house_grouped, ann)
    assert which not in my_work(house_grouped, other)  # who has not tagged it
    found = grouped_told("factor_tagging", house_grouped.ws, ann, item, GROUPED_SLUG)["fixed"]
    assert found["joined"] == [NEW]
    names = dict(found["groups"])
    assert names[NEW].endswith("Libel")
    commands.take_back(house_grouped.ws, ann.id, item)
    tag(house_grouped, ann.id, item)
    found = grouped_told("factor_tagging", house_grouped.ws, ann, item, GROUPED_SLUG)["fixed"]
    assert found["joined"] == []
    assert which not in my_work(house_grouped, ann)


def making(house_grouped: Grouped, who: int) -> AppTest:
    """Open the factor report at the tab that makes items."""
    person, tab = person_of(house_grouped.ws, GROUPED_SLUG, who), say("factor_report.tab.items")
    return opened("factor_report", house_grouped.ws, person, GROUPED_SLUG, factor_tab=tab)


def test_cases_of_a_group_become_items_and_then_the_rest(tmp_path: Path, clock: FakeClock) -> None:
    grouped = grouped_build(tmp_path / "workspace", clock)
    at = making(grouped, grouped.researcher)
    assert metrics(at) == ["0", "4", "2"]
    at.multiselect(key="factor-items-groups").select(FACT).run()
    at.toggle(key="factor-items-sampled").set_value(True).run()
    at.number_input(key="factor-items-limit").set_value(1).run()
    at.button(key="factor-items-make").click().run()
    assert md_literal(say("factor_items.done", made="1", moved="0")) in shown(at)
    assert metrics(at) == ["1", "3", "2"]
    at.multiselect(key="factor-items-groups").set_value([]).run()
    at.toggle(key="factor-items-sampled").set_value(False).run()
    at.button(key="factor-items-make").click().run()
    assert say("factor_items.all") in shown(at)
    assert "factor-items-make" not in {each.key for each in at.button}
    judge = add_person(grouped.ws, GROUPED_SLUG, "Judge", "adjudicator")
    at = making(grouped, judge.id)
    assert say("roles.role.researcher") in shown(at)
    assert not at.metric
