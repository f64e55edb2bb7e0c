from __future__ import annotations

from pathlib import Path

import pytest

from annotation.work import commands
from construction.tagging.editing import put_sub_factor
from errors import UserError
from services.tagging.codebook import find_codebook, outlook, save_codebook, written
from tests.conftest import FakeClock
from tests.projects.tagging_project import BOOK, SLUG, TaggingHouse, answer, build, value
from tests.support.refusals import code_of

FEWER = BOOK.replace("          - {key: no, label", "          - {key: nay, label", 1)


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> TaggingHouse:
    house = build(tmp_path / "ws", clock, number=2)
    said = (("deceived", value("no")), ("insanity", value("not_mentioned")))
    for who in (house.ann, house.ben):
        answer(house, who, house.items[0], said)
        commands.submit(house.ws, who, house.items[0])
    return house


def test_the_version_that_holds_comes_with_what_its_scopes_may_name(house: TaggingHouse) -> None:
    found = find_codebook(house.ws, SLUG)
    assert (found.current, found.text.number) == (2, 2)
    assert "deceived" in found.book.order
    assert found.labels["fraud"]["en"] == "Fraud"
    first = find_codebook(house.ws, SLUG, 1)
    assert (len(first.book.order), first.current) == (102, 2)


def test_an_outlook_counts_the_answers_that_would_name_what_is_no_more(
    house: TaggingHouse,
) -> None:
    seen = outlook(house.ws, SLUG, FEWER, by=house.lead)
    assert [(each.kind, each.sub_factor) for each in seen.changes] == [
        ("option_renamed", "deceived")
    ]
    assert seen.touched is not None
    assert [(change.option, count) for change, count in seen.touched] == [("no", 2)]
    reworded = BOOK.replace("About Deceived.", "About the lie.")
    unused = BOOK.replace("{key: manner_12,", "{key: manner_13,")
    for text in (BOOK, reworded, unused):
        assert outlook(house.ws, SLUG, text).touched == ()
    assert outlook(house.ws, SLUG, FEWER, by=house.ann).touched is None, "they read no count"
    assert find_codebook(house.ws, SLUG).current == 2  # looking saves nothing


def test_a_changed_sub_factor_becomes_a_version(house: TaggingHouse) -> None:
    book = find_codebook(house.ws, SLUG).book
    factor, drunk = book.places["drunk"]
    text = written(put_sub_factor(book, factor.key, drunk, 1))
    version = save_codebook(house.ws, SLUG, text, "first", by=house.lead)
    assert version.startswith("3-")
    assert find_codebook(house.ws, SLUG).book.order[0] == "drunk"
    assert outlook(house.ws, SLUG, text, against=2).changes[0].kind == "order"


def test_what_is_no_codebook_or_stale_is_refused(house: TaggingHouse) -> None:
    assert code_of(outlook, house.ws, SLUG, "x" * 600_001) == "text_too_long"
    with pytest.raises(UserError) as refused:
        save_codebook(house.ws, SLUG, BOOK.replace("yes", "not_stated"), "why")
    assert refused.value.where.line is not None
    assert code_of(save_codebook, house.ws, SLUG, FEWER, "why", expected=1) == "document_stale"
