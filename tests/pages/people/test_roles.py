from __future__ import annotations

from annotation.people.roles import MAY, Act, Role
from messages import say
from storage.db.workspace import Workspace
from tests.pages.screens import opened
from tests.pages.small_project import empty_project, shown


def test_the_screen_shows_the_table_itself(workspace: Workspace) -> None:
    at = opened("roles", workspace, empty_project(workspace)[0])
    table = at.dataframe[0].value
    for row, act in enumerate(Act):
        assert table.iloc[row, 0] == say(f"roles.act.{act}")
        for role in Role:
            ticked = table[say(f"roles.role.{role}")][row] == "✓"
            assert ticked == (role in MAY[act])
    assert say("roles.role.annotator") in shown(at)
