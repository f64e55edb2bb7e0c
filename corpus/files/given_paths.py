"""Paths that users give: archive names, statute files, and errors that name them.

Readers name a file by its name, or by its path below the folder they read, as for an upload. If a
path was given, the name is completed to it again.

Archive file names: supported endings, and names without them.

Statute files below a user's folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from corpus.files.rows import STATUTE_FILE_BYTES, file_kind, printable, read_text, unreadable
from corpus.long_work import Progress
from errors import UserError, Where

PACKED = (".gz", ".bz2", ".xz")
"""The endings of a compressed tar archive."""
SHORT = {".tgz": ".gz", ".tbz": ".bz2", ".tbz2": ".bz2", ".txz": ".xz"}
"""Short endings of compressed tar archives, with the one of PACKED that they mean."""
ARCHIVES = (".zip", ".tar", *(f".tar{ending}" for ending in PACKED), *SHORT)
"""The endings of supported archives."""


def is_archive(name: str) -> bool:
    """Whether a file's name has the ending of a supported archive."""
    return name.lower().endswith(ARCHIVES)


def archive_stem(name: str) -> str:
    """Return the name of an archive without its ending; any other name unchanged."""
    found = [ending for ending in ARCHIVES if name.lower().endswith(ending)]
    return name[: -max(map(len, found))] if found else name


@contextmanager
def named_as_given(path: Path) -> Iterator[None]:
    """Let a UserError of the block name its file by the given path."""
    try:
        yield
    except UserError as error:
        raise as_given(error, [str(path)]) from error


def as_given(error: UserError, paths: Iterable[str]) -> UserError:
    """Return the error with its file named by the one of `paths` that contains it.

    Unchanged if it names no file, or one that several of them may contain.
    """
    where = error.where
    if not where.file:
        return error
    found = {said for path in paths if (said := _within(path, where.file))}
    if len(found) != 1 or found == {where.file}:
        return error
    return UserError(error.code, Where(found.pop(), where.line, where.field), **error.params)


def _within(root: str, file: str) -> str | None:
    """Return the file's name below the given path, None if that does not contain it."""
    path = Path(root)
    shown, name = printable(root), printable(path.name)
    if not name or file.startswith(shown):
        return file if name else None
    if file == name or file.startswith(f"{name}: "):  # itself, or a file in the archive it is
        return shown + file[len(name) :]
    stem = archive_stem(name)
    if stem != name and file.startswith(f"{stem}/"):  # a file that was unpacked from it
        return f"{shown}: {file[len(stem) + 1 :]}"
    return f"{shown.rstrip('/')}/{file}" if _has_file(path, file) else None


def _has_file(folder: Path, file: str) -> bool:
    """Return True if a folder has a file of that name."""
    try:
        return not Path(file).is_absolute() and folder.is_dir() and (folder / file).is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def only_folder(path: Path) -> Path | None:
    """Return the only entry of a folder if it is a folder, as in an archive; else None."""
    try:
        inside = list(islice(path.iterdir(), 2)) if path.is_dir() else []
    except OSError as problem:
        raise unreadable(printable(str(path)), problem) from problem
    only = len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink()
    return inside[0] if only else None


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
        raise _no_files_error(root, endings)
    return sorted(found, key=lambda pair: pair[1])


def statute_texts(
    root: Path,
    endings: tuple[str, ...],
    progress: Progress | None = None,
    limit: int = STATUTE_FILE_BYTES,
) -> Iterator[tuple[str, str]]:
    """Yield the text and the name of every file of `statute_files`.

    `progress` gets (files read, total). Raises UserError for a file of more than `limit` bytes, and
    as `read_text` does.
    """
    files = statute_files(Path(root), endings)
    for done, (file, name) in enumerate(files, 1):
        yield read_text(file, name, limit), name
        if progress is not None:
            progress(done, len(files))


def _no_files_error(root: Path, endings: tuple[str, ...]) -> UserError:
    """Return the error for a folder without files to read."""
    at = Where(printable(str(root)))
    if endings == (".md",):
        return UserError("tree_empty", at)
    return UserError("tree_without", at, endings=", ".join(endings))


def _walk(root: Path, endings: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files with these endings below a folder, without hidden ones and README.md."""

    def refuse(problem: OSError) -> None:
        """Raise UserError for a folder that cannot be read."""
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
