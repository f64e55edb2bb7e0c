"""What does not fit, from people and browsers, is refused in plain words, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select
from streamlit.testing.v1 import AppTest

import app
from annotation.adjudication import disputes
from annotation.agreement import calibration
from annotation.agreement.calibration import Known
from annotation.batches import commands as batches_commands
from annotation.batches.commands import BatchPlan, make_batch
from annotation.guidelines import editing
from annotation.mapping import commands as mapping_commands
from annotation.people import accounts, invitations, members, sign_in
from annotation.work import commands, queue_service, threads
from errors import UserError
from services.batches import import_known
from services.exchange.label_import import import_labels
from storage.projects import create_project
from storage.tables.core import Annotation, DraftEvent
from tests.annotation.crew import submit
from tests.annotation.house import SLUG, House
from tests.test_app import after_the_first_navigation

__all__ = ["after_the_first_navigation"]

HUGE = "x" * 10_000_000
PHRASE = "four plain words here"
ODD_IDS: list[Any] = [0, -1, 999, 2**63, 10**30]


def records(house: House) -> list[tuple[int | None, str, str]]:
    """Return all that people have done: acts on drafts, and submissions."""
    with house.ws.reading() as session:
        acts = session.exec(select(DraftEvent).order_by(col(DraftEvent.id))).all()
        made = session.exec(select(Annotation).order_by(col(Annotation.id))).all()
        return [(row.id, row.kind, str(row.payload)) for row in acts] + [
            (row.id, row.kind, row.comment) for row in made
        ]


def refused(house: House, act: Callable[[], object]) -> UserError:
    """Check that the act is refused with a remedy in both languages and changes no record."""
    before = records(house)
    with pytest.raises(UserError) as caught:
        act()
    assert records(house) == before
    for language in ("en", "ko"):
        assert caught.value.what(language)
        assert caught.value.remedy(language)
        assert len(caught.value.what(language)) < 1_000, "a message repeats no whole input"
    return caught.value


def drafting(house: House) -> tuple[Any, int, int]:
    """Let Ann have a draft with a comment on the first item."""
    where = (house.ws, house.ann, house.items[0])
    queue_service.open_item(*where)
    mapping_commands.label(*where, house.units[1], "accept")
    commands.set_comment(*where, "mine")
    return where


def a_case(house: House) -> int:
    """Let Ann and Ben differ on the first item; return it."""
    submit(house, house.ann, house.items[0], 1)
    submit(house, house.ben, house.items[0], 2)
    return house.items[0]


LONG: dict[str, Callable[[House], object]] = {
    "comment": lambda h: commands.set_comment(h.ws, h.ann, h.items[0], HUGE),
    "flag": lambda h: commands.set_flag(h.ws, h.ann, h.items[0], HUGE),
    "skip": lambda h: commands.skip(h.ws, h.ann, h.items[0], HUGE),
    "message": lambda h: threads.say(h.ws, h.ann, h.items[0], HUGE),
    "name": lambda h: members.add_person(h.ws, SLUG, HUGE, "annotator"),
    "renamed": lambda h: members.rename(h.ws, h.ben, HUGE),
    "title": lambda h: create_project(h.ws, "more", HUGE),
    "slug": lambda h: create_project(h.ws, HUGE, "More"),
    "batch": lambda h: make_batch(h.ws, SLUG, BatchPlan(name=HUGE, people=(h.ann, h.ben))),
    "note": lambda h: invitations.invite(h.ws, SLUG, "annotator", HUGE),
    "login": lambda h: accounts.add_account(h.ws, HUGE, "Name", PHRASE),
    "account": lambda h: accounts.add_account(h.ws, "login", HUGE, PHRASE),
    "password": lambda h: accounts.add_account(h.ws, "login", "Name", HUGE),
    "sign_in": lambda h: sign_in.sign_in(h.ws, HUGE, HUGE, "a"),
    "secret": lambda h: invitations.open_invitation(h.ws, HUGE),
    "role": lambda h: members.change_role(h.ws, h.ben, HUGE),
    "decision": lambda h: mapping_commands.label(h.ws, h.ann, h.items[0], h.units[1], HUGE),
    "explanation": lambda h: calibration.set_known_answers(
        h.ws, SLUG, [Known("q1", (), no_provision=True, explanation=HUGE)]
    ),
    "guideline": lambda h: editing.new_version(
        h.ws, SLUG, "guideline", "citation_mapping", {"en": HUGE}, "", 1
    ),
    "guideline note": lambda h: editing.new_version(
        h.ws, SLUG, "guideline", "citation_mapping", {"en": "# Rules"}, HUGE, 1
    ),
}


def test_ten_megabytes_are_refused_in_every_field(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in, "REFUSAL_SECONDS", 0.0)
    where = drafting(house)
    for act in LONG.values():
        refused(house, partial(act, house))
    view = queue_service.open_item(*where)
    assert (view.comment, view.candidates[0].decision) == ("mine", "accept")


def test_ten_megabytes_of_reason_decide_nothing(house: House) -> None:
    item = a_case(house)
    units = [house.units[1]]
    error = refused(
        house,
        lambda: disputes.decide(house.ws, house.judge, item, units, False, HUGE, 1.0),
    )
    assert error.code == "text_too_long"
    assert disputes.open_case(house.ws, house.judge, item).decision is None


def test_ids_that_nothing_has_are_refused(house: House) -> None:
    where = drafting(house)
    acts: tuple[Callable[[Any], object], ...] = (
        lambda number: mapping_commands.label(*where, number, "accept"),
        lambda number: mapping_commands.label(house.ws, house.ann, number, 1, "accept"),
        lambda number: mapping_commands.label(house.ws, number, house.items[0], 1, "accept"),
        lambda number: commands.submit(house.ws, house.ann, number),
        lambda number: queue_service.open_item(house.ws, number, house.items[0]),
        lambda number: threads.say(house.ws, house.ann, house.items[0], "text", number),
        lambda number: disputes.open_case(house.ws, house.judge, number),
        lambda number: batches_commands.close(house.ws, SLUG, number),
        lambda number: invitations.revoke(house.ws, number),
        lambda number: members.change_role(house.ws, number, "lawyer"),
    )
    for number in ODD_IDS:
        for act in acts:
            refused(house, partial(act, number))


def test_a_damaged_file_leaves_nothing_behind(house: House, tmp_path: Path) -> None:
    drafting(house)
    file = tmp_path / "<img src=x onerror=alert(1)>.jsonl"
    for text in ("not json", '{"question_id": 7', "[]", "\0", '{"units": "q"}'):
        file.write_text(text, "utf-8")
        refused(house, lambda: import_known(house.ws, SLUG, file))
        refused(house, lambda: import_labels(house.ws, SLUG, file, "argilla", file))
        assert file.read_text("utf-8") == text


@pytest.mark.parametrize(
    "address",
    [
        {"person": "999"},
        {"person": "<script>alert(1)</script>"},
        {"person": "1' OR '1'='1"},
        {"person": "9" * 5_000},
        {"project": "nowhere"},
        {"project": "../../etc", "person": "1"},
        {"project": SLUG, "person": "5"},
        {"project": SLUG, "person": "1", "item": "9" * 5_000},
        {"project": SLUG, "person": "1", "item": "-1"},
        {"project": SLUG, "person": "4", "item": "999"},
        {"lang": "<b>"},
    ],
)
def test_a_forged_address_is_said_to_be_wrong_and_opens_nothing(
    house: House, address: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    create_project(house.ws, "other", "Other")
    stranger = members.add_person(house.ws, "other", "Stranger", "administrator").id
    assert stranger == 5
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(house.ws.folder))
    drafting(house)
    before = records(house)
    at = AppTest.from_file(str(Path(app.__file__)), default_timeout=100)
    for name, value in address.items():
        at.query_params[name] = value
    at.run()
    assert "Stranger" not in str(at.main)
    said = [each.value.replace("\\<", "") for each in at.error]  # what is escaped is text
    assert all("<" not in each and "Internal error" not in each for each in said)
    if "item" not in address and "lang" not in address:
        assert at.error, "it says that there is nobody, or nothing, of that name"
    assert [row for row in records(house) if row[1] != "open"] == [
        row for row in before if row[1] != "open"
    ]
