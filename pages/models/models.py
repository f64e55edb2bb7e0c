"""The models screen: which are set and what they add, what they cost, and what they are told."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from pages.models.prompts import draw_prompts
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.notices import show_remembered
from pages.shell.permission_notice import allowed
from services.models.workspace_models import RoleView, calls, roles, settings_file, try_roles

NOTICE = "models-notice"
_VIEWS = ("roles", "calls", "prompts")
_COUNTS = ("answered", "refused", "invalid", "failed", "tokens_in", "tokens_out")


def render(context: Context) -> None:
    """Draw the screen."""
    say = context.say
    st.title(say("models.title"), anchor=False)
    st.markdown(say("models.lead"))
    if not allowed(context, Act.MAKE_ITEMS):
        return
    show_remembered(NOTICE)
    view = st.segmented_control(
        say("models.title"),
        _VIEWS,
        default=_VIEWS[0],
        required=True,
        format_func=lambda each: say(f"models.views.{each}"),
        key="models-view",
        label_visibility="collapsed",
    )
    if view == "prompts":
        draw_prompts(context, NOTICE)
    elif view == "calls":
        _calls(context)
    else:
        _roles(context)


def _roles(context: Context) -> None:
    say = context.say
    found = roles(context.workspace)
    for each in found:
        with st.container(border=True, key=f"models-role-{each.role}"):
            _role(context, each)
    file = settings_file(context.workspace).name
    st.caption(plain(say("models.settings", file=file)))
    if any(each.endpoint for each in found) and st.button(
        say("models.test"), help=say("models.test_help"), key="models-test"
    ):
        _try(context)


def _role(context: Context, role: RoleView) -> None:
    say, at = context.say, role.endpoint
    left, right = st.columns([2, 3], vertical_alignment="center")
    left.markdown(f"**{say(f'llm.role.{role.role}')}**")
    left.caption(say(f"llm.adds.{role.role}"))
    if at is None:
        right.markdown(f":material/power_off: {say('models.not_set')}")
        return
    right.markdown(f":material/power: {plain(at.model)}")
    key = say(f"models.{'with_key' if role.has_key else 'without_key'}")
    right.caption(f"{plain(at.base_url)} · {key}")


def _try(context: Context) -> None:
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
        box(plain(f"{said} {each.reason}".strip()), icon=icon)


def _calls(context: Context) -> None:
    say = context.say
    found = calls(context.workspace)
    if not found:
        st.info(say("models.no_calls"), icon=":material/info:")
        return
    st.dataframe(
        {
            say("models.role"): [say(f"llm.role.{each.role}") for each in found],
            say("models.model"): [each.model for each in found],
            say("models.calls"): [each.calls for each in found],
            **{say(f"models.{name}"): [getattr(each, name) for each in found] for name in _COUNTS},
            say("models.cost"): [None if each.unpriced else each.cost for each in found],
        },
        hide_index=True,
        placeholder="–",
        key="models-calls",
    )
