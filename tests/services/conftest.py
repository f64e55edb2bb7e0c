"""Fixtures of tests that score on the small law."""

from __future__ import annotations

import pytest

from services.gold import gold_set
from tests.projects.small_law import small_workspace
from tests.services.small_gold import FIRST


@pytest.fixture
def ws(tmp_path, clock):
    return small_workspace(tmp_path / "ws", clock)


@pytest.fixture
def decided(monkeypatch):
    """Let tests say what is gold: ``decided(items)``."""

    def set_gold(items):
        monkeypatch.setattr(gold_set, "derive", lambda *_: items)

    set_gold(FIRST)
    return set_gold
