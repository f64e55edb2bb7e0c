"""Models screen: model per role, calls and costs, prompts."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from llm.local.files import LOCAL
from messages import LANGUAGES
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded, md_literal
from pages.shell.notices import allowed, draw_head, redraw_with, show_remembered
from pages.shell.widgets import Views, choose, draw_table
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
_COUNTS = ("answered", "refused", "invalid", "failed", "tokens_in", "tokens_out")


def draw_prompts(context: Context) -> None:
    """Draw the choice of a prompt, and its editor."""
    found = {(each.id, each.language): each for each in list_prompts(*context.here, context.by)}
    left, right = Fields(context, "models", "models").row([3, 2])
    name = left.pick("prompt", dict.fromkeys(each for each, _ in found))
    with right.place:
        words, options, first = LANGUAGES.__getitem__, list(LANGUAGES), context.language
        key = "models-language"
        language = choose(context, "models.language", options, words, key, first, titled=True)
    _edit(context, found[name, language])


def _edit(context: Context, prompt: PromptView) -> None:
    """Draw the editor of a prompt."""
    say = context.say
    version = say("models.version", number=prompt.number)
    st.caption(md_literal(f"{version} · {_origin(context, prompt)}"))
    for name in ("places", "optional"):
        if places := ", ".join(f"{{{{{each}}}}}" for each in getattr(prompt, name)):
            st.caption(md_literal(say(f"models.{name}", places=places)))
    where = f"{context.project}-{prompt.id}-{prompt.language}-{prompt.number}"
    fields = Fields(context, "models", f"models-text-{where}")
    shown = {"height": _HEIGHT, "max_chars": TEXT_LIMIT, "key": "text"}
    text = fields.lines("text", prompt.body, **shown)
    note = fields.text("note", max_chars=_NOTE)
    row = Fields(context, "models", "models", place=st.container(horizontal=True))
    words, same = say("models.save", number=prompt.number + 1), text.strip() == prompt.body
    if row.press("save", label=words, type="primary", disabled=same):
        _save(context, prompt, text, note)
    packaged = packaged_body(prompt.id, prompt.language)
    if prompt.body != packaged and row.press("restore"):
        _save(context, prompt, packaged, note)


def _origin(context: Context, prompt: PromptView) -> str:
    """Return whether a prompt is packaged or the project's own, and by whom."""
    if not prompt.own or prompt.at is None:
        return context.say("models.packaged")
    person = prompt.person or context.say("models.operator")
    return context.say("models.own", person=person, day=f"{prompt.at:%Y-%m-%d}")


def _save(context: Context, prompt: PromptView, text: str, note: str) -> None:
    """Save a version of a prompt."""
    with guarded(context.language):
        named, base = (prompt.id, prompt.language), prompt.number
        save_prompt(*context.here, *named, text, note, base, context.by)
        redraw_with(NOTICE, context.say("models.saved", number=prompt.number + 1))


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "models")
    if not allowed(context, Act.MAKE_ITEMS):
        return
    show_remembered(NOTICE)
    views: Views = {"roles": _roles, "calls": _draw_calls, "prompts": draw_prompts}
    views[choose(context, "models.title", list(views), "models.views", "models-view")](context)


def _roles(context: Context) -> None:
    """Draw every role with its model."""
    found = roles(context.workspace)
    for each in found:
        with st.container(border=True, key=f"models-role-{each.role}"):
            _role(context, each)
    file = settings_file(context.workspace).name
    st.caption(md_literal(context.say("models.settings", file=file)))
    if any(each.endpoint for each in found) and Fields(context, "models", "models").press("test"):
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
    if not at.local:
        key = say(f"models.{'with_key' if role.has_key else 'without_key'}")
        right.caption(f"{md_literal(at.base_url)} · {key}")
        return
    folder = at.base_url.removeprefix(LOCAL)
    right.caption(md_literal(say(f"models.{'local' if folder else 'local_hub'}", folder=folder)))
    if (error := trouble(at)) is not None:
        words = f"{error.what(context.language)} {error.remedy(context.language)}"
        right.error(md_literal(words), icon=":material/error:")


def _test_models(context: Context) -> None:
    """Ask each model a short question; draw the outcomes."""
    say = context.say
    with st.spinner(say("models.test")):
        tried = try_roles(context.workspace)
    for each in tried:
        said = say(
            "models.tried",
            role=say(f"llm.role.{each.role}"),
            model=each.model,
            outcome=say(f"models.outcomes.{each.status}"),
            seconds=f"{each.seconds:.1f}",
        )
        words = md_literal(f"{said} {each.reason}".strip())
        if each.status == "answered":
            st.success(words, icon=":material/check:")
        else:
            st.error(words, icon=":material/error:")


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
