"""Taking answers to forms over to a later version of a guideline or codebook."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from annotation.agreement.calibration import accuracy
from annotation.check.project import check
from annotation.forms import form as form_commands
from annotation.guidelines.documents import read_document
from annotation.guidelines.editing import new_version
from annotation.guidelines.migration import (
    Outcome,
    choices,
    migrate_answers,
    migrations,
    preview,
)
from annotation.guidelines.versions import list_versions
from annotation.tagging.tags import tags
from annotation.work import commands
from annotation.work.queue_service import open_item, queue
from annotation.work.rules import AGAIN, SAME, Why
from services.tagging.report import factor_report
from storage.projects import find_project
from storage.tables.core import Annotation
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.projects.mcq_project import SLUG as QUAY
from tests.projects.mcq_project import McqHouse, submitted
from tests.projects.mcq_project import build as build_mcq
from tests.projects.tagging_project import BOOK, SLUG, TaggingHouse, answer, build, value
from tests.support.refusals import code_of

TAGGING = Task.FACTOR_TAGGING


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> TaggingHouse:
    return build(tmp_path / "workspace", clock)


def edit(house: TaggingHouse, *changes: tuple[str, str]) -> int:
    """Save the codebook with these words in place of others; return its number."""
    found = read_document(house.ws, SLUG, "codebook", TAGGING, "mul")
    text = found.text
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    new_version(house.ws, SLUG, "codebook", TAGGING, {"mul": text}, "why", found.number)
    return found.number + 1


def over(house: TaggingHouse, old: int, new: int, *, do: bool = True, **more: Any) -> Outcome:
    where = house.ws, SLUG, "codebook", TAGGING, old, new, more.pop("answers", {})
    return migrate_answers(*where, "clearer now", **more) if do else preview(*where, **more)


def counts(outcome: Outcome) -> dict[str, int]:
    return {fate: count for fate, count in outcome.counts.items() if count}


def said(house: TaggingHouse, person: int, item: int) -> dict[str, Any]:
    return {k: v["options"] for k, v in open_item(house.ws, person, item).answers.items()}


def give(house: TaggingHouse, item: int, *people: int, **fields: str) -> None:
    for person in people:
        answer(house, person, item, [(field, value(option)) for field, option in fields.items()])
        commands.submit(house.ws, person, item, confidence=4)


FRAUD = {"deceived": "no", "insanity": "not_mentioned"}


def test_what_a_new_codebook_leaves_as_it_was_goes_over(house: TaggingHouse) -> None:
    item = house.items[0]
    give(house, item, house.ann, house.ben, **FRAUD)
    number = edit(house, ("About Drunk.", "About being drunk."))  # of a traffic case
    before = factor_report(house.ws, SLUG).lines
    assert counts(over(house, 2, number)) == {"same": 2}
    assert check(house.ws, SLUG) == []
    after = factor_report(house.ws, SLUG).lines
    assert [each.agreement for each in after] == [each.agreement for each in before]
    seen = list_versions(house.ws, SLUG, "codebook", TAGGING)
    assert [each.submissions for each in seen] == [2, 0, 0]
    with house.ws.reading() as session:
        old, new = session.exec(select(Annotation).where(Annotation.person_id == house.ann)).all()
        assert new.guideline_version == old.guideline_version
        assert new.codebook_version[:2] == "3-"


def test_what_was_reworded_or_is_gone_comes_back_with_the_reason(house: TaggingHouse) -> None:
    first, second, road = house.items
    give(house, first, house.ann, house.ben, **FRAUD, settled="yes")
    give(house, second, house.ann, **FRAUD)
    give(house, road, house.ann, house.ben, drunk="yes", insanity="not_mentioned")
    number = edit(house, ("About Settled with the victim.", "A settlement in writing."))
    seen = over(house, 2, number, do=False)
    assert counts(seen) == {"same": 3, "again": 2}
    whys = {each.external_id: each.why for each in seen.lines if each.fate == "again"}
    assert whys == {"case-001": (Why("changed", "settled"),)}
    told = preview(house.ws, SLUG, "codebook", TAGGING, 2, number, {"settled": AGAIN})
    assert told == seen  # the reason is what was changed, whoever says so too
    over(house, 2, number)
    assert said(house, house.ann, first) == {k: [v] for k, v in FRAUD.items()}
    view = open_item(house.ws, house.ann, first)
    assert (view.status, view.again) == ("draft", ("codebook", number, "clearer now"))
    assert {each.item_id: each.status for each in queue(house.ws, house.ann, TAGGING)} == {
        first: "draft",
        second: "submitted",
        road: "submitted",
    }
    answer(house, house.ann, first, [("settled", value("no"))])
    commands.submit(house.ws, house.ann, first)
    assert check(house.ws, SLUG) == []


def test_whoever_leads_keeps_what_was_reworded_all_the_same(house: TaggingHouse) -> None:
    give(house, house.items[0], house.ann, house.ben, **FRAUD)
    number = edit(house, ("When No.", "When nothing of it holds."))
    assert counts(over(house, 2, number, do=False)) == {"again": 2}
    found = choices(house.ws, SLUG, "codebook", TAGGING, 2, number)
    assert found.changed["deceived.no"] == AGAIN
    assert "deceived.no" in found.answers
    assert counts(over(house, 2, number, answers={"deceived.no": SAME})) == {"same": 2}
    (made,) = migrations(house.ws, SLUG, "codebook", TAGGING)
    assert made.answers["deceived.no"] == SAME
    assert check(house.ws, SLUG) == []


def test_an_option_that_is_called_otherwise_goes_over_as_that(house: TaggingHouse) -> None:
    give(house, house.items[0], house.ann, house.ben, **FRAUD)
    number = edit(house, ("- {key: no, label: {en: No,", "- {key: not_so, label: {en: No,"))
    assert counts(over(house, 2, number)) == {"mapped": 2}
    assert said(house, house.ann, house.items[0])["deceived"] == ["not_so"]
    assert check(house.ws, SLUG) == []
    with house.ws.reading() as session:
        (found,) = tags(session, find_project(session, SLUG).id).values()
    assert (found.tags["deceived"].options, found.stale) == (("not_so",), frozenset())


def test_a_gone_option_becomes_another_where_somebody_says_so(house: TaggingHouse) -> None:
    item = house.items[0]
    tagged = FRAUD | {"deceived": "yes", "manner": "manner_12"}
    give(house, item, house.ann, house.ben, **tagged)
    line = "          - {key: manner_12, label: {en: Manner 12, ko: Manner 12}, "
    gone = next(each for each in BOOK.splitlines(keepends=True) if each.startswith(line))
    number = edit(house, (gone, ""))
    assert counts(over(house, 2, number, do=False)) == {"again": 2}
    assert over(house, 2, number, do=False).lines[0].why == (Why("gone", "manner", "manner_12"),)
    for wrong in ("manner_99", "manner_12"):
        answers = {"manner.manner_12": wrong}
        assert code_of(over, house, 2, number, answers=answers) == "migration_option"
    assert counts(over(house, 2, number, answers={"manner.manner_12": "manner_11"})) == {
        "mapped": 2
    }
    assert said(house, house.ben, item)["manner"] == ["manner_11"]
    assert check(house.ws, SLUG) == []


def test_what_is_asked_now_is_to_be_answered_and_what_is_not_is_left_out(
    house: TaggingHouse,
) -> None:
    fraud, _, road = house.items
    give(house, fraud, house.ann, house.ben, **FRAUD)
    give(house, road, house.ann, house.ben, drunk="yes", insanity="not_mentioned")
    number = edit(house, ("scope: [traffic]", "scope: [fraud]"))
    seen = over(house, 2, number, do=False)
    assert {each.external_id: (each.fate, each.why) for each in seen.lines} == {
        "case-001": ("again", (Why("asked", "drunk"),)),
        "case-003": ("mapped", (Why("idle", "drunk"),)),
    }
    over(house, 2, number)
    assert said(house, house.ann, road) == {"insanity": ["not_mentioned"]}
    assert said(house, house.ann, fraud) == {k: [v] for k, v in FRAUD.items()}
    assert check(house.ws, SLUG) == []


def test_taking_back_what_was_taken_over_gives_a_draft_that_can_be_undone(
    house: TaggingHouse,
) -> None:
    (item, *_), ws = house.items, house.ws
    give(house, item, house.ann, **FRAUD)
    number = edit(house, ("- {key: no, label: {en: No,", "- {key: not_so, label: {en: No,"))
    over(house, 2, number)
    commands.take_back(ws, house.ann, item)
    assert said(house, house.ann, item)["deceived"] == ["not_so"]
    commands.undo(ws, house.ann, item)
    commands.undo(ws, house.ann, item)
    assert said(house, house.ann, item) == {}
    assert check(ws, SLUG) == []


def test_what_cannot_be_is_refused(house: TaggingHouse) -> None:
    give(house, house.items[0], house.ann, **FRAUD)
    number = edit(house, ("About Drunk.", "Drunk."))
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"answers": {"nothing": AGAIN}}, "migration_field"),
        ({"answers": {"deceived": "insanity"}}, "migration_option"),
        ({"answers": {"deceived.no": "perhaps"}}, "migration_option"),
        ({"items": ("case-999",)}, "questions_unknown"),
    )
    for more, code in wrong:
        assert code_of(over, house, 2, number, **more) == code


def guideline(house: McqHouse, number: int) -> None:
    text = {"en": f"Ask {number} times."}
    new_version(house.ws, QUAY, "guideline", Task.MCQ_SOLVABILITY, text, "why", number)


def test_of_a_plain_guideline_whoever_leads_says_what_is_answered_again(
    tmp_path: Path, clock: FakeClock
) -> None:
    house = build_mcq(tmp_path / "workspace", clock)
    first, second = house.items[:2]
    for person in (house.ann, house.ben):
        submitted(house, person, first)
        submitted(house, person, second, "drop", cause="unclear")
    guideline(house, 1)
    where = house.ws, QUAY, "guideline", Task.MCQ_SOLVABILITY, 1, 2
    assert code_of(preview, *where, {"alone_answerable": AGAIN}) == "migration_closed"
    found = choices(*where)
    assert {"verdict", "verdict.drop", "cause.unclear"} <= set(found.answers)
    assert not any(each.startswith("alone") for each in found.answers)
    outcome = migrate_answers(*where, {"cause.unclear": AGAIN}, "why")
    assert counts(outcome) == {"same": 2, "again": 2}
    view = open_item(house.ws, house.ann, second)
    assert (view.answers["verdict"], "cause" in view.answers) == ("drop", False)
    form_commands.answer(house.ws, house.ann, second, "cause", "outdated")
    commands.submit(house.ws, house.ann, second)
    assert check(house.ws, QUAY) == []
    guideline(house, 2)
    name = view.external_id
    outcome = migrate_answers(*where[:4], 2, 3, {}, "named", items=[name])
    assert counts(outcome) == {"same": 2, "again": 1}
    assert open_item(house.ws, house.ann, second).answers["cause"] == "outdated"
    assert check(house.ws, QUAY) == []
    assert accuracy(house.ws, QUAY, task=Task.MCQ_SOLVABILITY) == []
