"""Unit tests of pages/shell/entry/screens.py: every screen has a room, and draws itself."""

from __future__ import annotations

from app import PAGES
from pages.shell.entry.screens import screen


def test_a_screen_is_drawn_by_its_module() -> None:
    for name in sorted(PAGES):
        assert callable(screen(name).render), name
