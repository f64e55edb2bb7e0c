"""Error messages with the file path that the user gave, its folder included.

Readers name a file by its name, or by its path below the folder they read, as for an upload. If a
path was given, the name is completed to it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from corpus.files.archive_names import archive_stem
from corpus.files.rows import printable
from errors import UserError, Where


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


def _within(given: str, file: str) -> str | None:
    """Return the file's name below the given path, None if that does not contain it."""
    path = Path(given)
    shown, name = printable(given), printable(path.name)
    if not name or file.startswith(shown):
        return file if name else None
    if file == name or file.startswith(f"{name}: "):  # itself, or a file in the archive it is
        return shown + file[len(name) :]
    stem = archive_stem(name)
    if stem != name and file.startswith(f"{stem}/"):  # a file that was unpacked from it
        return f"{shown}: {file[len(stem) + 1 :]}"
    return f"{shown.rstrip('/')}/{file}" if _holds(path, file) else None


def _holds(folder: Path, file: str) -> bool:
    try:
        return not Path(file).is_absolute() and folder.is_dir() and (folder / file).is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False
