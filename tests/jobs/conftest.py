"""Fixtures of tests that score on the small law."""

from __future__ import annotations

import pytest

from jobs import gold_set
from tests.jobs.small_gold import FIRST
from tests.small_law import small_workspace


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
