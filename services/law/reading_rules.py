"""What a user said once about the sources of a project, saved beside the database.

One small file for each project, ``importing/<project>.json`` in the workspace: which column of a
table holds what, the title, and how headings of plain text look. See
`corpus.importers.column_mapping`.
"""

from __future__ import annotations

from pathlib import Path

from annotation.people.authorization import allow
from annotation.people.roles import Act
from corpus.importers.column_mapping import ReadingRules, read_rules
from storage.db.workspace import Workspace
from storage.projects import project_by_slug


def saved_rules(ws: Workspace, project_slug: str, by: int | None = None) -> ReadingRules:
    """Return the rules saved for the project, or rules that say nothing.

    Raises UserError for an unknown project, a saved file that was damaged since, and for `by`
    (None: the operator) who may not import law.
    """
    allow(ws, project_slug, by, Act.IMPORT_LAW)
    file = _file(ws, project_slug)
    return read_rules(file) if file.exists() else ReadingRules()


def save_rules(
    ws: Workspace, project_slug: str, rules: ReadingRules, by: int | None = None
) -> Path:
    """Save the rules for the project, in place of those it had; return the file.

    Raises UserError for an unknown project and for `by` (None: the operator) who may not import
    law.
    """
    allow(ws, project_slug, by, Act.IMPORT_LAW)
    file = _file(ws, project_slug)
    file.parent.mkdir(exist_ok=True)
    partial = file.with_suffix(".partial")
    partial.write_text(rules.as_json(), encoding="utf-8")
    partial.replace(file)
    return file


def _file(ws: Workspace, project_slug: str) -> Path:
    project = project_by_slug(ws, project_slug)
    return ws.folder / "importing" / f"{project.slug}.json"
