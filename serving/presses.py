"""Patch of Streamlit that handles queued clicks in order.

Clicks during a run wait for the next one and are merged into one request. Streamlit puts the
earlier click after the later one there, and calls their callbacks in that order: of two sides that
are copied one after the other, the first would win.
"""

from __future__ import annotations

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner_utils import script_requests

_join = script_requests._coalesce_widget_states
_is_press = script_requests._has_active_trigger_value


def keep_in_order() -> None:
    """Patch Streamlit to merge waiting requests in order."""
    script_requests._coalesce_widget_states = joined


def joined(old_states: WidgetStates | None, new_states: WidgetStates | None) -> WidgetStates | None:
    """Merge the widget states of two requests as Streamlit does, newer clicks last."""
    both = _join(old_states, new_states)
    if both is None or not old_states or not new_states:
        return both
    now = {state.id: state for state in both.widgets}
    anew = {state.id for state in new_states.widgets if _is_press(state)}
    ordered: dict[str, WidgetState] = {
        state.id: state
        for state in old_states.widgets
        if state.id not in anew and now.get(state.id) == state
    }
    ordered |= {each: state for each, state in now.items() if each not in ordered}
    return WidgetStates(widgets=ordered.values())
