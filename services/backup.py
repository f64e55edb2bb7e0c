"""Backup of a workspace in use, and verified restore."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from annotation.check.project import check
from errors import UserError, Where
from storage.db.backup import Manifest, replace_content, unpacked, write_backup
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import list_projects


@dataclass(frozen=True, slots=True)
class Restored:
    """Result of a restore: projects by slug, and where the old content is kept.

    `aside` is itself a backup; None where the workspace was empty.
    """

    manifest: Manifest
    projects: tuple[str, ...]
    aside: Path | None


def back_up(ws: Workspace, file: Path) -> Manifest:
    """Write a backup of the workspace's database to a new file; see :func:`write_backup`."""
    return write_backup(ws, file)


def restore(ws: Workspace, file: Path, replace: bool = False) -> Restored:
    """Restore a backup into a workspace, created if missing; unless `replace`, it must be empty.

    The backup is checked first: its checksum, and for each project that the derived gold equals a
    replay of the events. With `replace`, the workspace may be in use: its content is kept in a
    backup beside it. Raises UserError, and changes nothing, for a backup that cannot be read or is
    inconsistent, and without `replace` for a workspace that is not empty.
    """
    migrate(ws)
    with unpacked(file, parent=ws.folder) as (manifest, staged):
        migrate(staged, keep_copy=False)  # the backup is one
        slugs = tuple(project.slug for project in list_projects(staged))
        problems = [problem for slug in slugs for problem in check(staged, slug)]
        if problems:
            first = str(problems[0])
            raise UserError(
                "backup_unsound", Where(file=str(file)), count=len(problems), first=first
            )
        aside = replace_content(ws, staged, replace)
        staged.engine.dispose()
    return Restored(manifest, slugs, aside)
