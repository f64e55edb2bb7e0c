"""Fixtures of tests that score on the small law."""

from __future__ import annotations

import pytest

from services.gold import export, gold_set
from tests.projects.small_law import small_workspace
from tests.services.small_gold import FIRST


@pytest.fixture
def ws(tmp_path, clock):
    return small_workspace(tmp_path / "ws", clock)


@pytest.fixture
def decided(monkeypatch):
    """Let tests say what is gold: ``decided(items)``."""

    def set_gold(items):
        for module in (gold_set, export):
            monkeypatch.setattr(module, "derived", lambda *_: items)

    set_gold(FIRST)
    return set_gold
