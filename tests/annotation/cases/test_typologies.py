"""Versions of a project's typology."""

from __future__ import annotations

from annotation.work.versioned_texts import TYPOLOGY
from construction.cases.typology import starter
from storage.projects import find_project
from tests.annotation.house import SLUG, House
from tests.construction.cases.small_typology import SMALL
from tests.support.refusals import code_of


def test_the_packaged_typology_holds_until_another_is_saved(house: House) -> None:
    only = TYPOLOGY.edition(house.ws, SLUG)
    assert (only.number, only.text, only.packaged) == (1, starter(), True)
    assert TYPOLOGY.save(house.ws, SLUG, SMALL, "ours", 1, house.judge) == 2
    newest, first = TYPOLOGY.editions(house.ws, SLUG, house.ann)
    assert (newest.text, newest.note, newest.person) == (SMALL, "ours", "Judge")
    assert first == only == TYPOLOGY.edition(house.ws, SLUG, 1)
    with house.ws.reading() as session:
        number, typology = TYPOLOGY.current(session, find_project(session, SLUG).id)
    assert (number, [each.key for each in typology.categories]) == (2, ["honour", "sexual"])


def test_what_cannot_be_saved_leaves_nothing_behind(house: House) -> None:
    for text, note, expected, code in (
        (SMALL.replace("key: insult", "key: defamation"), "", 1, "typology_key_twice"),
        (starter(), "", 1, "document_same"),
        (SMALL, "", 2, "document_stale"),
        (SMALL, "n" * 1001, 1, "text_too_long"),
        ("", "", 1, "typology_empty"),
    ):
        assert code_of(TYPOLOGY.save, house.ws, SLUG, text, note, expected, house.judge) == code
    assert len(TYPOLOGY.editions(house.ws, SLUG)) == 1


def test_a_number_that_no_version_has_is_refused(house: House) -> None:
    assert code_of(TYPOLOGY.edition, house.ws, SLUG, 7) == "document_number"
