"""Settings of the server: whether people sign in."""

from __future__ import annotations

import pytest

from errors import UserError
from serving.settings import team_mode


def test_an_unknown_mode_opens_no_door(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not team_mode()
    monkeypatch.setenv("TOUCHSTONE_MODE", " Team ")
    assert team_mode()
    monkeypatch.setenv("TOUCHSTONE_MODE", "tea")
    with pytest.raises(UserError) as caught:
        team_mode()
    assert caught.value.code == "mode_unknown"
