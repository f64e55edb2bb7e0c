"""Augment screen: target cells, generated questions, attempts, axes.

Generated questions with their governing provisions, and every attempt.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from annotation.work.versioned_texts import AXES
from construction.augmentation.axes import TEXT_LIMIT, Axes
from pages.augmentation.cells import draw_cells
from pages.shell.context import Context
from pages.shell.guard import fragment, md_literal
from pages.shell.notices import allowed, draw_head
from pages.shell.plain_text import plain_text
from pages.shell.version_editor import VersionEditor
from pages.shell.widgets import choose, draw_table, draw_view, pick_row
from services.augmentation.axes import changes
from services.augmentation.report import (
    AttemptLine,
    QuestionShown,
    listing,
    question_detail,
    question_lines,
    reply,
)
from storage.augmentation.questions import OUTCOMES

_EVERYTHING = "everything"
_HEIGHT = 320  # pixels of a provision or a reply
_LISTED = 200  # characters of a question in the list


@fragment
def draw_questions(context: Context) -> None:
    """Draw the list of augmented questions, and the selected one."""
    say = context.say
    lines = question_lines(*context.here, context.by)
    if not lines:
        st.info(say("augment.questions.none"), icon=":material/info:")
        return
    columns = {
        "id": [line.question.external_id for line in lines],
        "text": [line.question.text[:_LISTED] for line in lines],
        "augment.type": [
            _type_name(context, line.axes, line.question.axes["type"]) for line in lines
        ],
        "augment.difficulty": [str(line.question.axes["difficulty"]) for line in lines],
        "fate": [say(f"augment.fate.{line.fate}") for line in lines],
    }
    words, hint = "augment.questions", "augment.questions.pick"
    row = pick_row(context, words, columns, "augment-questions", hint, wide="text")
    if row is not None:
        external_id = lines[row].question.external_id
        _question(context, question_detail(*context.here, external_id, context.by))


def _question(context: Context, found: QuestionShown) -> None:
    """Draw an augmented question with its provisions."""
    say, question = context.say, found.question
    key = f"augment-{question.external_id}"
    with st.container(border=True):
        st.markdown(md_literal(" · ".join(_axis_values(context, found.axes, found))))
        plain_text(question.text, f"{key}-text", "lead", question.language)
        st.markdown(f"**{say('augment.questions.answer')}**")
        plain_text(question.answer, f"{key}-answer", "body", question.language)
        values = {"asked": question.axes["difficulty"], "level": found.level or "–"}
        st.caption(md_literal(say("augment.questions.level", **values)))
        lineage = {
            "parent": question.parent or "–",
            "axes": question.axes_number,
            "seed": question.seed,
            "prompt": question.prompt_version,
            "at": f"{question.at:%Y-%m-%d %H:%M}",
        }
        key_of = "variant" if "seed" in question.axes else "lineage"
        st.caption(md_literal(say(f"augment.questions.{key_of}", **lineage)))
        st.markdown(f"**{say('augment.questions.provisions')}**")
        _provisions(context, found, key)


def _provisions(context: Context, found: QuestionShown, key: str) -> None:
    """Draw the provisions that a question cites; of one that is gone, only its id."""
    for place, (gold, provision) in enumerate(found.provisions):
        if provision is None:
            st.caption(md_literal(context.say("augment.questions.gone", unit=gold["unit"])))
            continue
        role = _role_name(context, str(gold["role"]))
        with st.expander(md_literal(f"{provision.head} — {role}"), expanded=place == 0):
            text = f"{key}-{place}"
            plain_text(provision.text, text, "body", provision.language, _HEIGHT)


def _axis_values(context: Context, axes: Axes, question: QuestionShown) -> Sequence[str]:
    """Return a question's axis values, then its state, as text; keys where one was removed."""
    said, language = question.question.axes, context.language
    words = [_type_name(context, axes, said["type"]), str(said["difficulty"])]
    for key, value in said["facets"].items():
        facet = next((each for each in axes.facets if each.key == key), None)
        values = {each.key: each.label[language] for each in facet.values} if facet else {}
        label = facet.label[language] if facet else key
        words.append(f"{label}: {values.get(value, value)}")
    return [*words, context.say(f"augment.fate.{question.fate}")]


def _type_name(context: Context, axes: Axes, key: str) -> str:
    """Return the display name of a type, its key if it was removed."""
    return next((each.label[context.language] for each in axes.types if each.key == key), key)


def _role_name(context: Context, role: str) -> str:
    """Return the display name of a provision's role; unknown roles unchanged."""
    known = ("anchor", "delegates_to", "applies", "references", "parallel", "seed", "citing")
    return context.say(f"augment.role.{role}") if role in known else role


@fragment
def draw_attempts(context: Context) -> None:
    """Draw the attempts with outcome and reason, and the selected draft."""
    say, words = context.say, "augment.attempts"

    def outcome_name(name: str) -> str:
        """Return the display name of an outcome, or of all of them."""
        return say(f"{words}.everything" if name == _EVERYTHING else f"augment.outcome.{name}")

    options, key = [_EVERYTHING, *OUTCOMES], "augment-outcome"
    outcome = choose(context, f"{words}.filter", options, outcome_name, key, titled=True)
    lines = listing(*context.here, context.by, outcome="" if outcome == _EVERYTHING else outcome)
    if not lines:
        st.info(say(f"{words}.none"), icon=":material/info:")
        return
    columns = {
        "name": [line.attempt.name for line in lines],
        "outcome": [say(f"augment.outcome.{line.attempt.outcome}") for line in lines],
        "detail": [line.attempt.question or line.attempt.detail for line in lines],
        "units": [", ".join(str(e["unit"]) for e in line.attempt.gold) for line in lines],
        "model": [line.attempt.model for line in lines],
        "at": [f"{line.attempt.at:%Y-%m-%d %H:%M}" for line in lines],
    }
    key = f"augment-attempts-{outcome}"
    row = pick_row(context, words, columns, key, f"{words}.pick", wide="units")
    if row is not None:
        _attempt(context, lines[row])


def _attempt(context: Context, line: AttemptLine) -> None:
    """Draw the draft, or the reply that could not be parsed."""
    draft, key = line.attempt.draft, f"augment-attempt-{line.attempt.id}"
    with st.container(border=True):
        if draft is not None:
            plain_text(str(draft["question"]), f"{key}-question", "lead")
            plain_text(str(draft["answer"]), f"{key}-answer", "body")
            return
        st.caption(context.say("augment.attempts.no_draft"))
        said = reply(*context.here, line.attempt.id, context.by)
        if said.strip():
            plain_text(said, f"{key}-reply", "quiet", height=_HEIGHT)


NOTICE = "augment-notice"


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "augment", NOTICE)
    if allowed(context, Act.MAKE_ITEMS):
        axes = partial(_EDITOR.draw, notice_key=NOTICE)
        views = {"cells": draw_cells, "questions": draw_questions, "attempts": draw_attempts}
        draw_view(context, "augment.tab", "augment-tab", views | {"axes": axes})


def _preview(context: Context, text: str) -> None:
    """Draw the effects of changed axes: new and removed keys, affected questions."""
    say, found = context.say, changes(*context.here, text, context.by)
    for name in ("new", "changed", "gone"):
        if keys := getattr(found, name):
            st.caption(md_literal(say(f"augment.axes.{name}", keys=", ".join(keys))))
    if found.unknown:
        words = say("augment.axes.unknown", keys=", ".join(found.unknown))
        st.warning(md_literal(words), icon=":material/link_off:")
    if found.lost:
        st.warning(say("augment.axes.lost"), icon=":material/warning:")
        columns = {
            "question": [each.external_id for each in found.lost],
            "place": [each.place for each in found.lost],
        }
        draw_table(context, "augment.axes", columns, "augment-lost", wide="place")
    if found.relevelled:
        st.warning(say("augment.axes.relevelled"), icon=":material/warning:")
        columns = {
            "question": [each.external_id for each in found.relevelled],
            "before": [each.before for each in found.relevelled],
            "after": [each.after for each in found.relevelled],
        }
        draw_table(context, "augment.axes", columns, "augment-relevelled")
    with st.expander(say("augment.axes.diff"), icon=":material/difference:"):
        st.code(found.diff, language="diff")


_EDITOR = VersionEditor(
    words="augment.text",
    place="axes",
    saved="augment.axes.saved",
    no_text="axes_file",
    limit=TEXT_LIMIT,
    source=AXES,
    preview=_preview,
)
