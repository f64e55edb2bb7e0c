"""Keys screen: all shortcuts, personal keys, and their file."""

from __future__ import annotations

import streamlit as st

from annotation.keys import as_yaml, changeable, from_yaml, keep_own_keys
from annotation.people.members import agrees_to_naming, set_naming
from errors import UserError
from pages.shell.context import Context
from pages.shell.guard import show
from pages.shell.navigation import SCREENS, KeyAction, key_map, own, standard, written
from pages.shell.notices import draw_head, remember, show_remembered
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
    """Draw the person's consent to be named in published data."""
    agreed = agrees_to_naming(context.workspace, context.by)
    chosen = st.toggle(
        context.say("release.agree"),
        agreed,
        help=context.say("release.agree_help"),
        key="keys-naming",
    )
    if chosen != agreed:
        set_naming(context.workspace, context.by, chosen)
        remember(_TOLD, context.say("release.agreed" if chosen else "release.refused"))
        st.rerun()


def _draw_form(context: Context, keys: dict[str, str], turn: int) -> None:
    """Draw the form that assigns another key to an action."""
    free = changeable(standard()) | keys
    named = st.query_params.get("action", "")
    # Enter in the field submits; a new widget key after each change empties the field.
    with st.form(f"keys-change-{turn}", border=True):
        row = st.container(horizontal=True, vertical_alignment="bottom")
        action = row.selectbox(
            context.say("keys.action_label"),
            list(free),
            format_func=lambda act: f"{written(free[act])} · {context.say(f'keys.action.{act}')}",
            index=list(free).index(named) if named in free else 0,
            key=f"keys-action-{turn}{named}",  # another one for another address
            width=460,
        )
        key = row.text_input(
            context.say("keys.key_label"),
            max_chars=1,
            help=context.say("keys.key_help"),
            key=f"keys-key-{turn}",
            width=140,
        )
        sent = row.form_submit_button(context.say("keys.change"), type="primary")
    if sent:
        words = context.say(f"keys.action.{action}")
        told = context.say("keys.changed", key=written(key), act=words)
        _save_keys(context, {**keys, action: key}, told)


def _draw_whole_map(context: Context, keys: dict[str, str], turn: int) -> None:
    """Draw the number of personal keys, a reset button, and the file of the whole map."""
    say = context.say
    st.markdown(say("keys.own", count=len(keys)) if keys else say("keys.none_own"))
    row = st.container(horizontal=True)
    if keys and row.button(say("keys.reset"), key="keys-reset", icon=":material/restart_alt:"):
        _save_keys(context, {}, say("keys.reset_done"))
    download(say("keys.download"), as_yaml(keys, standard()), _FILE, "keys-download", row)
    with st.expander(say("keys.upload"), key="keys-from-file"):
        file = st.file_uploader(
            say("keys.upload"),
            ["yaml", "yml"],
            help=say("keys.upload_help"),
            max_upload_size=1,
            key=f"keys-{turn}",
        )
        pressed = st.button(say("keys.take"), key="keys-take", disabled=file is None)
        if pressed and file is not None:
            text = file.getvalue().decode("utf-8-sig", "replace")
            try:
                wanted = from_yaml(text, standard(), file.name)
            except UserError as error:
                show(error, context.language)
                return
            _save_keys(context, wanted, say("keys.taken"))


def _save_keys(context: Context, keys: dict[str, str], message_key: str) -> None:
    """Save these keys and redraw the screen, or draw the error."""
    try:
        keep_own_keys(context.workspace, context.by, keys, standard())
    except UserError as error:
        show(error, context.language)
        return
    remember(_TOLD, message_key)
    st.rerun()


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
    shown = (
        [f"{written(named[0])} … {written(named[-1])}"] if len(named) > 3 else map(written, named)
    )
    return "  ".join([*shown, *map(written, action.also)])


def _screens(context: Context, action: KeyAction) -> str:
    """Return the names of the screens that have an action."""
    if not action.on:
        return context.say("keys.everywhere")
    names = [context.say("keys.all_tasks")] if "" in action.on else []
    names += [
        context.say(f"app.pages.{page}") for name, page in SCREENS.items() if name in action.on
    ]
    return ", ".join(names)
