from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from annotation.adjudication.disputes import decide
from annotation.check.project import check
from annotation.guidelines.codebook_tree import TEXT_LIMIT
from annotation.guidelines.documents import TASK, read_document
from annotation.guidelines.editing import (
    NOTE_LIMIT,
    builtin_offer,
    new_version,
    take_builtin,
)
from annotation.guidelines.versions import decisions, list_versions, number_of
from errors import UserError
from tests.annotation.crew import leader, submit
from tests.annotation.house import SLUG, House
from tests.projects.other_guideline import began_otherwise
from tests.support.refusals import code_of


def edit(house: House, texts: Mapping[str, str], expected: int, by: int | None = None, **more: str):
    kind = more.pop("kind", "guideline")
    return new_version(house.ws, SLUG, kind, TASK, texts, more.pop("note", "why"), expected, by)


def says(house: House, language: str = "en", number: int | None = None) -> str:
    return read_document(house.ws, SLUG, "guideline", TASK, language, number).text


def test_a_project_of_other_words_takes_over_the_packaged_text(
    house: House,
) -> None:
    lead, here = leader(house), (house.ws, SLUG, "guideline", TASK)
    packaged = {each: says(house, each) for each in ("en", "ko")}
    assert builtin_offer(*here) is None  # a new project has it
    began_otherwise(house.ws, SLUG)
    submit(house, house.ann, house.items[0], 1)
    for number in (1, 2):
        edit(house, {"ko": f"# {number}"}, number)
    before, offer = says(house, "ko"), builtin_offer(*here, by=lead)
    assert offer is not None and offer.number == 3 and before == "# 2\n"
    assert dict(offer.texts) == packaged and offer.now["ko"] == before
    assert offer.changed == ("ko",)
    assert code_of(take_builtin, *here, "why", 2, lead) == "document_stale"
    assert take_builtin(*here, "why", 3, lead).startswith("4-")
    assert {each: says(house, each) for each in ("en", "ko")} == packaged
    assert says(house, "ko", 3) == before  # nothing is overwritten
    newest = list_versions(*here)[0]
    assert (newest.person, newest.note, newest.submissions) == ("Administrator", "why", 0)
    assert len(decisions(*here, 1)) == 1 and check(house.ws, SLUG) == []
    edit(house, {"en": "# Ours"}, 4, lead)
    assert builtin_offer(*here) is None  # it was taken, and changed since
    assert code_of(take_builtin, *here, "why", 5) == "document_no_builtin"


def test_an_edit_makes_a_version_and_leaves_the_others(house: House) -> None:
    lead = leader(house)
    packaged = {each: says(house, each) for each in ("en", "ko")}
    assert edit(house, {"en": "# Two\r\n\nText \0"}, 1, lead).startswith("2-")
    assert edit(house, {"ko": "셋\n"}, 2).startswith("3-")
    assert [says(house, "en", n) for n in (1, 2, 3)] == [packaged["en"], *["# Two\n\nText\n"] * 2]
    assert [says(house, "ko", n) for n in (1, 2, 3)] == [packaged["ko"], packaged["ko"], "셋\n"]
    views = list_versions(house.ws, SLUG, "guideline", TASK)
    assert [(each.number, each.person, each.note) for each in views] == [
        (3, None, "why"),
        (2, "Administrator", "why"),
        (1, None, ""),
    ]
    assert [(each.current, each.packaged) for each in views] == [
        (True, False),
        (False, False),
        (False, True),
    ]
    assert check(house.ws, SLUG) == []


def test_what_does_not_fit_is_refused(house: House) -> None:
    for texts, expected, note, code in (
        ({"en": "x"}, 2, "", "document_stale"),
        ({"en": "x"}, 0, "", "document_stale"),
        ({"fr": "x"}, 1, "", "document_language"),
        ({"en": " \n\0"}, 1, "", "document_empty"),
        ({"en": "Version 9\n"}, 1, "", "document_empty"),
        ({"en": "x" * TEXT_LIMIT}, 1, "", "text_too_long"),
        ({"en": "x"}, 1, "y" * (NOTE_LIMIT + 1), "text_too_long"),
        ({}, 1, "", "document_same"),
        ({"ko": says(house, "ko")}, 1, "", "document_same"),
    ):
        assert code_of(edit, house, texts, expected, note=note) == code
    assert [each.number for each in list_versions(house.ws, SLUG, "guideline", TASK)] == [1]


def test_of_two_who_save_at_once_one_is_told(house: House) -> None:
    def attempt(number: int) -> Any:
        try:
            return edit(house, {"en": f"Mine, {number}."}, 1)
        except UserError as error:
            return error.code

    with ThreadPoolExecutor(4) as pool:
        said = sorted(pool.map(attempt, range(4)))
    assert said[1:] == ["document_stale"] * 3
    assert len(list_versions(house.ws, SLUG, "guideline", TASK)) == 2


def test_decisions_are_listed_under_the_version_they_were_made_under(house: House) -> None:
    ws = house.ws
    submit(house, house.ann, house.items[0], 1)
    submit(house, house.ben, house.items[1], 1)
    edit(house, {"en": "Two."}, 1)
    submit(house, house.ben, house.items[0], 2)
    views = list_versions(ws, SLUG, "guideline", TASK)
    assert [(each.number, each.submissions) for each in views] == [(2, 1), (1, 2)]
    under = [(each.external_id, each.person) for each in decisions(ws, SLUG, "guideline", TASK, 1)]
    assert under == [("q1", "Ann"), ("q2", "Ben")]
    assert [each.number for each in list_versions(ws, SLUG, "codebook", TASK)] == [1]
    assert code_of(decisions, ws, SLUG, "guideline", TASK, 7) == "document_number"
    submit(house, house.ann, house.items[1], 2)
    decide(ws, house.judge, house.items[1], [house.units[1]], False, "clear", 1.5)
    second = decisions(ws, SLUG, "guideline", TASK, 2)
    assert (second[-1].external_id, second[-1].kind) == ("q2", "adjudication")


def test_an_annotator_is_told_of_their_own_decisions(house: House) -> None:
    submit(house, house.ann, house.items[0], 1)
    submit(house, house.ben, house.items[0], 2)
    seen = decisions(house.ws, SLUG, "guideline", TASK, 1, house.ben)
    assert [each.person for each in seen] == ["Ben"]
    (view,) = list_versions(house.ws, SLUG, "guideline", TASK, house.ben)
    assert (view.submissions, view.adjudications) == (1, 0)


@pytest.mark.parametrize(
    ("version", "number"),
    [("12-0123456789ab", 12), ("citation_mapping-1", 0), ("", 0), ("1-xyz", 0), ("-1", 0)],
)
def test_the_number_of_a_version(version: str, number: int) -> None:
    assert number_of(version) == number
