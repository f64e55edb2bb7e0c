"""What was entered on a case, kept while the reader looks elsewhere.

Streamlit forgets a widget's value as soon as a run does not draw the widget. Here it is kept for
the session, until the case is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

_ENTERED = "entered"
_FORGOTTEN = "entered-forgotten"
_SEEN, _PAST = "seen", "past"  # beside the keys of widgets, which are longer
_UNENTERED = object()


def restore(case: str, key: str, first: Any) -> None:
    """Give the widget `key`, before it is drawn, what was last entered there, else `first`."""
    if key not in st.session_state:
        st.session_state[key] = _entered(case).get(key, first)


def note(case: str, key: str) -> None:
    """Keep what the widget `key` holds now; call it when that changes."""
    enter(case, {key: st.session_state[key]})


def enter(case: str, values: Mapping[str, Any]) -> None:
    """Enter values as a person would, by the keys of their widgets: one step for :func:`undo`."""
    entered = _entered(case)
    past = entered.setdefault(_PAST, [])
    past.append({key: entered.get(key, _UNENTERED) for key in values})
    entered.update(values)
    for key, value in values.items():
        if key not in st.session_state or st.session_state[key] != value:
            st.session_state[key] = value


def can_undo(case: str) -> bool:
    """Return whether anything was entered on the case."""
    return bool(_entered(case).get(_PAST))


def undo(case: str) -> None:
    """Take back what was entered last, where something was."""
    entered = _entered(case)
    for key, before in entered[_PAST].pop().items() if entered.get(_PAST) else ():
        entered.pop(key, None)
        st.session_state.pop(key, None)
        if before is not _UNENTERED:
            entered[key] = st.session_state[key] = before


def kept(case: str, key: str, first: Any = None) -> dict[str, Any]:
    """Return what makes a widget keep its value: its key, and a note of what is entered there.

    For a widget whose value is entered for the reader too, by :func:`enter` and :func:`undo`.
    `first` is its value until then, in place of the widget's own argument for it. A form that is
    away while something is under way keeps its values as :func:`kept_value` does.
    """
    restore(case, key, first)
    return {"key": key, "on_change": note, "args": (case, key)}


def kept_value(case: str, key: str, first: Any) -> dict[str, Any]:
    """Do what :func:`kept` does for a widget whose own first value is its argument `value`.

    The value goes with every drawing of the widget. What is set in the session goes to the browser
    with one drawing alone; where that is dropped, because the next run begins before it was sent,
    the browser would draw the widget empty, and say so.
    """
    return {"key": key, "value": _now(case, key, first), **_noting(case, key)}


def kept_choices(
    case: str, key: str, options: Iterable[Any], first: Sequence[Any] = ()
) -> dict[str, Any]:
    """Do what :func:`kept_value` does for a list of choices; one that is gone is left out."""
    there = list(options)
    chosen = [each for each in _now(case, key, first) if each in there]
    return {"key": key, "default": chosen, **_noting(case, key)}


def kept_place(case: str, key: str, options: Iterable[Any], first: Any) -> dict[str, Any]:
    """Do what :func:`kept_value` does for a list of which one is chosen, by its place.

    A choice that is gone is the first one of the list.
    """
    there, now = list(options), _now(case, key, first)
    return {"key": key, "index": there.index(now) if now in there else 0, **_noting(case, key)}


def kept_choice(case: str, key: str, options: Iterable[Any], first: Any) -> dict[str, Any]:
    """Do what :func:`kept_value` does for buttons of which one is chosen."""
    now = _now(case, key, first)
    return {"key": key, "default": now if now in list(options) else first, **_noting(case, key)}


def _now(case: str, key: str, first: Any) -> Any:
    if key in st.session_state:
        return st.session_state[key]
    return st.session_state.get(_ENTERED, {}).get(case, {}).get(key, first)


def _noting(case: str, key: str) -> dict[str, Any]:
    return {"on_change": note, "args": (case, key)}


def seen(case: str, now: Any) -> Any:
    """Return what was decided on the case when it was opened, which is `now` at the first look."""
    return _entered(case).setdefault(_SEEN, now)


def told(case: str, now: Any) -> None:
    """Note that the reader has been told of what is decided by now."""
    _entered(case)[_SEEN] = now


def forget(case: str) -> dict[str, Any]:
    """Forget all that was entered on `case`; return it, to be entered again."""
    forgotten: dict[str, Any] = st.session_state.get(_ENTERED, {}).pop(case, {})
    st.session_state.setdefault(_FORGOTTEN, []).append(case)
    return {key: value for key, value in forgotten.items() if key not in (_SEEN, _PAST)}


def forgotten() -> list[str]:
    """Return, once, the cases that were forgotten, of which the browser too is to keep nothing."""
    cases: list[str] = st.session_state.pop(_FORGOTTEN, [])
    return cases


def _entered(case: str) -> dict[str, Any]:
    entered: dict[str, dict[str, Any]] = st.session_state.setdefault(_ENTERED, {})
    return entered.setdefault(case, {})
