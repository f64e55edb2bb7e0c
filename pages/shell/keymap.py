"""The one map of keys, as the browser has it: which key does what on which screen.

It stands once, as data, in ``shell/frontend/keymap.js``, which every screen of work joins to its
scripts. What draws with Streamlit, the docs and the tests read the same lines here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

_FILE = Path(__file__).parent / "frontend" / "keymap.js"
_BEGIN = "const KEY_MAP = "


@dataclass(frozen=True, slots=True)
class KeyAction:
    """An action: the keys that are named, others that do the same, and where it is.

    `on` maps a screen, or "" for every task, to the name of the words that say there what it does;
    `first` a screen to how many of the keys it has, where it has not all.
    """

    name: str
    keys: tuple[str, ...]
    also: tuple[str, ...] = ()
    on: dict[str, str] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)


@cache
def key_map() -> dict[str, KeyAction]:
    """Return every action by its name, in the order of the map."""
    said = _FILE.read_text(encoding="utf-8").partition(_BEGIN)[2].rstrip().removesuffix(";")
    return {
        name: KeyAction(
            name,
            tuple(told["keys"]),
            tuple(told.get("also", ())),
            told["on"],
            told.get("first", {}),
        )
        for name, told in json.loads(said).items()
    }


def shortcut(action: str) -> str:
    """Return the key of an action as Streamlit's buttons take it, such as ``Ctrl+Enter``.

    Of several it is one with a key held, which works while somebody writes a reason, too.
    """
    told = key_map()[action]
    keys = (*told.keys, *told.also)
    return next((key for key in keys if "+" in key[1:]), keys[0]).replace("Control", "Ctrl")
