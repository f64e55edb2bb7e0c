"""Settings of the server: whether people sign in."""

from __future__ import annotations

import pytest

from serving.settings import team_mode
from tests.support.refusals import code_of


def test_an_unknown_mode_opens_no_door(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not team_mode()
    monkeypatch.setenv("TOUCHSTONE_MODE", " Team ")
    assert team_mode()
    monkeypatch.setenv("TOUCHSTONE_MODE", "tea")
    assert code_of(team_mode) == "mode_unknown"
