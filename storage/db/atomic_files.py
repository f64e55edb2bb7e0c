"""Atomic publication of a folder's files: readers never see half-written ones."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from errors import UserError, Where

UNFINISHED = ".part-"  # name prefix of folders that are being filled


@contextmanager
def published(folder: Path) -> Iterator[Path]:
    """Yield an empty folder; when the block succeeds, move its files to `folder`.

    Files of the same name are replaced atomically; others in `folder` stay. When the block fails,
    `folder` is unchanged and nothing is left beside it. Raises UserError when the folder cannot be
    made or written.
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise UserError("export_not_folder", Where(file=str(folder)))
        # On the same file system as `folder`, and where the user may write.
        beside = folder if folder.is_dir() else folder.parent
        beside.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=beside))
        try:
            yield part
            _move(part, folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError("export_failed", Where(file=str(folder)), reason=reason) from error


@contextmanager
def published_file(path: Path) -> Iterator[Path]:
    """Yield a path to write; when the block succeeds, that file replaces `path`.

    Raises UserError as :func:`published` does.
    """
    with published(path.parent) as part:
        yield part / path.name


def _move(part: Path, folder: Path) -> None:
    files = [path.relative_to(part) for path in sorted(part.rglob("*")) if path.is_file()]
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        if (folder / file).is_dir():
            raise UserError("export_not_file", Where(file=str(folder / file)))
    for file in files:
        (part / file).replace(folder / file)
