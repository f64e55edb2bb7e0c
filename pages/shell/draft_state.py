"""What was entered on a case, kept while the reader looks elsewhere.

Streamlit forgets a widget's value as soon as a run does not draw the widget. Here it is kept for
the session, until the case is forgotten; beyond the session where the case has a :class:`Store`.

A value goes to the browser with every drawing of its widget, as the widget's own first value. What
is set in the session goes with one drawing alone; where that is dropped, because the next run
begins before it was sent, the browser keeps what it had, and says so to the server. A browser takes
a first value for a widget that it does not know, though. So a value that is entered for the reader
(by :func:`enter`, :func:`undo`, or because what it begins with is another one by now) makes its
widget anew, under a name with a number: what the browser holds of the one before counts no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import streamlit as st

_ENTERED = "entered"
_STORES = "entered-stores"  # by case: where it is kept, and the version that this session knows
_NUMBERED = "entered-numbered"  # by case and key: the widget's number, and its first value
_FORGOTTEN = "entered-forgotten"
_SEEN, _PAST = "seen", "past"  # beside the keys of widgets, which are longer
_NOTHING = object()


class Store(Protocol):
    """Where all that stands in the fields of a case is kept, for the person's other sessions."""

    def load(self) -> tuple[int, Mapping[str, Any]]:
        """Return the number of the newest version and its content: 0 and nothing if none."""

    def save(self, content: Mapping[str, Any]) -> int:
        """Keep a new version, empty where nothing is entered any more; return its number."""


def keep_beyond(case: str, store: Store) -> None:
    """Keep the case in `store` from now on, and enter what another session has kept there."""
    stores = st.session_state.setdefault(_STORES, {})
    stores[case] = store, stores.get(case, (store, 0))[1]
    _catch_up(case)


def value(case: str, key: str, first: Any) -> Any:
    """Return what was entered under a key that no widget has."""
    return _entered(case).get(key, first)


def kept_value(case: str, key: str, first: Any) -> dict[str, Any]:
    """Return what makes a widget keep its value: its key, value, and a note of what is entered.

    For a widget whose own first value is its argument `value`. `first` is its value until somebody
    enters one. On a case that was :func:`seen` it stays as it was when they began to.
    """
    name, now = _widget(case, key, first)
    return {"value": now, **_noting(case, key, name)}


def kept_choices(
    case: str, key: str, options: Iterable[Any], first: Sequence[Any] = ()
) -> dict[str, Any]:
    """Do what :func:`kept_value` does for a list of choices; one that is gone is left out."""
    there = list(options)
    name, now = _widget(case, key, list(first))
    return {"default": [each for each in now or () if each in there], **_noting(case, key, name)}


def kept_place(case: str, key: str, options: Iterable[Any], first: Any) -> dict[str, Any]:
    """Do what :func:`kept_value` does for a list of which one is chosen, by its place.

    A choice that is gone is the first one of the list.
    """
    there = list(options)
    name, now = _widget(case, key, first)
    return {"index": there.index(now) if now in there else 0, **_noting(case, key, name)}


def kept_choice(case: str, key: str, options: Iterable[Any], first: Any = None) -> dict[str, Any]:
    """Do what :func:`kept_value` does for buttons of which one is chosen, or none.

    A choice that is gone is `first`, or none where that is gone as well.
    """
    there = [None, *options]
    name, now = _widget(case, key, first)
    chosen = next((each for each in (now, first) if each in there), None)
    return {"default": chosen, **_noting(case, key, name)}


def note(case: str, key: str, name: str, more: Mapping[str, Any] | None = None) -> None:
    """Keep what the widget holds now, and `more` beside it; call it when that changes.

    One that is no more, as a browser may still show it, has nothing to say.
    """
    if name == _name(case, key) and name in st.session_state:
        now = st.session_state[name]
        _catch_up(case)
        _remember(case, {key: now, **(more or {})})
        _save(case)


def enter(case: str, values: Mapping[str, Any]) -> None:
    """Enter values for the reader, by their keys: one step for :func:`undo`."""
    _catch_up(case)
    changed = [key for key, value in values.items() if _now(case, key) != value]
    _remember(case, values)
    _make_anew(case, changed)
    _save(case)


def can_undo(case: str) -> bool:
    """Return whether anything was entered on the case."""
    return bool(_entered(case).get(_PAST))


def undo(case: str) -> None:
    """Take back what was entered last, where something was."""
    _catch_up(case)
    entered = _entered(case)
    past = entered[_PAST].pop() if entered.get(_PAST) else {}
    for key, before in past.items():
        entered.pop(key, None)
        if before is not _NOTHING:
            entered[key] = before
    _make_anew(case, past)
    _save(case)


def seen(case: str, now: Any) -> Any:
    """Return what was decided on the case when it was opened, which is `now` at the first look."""
    return _entered(case).setdefault(_SEEN, now)


def told(case: str, now: Any) -> None:
    """Note that the reader has been told of what is decided by now."""
    _entered(case)[_SEEN] = now


def shown(case: str) -> dict[str, Any]:
    """Return what stands in the fields of the case, to be entered again."""
    kept = {key: said for key, said in _entered(case).items() if key not in (_SEEN, _PAST)}
    drawn = {key: _now(case, key) for key in _numbered(case)}
    return kept | {key: said for key, said in drawn.items() if said is not _NOTHING}


def forget(case: str) -> dict[str, Any]:
    """Forget all that was entered on `case`; return it, to be entered again."""
    forgotten: dict[str, Any] = st.session_state.get(_ENTERED, {}).pop(case, {})
    _make_anew(case, _numbered(case))
    st.session_state.setdefault(_FORGOTTEN, []).append(case)
    if st.session_state.get(_STORES, {}).get(case, (None, 0))[1]:
        _save(case)
    return {key: value for key, value in forgotten.items() if key not in (_SEEN, _PAST)}


def forgotten() -> list[str]:
    """Return, once, the cases that were forgotten, of which the browser too is to keep nothing."""
    cases: list[str] = st.session_state.pop(_FORGOTTEN, [])
    return cases


def _widget(case: str, key: str, first: Any) -> tuple[str, Any]:
    """Return the name of the widget to draw, and its value."""
    entered, numbered = _entered(case), _numbered(case)
    number, was = numbered.get(key, (0, _NOTHING))
    if was is not _NOTHING and _SEEN in entered and entered.get(_PAST):
        first = was  # nobody decides on what changed unseen beside what they entered
    elif was is not _NOTHING and was != first and key not in entered:
        number += 1
    numbered[key] = number, first
    return _name(case, key), _now(case, key)


def _name(case: str, key: str) -> str:
    number, _ = _numbered(case).get(key, (0, _NOTHING))
    return f"{key}__{number}" if number else key


def _now(case: str, key: str) -> Any:
    name = _name(case, key)
    if name in st.session_state:
        return st.session_state[name]
    _, first = _numbered(case).get(key, (0, _NOTHING))
    return _entered(case).get(key, first)


def _noting(case: str, key: str, name: str) -> dict[str, Any]:
    return {"key": name, "on_change": note, "args": (case, key, name)}


def _remember(case: str, values: Mapping[str, Any]) -> None:
    entered = _entered(case)
    past = entered.setdefault(_PAST, [])
    past.append({key: entered.get(key, _NOTHING) for key in values})
    entered.update(values)


def _save(case: str) -> None:
    """Keep all that stands in the fields where the case is kept beyond the session.

    Also in those in which nothing was entered: what they begin with may be another value by then.
    """
    stores = st.session_state.get(_STORES, {})
    if case not in stores:
        return
    content, entered = dict[str, Any](), _entered(case)
    if past := entered.get(_PAST):
        steps = [
            {key: [] if said is _NOTHING else [said] for key, said in step.items()} for step in past
        ]
        content = {"fields": shown(case), _SEEN: entered.get(_SEEN), _PAST: steps}
    store, _ = stores[case]
    stores[case] = store, store.save(content)


def _catch_up(case: str) -> None:
    """Enter what another session of the person has kept of the case since.

    One that has decided it keeps nothing: what stands here stays, until it is told of that.
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
    entered, fields = _entered(case), content["fields"]
    before = {key: _now(case, key) for key in {*fields, *entered} - {_SEEN, _PAST}}
    steps = [
        {key: said[0] if said else _NOTHING for key, said in step.items()}
        for step in content[_PAST]
    ]
    entered.clear()
    entered.update({**fields, _SEEN: content[_SEEN], _PAST: steps})
    _make_anew(case, [key for key, said in before.items() if fields.get(key, _NOTHING) != said])


def _make_anew(case: str, keys: Iterable[str]) -> None:
    numbered = _numbered(case)
    for key in list(keys):
        number, first = numbered.get(key, (0, _NOTHING))
        numbered[key] = number + 1, first


def _numbered(case: str) -> dict[str, tuple[int, Any]]:
    numbered: dict[str, dict[str, tuple[int, Any]]] = st.session_state.setdefault(_NUMBERED, {})
    return numbered.setdefault(case, {})


def _entered(case: str) -> dict[str, Any]:
    entered: dict[str, dict[str, Any]] = st.session_state.setdefault(_ENTERED, {})
    return entered.setdefault(case, {})
