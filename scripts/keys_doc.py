"""Write the table of docs/keys.md from the one map of keys: what each means, on which screens.

The words before the table are written by hand, in the page.
"""

from __future__ import annotations

import sys
from pathlib import Path

if not __package__:  # run as a script: the root comes first, and this folder goes
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from messages import say
from pages.shell.navigation import SCREENS, KeyAction, key_map

TARGET = Path(__file__).resolve().parent.parent / "docs" / "keys.md"
NAMES = {"Control": "Ctrl", " ": "Space", "|": "\\|"}


def written(key: str) -> str:
    """Return a key as the page writes it."""
    held = key.split("+") if len(key) > 1 else [key]
    name = "+".join(NAMES.get(part, part) for part in held)
    return f"`{name}`"


def keys_of(action: KeyAction) -> str:
    """Return the keys of an action: of more than three the first and the last."""
    keys = [written(key) for key in action.keys]
    told = [f"{keys[0]} … {keys[-1]}"] if len(keys) > 3 else keys
    return " ".join([*told, *map(written, action.also)])


def screens_of(action: KeyAction) -> str:
    """Return the names of the screens that have an action."""
    if not action.on:
        return "all screens"
    if "" in action.on:
        return "all tasks, adjudication" if "adjudication" in action.on else "all tasks"
    named = [say(f"app.pages.{page}", "en") for name, page in SCREENS.items() if name in action.on]
    return ", ".join(named)


def render() -> str:
    """Return the page docs/keys.md with its table anew."""
    rows = [
        f"| {keys_of(each)} | {say(f'keys.action.{name}', 'en')} | {screens_of(each)} |\n"
        for name, each in key_map().items()
    ]
    words, rule, _ = TARGET.read_text(encoding="utf-8").partition("|---|---|---|\n")
    return words + rule + "".join(rows)


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
