"""Write docs/keys.md from the one map of keys: what each key means, and on which screens."""

from __future__ import annotations

import sys
from pathlib import Path

if not __package__:  # run as a script: the root comes first, and this folder goes
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from messages import say
from pages.shell.navigation import SCREENS, KeyAction, key_map

TARGET = Path(__file__).resolve().parent.parent / "docs" / "keys.md"
HEAD = """# Keys

Look up what a key does, and change it.

A key means the same on every screen of work; `?` shows those of the screen that is open. Letters
are known by their place where a Hangul layout is on, and a key does nothing while text is being
composed. A capital letter is one with Shift. In a dialog that asks for a reason, a digit chooses
one of the reasons at hand while the field is empty; who types on meant the digit. What the machine
chose, such as the estimate that a consensus brings along, is confirmed by its key, not taken back.

## Keys of one's own

On the screen **Keys** (from the sidebar, or *Change keys* under `?`) everybody gives single
actions another key: a letter, a capital one or a symbol. It applies to them in this project, on
every screen, on the buttons and under `?`; the server keeps it, so it is there on another machine.
A key that another action has is refused, with both named: no key means two things then either.
Digits, arrows, `Enter`, `Esc`, keys with Ctrl or Alt, and `?` are everybody's. *Download my keys*
writes the whole map as YAML, a line such as `accept: "a"` for each action; *Keys from a file* reads
one, here or in another project, and says the line that is wrong. Two actions swap their keys in a
file.

## Find anything

`Ctrl+K` (`⌘K` on a Mac), or *Find* in the sidebar, opens a field on every screen that finds by name
in English and Korean: places and their tabs, questions and other items, provisions, runs, people,
settings, and what keys do. Arrows choose, `Enter` opens, `Esc` closes and gives the focus back. The
exact name comes first, then names that begin so, then those with the words; at most eight of each
kind. Nobody finds what their screens do not show: annotators find the items of their own queue,
adjudicators a dispute to decide, readers of others' labels the history of an item.

## The map

The map stands once, in `pages/shell/frontend/keymap.js`; screens, hints on buttons, the list under
`?` and this page read it, and a test holds that no key means two things. How many keys an item of
each task takes is measured by `benchmarks/keyboard.py`: [decision
0060](decisions/0060-one-map-of-keys.md). This page is written by `python scripts/keys_doc.py`.

| Key | Meaning | Screens |
|---|---|---|
"""
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
    """Return the whole page."""
    rows = [
        f"| {keys_of(each)} | {say(f'keys.action.{name}', 'en')} | {screens_of(each)} |\n"
        for name, each in key_map().items()
    ]
    return HEAD + "".join(rows)


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
