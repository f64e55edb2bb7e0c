"""What holds of the scripts and styles of every task's screen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pages
from pages.shell.navigation import key_map
from pages.task.viewer import Viewer

HERE = Path(pages.__file__).parent  # names of scripts are relative to it
RISKY = r"(inner|outer)HTML|insertAdjacentHTML|createContextualFragment|document\.write|eval\("


def require_own_files(viewer: Viewer) -> None:
    """Fail unless every script and style in the folder of the viewer's name is part of it."""

    def named(ending: str) -> list[str]:
        found = (HERE / viewer.name / "frontend").glob(f"*.{ending}")
        return sorted(str(file.relative_to(HERE).with_suffix("")) for file in found)

    own = f"{viewer.name}/frontend/"
    assert sorted(name for name in viewer.scripts if name.startswith(own)) == named("js")
    assert sorted(name for name in viewer.styles if name.startswith(own)) == named("css")


def require_plain(script: Path) -> None:
    """Fail for a script that could turn text into HTML, loads something, or has grown long."""
    text = script.read_text(encoding="utf-8")
    assert not re.search(RISKY, text)
    assert not re.search(r"https?://", text)
    assert len(text.splitlines()) <= 300


def key_words(screen: str) -> set[str]:
    """Return the names of the words by which the one map of keys tells a screen's keys."""
    return {each.on[screen] for each in key_map().values() if screen in each.on}


def untold(used: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return the words that scripts use and the catalogue has not; one ending in _ is a stem."""
    have = tuple(known)
    return [
        word
        for word in sorted(used)
        if word not in have and not any(key.startswith(word) for key in have if word[-1] == "_")
    ]
