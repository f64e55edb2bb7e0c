"""Unit tests of pages/shell/entry/screens.py: every screen has a room, and draws itself."""

from __future__ import annotations

from app import PAGES
from pages.shell.entry.screens import ROOM_OF, screen


def test_every_screen_is_in_a_room_and_no_room_has_another() -> None:
    assert set(ROOM_OF) == set(PAGES)


def test_a_screen_is_drawn_by_its_module() -> None:
    for name in sorted(ROOM_OF):
        assert callable(screen(name).render), name
