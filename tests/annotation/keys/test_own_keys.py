"""A person's own keys: kept by the server, one meaning for each, and the same from a file."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlmodel import Session

from annotation.keys import (
    as_yaml,
    changeable,
    changed_keys,
    from_yaml,
    keep_own_keys,
    own_keys,
)
from annotation.people.members import OWN_KEYS, history, note
from errors import UserError
from pages.shell.navigation import standard
from tests.annotation.house import SLUG, House
from tests.support.examples import scaled

MAP = {
    "accept": ("a",),
    "reject": ("r",),
    "part_next": ("j", "ArrowDown"),
    "option": ("1", "2"),
    "sure": ("Alt+1",),
    "go_on": ("Enter",),
    "page_down": (" ", "PageDown"),
    "help": ("?",),
}


def refused(wanted: dict[str, str]) -> UserError:
    with pytest.raises(UserError) as caught:
        changed_keys(wanted, MAP)
    return caught.value


def test_letters_and_signs_can_be_changed_and_the_list_of_keys_is_always_found() -> None:
    assert changeable(MAP) == {"accept": "a", "reject": "r", "part_next": "j"}
    everything = changeable(standard())
    assert {"accept", "skip", "place_next", "merge"} <= set(everything)
    assert not {"submit", "help", "option", "sure", "doubt_next", "escape"} & set(everything)


def test_two_actions_may_swap_their_keys() -> None:
    assert changed_keys({"accept": "r", "reject": "a", "part_next": "j"}, MAP) == {
        "accept": "r",
        "reject": "a",
    }
    assert changed_keys({"accept": "j", "part_next": "J"}, MAP) == {"accept": "j", "part_next": "J"}


def test_a_key_of_two_actions_is_refused_with_both_of_them() -> None:
    error = refused({"accept": "r"})
    assert error.code == "key_shared"
    assert "Accept:" in error.what() and "Reject:" in error.what()
    assert refused({"accept": "q", "reject": "q"}).code == "key_shared"
    assert refused({"accept": "?"}).code == "key_shared", "a key that stays counts, too"


@pytest.mark.parametrize("key", ["", " ", "ab", "1", "ㅁ", "é", "Enter", "ArrowDown", "\x00"])
def test_what_is_no_letter_or_sign_is_no_key(key: str) -> None:
    assert refused({"accept": key}).code == "key_unfit"


@pytest.mark.parametrize("act", ["help", "go_on", "option", "nothing"])
def test_only_actions_that_can_be_changed_are(act: str) -> None:
    assert refused({act: "q"}).code == "key_act_unknown"


def test_own_keys_are_kept_until_they_are_taken_back(house: House) -> None:
    assert own_keys(house.ws, house.ann, MAP) == {}
    keep_own_keys(house.ws, house.ann, {"accept": "q"}, MAP)
    assert own_keys(house.ws, house.ann, MAP) == {"accept": "q"}
    assert own_keys(house.ws, house.ben, MAP) == {}
    with pytest.raises(UserError):
        keep_own_keys(house.ws, house.ann, {"accept": "r"}, MAP)
    assert own_keys(house.ws, house.ann, MAP) == {"accept": "q"}
    keep_own_keys(house.ws, house.ann, {}, MAP)
    assert own_keys(house.ws, house.ann, MAP) == {}
    assert OWN_KEYS not in {each.kind for each in history(house.ws, SLUG)}, "theirs alone"


def test_keys_that_the_map_no_longer_allows_do_not_hold(house: House) -> None:
    keep_own_keys(house.ws, house.ann, {"accept": "q"}, MAP)
    assert own_keys(house.ws, house.ann, {**MAP, "back": ("q",)}) == {}
    imported: list[dict[str, object]] = [{"keys": ["accept"]}, {"keys": {"accept": 1}}, {}]
    for kept in imported:
        with house.ws.writing() as session:
            put(session, house, kept)
        assert own_keys(house.ws, house.ann, MAP) == {}


def put(session: Session, house: House, payload: dict[str, object]) -> None:
    note(session, house.ann, OWN_KEYS, payload, house.ann, house.ws.clock())


def test_a_file_names_every_action_and_says_where_it_is_wrong() -> None:
    text = as_yaml({"accept": "y"}, MAP)
    assert text == 'accept: "y"\nreject: "r"\npart_next: "j"\n'
    assert from_yaml(text, MAP) == {"accept": "y"}
    for wrong, code, line in (
        ("accept: y\nreject: y\n", "key_shared", 2),
        ("accept: y\nreject: [y]\n", "key_unfit", 2),
        ("\nhelp: y\n", "key_act_unknown", 2),
        ("- accept\n", "keys_no_map", 1),
        ("", "keys_no_map", 1),
        (" \n\n", "keys_no_map", 1),
        ("# keys\n{}\n", "keys_no_map", 2),
        ("accept: a\naccept: b\n", "field_repeated", 2),
    ):
        with pytest.raises(UserError) as caught:
            from_yaml(wrong, MAP, "keys.yaml")
        assert (caught.value.code, caught.value.where.line) == (code, line)


@settings(max_examples=scaled(30), deadline=None)
@given(st.permutations(sorted(changeable(standard()).values())))
def test_any_map_comes_back_from_its_file(keys: list[str]) -> None:
    own = changed_keys(dict(zip(changeable(standard()), keys, strict=True)), standard())
    assert from_yaml(as_yaml(own, standard()), standard()) == own
