from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.guidelines.codebook_tree import parse
from annotation.guidelines.documents import EVERY, TASK, packaged
from annotation.work.submissions import Decision
from errors import UserError
from messages import LANGUAGES
from tests.support.refusals import code_of, fault_of

PACKAGED = packaged("codebook", TASK)
NAMES = """
key = "{key}"
label = {{ en = "{key}", ko = "이름" }}
meaning = {{ en = "what {key} means", ko = "뜻" }}
"""


def named(key: str) -> str:
    return NAMES.format(key=key)


TREE = f"""
[[factors]]{named("motive")}
[[factors.factors]]{named("greed")}
[[factors.factors.options]]{named("yes")}
[[factors.factors.options]]{named("no")}
[[factors.options]]{named("unknown")}
[[options]]{named("none")}
"""


def text() -> str:
    assert PACKAGED is not None
    return PACKAGED.texts[EVERY]


def test_the_packaged_codebook_explains_every_decision() -> None:
    book = parse(text(), TASK)
    assert [each.key for each in book.options] == list(Decision)
    for decision in Decision:
        assert set(book.option(decision).label) == set(LANGUAGES)
        assert all(len(said) > 10 for said in book.option(decision).meaning.values())


def test_factors_hold_factors_and_options() -> None:
    book = parse(TREE, "factors")
    (motive,) = book.factors
    assert [each.key for each in book.options] == ["none"]
    assert [each.key for each in motive.options] == ["unknown"]
    assert [each.key for each in motive.factors[0].options] == ["yes", "no"]
    assert motive.factors[0].meaning["en"] == "what greed means"


def test_labels_and_meanings_may_change_and_keys_may_not() -> None:
    changed = parse(text().replace('"Accept"', '"Take"'), TASK)
    assert changed.option("accept").label["en"] == "Take"
    other = text().replace('"accept"', '"take"')
    assert fault_of(parse, other, TASK) == ("codebook_keys", None, "options")
    assert code_of(parse, text() + TREE, TASK)


DEEP = "".join(f"[[{'.'.join(['factors'] * n)}]]{named('a')}\n" for n in range(1, 6))


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        (lambda s: s + "=", "codebook_toml", None),
        (lambda s: s.replace('label.en = "Accept"', 'label.en = "Accept'), "codebook_toml", None),
        (lambda _: "", "codebook_empty", "options"),
        (lambda _: "options = 3", "codebook_field", "options"),
        (lambda _: "options = [3]", "codebook_field", "options[1]"),
        (lambda _: f"[[factors]]{named('a')}", "codebook_empty", "factors[1]"),
        (lambda _: DEEP, "codebook_depth", ".".join(["factors[1]"] * 5)),
        (lambda s: s.replace('key = "reject"', ""), "codebook_key", "options[2].key"),
        (lambda s: s.replace('"reject"', '"Not!"'), "codebook_key", "options[2].key"),
        (lambda s: s.replace('"reject"', '"accept"'), "codebook_twice", "options[2].key"),
        (lambda s: s.replace('label.ko = "제외"', ""), "codebook_field", "options[2].label.ko"),
        (lambda s: s.replace('"제외"', '" "'), "codebook_field", "options[2].label.ko"),
        (lambda s: s.replace('"제외"', f'"{"가" * 61}"'), "text_too_long", "options[2].label.ko"),
        (lambda s: s.replace('label.ko = "제외"', 'label.fr = "x"'), "codebook_unknown", None),
        (lambda s: s + '\ncolour = "red"', "codebook_unknown", "options[3].colour"),
        (lambda s: 'title = "x"\n' + s, "codebook_unknown", "title"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(change, code: str, place: str | None) -> None:
    said, _, field = fault_of(parse, change(text()), TASK)
    assert (said, field if place else place) == (code, place)


def test_a_line_that_is_no_toml_is_named() -> None:
    assert fault_of(parse, '[[options]]\nkey = "a"\nlabel', "factors")[1] == 3


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(said: str) -> None:
    try:
        parse(said, "factors")
    except UserError as refused:
        assert refused.render("en")
