"""Searching by position: the index finds what a walk through every text finds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.connectors import matches, words_in
from retrieval.connectors.query import Connected, Connector, Kind, Part, Phrase, Term, either
from retrieval.connectors.search import ConnectorIndex, Order, marks, search
from retrieval.connectors.words import (
    SearchedText,
    bases_of,
    breaks_of,
    lines_of,
    pieces,
    singular,
    word_offsets,
)
from retrieval.core.method import DamagedIndexError
from tests.support.examples import scaled


def found_texts(index, query):
    """Return the ids of all texts that a query finds, in the order of the collection."""
    return [hit.id for hit in search(index, query, len(index.ids), order=Order.COLLECTION).hits]


def morphemes(words):
    """Cut 소방안전관리자… as an analyser would; others are one morpheme."""
    return [
        ("소방", "안전", "관리자") if word.startswith("소방안전관리자") else (word,)
        for word in words
    ]


def index_of(*bodies: str, titles: tuple[str, ...] = ()) -> ConnectorIndex:
    texts = [
        SearchedText(f"t{at}", titles[at] if titles else "", body, lines_of(body))
        for at, body in enumerate(bodies)
    ]
    return ConnectorIndex.build(texts, morphemes)


ENGLISH = index_of(
    "The due process clause. A balancing test, not a bright line.",
    "Balancing requires due process\nThe controversy ends with a declaratory judgment.",
    "Taxes are due. The women's process of a controversial tax.",
)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('"due process"', "t0 t1"),
        ('"due process" +4 balancing', "t0"),
        ('balancing +5 "due process"', "t1"),
        ('"due process" /3 balancing', "t0 t1"),
        ('"due process" /2 balancing', "t1"),
        ('"due process" /s balancing', "t1"),
        ('"due process" /p balancing', "t0 t1"),
        ("balancing /p controversy", ""),
        ("controvers!", "t1 t2"),
        ('controvers! /p "declaratory judgment"', "t1"),
        ("wom*n", "t2"),
        ("#wom*n", ""),
        ("#wom*n's", "t2"),
        ("#tax", "t2"),
        ("due % balancing", "t2"),
        ("clause taxes", "t0 t2"),
        ("(clause taxes) & tests", "t0"),
        ("nothing", ""),
        ("due % nothing", "t0 t1 t2"),
        ("due +s process", "t0 t1"),
        ("process +s due", ""),
    ],
)
def test_each_connector(query: str, found: str) -> None:
    assert found_texts(ENGLISH, query) == found.split()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("관리자", "t0"),
        ("소방안전관리자", "t0"),
        ("소방!", "t0 t1"),
        ("소방", "t0"),
        ("#소방시설", ""),
        ("#소방시설을", "t1"),
        ("*방시설", "t1"),
        ('"소방시설 설치한다"', "t1"),
        ("제2항 & 선임", ""),
        ("선임하여야 /s 소방안전관리자", "t0"),
    ],
)
def test_korean_words(query: str, found: str) -> None:
    index = index_of("제1항의 소방안전관리자를 선임하여야 한다.", "소방시설을 설치한다")
    assert found_texts(index, query) == found.split()


def test_no_connector_reaches_from_the_title_or_another_text() -> None:
    index = index_of("alpha", "beta gamma", titles=("one two", "three"))
    for query in (
        "two /255 alpha",
        '"two alpha"',
        "alpha /255 three",
        "two /p alpha",
        "two +s alpha",
    ):
        assert found_texts(index, query) == []
    assert found_texts(index, "two & alpha") == ["t0"]


def test_counts_are_those_of_every_part() -> None:
    found = search(ENGLISH, "due /p process % clause")
    said = [(count.text, count.depth, count.matches, count.texts) for count in found.counts]
    assert said == [
        ("due /p process % clause", 0, 4, 2),
        ("due /p process", 1, 6, 3),
        ("due", 2, 3, 3),
        ("process", 2, 3, 3),
        ("clause", 1, 1, 1),
    ]
    assert (found.texts, found.matches) == (2, 4)
    either = search(ENGLISH, "(due process) /p clause").counts
    assert [count.depth for count in either] == [0, 1, 2, 2, 1]


def test_texts_are_ranked_by_matches_and_then_as_they_stand() -> None:
    index = index_of("a", "a b a", "a", "a a", "c")
    assert [hit.id for hit in search(index, "a").hits] == ["t1", "t3", "t0", "t2"]
    assert [hit.id for hit in search(index, "a", limit=2, skip=1).hits] == ["t3", "t0"]
    in_order = search(index, "a", limit=3, order=Order.COLLECTION)
    assert [hit.id for hit in in_order.hits] == ["t0", "t1", "t2"]


def test_matches_are_marked_in_the_text() -> None:
    body = "İ no. DUE\nprocess — the “Due” process. Due (process)"
    text = SearchedText("t", "Due process", body, lines_of(body))
    index = ConnectorIndex.build([text], morphemes)
    marked = marks(text, search(index, '"due process"').hits[0])
    assert [text.title[a:b] for a, b in marked.title] == ["Due process"]
    assert [body[a:b] for a, b in marked.body] == ["DUE\nprocess", "Due” process", "Due (process"]


def test_an_index_is_kept_and_a_damaged_one_refused(tmp_path) -> None:
    ENGLISH.save(tmp_path)
    again = ConnectorIndex.load(tmp_path)
    assert found_texts(again, 'controvers! /p "declaratory judgment"') == ["t1"]
    (tmp_path / "starts.npy").write_bytes(b"no")
    with pytest.raises(DamagedIndexError):
        ConnectorIndex.load(tmp_path)


def test_an_empty_collection_finds_nothing() -> None:
    index = ConnectorIndex.build([], morphemes)
    assert found_texts(index, "a /s b % c* & d!") == []
    assert found_texts(index_of(""), "a") == []


def test_paragraphs_and_items_of_a_unit() -> None:
    parts = [("1항", 0), ("1항/1호", 5), ("1항/1호/가목", 7), ("2항", 20), ("3호", 30)]
    assert breaks_of(parts) == ([0, 20], [5, 7, 30])


def test_short_forms_and_dates_end_no_sentence() -> None:
    text = SearchedText("t", "", "See v. Smith, No. 5 of 2020. 6. 9. by art. 3. J. Doe. 한다. 끝")
    assert pieces(text).count(".") == 2


@pytest.mark.parametrize(
    ("word", "bare"),
    [
        ("taxes", "tax"), ("parties", "party"), ("acts", "act"), ("court's", "court"),
        ("process", "process"), ("statutes", "statute"), ("basis", "basis"), ("churches", "church"),
        ("courts'", "court"), ("is", "is"), ("bus", "bus"),
    ],
)  # fmt: skip
def test_regular_plurals(word: str, bare: str) -> None:
    assert singular(word) == bare


TERMS = ["a", "b", "c", "d", "ab"]
terms = st.builds(Term, st.sampled_from([*TERMS, "a*", "*b"]), st.booleans())
parts: st.SearchStrategy[Part] = st.recursive(
    st.builds(Phrase, st.lists(terms, min_size=1, max_size=2).map(tuple)),
    lambda inner: st.one_of(
        st.builds(either, inner, inner),
        st.builds(
            Connected,
            st.one_of(
                st.builds(Connector, st.sampled_from([Kind.BEFORE, Kind.NEAR]), st.integers(1, 5)),
                st.builds(Connector, st.sampled_from(list(Kind)[2:])),
            ),
            inner,
            inner,
        ),
    ),
    max_leaves=6,
)
bodies = st.lists(st.sampled_from([*TERMS, *TERMS, ".", "\n", "ab."]), max_size=25).map(" ".join)


@settings(max_examples=scaled(300))
@given(parts, st.lists(st.tuples(bodies, bodies), min_size=1, max_size=4))
def test_the_index_finds_what_a_walk_finds(part: Part, given_texts: list[tuple[str, str]]) -> None:
    collection = [
        SearchedText(f"t{at}", title.replace("\n", " "), body, lines_of(body))
        for at, (title, body) in enumerate(given_texts)
    ]
    index = ConnectorIndex.build(collection, morphemes)
    found = {hit.id: hit for hit in search(index, part, limit=99).hits}
    for text in collection:
        words = words_in(text)
        named = [word.text for word in words]
        bases = dict(zip(named, bases_of(named, morphemes), strict=True))
        walked = matches(part, words, bases)
        hit = found.get(text.id)
        titles = sum(word.field == 0 for word in words)
        spans = {*hit.title, *((a + titles, b + titles) for a, b in hit.words)} if hit else set()
        assert spans == walked
        if hit is not None:
            offsets = word_offsets(text)
            assert len(offsets[0]) == titles and len(offsets[1]) == len(words) - titles
