"""Form fields of a factor and a sub-factor in the codebook editor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from construction.tagging.codebook import (
    CLAIM_ANSWERS,
    EVERYWHERE,
    LONGEST,
    Codebook,
    Factor,
    Labels,
    Option,
    SubFactor,
)
from messages import LANGUAGES
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.tagging.codebook_tree import option_name, part_name

TURN = "factor-book-turn"  # number of finished edits in this session
_COLUMNS = ("key", *(f"{name}_{language}" for name in LONGEST for language in LANGUAGES))
_WIDTHS = {"key": 120, "label": 150, "help": 260}  # pixels


def empty_sub_factor(key: str) -> SubFactor:
    """Return an empty sub-factor with that key."""
    nothing = dict.fromkeys(LANGUAGES, "")
    return SubFactor(key, nothing, nothing, ())


def empty_factor(key: str) -> Factor:
    """Return an empty factor with that key."""
    nothing = dict.fromkeys(LANGUAGES, "")
    return Factor(key, nothing, nothing, (), ())


def draw_factor(context: Context, factor: Factor, labels: Labels) -> Factor:
    """Draw a factor's fields (labels, helps, scope); return the edited factor."""
    fields = fields_of(context, f"factor-{factor.key}")
    label, help_ = (_texts(fields, getattr(factor, name), name) for name in LONGEST)
    known = dict.fromkeys((EVERYWHERE, *labels, *factor.scope))
    named = partial(part_name, context, labels)
    scope = fields.several("applies", known, named, factor.scope, key="scope")
    return replace(factor, label=label, help=help_, scope=tuple(scope))


def draw_place(
    context: Context, book: Codebook, factor: Factor, place: int, key: str
) -> tuple[str, int]:
    """Draw the choice of a sub-factor's factor and position; return (factor key, position)."""
    homes = {each.key: each.label[context.language] for each in book.factors}
    first, second = fields_of(context, key).row([3, 1])
    home = first.pick("factor", homes, homes.__getitem__, factor.key, key="home")
    return home, second.number("place", 1, len(book.order) + (not key), place)


def draw_sub_factor(context: Context, book: Codebook, each: SubFactor) -> SubFactor:
    """Draw a sub-factor's fields; return the edited sub-factor."""
    fields = fields_of(context, each.key)
    label, help_ = (_texts(fields, getattr(each, name), name) for name in LONGEST)
    claim, required, exclusive, ordered = _rules(fields, each)
    options = CLAIM_ANSWERS if claim else _options(fields, each)
    changed = not claim and options != each.options
    source = "paper" if claim else "written" if changed or each.claim else each.options_source
    return replace(
        each,
        label=label,
        help=help_,
        claim=claim,
        required=required,
        exclusive=claim or exclusive,
        ordered=ordered and exclusive and not claim,
        options=options,
        options_source=source,
        when=_conditions(fields, book, each),
    )


def fields_of(context: Context, at: str) -> Fields:
    """Return the fields of a factor, sub-factor or new key, with new keys after a finished edit.

    A browser keeps showing what was typed into a field of the same key, even if the session state
    is cleared.
    """
    turn = st.session_state.get(TURN, 0)
    return Fields(context, "factor_book", f"factor-book-field{f'-{turn}' if turn else ''}-{at}")


def _texts(fields: Fields, texts: Mapping[str, str], name: str) -> dict[str, str]:
    """Draw a text in every language; return it."""
    found = {}
    for language, column in zip(LANGUAGES, fields.row(len(LANGUAGES)), strict=True):
        draw = column.lines if name == "help" else column.text
        title = fields.context.say(f"factor_book.{name}", language=LANGUAGES[language])
        more = {"label": title, "key": f"{name}-{language}", "max_chars": LONGEST[name]}
        found[language] = draw(name, texts[language], **more)
    return {language: " ".join(text.split()) for language, text in found.items()}


def _rules(fields: Fields, each: SubFactor) -> tuple[bool, bool, bool, bool]:
    """Draw the switches claim, required, exclusive and ordered; return them."""
    rules = Fields(fields.context, "factor_book.rules", fields.key)
    first, second, third, fourth = rules.row(4)
    claim = first.switch("claim", each.claim)
    required = second.switch("required", each.required)
    exclusive = third.switch("exclusive", each.exclusive, disabled=claim)
    return claim, required, exclusive, fourth.switch("ordered", each.ordered, disabled=claim)


def _options(fields: Fields, each: SubFactor) -> tuple[Option, ...]:
    """Draw the table of options; return them."""
    context, key = fields.context, f"{fields.key}-options"
    stored = [] if each.claim else [_option_row(option) for option in each.options]
    begun, rows = st.session_state.get(f"{key}-rows", (stored, stored))
    table = st.data_editor(
        pd.DataFrame(rows if begun == stored else stored, columns=list(_COLUMNS), dtype=str),
        column_config={
            name: st.column_config.TextColumn(
                _title(context, name), required=True, width=_WIDTHS[name.partition("_")[0]]
            )
            for name in _COLUMNS
        },
        num_rows="delete",
        hide_index=True,
        key=key,
    )
    if st.button(context.say("factor_book.add_option"), icon=":material/add:", key=f"{key}-add"):
        more = [*table.to_dict("records"), dict.fromkeys(_COLUMNS, "")]
        st.session_state[f"{key}-rows"] = stored, more
        st.rerun()
    st.caption(context.say("factor_book.options_hint"))
    return tuple(
        _option(row) for row in table.to_dict("records") if any(map(_cell_text, row.values()))
    )


def _title(context: Context, name: str) -> str:
    """Return the heading of a column."""
    if name == "key":
        return context.say("factor_book.option_key")
    field, language = name.split("_")
    return context.say(f"factor_book.{field}", language=LANGUAGES[language])


def _option_row(option: Option) -> dict[str, str]:
    """Return an option as a row of the editable table."""
    said = {"key": option.key}
    for name in LONGEST:
        said |= {f"{name}_{each}": getattr(option, name)[each] for each in LANGUAGES}
    return said


def _cell_text(value: Any) -> str:
    """Return the text of a table cell; an empty one may hold no string."""
    return " ".join(value.split()) if isinstance(value, str) else ""


def _option(row: Mapping[Any, Any]) -> Option:
    """Return a row of the table as an option."""
    label, help_ = (
        {language: _cell_text(row[f"{name}_{language}"]) for language in LANGUAGES}
        for name in LONGEST
    )
    return Option(_cell_text(row["key"]), label, help_)


def _conditions(fields: Fields, book: Codebook, each: SubFactor) -> dict[str, tuple[str, ...]]:
    """Draw the conditions of a sub-factor; return them."""
    context = fields.context
    others = {key: other for key, (_, other) in book.places.items() if key != each.key}
    labels = {key: other.label[context.language] for key, other in others.items()}
    before = [key for key in each.when if key in others]
    hint = context.say("factor_book.when_always")
    chosen = fields.several(
        "when_what", others, labels.__getitem__, before, key="when", placeholder=hint
    )
    found = {}
    for key in chosen:
        known, named = others[key].givable, partial(option_name, context, others[key])
        now = [option for option in each.when.get(key, ()) if option in known]
        more = {"label": context.say("factor_book.when_is", name=labels[key]), "key": f"when-{key}"}
        found[key] = tuple(fields.several("when_is", known, named, now, **more))
    return found
