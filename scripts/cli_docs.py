"""Write the sections of docs/cli.md from the command line itself, so that neither can drift.

The words before the first section are written by hand, in the page.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

TARGET = ROOT / "docs" / "cli.md"


def commands(group: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield every command under a group as (words to type, command), groups before their own."""
    yield path, group
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*path, name))


def describe(path: tuple[str, ...], command: object) -> str:
    """Return the section of one command: what it does, its arguments and options."""
    lines = [f"\n## {' '.join(path) or 'Options before the command'}\n"]
    text = (getattr(command, "help", "") or "").strip()
    if path and text:
        lines.append(text + "\n")
    lines += [row for parameter in getattr(command, "params", []) if (row := _row(parameter))]
    return "\n".join(lines)


def _row(parameter: object) -> str:
    """Return the line of an option or argument, "" for ``--help``."""
    names = [n for n in getattr(parameter, "opts", []) if n != "--help"]
    if not names:
        return ""
    is_option = names[0].startswith("-")
    name = ", ".join(names) if is_option else names[0].upper()
    text = getattr(parameter, "help", "") or ""
    default = getattr(parameter, "default", None)
    shown = default not in (None, "", False) and is_option and not callable(default)
    return f"* `{name}`: {text}" + (f" Default: {default}." if shown else "")


def render() -> str:
    """Return the page docs/cli.md with every command anew; its head stays."""
    import typer.main

    from touchstone import app

    sections = [describe(path, command) for path, command in commands(typer.main.get_command(app))]
    words = TARGET.read_text(encoding="utf-8").partition("\n## ")[0]
    return words + "\n".join(sections) + "\n"


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
