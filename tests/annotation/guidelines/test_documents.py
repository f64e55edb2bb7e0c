from __future__ import annotations

import re
from typing import Any

import pytest

from annotation.guidelines.documents import (
    KINDS,
    TASK,
    Edition,
    languages_of,
    packaged,
    text_of,
    version_in,
    without_number,
)
from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from storage.projects import create_project
from storage.tables.core import Annotation
from storage.tables.people import Document
from tests.annotation.crew import submit
from tests.annotation.house import House
from tests.support.refusals import code_of


def keep(house: House, number: int, project_id: int = 1, kind: str = "guideline", **texts: Any):
    """Store a version as it stands in the table, with a text for each language named."""
    where: dict[str, Any] = {"project_id": project_id, "kind": kind, "task": TASK, "number": number}
    with house.ws.writing() as session:
        session.add_all(
            Document(**where, language=language, text=text, note="why", at=house.ws.clock())
            for language, text in texts.items()
        )


def now(house: House, kind: str = "guideline", project_id: int = 1) -> str:
    with house.ws.reading() as session:
        return version_in(session, project_id, kind)


@pytest.mark.parametrize(("kind", "language"), [("guideline", "ko"), ("codebook", "mul")])
def test_the_packaged_text_holds_until_there_is_a_version(
    house: House, kind: str, language: str
) -> None:
    packaged = text_of(house.ws, house.ann, kind, TASK, language)
    assert packaged.version == now(house, kind)
    assert (packaged.number, packaged.language) == (1, language)
    keep(house, 2, kind=kind, project_id=1, **{language: "Own."})
    own = text_of(house.ws, house.ann, kind, TASK, language)
    assert (own.number, own.text, own.note) == (2, "Own.", "why")
    assert own.version == now(house, kind) != packaged.version
    assert own.version.startswith("2-")
    assert text_of(house.ws, house.ann, kind, TASK, language, 1) == packaged


def test_a_version_is_of_one_project_and_one_kind(house: House) -> None:
    create_project(house.ws, "other", "Other")
    before = now(house), now(house, "codebook"), now(house, project_id=2)
    keep(house, 2, project_id=2, en="Elsewhere.")
    assert (now(house), now(house, "codebook")) == before[:2]
    assert now(house, project_id=2) != before[2]
    keep(house, 2, ko="Own.", en="Own.")
    keep(house, 3, kind="codebook", mul="Own.")
    assert [now(house, kind)[:2] for kind in ("guideline", "codebook")] == ["2-", "3-"]


def test_a_language_without_a_text_says_what_it_said_before(house: House) -> None:
    korean = text_of(house.ws, house.ann, "guideline", TASK, "ko")
    keep(house, 2, en="Two.")
    keep(house, 3, ko="셋.")
    keep(house, 4, en="Four.")
    told = {
        number: [
            text_of(house.ws, house.ann, "guideline", TASK, language, number).text
            for language in ("en", "ko")
        ]
        for number in (2, 3, 4)
    }
    assert told == {2: ["Two.", korean.text], 3: ["Two.", "셋."], 4: ["Four.", "셋."]}
    assert text_of(house.ws, house.ann, "guideline", TASK, "ko").text == "셋."
    assert now(house) == text_of(house.ws, house.ann, "guideline", TASK, "en", 4).version


@pytest.mark.parametrize(
    ("kind", "task", "number", "code"),
    [
        ("poem", TASK, None, "document_unknown"),
        ("guideline", "../x", None, "document_unknown"),
        ("guideline", TASK, 9, "document_number"),
        ("codebook", TASK, 0, "document_number"),
    ],
)
def test_what_is_not_there_is_refused(
    house: House, kind: str, task: str, number: int | None, code: str
) -> None:
    assert code_of(text_of, house.ws, house.ann, kind, task, "en", number) == code


def test_decisions_carry_the_version_that_holds_when_they_are_made(house: House) -> None:
    submit(house, house.ann, house.items[0], 1)
    first = now(house), now(house, "codebook")
    keep(house, 2, en="Two.")
    submit(house, house.ben, house.items[0], 1)
    keep(house, 2, kind="codebook", mul="Codes.")
    submit(house, house.cho, house.items[1], 1)
    with house.ws.reading() as session:
        rows = [session.get_one(Annotation, number) for number in (1, 2, 3)]
        made = [(row.guideline_version, row.codebook_version) for row in rows]
    assert made[0] == first
    assert made[1] == (now(house), first[1])
    assert made[2] == (now(house), now(house, "codebook"))


def test_a_draft_is_told_that_there_is_a_newer_version(house: House) -> None:
    ws, ann, item = house.ws, house.ann, house.items[0]
    first = now(house)
    assert queue_service.open_item(ws, ann, item).begun_under == ("", "")
    keep(house, 2, en="Two.")
    assert queue_service.open_item(ws, ann, item).begun_under == ("", "")  # nothing begun yet
    mapping_commands.label(ws, ann, item, house.units[1], "accept")
    view = queue_service.open_item(ws, ann, item)
    assert (view.begun_under, view.guideline_version) == ((first, ""), now(house))
    commands.submit(ws, ann, item)
    assert queue_service.open_item(ws, ann, item).begun_under == ("", "")


@pytest.mark.parametrize("kind", KINDS)
def test_every_document_is_packaged_in_every_language(kind: str) -> None:
    found = packaged(kind, TASK)
    assert found is not None
    assert tuple(found.texts) == languages_of(kind)
    assert re.fullmatch(
        rf"{found.number}-[0-9a-f]{{12}}", Edition(found.number, found.texts).version
    )
    for text in found.texts.values():
        assert len(text) > 500
        shown = without_number(text)
        assert len(shown) < len(text)
        assert "Version" not in shown
        assert "버전" not in shown


def test_every_edit_makes_another_version() -> None:
    found = packaged("guideline", TASK)
    assert found is not None
    texts = dict(found.texts)
    edited = Edition(found.number, texts | {"ko": texts["ko"] + " Edited."}).version
    assert edited != Edition(found.number, texts).version
    assert edited.split("-")[0] == str(found.number)
