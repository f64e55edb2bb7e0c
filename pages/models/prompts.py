"""Reading and editing what models are told."""

from __future__ import annotations

import streamlit as st

from errors import UserError
from messages import LANGUAGES
from pages.shell.context import Context
from pages.shell.guard import plain, show
from pages.shell.notices import remember
from services.models.prompts import TEXT_LIMIT, PromptView, list_prompts, packaged_body, save_prompt

_HEIGHT = 420  # pixels of the text before it scrolls
_NOTE = 1_000  # characters


def draw_prompts(context: Context, notice: str) -> None:
    """Draw the choice of a prompt, and its text to edit."""
    say = context.say
    found = {
        (each.id, each.language): each
        for each in list_prompts(context.workspace, context.project, context.person.id)
    }
    left, right = st.columns([3, 2])
    name = left.selectbox(
        say("models.prompt"),
        list(dict.fromkeys(each for each, _ in found)),
        key="models-prompt",
    )
    language = right.segmented_control(
        say("models.language"),
        list(LANGUAGES),
        default=context.language,
        required=True,
        format_func=LANGUAGES.__getitem__,
        key="models-language",
    )
    _edit(context, found[name, language], notice)


def _edit(context: Context, prompt: PromptView, notice: str) -> None:
    say = context.say
    st.caption(plain(f"{say('models.version', number=prompt.number)} · {_origin(context, prompt)}"))
    places = ", ".join(f"{{{{{each}}}}}" for each in prompt.places)
    if places:
        st.caption(plain(say("models.places", places=places)))
    key = f"models-text-{context.project}-{prompt.id}-{prompt.language}-{prompt.number}"
    text = st.text_area(
        say("models.text"), value=prompt.body, height=_HEIGHT, max_chars=TEXT_LIMIT, key=key
    )
    note = st.text_input(say("models.note"), max_chars=_NOTE, key=f"{key}-note")
    row = st.container(horizontal=True)
    words = say("models.save", number=prompt.number + 1)
    if row.button(words, type="primary", disabled=text.strip() == prompt.body, key="models-save"):
        _save(context, prompt, text, note, notice)
    packaged = packaged_body(prompt.id, prompt.language)
    if prompt.body != packaged and row.button(say("models.restore"), key="models-restore"):
        _save(context, prompt, packaged, note, notice)


def _origin(context: Context, prompt: PromptView) -> str:
    if not prompt.own or prompt.at is None:
        return context.say("models.packaged")
    person = prompt.person or context.say("models.operator")
    return context.say("models.own", person=person, day=f"{prompt.at:%Y-%m-%d}")


def _save(context: Context, prompt: PromptView, text: str, note: str, notice: str) -> None:
    where = (context.workspace, context.project, prompt.id, prompt.language)
    try:
        save_prompt(*where, text, note, prompt.number, context.person.id)
    except UserError as error:
        show(error, context.language)
        return
    remember(notice, context.say("models.saved", number=prompt.number + 1))
    st.rerun()
