"""The language of terms and connectors: round trips, precedence, and what cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import UserError
from retrieval.connectors.query import (
    Connected,
    Connector,
    Either,
    Kind,
    Part,
    Phrase,
    Term,
    either,
    parse,
    write,
)

NUMERICAL = {Kind.BEFORE, Kind.NEAR}
connectors = st.one_of(
    st.builds(Connector, st.sampled_from(sorted(NUMERICAL)), st.integers(1, 255)),
    st.builds(Connector, st.sampled_from(sorted(set(Kind) - NUMERICAL))),
)
texts = st.sampled_from(
    ["tax", "or", "wom*n", "court's", "2.1.1", "소방", "소*방", "*법", "被", "제", "ks", "*x"]
)
roots = st.builds(Term, texts, st.booleans())
phrases = st.one_of(
    st.builds(Phrase, st.lists(roots, min_size=1, max_size=3).map(tuple)),
    st.builds(
        Phrase, st.lists(st.builds(Term, texts), min_size=1, max_size=3).map(tuple), st.just(True)
    ),
)
queries: st.SearchStrategy[Part] = st.recursive(
    phrases,
    lambda inner: st.one_of(
        st.builds(either, inner, inner, inner), st.builds(Connected, connectors, inner, inner)
    ),
    max_leaves=12,
)


@given(queries)
def test_what_is_written_is_read_back(query: Part) -> None:
    assert parse(write(query)) == query


@given(st.lists(connectors, min_size=1, max_size=7))
def test_connectors_bind_as_a_reference_grammar_has_it(joined: list[Connector]) -> None:
    """The reference cuts a flat query at its weakest connector, the last of equal ones."""
    words = [f"w{at}" for at in range(len(joined) + 1)]
    flat = words[0] + "".join(
        f" {each} {word}" for each, word in zip(joined, words[1:], strict=True)
    )
    assert parse(flat) == _cut(words, joined)


LEVELS = ["+n", "/n", "+s", "/s", "+p", "/p", "&", "%"]


def _cut(words: list[str], joined: list[Connector]) -> Part:
    if not joined:
        return Phrase((Term(words[0]),))
    weakest = 0
    for at, each in enumerate(joined):
        if _weakness(each) >= _weakness(joined[weakest]):
            weakest = at
    left = _cut(words[: weakest + 1], joined[:weakest])
    return Connected(joined[weakest], left, _cut(words[weakest + 1 :], joined[weakest + 1 :]))


def _weakness(each: Connector) -> float:
    level = LEVELS.index(str(each.kind))
    return each.n + level / 2 if level < 2 else 1_000 + level


def shape(query: str) -> str:
    """Return a query with every connector's parts in parentheses."""

    def shown(part: Part) -> str:
        match part:
            case Connected(connector, left, right):
                return f"({shown(left)} {connector} {shown(right)})"
            case Either(parts):
                return f"({' '.join(map(shown, parts))})"
            case Phrase():
                return write(part)

    return shown(parse(query))


@pytest.mark.parametrize(
    ("query", "shaped"),
    [
        ('controvers! /p "declaratory judgment"', '(controvers! /p "declaratory judgment")'),
        ("“Due process” +5 “balancing”", '("due process" +5 balancing)'),
        ("a b +2 c", "((a b) +2 c)"),
        ("a or b OR c", "(a b c)"),
        ("(a b) c", "(a b c)"),
        ("a /5 b +5 c", "(a /5 (b +5 c))"),
        ("a % b & c /p d +p e /s f +s g /255 h", None),
        ("(a & b) /5 c", "((a & b) /5 c)"),
        ("a/s b", "(a /s b)"),
        ("a&b", "(a & b)"),
        ("ａ", "ａ"),
        ("벌금 ／５ 과태료", "(벌금 /5 과태료)"),
        ("（a　b） ＆ “c d”", '((a b) & "c d")'),
        ("제12조의2!", '"제 12 조의 2!"'),
        ('#"Taxes paid"', '#"taxes paid"'),
        ("被告!", '"被 告!"'),
        ("(a) " * 41, f"({'a ' * 40}a)"),
        ("a " * 200, f"({'a ' * 199}a)"),
        ("a" * 2_000, "a" * 2_000),
    ],
)
def test_a_query_is_read_so(query: str, shaped: str | None) -> None:
    wanted = shaped or "(a % (b & (c /p (d +p (e /s (f +s (g /255 h)))))))"
    assert shape(query) == wanted


def test_a_decomposed_query_is_composed() -> None:
    assert parse("\u1100\u1161") == parse("가")


@pytest.mark.parametrize(
    ("query", "code", "place"),
    [
        ("", "connectors_empty", None),
        ("   ", "connectors_empty", None),
        ("a" * 2_001, "connectors_long", None),
        ("a " * 201, "connectors_many", None),
        ("(" * 41 + "a" + ")" * 41, "connectors_deep", 41),
        ('tax "due process', "connectors_quote", 5),
        ("a & (b c", "connectors_open", 5),
        ("a b) c", "connectors_close", 4),
        ("()", "connectors_missing", 2),
        ("a &", "connectors_missing", 3),
        ("& a", "connectors_missing", 1),
        ("% a", "connectors_missing", 1),
        ("a & & b", "connectors_missing", 5),
        ("a or", "connectors_missing", 3),
        ("a /0 b", "connectors_distance", 3),
        ("a +256 b", "connectors_distance", 3),
        ("a +1000 b", "connectors_distance", 3),
        ("and/or", "connectors_unknown", 4),
        ("a /n b", "connectors_unknown", 3),
        ("tax!es", "connectors_root", 1),
        ('"a ! b"', "connectors_root", 1),
        ('"a !"', "connectors_root", 1),
        ("a *", "connectors_star", 3),
        ("#tax!", "connectors_exact_root", 1),
        ("b #a#b", "connectors_exact", 5),
        ("a -- b", "connectors_no_word", 3),
        ('""', "connectors_no_word", 1),
    ],
)
def test_what_is_wrong_is_named_with_its_place(query: str, code: str, place: int | None) -> None:
    with pytest.raises(UserError) as caught:
        parse(query)
    assert caught.value.code == code and caught.value.params.get("place") == place
    for language in ("en", "ko"):
        assert caught.value.render(language)


@given(st.text(alphabet='ab가 "()+/&%!*#5sp\n', max_size=30))
def test_any_text_is_read_or_refused(query: str) -> None:
    try:
        part = parse(query)
    except UserError:
        return
    assert parse(write(part)) == part
