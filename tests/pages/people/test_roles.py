from __future__ import annotations

from annotation.people.roles import MAY, Act, Role
from messages import say
from storage.db.workspace import Workspace
from tests.pages.screens import opened, table
from tests.pages.small_project import empty_project, shown


def test_the_screen_shows_the_table_itself(workspace: Workspace) -> None:
    at = opened("roles", workspace, empty_project(workspace)[0])
    rows = table(at, "May").set_index("May")
    for act in Act:
        for role in Role:
            ticked = rows[say(f"roles.role.{role}")][say(f"roles.act.{act}")] == "✓"
            assert ticked == (role in MAY[act])
    assert say("roles.role.annotator") in shown(at)
