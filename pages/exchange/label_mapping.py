"""The form that says what a label file of another tool means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotation.exchange.foreign import Fields as FileFields
from annotation.exchange.foreign import read_labels, users_and_choices
from annotation.tasks.spec import FieldSpec, Kind
from annotation.work.submissions import TOOLS, Decision
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import md_literal
from pages.shell.uploads import megabytes
from pages.shell.widgets import choose
from services.exchange.label_guess import LabelForm, label_form, meaning
from services.exchange.label_guides import (
    GUIDE_BYTES,
    FieldGuide,
    FormGuide,
    Guide,
    Meaning,
    read_guide,
)
from services.exchange.label_import import unit_choices
from services.uploads import Upload, staged_file

MEANINGS = (*Decision, "no_provision")
ROWS = 60  # users or choices that the form asks about; more need a mapping file


def draw_guide(context: Context, path: Path, tool: str, task: str) -> Guide | FormGuide | None:
    """Draw the mapping by form or by file; return it, None until it is complete."""
    words, options = "exchange.meaning", ["by_form", "by_file"]
    asked = choose(context, words, options, "exchange", "labels-meaning", titled=True)
    if asked == "by_form":
        return _by_form(context, path, tool, task)
    most = megabytes(GUIDE_BYTES)
    given = _fields(context).file("mapping_file", ["json"], max_upload_size=most, key="mapping")
    if given is None:
        return None
    given.seek(0)
    with staged_file(Upload(given.name, given), ".json") as mapping:
        return read_guide(mapping)


def _fields(context: Context, place: Any = st) -> Fields:
    """Return the fields of the form."""
    return Fields(context, "exchange", "labels", place=place)


def _by_form(context: Context, path: Path, tool: str, task: str) -> Guide | FormGuide | None:
    """Draw the form that maps a label file onto the task; return the guide when complete."""
    form = label_form(*context.here, path, tool, task, context.by)
    found = form.found
    matched = found.ids[form.item] if form.item else 0
    counts = {"records": found.records, "matched": matched, "users": len(found.users)}
    counts |= {str(status): count for status, count in found.statuses.items()}
    said = (context.say(f"exchange.found.{name}", count=n) for name, n in counts.items() if n)
    st.markdown(" · ".join([f"**{TOOLS[tool]}**", *said]))
    choices_in = found.named("choices", "either")
    if not found.ids or not (form.spec or choices_in):
        st.info(context.say("exchange.no_choices"), icon=":material/search_off:")
        return None
    if form.spec:
        return _by_fields(context, form)
    return _by_choices(context, path, tool, form, choices_in)


def _by_choices(
    context: Context, path: Path, tool: str, form: LabelForm, choices_in: Sequence[str]
) -> Guide | None:
    """Draw what each choice means, provision and decision; return the guide, None if too long."""
    item, chosen, comment = _fields(context).row(3)
    fields = FileFields(
        _item(item, form), chosen.pick("choices", choices_in), _comment(comment, form, choices_in)
    )
    users, choices = users_and_choices(read_labels(path, tool, fields).read)
    units = unit_choices(*context.here, choices, by=context.by)
    mean = _decision_of_unit_ids(context, len(units))
    choices = tuple(each for each in choices if not (mean and each in units))
    if _are_many(context, users, choices):
        return None
    people, decisions = st.columns([2, 3], gap="large")
    with people:
        who = _people(context, form, users)
    with decisions:
        return Guide(fields, who, _decisions(context, choices), mean)


def _by_fields(context: Context, form: LabelForm) -> FormGuide | None:
    """Draw the source of each field and what its words mean; return the guide.

    None if there are too many people to list, or if no field has a source.
    """
    item, comment = _fields(context).row(2)
    name, remark = _item(item, form), _comment(comment, form)
    if _are_many(context, tuple(form.found.users)):
        return None
    people, fields = st.columns([2, 3], gap="large")
    with people:
        who = _people(context, form, tuple(form.found.users))
    answers: dict[str, FieldGuide] = {}
    with fields:
        st.markdown(f"**{context.say('exchange.fields')}**")
        for field in form.spec.fields.values() if form.spec else ():
            guide = _field(context, form, field)
            if guide:
                answers[field.key] = guide
    return FormGuide(name, who, answers, remark) if answers else None


def _field(context: Context, form: LabelForm, field: FieldSpec) -> FieldGuide | None:
    """Draw a field's source and its words' meanings; None without source or with too many words."""
    sources, key = form.sources(field), f"field-{field.key}"
    left, right = _fields(context).row(2)
    named = {"label": md_literal(field.label or field.key), "key": key}
    hint, likely = "exchange.no_source", form.source(field)
    source = left.pick_any("source", sources, hint, None, likely, **named, disabled=not sources)
    if source is None:
        return None
    column = ""
    if field.kind is Kind.SPANS and form.columns:
        column = right.pick("column", form.columns, key=f"column-{field.key}")
    words = tuple(form.found.fields[source].choices) if field.values else ()
    if _are_many(context, words):
        return None
    names = {each.option: each.label or each.option for each in field.options}

    def meaning_choice(word: str, place: DeltaGenerator) -> Any:
        """Draw the choice of the option that a word means."""
        key = f"value-{field.key}-{source}-{word}"
        shown = {"label": word, "label_visibility": "collapsed", "key": key}
        hint, guess = "exchange.no_meaning", meaning(field, word)

        def name(value: Any) -> str:
            """Return the display name of a value."""
            return str(names.get(value, value))

        return _fields(context, place).pick_any("means", field.values, hint, name, guess, **shown)

    return FieldGuide(source, _draw_each_word(words, meaning_choice), column)


def _draw_each_word(
    words: Iterable[str], draw_choice: Callable[[str, DeltaGenerator], Any]
) -> dict[str, Any]:
    """Draw each word of the tool beside its choice; return word → answer of those answered."""
    found: dict[str, Any] = {}
    for word in words:
        left, right = st.columns([2, 3], vertical_alignment="center")
        left.text(word)  # a label would be Markdown, in which an address becomes a link
        found[word] = draw_choice(word, right)
    return {word: answer for word, answer in found.items() if answer is not None}


def _are_many(context: Context, *listed: Sequence[str]) -> bool:
    """Return True, and draw a note, if one of the lists is too long for the form."""
    many = max(map(len, listed)) > ROWS
    if many:
        st.info(context.say("exchange.too_many", limit=ROWS), icon=":material/info:")
    return many


def _item(fields: Fields, form: LabelForm) -> str:
    """Draw the choice of the field that names the item; return its name."""
    return fields.pick("item", form.found.ids, first=form.item)


def _comment(fields: Fields, form: LabelForm, told: Sequence[str] = ()) -> str:
    """Draw the choice of a comment field, "" for none; preset to the first not in given `told`."""
    texts = form.found.named("text", "either")
    apart = [name for name in texts if name not in told] if told else []
    first = apart[0] if apart else None
    return fields.pick_any("comment", texts, "exchange.no_comment", first=first) or ""


def _decision_of_unit_ids(context: Context, count: int) -> str:
    """Draw whether choices that are provision ids mean accept; return "accept", else ""."""
    if not count:
        return ""
    label = context.say("exchange.unit_ids", count=f"{count:,}")
    return str(Decision.ACCEPT) if _fields(context).tick("unit_ids", True, label=label) else ""


def _people(context: Context, form: LabelForm, users: Sequence[str]) -> dict[str, str]:
    """Draw a choice of person for each user; those whose names tell are preset."""
    st.markdown(f"**{context.say('exchange.people')}**")

    def person_choice(user: str, place: DeltaGenerator) -> str | None:
        """Draw the choice of the person that a user of the tool is."""
        shown = {"label_visibility": "collapsed", "key": f"user-{user}"}
        guess, hint = form.people.get(user), "exchange.whom"
        return _fields(context, place).pick_any("whom", form.names, hint, None, guess, **shown)

    return _draw_each_word(users, person_choice)


def _decisions(context: Context, choices: Sequence[str]) -> dict[str, Meaning]:
    """Draw decision and unit of each label; return label → meaning, None: no provision."""
    if not choices:
        return {}
    st.markdown(f"**{context.say('exchange.decisions')}**")
    said: dict[str, Meaning] = {}
    for choice in choices:
        left, right = _fields(context).row([2, 3], vertical_alignment="bottom")
        left.place.text(choice)
        shown = {"label_visibility": "collapsed", "key": f"meaning-{choice}"}
        means = left.pick("decisions", MEANINGS, "exchange.means", **shown)
        if means == "no_provision":
            said[choice] = None
            continue
        likely, hint = choice if "_" in choice else "", context.say("exchange.unit_example")
        unit = right.text("unit", likely, placeholder=hint, key=f"unit-{choice}")
        if unit:
            said[choice] = unit.strip(), means
    return said
