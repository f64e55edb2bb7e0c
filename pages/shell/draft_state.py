"""What was entered on a case, kept while the reader looks elsewhere.

Streamlit forgets a widget's value as soon as a run does not draw the widget. Here it is kept for
the session, until the case is forgotten.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

_ENTERED = "entered"
_SEEN = "seen"  # beside the keys of widgets, which are longer


def restore(case: str, key: str, first: Any) -> None:
    """Give the widget `key`, before it is drawn, what was last entered there, else `first`."""
    if key not in st.session_state:
        st.session_state[key] = _entered(case).get(key, first)


def note(case: str, key: str) -> None:
    """Keep what the widget `key` holds now; call it when that changes."""
    _entered(case)[key] = st.session_state[key]


def kept(case: str, key: str, first: Any = None) -> dict[str, Any]:
    """Return what makes a widget keep its value: its key, and a note of what is entered there.

    For a form that is away while something is under way. `first` is its value until then, in place
    of the widget's own argument for it.
    """
    restore(case, key, first)
    return {"key": key, "on_change": note, "args": (case, key)}


def seen(case: str, now: Any) -> Any:
    """Return what was decided on the case when it was opened, which is `now` at the first look."""
    return _entered(case).setdefault(_SEEN, now)


def told(case: str, now: Any) -> None:
    """Note that the reader has been told of what is decided by now."""
    _entered(case)[_SEEN] = now


def forget(case: str) -> None:
    """Forget all that was entered on `case`."""
    st.session_state.get(_ENTERED, {}).pop(case, None)


def _entered(case: str) -> dict[str, Any]:
    entered: dict[str, dict[str, Any]] = st.session_state.setdefault(_ENTERED, {})
    return entered.setdefault(case, {})
