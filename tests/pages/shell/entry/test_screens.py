"""Unit tests of pages/shell/entry/screens.py: every screen draws itself."""

from __future__ import annotations

from pages.shell.entry.screens import SCREENS, screen


def test_a_screen_is_drawn_by_its_module() -> None:
    for name in sorted(SCREENS):
        assert callable(screen(name).render), name
