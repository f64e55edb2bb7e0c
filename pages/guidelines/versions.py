"""Versions of a guideline or codebook: author, changes, decisions under each.

Offer of the built-in text to projects with an older one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from annotation.guidelines.documents import languages_of, read_document
from annotation.guidelines.editing import Offer, builtin_offer, take_builtin
from annotation.guidelines.migration import MigrationView, migrations
from annotation.guidelines.versions import Made, VersionView, decisions, list_versions
from annotation.history.reading import Filter
from annotation.history.reading import read as history_of
from annotation.work.rules import AGAIN, SAME
from corpus.compare.diff import DiffKind, Piece, diff
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded
from pages.shell.notices import redraw_with
from pages.shell.plain_text import Span, plain_text
from pages.shell.version_editor import pick_version
from pages.shell.widgets import TIME, choose, draw_table, pick_row
from pages.task.documents import answer_name, answer_names, around

_HEIGHT = 460  # pixels of text before it scrolls


def draw_versions(context: Context, kind: str, task: str) -> None:
    """Draw the list of versions, with changes and decisions of the chosen one."""
    say = context.say
    views = list_versions(*context.here, kind, task, context.by)
    counts = "submissions", "adjudications"
    chosen = views[pick_version(context, views, f"guidelines-versions-{task}", counts)]
    st.header(say("guidelines.version", number=chosen.number), anchor=False)
    if chosen.known:
        _changes(context, kind, task, chosen, views)
    else:
        st.info(say("guidelines.text_lost", version=chosen.version))
    _decisions(context, kind, task, chosen)
    _migrations(context, task, migrations(*context.here, kind, task))


def _changes(
    context: Context, kind: str, task: str, chosen: VersionView, views: Sequence[VersionView]
) -> None:
    """Draw the differences between a version and another, by default the one before."""
    say = context.say
    others = [view.number for view in views if view.known and view is not chosen]
    if not others:
        st.caption(say("guidelines.only_version"))
        return
    earlier = [number for number in others if number < chosen.number]
    left, right = Fields(context, "guidelines", "guidelines").row(2)
    first, key = earlier[0] if earlier else others[0], f"against-{task}-{kind}-{chosen.number}"
    against = left.pick("against", others, partial(version_name, context), first, key=key)
    language = context.language
    if len(languages_of(kind)) > 1:
        with right.place:
            label, names, key = "guidelines.language", "guidelines.languages", "guidelines-language"
            options = languages_of(kind)
            language = choose(context, label, options, names, key, language, titled=True)
    old, new = (
        read_document(*context.here, kind, task, language, number, context.by)
        for number in (against, chosen.number)
    )
    with st.container(border=True):
        if old.text == new.text:
            st.caption(say("guidelines.same_text"))
            return
        marked = [span_of(piece) for piece in around(diff(old.text, new.text))]
        plain_text(marked, "guidelines-diff", language=language, height=_HEIGHT)


def version_name(context: Context, number: int) -> str:
    """Return the display name of a version."""
    return context.say("guidelines.version", number=number)


def span_of(piece: Piece) -> Span:
    """Convert a piece of a diff into a marked span."""
    return Span(piece.text, () if piece.kind is DiffKind.SAME else (str(piece.kind),))


def _decisions(context: Context, kind: str, task: str, chosen: VersionView) -> None:
    """Draw the submissions and decisions made under a version."""
    say = context.say
    made = decisions(*context.here, kind, task, chosen.number, context.by)
    st.markdown(f"**{say('guidelines.decisions', number=chosen.number, count=len(made))}**")
    if not made:
        return
    columns = {
        "question": [each.external_id for each in made],
        "what": [say(f"guidelines.made.{each.kind}") for each in made],
        "who": [each.person for each in made],
        "when": [each.at for each in made],
    }
    key, hint = f"guidelines-decisions-{kind}-{chosen.number}", "guidelines.pick"
    row = pick_row(context, "guidelines", columns, key, hint, config={"when": TIME})
    if row is not None:
        _item(context, made[row])


def _item(context: Context, decision: Made) -> None:
    """Draw the history of a decision's item, as far as the person may see it."""
    part = Filter(item_id=decision.item_id)
    entries = history_of(*context.here, part, by=context.by).entries
    families = [entry.kind.partition(".")[0] for entry in entries]
    columns = {
        "at": [entry.at for entry in entries],
        "what": [context.say(f"history.family.{each}") for each in families],
        "by": [entry.person or "–" for entry in entries],
        "details": [str(entry.details) for entry in entries],
    }
    shape: dict[str, Any] = {"wide": "details", "config": {"at": TIME}}
    draw_table(context, "history", columns, "guidelines-item", **shape)


def _migrations(context: Context, task: str, migrations: Sequence[MigrationView]) -> None:
    """Draw the migrations of submissions."""
    if not migrations:
        return
    say = context.say
    st.markdown(f"**{say('guidelines.migrations')}**")
    columns = {
        "when": [each.at for each in migrations],
        "who": [each.person or say("guidelines.operator") for each in migrations],
        "step": [f"{each.from_number} → {each.to_number}" for each in migrations],
        "answers": [mapping_words(context, each.answers, task) for each in migrations],
        "reason": [each.reason for each in migrations],
    }
    key = "guidelines-migrations"
    draw_table(context, "guidelines", columns, key, config={"when": TIME})


def mapping_words(context: Context, answers: Mapping[str, str], task: str) -> str:
    """Return a migration's answer mapping as text."""
    say = context.say
    if not answers:
        return say("guidelines.becomes.same")
    names = answer_names(context, task)
    return ", ".join(
        f"{answer_name(names, old)} → {_replacement_name(context, old, new, names)}"
        if names
        else f"{say(f'mapping.ui.{old}')} → {say(f'guidelines.becomes.{new}')}"
        for old, new in answers.items()
    )


def _replacement_name(context: Context, old: str, new: str, names: Mapping[str, str]) -> str:
    """Return a form answer's replacement: same, again, another option or field."""
    if new in (SAME, AGAIN):
        return context.say(f"guidelines.becomes.{new}")
    field, _, option = old.partition(".")
    return names.get(f"{field}.{new}" if option else new, new)


def draw_builtin(context: Context, kind: str, task: str, notice_key: str) -> None:
    """Draw the offer of the built-in text, if any: its changes, and the button that adopts it."""
    offer = builtin_offer(*context.here, kind, task, context.by)
    if offer is None:
        return
    say = context.say
    with st.container(border=True):
        st.markdown(f"**{say('guidelines.builtin')}**")
        st.caption(say("guidelines.builtin_help", number=offer.number))
        with st.expander(say("guidelines.builtin_changes"), key="guidelines-builtin-diff"):
            _offered_changes(context, offer)
        words = say("guidelines.builtin_take", number=offer.number + 1)
        if st.button(words, key="guidelines-builtin"):
            with guarded(context.language):
                note = say("guidelines.builtin_note")
                where = (*context.here, kind, task)
                version = take_builtin(*where, note, offer.number, context.by)
                redraw_with(notice_key, say("guidelines.saved", number=version.partition("-")[0]))


def _offered_changes(context: Context, offer: Offer) -> None:
    """Draw the differences that an offered packaged version would bring."""
    for language in sorted(offer.changed, key=lambda each: each != context.language):
        if len(offer.texts) > 1:
            st.markdown(f"**{context.say(f'guidelines.languages.{language}')}**")
        pieces = around(diff(offer.now.get(language, ""), offer.texts[language]))
        marked = [span_of(piece) for piece in pieces]
        plain_text(marked, f"guidelines-builtin-{language}", language=language)
