from __future__ import annotations

from pathlib import Path

import pytest

from annotation.people.members import PersonView
from annotation.people.roles import MAY, Act, Role
from messages import say
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import empty_project, page, shown


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_screen_shows_the_table_itself(tmp_path: Path, clock: FakeClock, language: str) -> None:
    workspace = Workspace(tmp_path / "ws", clock)
    ara: PersonView
    ara, _ = empty_project(workspace)
    at = page("roles", workspace, ara, language).run()
    assert not at.exception
    table = at.dataframe[0].value
    for row, act in enumerate(Act):
        assert table.iloc[row, 0] == say(f"roles.act.{act}", language)
        for role in Role:
            ticked = table[say(f"roles.role.{role}", language)][row] == "✓"
            assert ticked == (role in MAY[act])
    assert say("roles.role.annotator", language) in shown(at)
