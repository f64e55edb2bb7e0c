"""A person's own keys: changes to the standard key map, stored and read from files.

The map is defined by the screens (`pages.shell.navigation`) and passed in as `standard`, all keys
of each act. A person may give single acts another key, as long as no key has two acts. Digits,
arrows, Enter, Esc, keys with Ctrl or Alt, and the key that shows the keys cannot be changed.
"""

from __future__ import annotations

import json
import string
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from sqlmodel import Session, col, select

from annotation.people.members import OWN_KEYS, note
from annotation.people.roles import Act, require
from corpus.files.yaml_fields import read_value
from errors import UserError, Where
from messages import Localized, say
from storage.db.workspace import Workspace
from storage.tables.people import PersonEvent

Standard: TypeAlias = Mapping[str, Sequence[str]]
"""All keys of each act of the standard map, the displayed one first."""

_SIGNS = frozenset(string.ascii_letters + string.punctuation)
_HELP_ACT = "help"  # shows the list of keys


def changeable(standard: Standard) -> dict[str, str]:
    """Return the acts that a person may give another key, each with its standard key."""
    named = {act: keys[0] for act, keys in standard.items()}
    return {act: key for act, key in named.items() if key in _SIGNS and act != _HELP_ACT}


def changed_keys(
    chosen_keys: Mapping[str, str], standard: Standard, where: Callable[[str], Where] | None = None
) -> dict[str, str]:
    """Return the acts whose key in `chosen_keys` differs from the standard map.

    `where` gives an act's place in the person's input. Raises UserError for an act that is not
    :func:`changeable`, for a key that is not a single Latin letter or sign, and for a key with two
    acts.
    """
    free = changeable(standard)
    at = where or (lambda _act: Where())
    for act, key in chosen_keys.items():
        if act not in free:
            raise UserError("key_act_unknown", at(act), act=act)
        if key not in _SIGNS:
            raise UserError("key_unfit", at(act), key=key, act=_act_name(act))
    acts: dict[str, str] = {}
    for act, keys in standard.items():
        for key in (chosen_keys.get(act, keys[0]), *keys[1:]):
            other = acts.setdefault(key, act)
            if other != act:
                said = act if act in chosen_keys else other
                both = {"one": _act_name(other), "other": _act_name(act)}
                raise UserError("key_shared", at(said), key=key, **both)
    return {act: key for act, key in chosen_keys.items() if key != free[act]}


def own_keys(ws: Workspace, person_id: int, standard: Standard) -> dict[str, str]:
    """Return the keys that a person has changed, by act.

    Empty if the map has changed and they would clash with it. Raises UserError for an unknown or
    inactive person.
    """
    with ws.reading() as session:
        require(session, person_id, Act.COMMENT)  # any role may read its own keys
        kept = _stored_keys(session, person_id)
    try:
        return changed_keys(kept, standard)
    except UserError:
        return {}


def keep_own_keys(
    ws: Workspace, person_id: int, chosen_keys: Mapping[str, str], standard: Standard
) -> None:
    """Replace all of a person's own keys by these; empty restores the standard.

    Raises UserError as :func:`changed_keys`, and for an unknown or inactive person.
    """
    own = changed_keys(chosen_keys, standard)
    with ws.writing() as session:
        require(session, person_id, Act.COMMENT)
        if own != _stored_keys(session, person_id):
            note(session, person_id, OWN_KEYS, {"keys": own}, person_id, ws.clock())


def as_yaml(own: Mapping[str, str], standard: Standard) -> str:
    """Return a person's whole key map as YAML: the key of each :func:`changeable` act."""
    keys = changeable(standard) | dict(own)
    return "".join(f"{act}: {json.dumps(key)}\n" for act, key in keys.items())


def from_yaml(text: str, standard: Standard, file: str | None = None) -> dict[str, str]:
    """Return the keys by act in a file that differ from the standard.

    An act that the file leaves out has its standard key. Raises UserError with the line for a file
    that is not a mapping of acts to keys, also if empty, and as :func:`changed_keys`.
    """
    read = read_value(text, file)
    fields = read.content
    if not isinstance(fields, dict) or not fields:
        raise UserError("keys_no_map", Where(file, read.line))
    wanted = {}
    for act, value in fields.items():
        if not isinstance(value.content, str):
            raise UserError("key_unfit", Where(file, value.line, act), key="…", act=act)
        wanted[act] = value.content
    lines = {act: value.line for act, value in fields.items()}
    return changed_keys(wanted, standard, lambda act: Where(file, lines[act], act))


def _act_name(act: str) -> Localized:
    return Localized(partial(say, f"keys.action.{act}"))


def _stored_keys(session: Session, person_id: int) -> dict[str, str]:
    """Return the person's last changes, {} before the first."""
    query = (
        select(PersonEvent)
        .where(PersonEvent.person_id == person_id, PersonEvent.kind == OWN_KEYS)
        .order_by(col(PersonEvent.id).desc())
    )
    last = session.exec(query).first()
    kept = {} if last is None else last.payload.get("keys")  # imported projects may have anything
    return {str(act): str(key) for act, key in kept.items()} if isinstance(kept, dict) else {}
