"""The form of a datasheet as YAML: what is said comes back, what is wrong is refused."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from construction.gold.datasheet_form import (
    ANSWER_LIMIT,
    FIELDS,
    KEYS,
    as_yaml,
    open_fields,
    parse,
    starter,
    template,
)
from errors import UserError
from normalization import composed
from tests.support.refusals import fault_of

WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"), include_characters="\n"),
    max_size=60,
)
SAID = st.dictionaries(st.sampled_from(KEYS), WORDS)


def plain(answer):
    return "\n".join(line.rstrip() for line in answer.split("\n")).strip()


@given(SAID)
@example({"created_by": "\ufa2a"})  # an ideograph whose composed form is another character
def test_what_is_said_comes_back(answers):
    text = as_yaml(answers)
    said = {key: composed(plain(answer)) for key, answer in answers.items() if plain(answer)}
    assert parse(text) == said == parse(template(answers))
    assert as_yaml(parse(text)) == text
    assert [field.key for field in open_fields(said)] == [key for key in KEYS if key not in said]


def test_an_empty_form_has_every_field_open():
    assert parse(starter()) == {} == parse(template({}))
    assert open_fields({}) == list(FIELDS)
    assert len(set(KEYS)) == len(KEYS)
    assert len({field.question for field in FIELDS}) == len(FIELDS)


@given(st.text(max_size=200))
def test_any_text_is_a_form_or_refused(text):
    try:
        found = parse(text)
    except UserError:
        return
    assert set(found) <= set(KEYS)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("- one", "datasheet_form", 1),
        ("just words", "datasheet_form", 1),
        ("funding: a\nmoney: b", "field_unknown", 2),
        ("funding: [a]", "field_not_text", 1),
        ("funding: a\nfunding: b", "field_repeated", 2),
        ("contact: *x", "yaml_broken", 1),
        (f"contact: {'x' * (ANSWER_LIMIT + 1)}", "text_too_long", 1),
        ("#" + "x" * 100_001, "text_too_long", None),
    ],
)
def test_what_is_no_form_is_refused_with_its_line(text, code, line):
    assert fault_of(parse, text)[:2] == (code, line)
