"""Declarations read as dataclasses: every fault has its code, line and field."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BeforeValidator, Field

from corpus.files.declarations import (
    ONCE_EACH,
    SOME,
    Day,
    Declared,
    Label,
    Listed,
    Text,
    Texts,
    Yes,
    choice_of,
    fault,
    faults,
    key_form,
    number,
    quoted,
    read_declaration,
    unique,
)
from errors import UserError, Where
from normalization import composed
from tests.support.refusals import code_of, fault_of, refusal


@dataclass(frozen=True, slots=True)
class Lamp(Declared):
    """A light that burns."""

    kind: Literal["lamp"]
    key: Annotated[Text, key_form("parallel_key")]
    watts: Annotated[int, number("axes_number", 1, 60)] = 40


@dataclass(frozen=True, slots=True)
class Bell(Declared):
    """Something that rings."""

    kind: Literal["bell"]
    key: Annotated[Text, key_form("parallel_key")]
    tones: Annotated[
        Listed[Annotated[str, choice_of(("a", "b"), "cascade_unknown")]], ONCE_EACH
    ] = ()


def _wired(value: object) -> object:
    with faults():
        if value == "torn":
            raise UserError("parallel_alone", group="g")
    return value


@dataclass(frozen=True, slots=True)
class House(Declared):
    """A house with what it has."""

    label: Label
    things: Annotated[
        tuple[Annotated[Lamp | Bell, Field(discriminator="kind")], ...],
        SOME,
        unique("parallel_key_twice", "key"),
        Field(alias="has"),
    ]
    names: Annotated[Texts, unique("axes_twice")] = ()
    old: Yes = False
    built: Day | None = None
    wire: Annotated[Text, BeforeValidator(_wired)] = ""


GOOD = """\
label: {en: House, ko: 집}
has:
- {kind: lamp, key: hall, watts: 60}
- kind: bell
  key: door
  tones: [a, b, a]
names:
- one
- two
"""


def read(text: str, numbered: bool = False) -> House:
    return read_declaration(
        House,
        text,
        "f.yaml",
        limit=2_000,
        empty="axes_empty",
        listed="cascade_list",
        numbered=numbered,
        check=tidy,
    )


def tidy(house: House) -> None:
    if "two" in house.names and house.old:
        raise fault("axes_twice", "names", house.names.index("two"), shown="two", first=("old",))


def test_the_dataclass_is_the_value() -> None:
    house = read(GOOD)
    lamp, bell = house.things
    assert (lamp, bell) == (Lamp("lamp", "hall", 60), Bell("bell", "door", ("a", "b")))
    assert (house.label, house.names) == ({"en": "House", "ko": "집"}, ("one", "two"))
    assert replace(house, old=True).old and not house.old


def test_a_field_without_a_value_is_as_if_it_were_not_there() -> None:
    text = GOOD.replace(", watts: 60", ", watts: ").replace("  tones: [a, b, a]", "  tones:")
    lamp, bell = read(text + "old:\n").things
    assert (lamp, bell) == (Lamp("lamp", "hall"), Bell("bell", "door"))


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "field"),
    [
        ("label:", "lable:", "field_unknown", 1, "lable"),
        ("{en: House, ko: 집}", "", "field_missing", 1, "label"),
        ("{en: House, ko: 집}", "House", "field_not_mapping", 1, "label"),
        (", ko: 집", "", "field_missing", 1, "label.ko"),
        ("ko: 집", "ko: [집]", "field_not_text", 1, "label.ko"),
        ("ko: 집", f"ko: {'집' * 301}", "text_too_long", 1, "label.ko"),
        ("  key: door\n", "", "field_missing", 4, "has[2].key"),
        ("key: door", "key: Door", "parallel_key", 5, "has[2].key"),
        ("key: door", "key: hall", "parallel_key_twice", 5, "has[2].key"),
        ("watts: 60", "watts: 61", "axes_number", 3, "has[1].watts"),
        ("watts: 60", "volts: 60", "field_unknown", 3, "has[1].volts"),
        ("[a, b, a]", "[a, c]", "cascade_unknown", 6, "has[2].tones"),
        ("[a, b, a]", "a", "field_not_texts", 6, "has[2].tones"),
        ("- two", "- one", "axes_twice", 9, "names"),
        ("- two", "- two\nold: perhaps", "field_not_yes", 10, "old"),
        ("- two", "- two\nold: yes", "axes_twice", 9, "names"),
        ("- two", "- two\nbuilt: soon", "field_not_date", 10, "built"),
        ("- two", "- two\nwire: torn", "parallel_alone", 10, "wire"),
        ("- two", '- "\\0"', "text_unstorable", 9, "names"),
        ("names:", "has: []\nnames:", "field_repeated", 7, "has"),
    ],
)
def test_a_fault_has_its_code_its_line_and_its_field(
    old: str, new: str, code: str, line: int, field: str
) -> None:
    assert old in GOOD
    error = refusal(read, GOOD.replace(old, new, 1))
    assert (error.code, error.where) == (code, Where("f.yaml", line, field))


def test_what_stood_before_and_a_name_that_was_meant_are_told() -> None:
    assert "line 3" in refusal(read, GOOD.replace("key: door", "key: hall")).what()
    meant = refusal(read, GOOD.replace("tones:", "tone:"))
    assert "tones" in meant.render("en") and "tones" in meant.render("ko")


def test_texts_of_a_list_can_be_named_by_their_number() -> None:
    assert fault_of(read, GOOD.replace("- two", "- one"), numbered=True)[2] == "names[2]"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "axes_empty"),
        ("- a", "axes_empty"),
        ("label: {en: A, ko: B}\nhas: []", "field_missing"),
        ("label: {en: A, ko: B}\nhas: x", "cascade_list"),
        ("label: {en: A, ko: B}\nhas: [x]", "cascade_list"),
        ("#" * 2_001, "text_too_long"),
        ("a: [", "yaml_broken"),
    ],
)
def test_what_is_no_such_declaration_is_refused(text: str, code: str) -> None:
    assert code_of(read, text) == code


@given(st.text(max_size=40), st.integers(0, GOOD.count("\n")))
def test_any_edit_is_read_or_refused(text: str, at: int) -> None:
    lines = GOOD.splitlines()
    try:
        read("\n".join([*lines[:at], text, *lines[at + 1 :]]))
    except UserError as error:
        assert error.what("en") and error.remedy("ko")


@given(st.text().filter(lambda text: "\x00" not in text).map(composed))
def test_a_quoted_text_is_the_same_text(text: str) -> None:
    assert yaml.safe_load(quoted(text)) == text
