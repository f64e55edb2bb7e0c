"""Keys screen: all shortcuts, personal keys, and their file."""

from __future__ import annotations

from typing import Any

import streamlit as st

from annotation.keys import as_yaml, changeable, from_yaml, keep_own_keys
from annotation.people.members import agrees_to_naming, set_naming
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded
from pages.shell.navigation import SCREENS, KeyAction, key_map, own, standard, written
from pages.shell.notices import draw_head, redraw_with, show_remembered
from pages.shell.widgets import download, draw_table

_TOLD = "keys-told"
_FILE = "keys.yaml"


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "keys")
    keys = own(context)
    turn = show_remembered(_TOLD)
    _draw_form(context, keys, turn)
    _draw_whole_map(context, keys, turn)
    _draw_naming(context)
    _table(context, keys)


def _draw_naming(context: Context) -> None:
    """Draw the switch of the person's consent to be named in published data; save a change."""
    agreed = agrees_to_naming(context.workspace, context.by)
    chosen = Fields(context, "release", "keys").switch("agree", agreed, key="naming")
    if chosen != agreed:
        set_naming(context.workspace, context.by, chosen)
        redraw_with(_TOLD, context.say("release.agreed" if chosen else "release.refused"))


def _draw_form(context: Context, keys: dict[str, str], turn: int) -> None:
    """Draw the form that assigns another key to an action."""
    say, free = context.say, changeable(standard()) | keys
    named = st.query_params.get("action", "")
    # Enter in the field submits; a new widget key after each change empties the field.
    with st.form(f"keys-change-{turn}", border=True):
        row = st.container(horizontal=True, vertical_alignment="bottom")
        fields = Fields(context, "keys", "keys", place=row)

        def action_name(action: str) -> str:
            """Return an action with its key."""
            return f"{written(free[action])} · {say(f'keys.action.{action}')}"

        shown: dict[str, Any] = {
            "width": 460,
            "key": f"action-{turn}{named}",
        }  # another one for another address
        action = fields.pick("action_label", free, action_name, named, **shown)
        hint = {"help": say("keys.key_help"), "key": f"key-{turn}"}
        key = fields.text("key_label", max_chars=1, width=140, **hint)
        sent = row.form_submit_button(say("keys.change"), type="primary")
    if sent:
        words = say(f"keys.action.{action}")
        told = say("keys.changed", key=written(key), act=words)
        with guarded(context.language):
            _save_keys(context, {**keys, action: key}, told)


def _draw_whole_map(context: Context, keys: dict[str, str], turn: int) -> None:
    """Draw the number of personal keys, a reset button, and the file of the whole map."""
    say = context.say
    st.markdown(say("keys.own", count=len(keys)) if keys else say("keys.none_own"))
    row, fields = st.container(horizontal=True), Fields(context, "keys", "keys")
    with guarded(context.language):
        if keys and fields.within(row).press("reset", icon=":material/restart_alt:"):
            _save_keys(context, {}, say("keys.reset_done"))
        download(say("keys.download"), as_yaml(keys, standard()), _FILE, "keys-download", row)
        with st.expander(say("keys.upload"), key="keys-from-file"):
            file = fields.file("upload", ["yaml", "yml"], max_upload_size=1, key=turn)
            if fields.press("take", disabled=file is None) and file is not None:
                text = file.getvalue().decode("utf-8-sig", "replace")
                wanted = from_yaml(text, standard(), file.name)
                _save_keys(context, wanted, say("keys.taken"))


def _save_keys(context: Context, keys: dict[str, str], notice: str) -> None:
    """Save these keys and redraw with the text `notice`. Raises UserError for keys not allowed."""
    keep_own_keys(context.workspace, context.by, keys, standard())
    redraw_with(_TOLD, notice)


def _table(context: Context, keys: dict[str, str]) -> None:
    """Draw every key with its action and screens."""
    told = key_map()
    columns = {
        "column_key": [_keys_text(each, keys) for each in told.values()],
        "column_act": [context.say(f"keys.action.{name}") for name in told],
        "column_standard": [written(told[name].keys[0]) if name in keys else "" for name in told],
        "column_screens": [_screens(context, each) for each in told.values()],
    }
    if not keys:
        del columns["column_standard"]
    draw_table(context, "keys", columns, "keys-table", wide="column_act", height="content")


def _keys_text(action: KeyAction, keys: dict[str, str]) -> str:
    """Return an action's keys as text: of more than three the first and the last."""
    named = [keys[action.name]] if action.name in keys else list(action.keys)
    shown = list(map(written, named))
    if len(shown) > 3:
        shown = [f"{shown[0]} … {shown[-1]}"]
    return "  ".join([*shown, *map(written, action.also)])


def _screens(context: Context, action: KeyAction) -> str:
    """Return the names of the screens that have an action."""
    if not action.on:
        return context.say("keys.everywhere")
    pages = [f"app.pages.{page}" for name, page in SCREENS.items() if name in action.on]
    every = ["keys.all_tasks"] if "" in action.on else []
    return ", ".join(map(context.say, [*every, *pages]))
