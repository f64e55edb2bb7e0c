"""Atomic publication of a folder's files: readers never see half-written ones."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from errors import UserError, Where

UNFINISHED = ".part-"  # name prefix of folders that are being filled
_OPEN = 0o755


@contextmanager
def published(folder: Path) -> Iterator[Path]:
    """Yield an empty folder; when the block succeeds, move its files to `folder`.

    Files of the same name are replaced atomically; others in `folder` stay. When the block fails,
    `folder` is unchanged and nothing is left beside it. Raises UserError when the folder cannot be
    made or written.
    """
    # On the same file system as `folder`, and where the user may write.
    with _part(folder, folder if folder.is_dir() else folder.parent) as part:
        yield part
        _move(part, folder)


@contextmanager
def published_whole(folder: Path) -> Iterator[Path]:
    """Yield a new folder that becomes `folder` if the block succeeds; UserError unless it is empty.

    When the block fails, nothing is left. Raises UserError for a `folder` that holds anything, and
    as :func:`published` does.
    """
    with _part(folder, folder.absolute().parent) as part:
        if folder.is_dir() and any(folder.iterdir()):
            raise UserError("export_not_empty", Where(file=str(folder)))
        yield part
        part.chmod(_OPEN)  # as mkdir makes them; mkdtemp closes it to others
        if folder.is_dir():
            folder.rmdir()
        part.replace(folder.absolute())


@contextmanager
def published_file(path: Path) -> Iterator[Path]:
    """Yield a path to write; when the block succeeds, that file replaces `path`.

    Raises UserError as :func:`published` does.
    """
    with published(path.parent) as part:
        yield part / path.name


@contextmanager
def _part(folder: Path, beside: Path) -> Iterator[Path]:
    """Yield an empty folder inside `beside`, removed afterwards; its errors are about `folder`."""
    try:
        if folder.exists() and not folder.is_dir():
            raise UserError("export_not_folder", Where(file=str(folder)))
        beside.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=beside))
        try:
            yield part
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError("export_failed", Where(file=str(folder)), reason=reason) from error


def _move(part: Path, folder: Path) -> None:
    """Move the files in `part` to `folder`, replacing files but no folders (UserError)."""
    files = [path.relative_to(part) for path in sorted(part.rglob("*")) if path.is_file()]
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        if (folder / file).is_dir():
            raise UserError("export_not_file", Where(file=str(folder / file)))
    for file in files:
        (part / file).replace(folder / file)
