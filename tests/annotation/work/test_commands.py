"""Two windows of one person: no act takes the place of what the other window said, unseen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from annotation.work.commands import Basis, ChangedElsewhereError
from annotation.work.draft import latest_event
from tests.annotation.house import House
from tests.support.refusals import refused

Act = Callable[[House, Any, Basis], None]


def _where(house: House) -> tuple[Any, int, int]:
    return house.ws, house.ann, house.items[0]


# Of each act: the act itself, what nothing said looks like, and three things to say.
ACTS: dict[str, tuple[Act, Any, tuple[Any, Any, Any]]] = {
    "label": (
        lambda house, said, basis: mapping_commands.label(
            *_where(house), house.units[1], said, basis
        ),
        None,
        ("accept", "reject", "unsure"),
    ),
    "comment": (
        lambda house, said, basis: commands.set_comment(*_where(house), said, basis),
        "",
        ("one", "two", "three"),
    ),
    "flag": (
        lambda house, said, basis: commands.set_flag(*_where(house), said, basis),
        "",
        ("one", "two", "three"),
    ),
    "skip": (
        lambda house, said, basis: commands.skip(*_where(house), said, basis),
        None,
        ("one", "two", "three"),
    ),
}


@pytest.mark.parametrize("name", ACTS)
def test_what_another_window_said_is_told_and_replaced_only_by_who_knows_it(
    house: House, name: str
) -> None:
    act, nothing, (theirs, mine, then) = ACTS[name]
    act(house, theirs, Basis(nothing))
    before = queue_service.open_item(*_where(house))
    with house.ws.reading() as session:
        _, at = latest_event(session, house.ann) or (0, None)
    with pytest.raises(ChangedElsewhereError) as caught:
        act(house, mine, Basis(nothing))
    assert (caught.value.code, caught.value.now) == ("changed_elsewhere", theirs)
    assert caught.value.at == at
    assert caught.value.what("ko") and f"{caught.value.at:%H:%M}" in caught.value.what("en")
    assert queue_service.open_item(*_where(house)) == before, "nothing was replaced"
    act(house, theirs, Basis(nothing))  # both say the same
    act(house, mine, Basis(theirs))
    act(house, then, Basis(mine))


@pytest.mark.parametrize("name", ACTS)
def test_what_another_window_took_back_is_told(house: House, name: str) -> None:
    act, nothing, (theirs, mine, _) = ACTS[name]
    act(house, theirs, Basis(nothing))
    commands.undo(*_where(house))
    with pytest.raises(ChangedElsewhereError) as caught:
        act(house, mine, Basis(theirs))
    assert caught.value.now == nothing


@pytest.mark.parametrize("name", ACTS)
def test_an_act_of_an_older_draft_takes_no_other_ones_place(house: House, name: str) -> None:
    act, nothing, (theirs, mine, _) = ACTS[name]
    shown = queue_service.open_item(*_where(house)).revision
    act(house, theirs, Basis(nothing))
    with refused("draft_changed"):
        act(house, mine, Basis(revision=shown))
    act(house, mine, Basis(revision=queue_service.open_item(*_where(house)).revision))


def test_no_provision_said_and_taken_back_elsewhere(house: House) -> None:
    mapping_commands.set_no_provision(*_where(house), True, Basis(False))
    with pytest.raises(ChangedElsewhereError) as caught:
        mapping_commands.set_no_provision(*_where(house), False, Basis(False))
    assert caught.value.now is True
    mapping_commands.set_no_provision(*_where(house), False, Basis(True))


def test_a_provision_added_here_and_rejected_elsewhere(house: House) -> None:
    mapping_commands.add_unit(*_where(house), house.units[5], Basis(None))
    mapping_commands.label(*_where(house), house.units[5], "reject", Basis("accept"))
    with pytest.raises(ChangedElsewhereError) as caught:
        mapping_commands.add_unit(*_where(house), house.units[5], Basis(None))
    assert caught.value.now == "reject"


def test_an_act_on_something_else_meets_nothing(house: House) -> None:
    mapping_commands.label(*_where(house), house.units[1], "accept", Basis(None))
    commands.set_comment(*_where(house), "why", Basis(""))
    mapping_commands.label(*_where(house), house.units[2], "reject", Basis(None))
    assert queue_service.open_item(*_where(house)).comment == "why"


@pytest.mark.parametrize("sent", ["  why ", "why\0"])
def test_what_a_screen_sent_and_what_was_kept_of_it_are_the_same(house: House, sent: str) -> None:
    commands.set_comment(*_where(house), sent, Basis(""))
    commands.set_comment(*_where(house), "why, then", Basis(sent))
    assert queue_service.open_item(*_where(house)).comment == "why, then"


def test_undo_names_the_act_that_was_not_seen(house: House) -> None:
    mapping_commands.label(*_where(house), house.units[1], "accept")
    shown = queue_service.open_item(*_where(house)).revision
    commands.set_comment(*_where(house), "theirs")
    with pytest.raises(ChangedElsewhereError) as caught:
        commands.undo(*_where(house), shown)
    assert caught.value.code == "undo_elsewhere"
    assert caught.value.now == {"kind": "comment", "text": "theirs"}
    assert queue_service.open_item(*_where(house)).comment == "theirs"
    commands.undo(*_where(house), queue_service.open_item(*_where(house)).revision)
    commands.undo(*_where(house), shown)  # it says again what was shown
    assert not queue_service.open_item(*_where(house)).can_undo
