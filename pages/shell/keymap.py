"""Keyboard map: which key does what on which screen, as the browser has it.

It is data in ``shell/frontend/keymap.js``, which every working screen includes in its scripts.
Streamlit widgets, the docs and the tests read the same lines here. A person's own keys
(`annotation.keys.own_keys`) override it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from annotation.keys.own_keys import own_keys
from pages.shell.context import Context

_FILE = Path(__file__).parent / "frontend" / "keymap.js"
_BEGIN = "const KEY_MAP = "
SCREENS = {  # screen names by their names in the map
    "mapping": "citation_mapping",
    "ocr": "ocr_correction",
    "mcq": "mcq_solvability",
    "curation": "curation",
    "rating": "answer_rating",
    "review": "judge_review",
    "tagging": "factor_tagging",
    "attribution": "attribution_review",
    "research": "research",
    "adjudication": "adjudication",
}
_CAPS = {
    **{"ArrowDown": "↓", "ArrowUp": "↑", "ArrowRight": "→", "ArrowLeft": "←", "Enter": "↵"},
    **{"Control": "Ctrl", "Shift": "⇧", "Escape": "Esc", "PageDown": "PgDn", "PageUp": "PgUp"},
    **{" ": "Space", "Delete": "Del"},
}


@dataclass(frozen=True, slots=True)
class KeyAction:
    """An action of the keyboard map: primary keys, alternatives, and screens.

    `on` maps a screen, or "" for every task, to the catalogue key that describes the action there;
    `first` maps a screen to how many of the keys it has, if not all.
    """

    name: str
    keys: tuple[str, ...]
    also: tuple[str, ...] = ()
    on: dict[str, str] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)


@cache
def key_map() -> dict[str, KeyAction]:
    """Return every action by name, in the order of the map."""
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


@cache
def standard() -> dict[str, tuple[str, ...]]:
    """Return the default keys of each action."""
    return {name: (*each.keys, *each.also) for name, each in key_map().items()}


def own(context: Context) -> dict[str, str]:
    """Return the current person's own keys by action."""
    return own_keys(context.workspace, context.by, standard())


def shortcut(action: str) -> str:
    """Return an action's key in the notation of Streamlit's buttons, such as ``Ctrl+Enter``.

    Of several it is one with a modifier, which works while a text field has the focus, too.
    """
    keys = standard()[action]
    return next((key for key in keys if "+" in key[1:]), keys[0]).replace("Control", "Ctrl")


def cap(action: str, keys: Mapping[str, str]) -> str:
    """Return an action's key in the notation of screens, such as ``⇧ z``."""
    return written(keys.get(action, standard()[action][0]))


def written(key: str) -> str:
    """Return a key in the notation of screens: modifiers first, capitals as Shift + letter."""
    parts = key.split("+") if len(key) > 1 else [key]
    return " ".join(
        f"⇧ {part.lower()}" if len(part) == 1 and part.isupper() else _CAPS.get(part, part)
        for part in parts
    )
