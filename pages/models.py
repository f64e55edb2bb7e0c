"""Models screen: model per role, calls and costs, prompts."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from llm.local.files import LOCAL
from llm.roles import Endpoint
from messages import LANGUAGES
from pages.shell.context import Context
from pages.shell.guard import guarded, md_literal
from pages.shell.notices import allowed, draw_head, remember, show_remembered
from pages.shell.widgets import choose, draw_table
from services.models.prompts import TEXT_LIMIT, PromptView, list_prompts, packaged_body, save_prompt
from services.models.workspace_models import (
    RoleView,
    calls,
    roles,
    settings_file,
    trouble,
    try_roles,
)

_HEIGHT = 420  # pixels of the text before it scrolls
_NOTE = 1_000  # characters
NOTICE = "models-notice"
_VIEWS = ("roles", "calls", "prompts")
_COUNTS = ("answered", "refused", "invalid", "failed", "tokens_in", "tokens_out")


def draw_prompts(context: Context, notice: str) -> None:
    """Draw the choice of a prompt, and its editor."""
    say = context.say
    found = {(each.id, each.language): each for each in list_prompts(*context.here, context.by)}
    left, right = st.columns([3, 2])
    name = left.selectbox(
        say("models.prompt"),
        list(dict.fromkeys(each for each, _ in found)),
        key="models-prompt",
    )
    with right:
        label, words = "models.language", LANGUAGES.__getitem__
        options, first = list(LANGUAGES), context.language
        language = choose(context, label, options, words, "models-language", first, titled=True)
    _edit(context, found[name, language], notice)


def _edit(context: Context, prompt: PromptView, notice: str) -> None:
    """Draw the editor of a prompt."""
    say = context.say
    st.caption(
        md_literal(f"{say('models.version', number=prompt.number)} · {_origin(context, prompt)}")
    )
    for name in ("places", "optional"):
        if places := ", ".join(f"{{{{{each}}}}}" for each in getattr(prompt, name)):
            st.caption(md_literal(say(f"models.{name}", places=places)))
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
    """Return whether a prompt is packaged or the project's own, and by whom."""
    if not prompt.own or prompt.at is None:
        return context.say("models.packaged")
    person = prompt.person or context.say("models.operator")
    return context.say("models.own", person=person, day=f"{prompt.at:%Y-%m-%d}")


def _save(context: Context, prompt: PromptView, text: str, note: str, notice: str) -> None:
    """Save a version of a prompt."""
    with guarded(context.language):
        save_prompt(
            *context.here, prompt.id, prompt.language, text, note, prompt.number, context.by
        )
        remember(notice, context.say("models.saved", number=prompt.number + 1))
        st.rerun()


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "models")
    if not allowed(context, Act.MAKE_ITEMS):
        return
    show_remembered(NOTICE)
    view = choose(context, "models.title", _VIEWS, "models.views", "models-view")
    if view == "prompts":
        draw_prompts(context, NOTICE)
    elif view == "calls":
        _draw_calls(context)
    else:
        _roles(context)


def _roles(context: Context) -> None:
    """Draw every role with its model."""
    say = context.say
    found = roles(context.workspace)
    for each in found:
        with st.container(border=True, key=f"models-role-{each.role}"):
            _role(context, each)
    file = settings_file(context.workspace).name
    st.caption(md_literal(say("models.settings", file=file)))
    if any(each.endpoint for each in found) and st.button(
        say("models.test"), help=say("models.test_help"), key="models-test"
    ):
        _test_models(context)


def _role(context: Context, role: RoleView) -> None:
    """Draw a role with its model."""
    say, at = context.say, role.endpoint
    left, right = st.columns([2, 3], vertical_alignment="center")
    left.markdown(f"**{say(f'llm.role.{role.role}')}**")
    left.caption(say(f"llm.adds.{role.role}"))
    if at is None:
        right.markdown(f":material/power_off: {say('models.not_set')}")
        return
    right.markdown(f":material/{'computer' if at.local else 'power'}: {md_literal(at.model)}")
    if at.local:
        right.caption(md_literal(_local_text(context, at)))
        if (error := trouble(at)) is not None:
            language = context.language
            words = f"{error.what(language)} {error.remedy(language)}"
            right.error(md_literal(words), icon=":material/error:")
        return
    key = say(f"models.{'with_key' if role.has_key else 'without_key'}")
    right.caption(f"{md_literal(at.base_url)} · {key}")


def _local_text(context: Context, at: Endpoint) -> str:
    """Return where a local model is from: its folder, or the hub."""
    folder = at.base_url.removeprefix(LOCAL)
    where = f"models.{'local' if folder else 'local_hub'}"
    return context.say(where, folder=folder)


def _test_models(context: Context) -> None:
    """Ask each model a short question; draw the outcomes."""
    with st.spinner(context.say("models.test")):
        tried = try_roles(context.workspace)
    for each in tried:
        said = context.say(
            "models.tried",
            role=context.say(f"llm.role.{each.role}"),
            model=each.model,
            outcome=context.say(f"models.outcomes.{each.status}"),
            seconds=f"{each.seconds:.1f}",
        )
        good = each.status == "answered"
        box = st.success if good else st.error
        icon = ":material/check:" if good else ":material/error:"
        box(md_literal(f"{said} {each.reason}".strip()), icon=icon)


def _draw_calls(context: Context) -> None:
    """Draw the calls and tokens of each model."""
    say = context.say
    found = calls(context.workspace)
    if not found:
        st.info(say("models.no_calls"), icon=":material/info:")
        return
    columns = {
        "role": [say(f"llm.role.{each.role}") for each in found],
        "model": [each.model for each in found],
        "calls": [each.calls for each in found],
        **{name: [getattr(each, name) for each in found] for name in _COUNTS},
        "cost": [None if each.unpriced else each.cost for each in found],
    }
    draw_table(context, "models", columns, "models-calls", placeholder="–")
