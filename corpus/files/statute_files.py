"""Statute files below a user's folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from corpus.files.rows import file_kind, printable, unreadable
from errors import UserError, Where


def statute_files(root: Path, endings: tuple[str, ...] = (".md",)) -> list[tuple[Path, str]]:
    """Return (file, its path relative to the root) of every statute file, sorted by the latter.

    Statute files are those whose name ends with one of `endings`, ignoring case. `root` may be one
    file. Files named README.md, hidden files and folders, linked folders and links that lead out of
    the tree are skipped. Raises UserError if nothing is left.
    """
    kind = file_kind(root, printable(str(root)))
    if stat.S_ISREG(kind):
        return [(root, printable(root.name))]
    if not stat.S_ISDIR(kind):
        raise UserError("not_a_folder", Where(printable(str(root))))
    home = root.resolve()
    found = [
        (path, printable(path.relative_to(root).as_posix()))
        for path in _walk(root, endings)
        if not path.is_symlink() or _stays_inside(path, home)
    ]
    if not found:
        raise _empty(root, endings)
    return sorted(found, key=lambda pair: pair[1])


def _empty(root: Path, endings: tuple[str, ...]) -> UserError:
    at = Where(printable(str(root)))
    if endings == (".md",):
        return UserError("tree_empty", at)
    return UserError("tree_without", at, endings=", ".join(endings))


def _walk(root: Path, endings: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files with these endings below a folder, hidden ones left out."""

    def refuse(problem: OSError) -> None:
        raise unreadable(printable(str(problem.filename)), problem) from problem

    for folder, folders, names in os.walk(root, onerror=refuse, followlinks=False):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            lower = name.lower()
            if lower.endswith(endings) and lower != "readme.md" and not name.startswith("."):
                yield Path(folder, name)


def _stays_inside(link: Path, home: Path) -> bool:
    """Return whether a link stays inside the folder `home`; a circular one does not."""
    try:
        return link.resolve().is_relative_to(home)
    except (OSError, RuntimeError):  # Python 3.11 reports a circle of links as RuntimeError
        return False
