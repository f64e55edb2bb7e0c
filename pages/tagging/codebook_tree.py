"""Searchable tree of the codebook, with the selected entry beside it.

Descriptions of a factor codebook's parts: kinds, conditions, scopes, changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from zlib import crc32

import streamlit as st

from construction.tagging.codebook import (
    EVERYWHERE,
    NOT_STATED,
    Codebook,
    Factor,
    Found,
    Labels,
    SubFactor,
    by_category,
    matching,
)
from construction.tagging.editing import Change, ChangeKind
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import md_literal
from pages.shell.widgets import pick_row
from services.tagging.codebook import Held, Outlook

_MOST = 4  # parts of a typology named before the rest is counted


def kinds_of(context: Context, each: SubFactor) -> list[str]:
    """Return the kind of a sub-factor as words, such as one or several options."""
    how = "claim" if each.claim else "one" if each.exclusive else "several"
    words = [how, "ordered" if each.ordered else "", "" if each.required else "optional"]
    return [context.say(f"factor_book.kinds.{word}") for word in words if word]


def source_of(context: Context, each: SubFactor) -> str:
    """Return in words where a sub-factor and its options come from: a paper, or written here."""
    paper = "paper" if each.options_source == "paper" else "paper_question"
    which = "written" if each.source == "written" else paper
    return context.say(f"factor_book.source.{which}")


def condition_of(context: Context, book: Codebook, each: SubFactor) -> str:
    """Return the condition under which a sub-factor is asked, "" if always."""
    places, said = book.places, []
    for key, options in each.when.items():
        _, other = places[key]
        names = [option_name(context, other, option) for option in options]
        label = other.label[context.language]
        said.append(f"{label}: {context.say('factor_book.or').join(names)}")
    return "; ".join(said)


def option_name(context: Context, each: SubFactor, key: str) -> str:
    """Return the display name of an answer to a sub-factor."""
    if key == NOT_STATED:
        return context.say("factor_book.not_stated")
    return each.option_label(key, context.language)


def part_name(context: Context, labels: Labels, part: str) -> str:
    """Return the display name of a part of the typology; its key if it is unknown."""
    if part == EVERYWHERE:
        return context.say("factor_book.everywhere")
    label = labels.get(part)
    return part if label is None else label.get(context.language, part)


def scope_in_short(context: Context, labels: Labels, scope: Iterable[str]) -> str:
    """Return the categories of a scope, with the number of charges if not all."""
    said = []
    for category, parts in by_category(scope).items():
        name = part_name(context, labels, category)
        counted = context.say("factor_book.of_it", name=name, count=len(parts))
        said.append(counted if parts else name)
    return ", ".join(said)


def change_words(context: Context, labels: Labels, seen: Outlook, change: Change) -> str:
    """Return a codebook change as text, with display names instead of keys."""
    named = {
        "factor": _factor_name(context, seen, change.factor),
        "sub_factor": _sub_factor_name(context, seen, change.sub_factor),
        "option": _option_name(context, seen, change),
    }
    old, new = _old_and_new(context, labels, seen, change)
    said = named | {"old": old or "–", "new": new or "–"}
    return context.say(f"factor_book.change.{change.kind}", **said)


def touched_answers_words(context: Context, outlook: Outlook) -> list[str]:
    """Return which existing answers would become invalid, with counts of submissions."""
    found = []
    for change, count in outlook.touched or ():
        name = _sub_factor_name(context, outlook, change.sub_factor)
        option = _option_name(context, outlook, change)
        whole = f"{name}, {option}" if option else name
        found.append(context.say("factor_book.touched", count=count, name=whole))
    return found


def _old_and_new(
    context: Context, labels: Labels, outlook: Outlook, change: Change
) -> tuple[str, str]:
    """Return the old and the new value of a change as text."""
    sides = (outlook.before, change.old), (outlook.book, change.new)
    if change.kind is ChangeKind.SCOPE:
        names = [_first_names(context, labels, said) for _, said in sides]
    elif change.kind is ChangeKind.CONDITION:
        names = [_condition_text(context, book, change.sub_factor) for book, _ in sides]
    elif change.kind is ChangeKind.MOVED:
        names = [_factor_name(context, outlook, said) for _, said in sides]
    elif change.kind is ChangeKind.ORDER:
        moved = [_sub_factor_name(context, outlook, key) for key in change.new.split(", ")]
        names = ["", ", ".join(moved)]
    elif change.kind is ChangeKind.RULES:
        names = ["", " · ".join(kinds_of(context, outlook.book.places[change.sub_factor][1]))]
    else:
        names = [said for _, said in sides]
    return names[0], names[1]


def _first_names(context: Context, labels: Labels, parts: str) -> str:
    """Return the first names of a list, and how many more there are."""
    names = [part_name(context, labels, part) for part in parts.split(", ") if part]
    said = ", ".join(names[:_MOST])
    more = len(names) - _MOST
    return context.say("factor_book.and_more", names=said, count=more) if more > 0 else said


def _condition_text(context: Context, book: Codebook, key: str) -> str:
    """Return when a sub-factor is asked, as text; that it is always asked without condition."""
    said = condition_of(context, book, book.places[key][1])
    return said or context.say("factor_book.when_always")


def _factor_name(context: Context, outlook: Outlook, key: str) -> str:
    """Return a factor's label in the new codebook, else in the old one; its key if in neither."""
    found = {each.key: each for book in (outlook.before, outlook.book) for each in book.factors}
    return found[key].label[context.language] if key in found else key


def _sub_factor_name(context: Context, outlook: Outlook, key: str) -> str:
    found = outlook.before.places | outlook.book.places
    return found[key][1].label[context.language] if key in found else key


def _option_name(context: Context, outlook: Outlook, change: Change) -> str:
    for book in (outlook.book, outlook.before):
        _, each = book.places.get(change.sub_factor, (None, None))
        if each and any(option.key == change.option for option in each.options):
            return each.option_label(change.option, context.language)
    return change.option


CHOSEN = "factor-book-chosen"  # key of the sub-factor viewed last, where the editor starts
_HEIGHT = 620  # pixels of the tree before it scrolls
_ROW = 35  # pixels of one row
_INDENT = "\u2003\u2003"
_WIDTHS = {"factor": 235, "place": 50, "options": 65, "kind": 150, "when": 180}
_Row = tuple[Factor, SubFactor | None]


def draw_tree(context: Context, held: Held) -> None:
    """Draw the search fields, the tree, and the selected factor or sub-factor."""
    found = _search_result(context, held)
    rows: list[_Row] = [(factor, each) for factor, inner in found for each in (None, *inner)]
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
    """Draw the search of the codebook; return what it found."""
    fields = Fields(context, "factor_book", "factor-book")
    first, second, third = fields.row([4, 4, 2], vertical_alignment="bottom")
    hint = context.say("factor_book.search_hint")
    words = first.text("search", placeholder=hint, max_chars=200)
    named = partial(part_name, context, held.labels)
    part = second.pick("asked_of", held.labels, named, none="factor_book.all_cases", key="part")
    claims = third.switch("claims_only", key="claims")
    return matching(held.book, words, part, claims)


def _picked_row(context: Context, held: Held, rows: Sequence[_Row]) -> int:
    """Draw the tree as a table; return the index of the picked row, at first a sub-factor's."""
    say = context.say
    count = sum(each is not None for _, each in rows)
    places = {key: str(number) for number, key in enumerate(held.book.order, 1)}
    cells = zip(*(_cells(context, held, places, *row) for row in rows), strict=True)
    row = pick_row(
        context,
        "factor_book",
        {name: list(column) for name, column in zip(_WIDTHS, cells, strict=True)},
        f"factor-book-tree-{crc32(' '.join((e or f).key for f, e in rows).encode())}",
        config={name: st.column_config.Column(width=width) for name, width in _WIDTHS.items()},
        height=min(_HEIGHT, _ROW * (len(rows) + 1) + 3),
    )
    st.caption(say("factor_book.shown", count=count, all=len(held.book.order)))
    if row is not None:
        return row
    return next(place for place, (_, each) in enumerate(rows) if each is not None)


def _cells(
    context: Context, held: Held, places: Mapping[str, str], factor: Factor, each: SubFactor | None
) -> tuple[str, ...]:
    """Return a row of the tree, as text so that cells of a factor can be empty."""
    language = context.language
    if each is None:
        scope = scope_in_short(context, held.labels, factor.scope)
        return f"▾ {factor.label[language]}", "", "", scope, ""
    kinds = " · ".join(kinds_of(context, each))
    when = condition_of(context, held.book, each)
    name = f"{_INDENT}{each.label[language]}"
    return name, places[each.key], str(len(each.options)), kinds, when


def _factor(context: Context, held: Held, factor: Factor) -> None:
    """Draw a factor: label, help, key, and the categories and charges that it applies to."""
    say = context.say
    st.header(md_literal(factor.label[context.language]), anchor=False)
    st.markdown(md_literal(factor.help[context.language]))
    st.caption(say("factor_book.key", key=md_literal(factor.key)))
    st.markdown(f"**{say('factor_book.applies')}**")
    for category, inner in by_category(factor.scope).items():
        name = md_literal(part_name(context, held.labels, category))
        names = ", ".join(part_name(context, held.labels, part) for part in inner)
        st.markdown(f"- {name}" + (f": {md_literal(names)}" if names else ""))


def _sub_factor(context: Context, held: Held, factor: Factor, each: SubFactor) -> None:
    """Draw a sub-factor: label, help, kind, condition, scope, options, place and source."""
    say, language = context.say, context.language
    st.header(md_literal(each.label[language]), anchor=False)
    st.markdown(md_literal(each.help[language]))
    st.markdown(" ".join(f":gray-badge[{kind}]" for kind in kinds_of(context, each)))
    when = condition_of(context, held.book, each)
    if when:
        st.markdown(f"**{say('factor_book.when')}** {md_literal(when)}")
    scope = scope_in_short(context, held.labels, factor.scope)
    st.markdown(f"**{say('factor_book.applies')}** {md_literal(scope)}")
    for option in each.options:
        st.markdown(
            f"- **{md_literal(option.label[language])}**  \n{md_literal(option.help[language])}"
        )
    if not each.claim:
        st.markdown(f"- *{say('factor_book.not_stated')}*  \n{say('factor_book.not_stated_help')}")
    place = say(
        "factor_book.ordered_as",
        number=held.book.order.index(each.key) + 1,
        all=len(held.book.order),
    )
    st.caption(
        f"{place} {source_of(context, each)} {say('factor_book.key', key=md_literal(each.key))}"
    )
