"""Presses that wait for one run are handled in the order in which they were made.

What is pressed while a run is on waits for the next one, and what waits is joined to one request.
Streamlit puts the earlier press behind the later one there, and calls what they do in that order:
of two sides that are taken one after the other, the first would stand.
"""

from __future__ import annotations

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner_utils import script_requests

_join = script_requests._coalesce_widget_states
_is_press = script_requests._has_active_trigger_value


def keep_in_order() -> None:
    """Have Streamlit join requests that wait in their order."""
    script_requests._coalesce_widget_states = joined


def joined(old_states: WidgetStates | None, new_states: WidgetStates | None) -> WidgetStates | None:
    """Join the states of two requests as Streamlit does, those that the newer changed last."""
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
