"""Searchable tree of the codebook, with the selected entry beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zlib import crc32

import streamlit as st

from construction.tagging.codebook import Factor, Found, SubFactor, by_category, matching
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.widgets import pick_row
from pages.tagging.codebook_labels import (
    condition_of,
    kinds_of,
    part_name,
    scope_in_short,
    source_of,
)
from services.tagging.codebook import Held

CHOSEN = "factor-book-chosen"  # key of the sub-factor viewed last, where the editor starts
_HEIGHT = 620  # pixels of the tree before it scrolls
_ROW = 35  # pixels of one row
_INDENT = "\u2003\u2003"
_Row = tuple[Factor, SubFactor | None]


def draw_tree(context: Context, held: Held) -> None:
    """Draw the search fields, the tree, and the selected factor or sub-factor."""
    found = _search_result(context, held)
    rows: list[_Row] = [row for factor, inner in found for row in _rows(factor, inner)]
    if not rows:
        st.info(context.say("factor_book.nothing"))
        return
    left, right = st.columns([7, 5], gap="medium")
    with left:
        factor, each = rows[_picked_row(context, held, rows)]
    with right, st.container(border=True, height=_HEIGHT):
        if each is None:
            _factor(context, held, factor)
        else:
            st.session_state[CHOSEN] = each.key
            _sub_factor(context, held, factor, each)


def _search_result(context: Context, held: Held) -> Found:
    say = context.say
    first, second, third = st.columns([4, 4, 2], vertical_alignment="bottom")
    words = first.text_input(
        say("factor_book.search"),
        placeholder=say("factor_book.search_hint"),
        max_chars=200,
        key="factor-book-search",
    )
    part = second.selectbox(
        say("factor_book.asked_of"),
        ["", *held.labels],
        format_func=lambda key: (
            part_name(context, held.labels, key) if key else say("factor_book.all_cases")
        ),
        key="factor-book-part",
    )
    claims = third.toggle(say("factor_book.claims_only"), key="factor-book-claims")
    return matching(held.book, words, part, claims)


def _rows(factor: Factor, inner: Sequence[SubFactor]) -> list[_Row]:
    return [(factor, None), *((factor, each) for each in inner)]


def _picked_row(context: Context, held: Held, rows: Sequence[_Row]) -> int:
    say = context.say
    count = sum(each is not None for _, each in rows)
    widths = {"factor": 235, "place": 50, "options": 65, "kind": 150, "when": 180}
    row = pick_row(
        context,
        "factor_book",
        {name: list(cells) for name, cells in _cells(context, held, rows)},
        f"factor-book-tree-{crc32(' '.join(map(_row_key, rows)).encode())}",
        config={name: st.column_config.Column(width=width) for name, width in widths.items()},
        height=min(_HEIGHT, _ROW * (len(rows) + 1) + 3),
    )
    st.caption(say("factor_book.shown", count=count, all=len(held.book.order)))
    if row is not None:
        return row
    return next(place for place, (_, each) in enumerate(rows) if each is not None)


def _cells(
    context: Context, held: Held, rows: Sequence[_Row]
) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield the tree's columns, as text so that cells of a factor can be empty."""
    book, language = held.book, context.language
    place = {key: str(number) for number, key in enumerate(book.order, 1)}
    yield (
        "factor",
        (f"{_INDENT}{e.label[language]}" if e else f"▾ {f.label[language]}" for f, e in rows),
    )
    yield "place", (place[each.key] if each else "" for _, each in rows)
    yield "options", (str(len(each.options)) if each else "" for _, each in rows)
    yield (
        "kind",
        (
            " · ".join(kinds_of(context, e)) if e else scope_in_short(context, held.labels, f.scope)
            for f, e in rows
        ),
    )
    yield "when", (condition_of(context, book, each) if each else "" for _, each in rows)


def _row_key(row: _Row) -> str:
    factor, each = row
    return factor.key if each is None else each.key


def _factor(context: Context, held: Held, factor: Factor) -> None:
    say = context.say
    st.header(plain(factor.label[context.language]), anchor=False)
    st.markdown(plain(factor.help[context.language]))
    st.caption(say("factor_book.key", key=plain(factor.key)))
    st.markdown(f"**{say('factor_book.applies')}**")
    for category, inner in by_category(factor.scope).items():
        name = plain(part_name(context, held.labels, category))
        names = ", ".join(part_name(context, held.labels, part) for part in inner)
        st.markdown(f"- {name}" + (f": {plain(names)}" if names else ""))


def _sub_factor(context: Context, held: Held, factor: Factor, each: SubFactor) -> None:
    say, language = context.say, context.language
    st.header(plain(each.label[language]), anchor=False)
    st.markdown(plain(each.help[language]))
    st.markdown(" ".join(f":gray-badge[{kind}]" for kind in kinds_of(context, each)))
    when = condition_of(context, held.book, each)
    if when:
        st.markdown(f"**{say('factor_book.when')}** {plain(when)}")
    scope = scope_in_short(context, held.labels, factor.scope)
    st.markdown(f"**{say('factor_book.applies')}** {plain(scope)}")
    for option in each.options:
        st.markdown(f"- **{plain(option.label[language])}**  \n{plain(option.help[language])}")
    if not each.claim:
        st.markdown(f"- *{say('factor_book.not_stated')}*  \n{say('factor_book.not_stated_help')}")
    place = say(
        "factor_book.ordered_as",
        number=held.book.order.index(each.key) + 1,
        all=len(held.book.order),
    )
    st.caption(f"{place} {source_of(context, each)} {say('factor_book.key', key=plain(each.key))}")
