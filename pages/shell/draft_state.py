"""Unsaved input of a case (a work item), kept while its widgets are not drawn.

Streamlit forgets a widget's value as soon as a run does not draw the widget. Here it is kept for
the session, until the case is forgotten; beyond the session if the case has a :class:`Store`.

A widget's default goes to the browser each time the widget is drawn. A value set in the session
state is sent only once; if that message is dropped because the next run begins first, the browser
keeps its old value and reports it to the server. A browser does accept a default for a widget that
it does not know. So a value that is set by the program (:func:`enter`, :func:`undo`, or a changed
default) gets a new widget under a numbered name, and the browser's old value no longer counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import streamlit as st

_ENTERED = "entered"
_STORES = "entered-stores"  # by case: its store, and the version that this session has loaded
_NUMBERED = "entered-numbered"  # by case and key: the number in the widget's name, and its default
_FORGOTTEN = "entered-forgotten"
_SEEN, _PAST = "seen", "past"  # beside the keys of widgets, which are longer
_NOTHING = object()


class Store(Protocol):
    """Draft storage of a case, shared by a person's sessions."""

    def load(self) -> tuple[int, Mapping[str, Any]]:
        """Return the number and content of the newest version; 0 and empty if there is none."""

    def save(self, content: Mapping[str, Any]) -> int:
        """Save a new version and return its number; empty content clears the draft."""


def keep_beyond(case: str, store: Store) -> None:
    """Keep the case's input in `store` from now on, and load what is already saved there."""
    stores = st.session_state.setdefault(_STORES, {})
    stores[case] = store, stores.get(case, (store, 0))[1]
    _catch_up(case)


def value(case: str, key: str, first: Any) -> Any:
    """Return the value entered under `key`, which no widget has; `first` if there is none."""
    return _entered_values(case).get(key, first)


def kept_value(case: str, key: str, first: Any) -> dict[str, Any]:
    """Return the widget arguments that keep its value: key, value and callback.

    For a widget whose default is its argument `value`. `first` is the default. On a case that was
    :func:`decision_first_seen` it stays as it was when the person began to enter values.
    """
    name, now = _widget(case, key, first)
    return {"value": now, **_noted_widget(case, key, name)}


def kept_choices(
    case: str, key: str, options: Iterable[Any], first: Sequence[Any]
) -> dict[str, Any]:
    """Return what :func:`kept_value` does for a multiple choice; options now gone are dropped."""
    there = list(options)
    name, now = _widget(case, key, list(first))
    return {
        "default": [each for each in now or () if each in there],
        **_noted_widget(case, key, name),
    }


def kept_place(case: str, key: str, options: Iterable[Any], first: Any) -> dict[str, Any]:
    """Return what :func:`kept_value` does for a single choice by index.

    A choice that is gone becomes the first option.
    """
    there = list(options)
    name, now = _widget(case, key, first)
    return {"index": there.index(now) if now in there else 0, **_noted_widget(case, key, name)}


def kept_choice(case: str, key: str, options: Iterable[Any], first: Any = None) -> dict[str, Any]:
    """Return what :func:`kept_value` does for segmented buttons with one choice or none.

    A choice that is gone becomes `first`, or none if that is gone as well.
    """
    there = [None, *options]
    name, now = _widget(case, key, first)
    chosen = next((each for each in (now, first) if each in there), None)
    return {"default": chosen, **_noted_widget(case, key, name)}


def note(case: str, key: str, name: str, more: Mapping[str, Any] | None = None) -> None:
    """Save the current value of a widget, and `more` beside it (the widget's callback).

    A widget that was replaced, as a browser may still show it, is ignored.
    """
    if name == _name(case, key) and name in st.session_state:
        now = st.session_state[name]
        _catch_up(case)
        _remember(case, {key: now, **(more or {})})
        _save(case)


def enter(case: str, values: Mapping[str, Any]) -> None:
    """Set values by key, as one step for :func:`undo`."""
    _catch_up(case)
    changed = [key for key, value in values.items() if _current_value(case, key) != value]
    _remember(case, values)
    _renumber_widgets(case, changed)
    _save(case)


def can_undo(case: str) -> bool:
    """Return whether there is input to undo."""
    return bool(_entered_values(case).get(_PAST))


def undo(case: str) -> None:
    """Undo the last input, if any."""
    _catch_up(case)
    entered = _entered_values(case)
    past = entered[_PAST].pop() if entered.get(_PAST) else {}
    for key, before in past.items():
        entered.pop(key, None)
        if before is not _NOTHING:
            entered[key] = before
    _renumber_widgets(case, past)
    _save(case)


def decision_first_seen(case: str, now: Any) -> Any:
    """Return the decision as of the person's first look at the case, `now` on that look."""
    return _entered_values(case).setdefault(_SEEN, now)


def mark_decision_seen(case: str, now: Any) -> None:
    """Record that the person has been shown the current decision `now`."""
    _entered_values(case)[_SEEN] = now


def field_values(case: str) -> dict[str, Any]:
    """Return the values of all fields of the case, in a form for :func:`enter`."""
    kept = {key: said for key, said in _entered_values(case).items() if key not in (_SEEN, _PAST)}
    drawn = {key: _current_value(case, key) for key in _numbered_values(case)}
    return kept | {key: said for key, said in drawn.items() if said is not _NOTHING}


def forget(case: str) -> dict[str, Any]:
    """Clear all input of `case` and return it, in a form for :func:`enter`."""
    forgotten: dict[str, Any] = st.session_state.get(_ENTERED, {}).pop(case, {})
    _renumber_widgets(case, _numbered_values(case))
    st.session_state.setdefault(_FORGOTTEN, []).append(case)
    if st.session_state.get(_STORES, {}).get(case, (None, 0))[1]:
        _save(case)
    return {key: value for key, value in forgotten.items() if key not in (_SEEN, _PAST)}


def forgotten() -> list[str]:
    """Return the cleared cases, once, for the browser to clear their input too."""
    cases: list[str] = st.session_state.pop(_FORGOTTEN, [])
    return cases


def _widget(case: str, key: str, first: Any) -> tuple[str, Any]:
    """Return the session key and the value of the widget to draw."""
    entered, numbered = _entered_values(case), _numbered_values(case)
    number, was = numbered.get(key, (0, _NOTHING))
    if was is not _NOTHING and _SEEN in entered and entered.get(_PAST):
        first = was  # once input has begun, a default that changed unseen must not count
    elif was is not _NOTHING and was != first and key not in entered:
        number += 1
    numbered[key] = number, first
    return _name(case, key), _current_value(case, key)


def _name(case: str, key: str) -> str:
    """Return the session key of a widget; a new one after each reset."""
    number, _ = _numbered_values(case).get(key, (0, _NOTHING))
    return f"{key}__{number}" if number else key


def _current_value(case: str, key: str) -> Any:
    """Return the current value of a case's field: the widget's, the entered or the first one."""
    name = _name(case, key)
    if name in st.session_state:
        return st.session_state[name]
    _, first = _numbered_values(case).get(key, (0, _NOTHING))
    return _entered_values(case).get(key, first)


def _noted_widget(case: str, key: str, name: str) -> dict[str, Any]:
    """Return the arguments of a widget whose changes are kept as the case's draft."""
    return {"key": name, "on_change": note, "args": (case, key, name)}


def _remember(case: str, values: Mapping[str, Any]) -> None:
    """Set values, keeping the former ones for undo."""
    entered = _entered_values(case)
    past = entered.setdefault(_PAST, [])
    past.append({key: entered.get(key, _NOTHING) for key in values})
    entered.update(values)


def _save(case: str) -> None:
    """Save the values of all fields if the case has a store.

    Also untouched fields: their defaults may be different later.
    """
    stores = st.session_state.get(_STORES, {})
    if case not in stores:
        return
    content, entered = dict[str, Any](), _entered_values(case)
    if past := entered.get(_PAST):
        steps = [
            {key: [] if said is _NOTHING else [said] for key, said in step.items()} for step in past
        ]
        content = {"fields": field_values(case), _SEEN: entered.get(_SEEN), _PAST: steps}
    store, _ = stores[case]
    stores[case] = store, store.save(content)


def _catch_up(case: str) -> None:
    """Load what another session of the person has saved since.

    Empty content (the other session submitted the case) leaves the fields here as they are.
    """
    stores = st.session_state.get(_STORES, {})
    if case not in stores:
        return
    store, known = stores[case]
    number, content = store.load()
    if number == known:
        return
    stores[case] = store, number
    if not content:
        return
    entered, fields = _entered_values(case), content["fields"]
    before = {key: _current_value(case, key) for key in {*fields, *entered} - {_SEEN, _PAST}}
    steps = [
        {key: said[0] if said else _NOTHING for key, said in step.items()}
        for step in content[_PAST]
    ]
    entered.clear()
    entered.update({**fields, _SEEN: content[_SEEN], _PAST: steps})
    _renumber_widgets(
        case, [key for key, said in before.items() if fields.get(key, _NOTHING) != said]
    )


def _renumber_widgets(case: str, keys: Iterable[str]) -> None:
    """Number widgets anew, so that they are drawn with new values."""
    numbered = _numbered_values(case)
    for key in list(keys):
        number, first = numbered.get(key, (0, _NOTHING))
        numbered[key] = number + 1, first


def _numbered_values(case: str) -> dict[str, tuple[int, Any]]:
    """Return field key → (widget number, first value) of a case; a reset raises the number."""
    numbered: dict[str, dict[str, tuple[int, Any]]] = st.session_state.setdefault(_NUMBERED, {})
    return numbered.setdefault(case, {})


def _entered_values(case: str) -> dict[str, Any]:
    """Return the values entered for a case."""
    entered: dict[str, dict[str, Any]] = st.session_state.setdefault(_ENTERED, {})
    return entered.setdefault(case, {})
