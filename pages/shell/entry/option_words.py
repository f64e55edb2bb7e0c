"""Keep the labels of chosen options in the screen's language.

A browser identifies an option by its label. Streamlit keeps the chosen option when labels change,
but does not tell the browser of a list or of radio buttons. It would go on showing the old label
and send it at the next click, when no option has that label: the choice would be lost.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from streamlit.runtime.state.common import RegisterWidgetResult, WidgetMetadata
from streamlit.runtime.state.session_state import SessionState

_register = SessionState.register_widget


def follow_language() -> None:
    """Patch Streamlit to resend the labels of chosen options when the browser's are outdated."""
    SessionState.register_widget = _registered  # type: ignore[method-assign]


def _registered(
    self: SessionState, metadata: WidgetMetadata[Any], user_key: str | None
) -> RegisterWidgetResult[Any]:
    found: RegisterWidgetResult[Any] = _register(self, metadata, user_key)
    one, several = found.incoming_serialized_value, found.incoming_serialized_values
    held = one if several is None else several
    if held is None or not _has_options(metadata) or held == metadata.serializer(found.value):
        return found
    return replace(found, value_changed=True)


def _has_options(metadata: WidgetMetadata[Any]) -> bool:
    return hasattr(getattr(metadata.serializer, "__self__", None), "formatted_options")
