"""Uploaded or archived files, staged in a temporary folder for reading.

The input is untrusted: an archive may have paths outside its folder, unpack to terabytes, hold
links or names in an undeclared encoding. Everything is checked before and while it is written,
nothing is written outside the temporary folder, and the folder is removed afterwards.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from corpus.files.given_paths import archive_stem, is_archive, named_as_given
from corpus.files.rows import printable, unreadable
from corpus.importers.beir import QRELS_ENDINGS, QUERIES
from corpus.importers.registry import endings
from errors import UserError, Where
from services.archives import MIB, ArchiveListing, Limits, archived, kept_path, safe_path, too_large

UPLOADED_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz")
"""Last endings of archives, for the browser's file dialog."""
LABEL_ENDINGS = (".json", ".jsonl", ".xmi", ".xml", ".zip")
"""Endings of other tools' label files; INCEpTION puts zips into its zip."""
CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file: claimed name and open content."""

    name: str
    content: BinaryIO


LOCAL = Limits(files=200_000, file_bytes=256 * MIB, total_bytes=4096 * MIB)
"""Limits of a local archive, larger than for uploads."""


@dataclass(frozen=True, slots=True)
class Staged:
    """Staged files: `path` is a folder, or the file itself when only one was wanted.

    `ignored` counts files left out as of another kind.
    """

    path: Path
    files: int
    ignored: int


@contextmanager
def staged_tree(
    uploads: Sequence[Upload],
    limits: Limits | None = None,
    endings: tuple[str, ...] = (".md",),
) -> Iterator[Staged]:
    """Yield a folder with the files of `uploads` that have one of `endings`, archives unpacked.

    Raises UserError for anything unsafe, too large or unreadable, and without any such file. A
    UserError raised inside the block gets the uploaded file's name.
    """
    limits = limits or Limits()
    with tempfile.TemporaryDirectory(prefix="touchstone-upload-") as name:
        folder = Path(name)
        writer = _Writer(folder / _root_name(uploads), endings, limits)
        for upload in uploads:
            _unpack(upload, writer)
        if not writer.files:
            suffix = ", ".join(endings)
            raise UserError("upload_nothing", Where(file=_names(uploads)), suffix=suffix)
        try:
            yield Staged(writer.root, writer.files, writer.ignored)
        except UserError as error:
            raise _named_as_uploaded(error, folder) from error


def statutes_at(path: Path, kinds: tuple[str, ...] = ()) -> AbstractContextManager[Staged]:
    """Return the context of a folder or file as it is, or an archive unpacked to a folder.

    `kinds` are the endings of its files, by default those of statutes. Raises UserError as
    `staged_tree` does.
    """
    return _staged_at(path, lambda upload: staged_tree([upload], LOCAL, kinds or endings()))


def questions_at(path: Path) -> AbstractContextManager[Staged]:
    """Return the context of the questions at a path, an archive unpacked by `staged_questions`."""
    return _staged_at(path, lambda upload: staged_questions(upload, LOCAL))


@contextmanager
def _staged_at(
    path: Path, staged: Callable[[Upload], AbstractContextManager[Staged]]
) -> Iterator[Staged]:
    """Yield a local folder or file as it is, an archive as it is `staged`."""
    with ExitStack() as stack:
        stack.enter_context(named_as_given(path))
        if is_archive(path.name) and path.is_file():
            upload = stack.enter_context(_open_upload(path))
            yield stack.enter_context(staged(upload))
        else:
            yield Staged(path, 0, 0)


@contextmanager
def staged_labels(upload: Upload, limits: Limits | None = None) -> Iterator[Staged]:
    """Yield the label file of `upload`, or a folder if it is an archive of several.

    Raises UserError as `staged_tree` does.
    """
    with staged_tree([upload], limits, LABEL_ENDINGS) as staged:
        found = [path for path in staged.path.rglob("*") if path.is_file()]
        yield replace(staged, path=found[0]) if len(found) == 1 else staged


def labels_at(path: Path) -> AbstractContextManager[Staged]:
    """Return the context of a label file as it is, or an archive unpacked by `staged_labels`."""
    return _staged_at(path, lambda upload: staged_labels(upload, LOCAL))


@contextmanager
def _open_upload(path: Path) -> Iterator[Upload]:
    """Open a local file as if it had been uploaded."""
    try:
        content = path.open("rb")
    except OSError as problem:
        raise unreadable(printable(str(path)), problem) from problem
    with content:
        yield Upload(printable(path.name), content)


@contextmanager
def staged_questions(upload: Upload, limits: Limits | None = None) -> Iterator[Staged]:
    """Yield the single JSONL file of `upload`, itself or in an archive.

    An archive of a BEIR folder gives the folder that holds its queries. Raises UserError as
    `staged_tree` does, and when an archive holds several files without being such a folder.
    """
    with staged_tree([upload], limits, (".jsonl", *QRELS_ENDINGS)) as staged:
        found = sorted(path for path in staged.path.rglob("*") if path.suffix == ".jsonl")
        queries = [path for path in found if path.name == QUERIES]
        if len(queries) == 1:
            yield Staged(queries[0].parent, staged.files, staged.ignored)
            return
        if len(found) != 1:
            raise _not_one_error(upload, len(found), ".jsonl")
        yield Staged(found[0], 1, staged.ignored + staged.files - 1)


@contextmanager
def staged_file(upload: Upload, *endings: str, limits: Limits | None = None) -> Iterator[Path]:
    """Yield the single file of `upload` with one of `endings`, itself or in an archive.

    Raises UserError as `staged_tree` does, and when an archive holds several.
    """
    with staged_tree([upload], limits, endings) as staged:
        found = [path for path in staged.path.rglob("*") if path.is_file()]
        if len(found) != 1:
            raise _not_one_error(upload, len(found), *endings)
        yield found[0]


def _not_one_error(upload: Upload, count: int, *endings: str) -> UserError:
    """Return the error for several uploaded files where one is expected."""
    where = Where(file=upload.name)
    return UserError("upload_not_one", where, count=count, suffix=", ".join(endings))


def _unpack(upload: Upload, writer: _Writer) -> None:
    """Write an uploaded file, or those of an archive, if they are of the wanted kind."""
    if not is_archive(upload.name):
        writer.write(upload.name, upload.content, upload.name, spread=True)
        return
    listing = ArchiveListing(upload.name, writer.limits, writer.is_kind)
    with archived(upload.content, listing) as entries:
        for entry in entries:
            if writer.wants(entry.name):
                with entry.open() as content:
                    writer.write(entry.name, content, f"{upload.name}: {entry.name}")


class _Writer:
    """Writer of files below `root` that refuses unsafe names and enforces the limits."""

    def __init__(self, root: Path, endings: tuple[str, ...], limits: Limits) -> None:
        self.root, self.endings, self.limits = root, endings, limits
        self.files = self.ignored = self.bytes = 0
        root.mkdir(parents=True)

    def is_kind(self, name: str) -> bool:
        """Return True if the file is of the wanted kind. Raises UserError for any unsafe name."""
        path = safe_path(name)
        hidden = any(part.startswith(".") or part == "__MACOSX" for part in path.parts)
        return not hidden and path.suffix.lower() in self.endings

    def wants(self, name: str) -> bool:
        """Return True if the file is of the wanted kind; others are counted as ignored."""
        wanted = self.is_kind(name)
        self.ignored += not wanted
        return wanted

    def write(self, name: str, content: BinaryIO, display_name: str, spread: bool = False) -> None:
        """Copy a file of the wanted kind; `spread` puts a second of the name in its own folder."""
        if not self.wants(name):
            return
        self.files += 1
        if self.files > self.limits.files:
            raise UserError("upload_too_many", Where(file=display_name), limit=self.limits.files)
        path = kept_path(name)
        target = self.root / path
        if spread and target.exists():
            target = self.root / str(self.files) / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as out:
                self._copy(content, out, display_name)
        except (FileExistsError, NotADirectoryError) as error:
            raise UserError("upload_name_twice", Where(file=display_name)) from error
        except OSError as error:
            if error.errno is None:  # not a system error: raised by the archive
                raise
            reason = error.strerror or str(error)
            raise UserError("upload_not_kept", Where(file=display_name), reason=reason) from error

    def _copy(self, content: BinaryIO, out: BinaryIO, display_name: str) -> None:
        """Copy a file, checking the limits of size."""
        size = 0
        while chunk := content.read(CHUNK):
            size += len(chunk)
            self.bytes += len(chunk)
            if size > self.limits.file_bytes:
                limit = self.limits.file_bytes // MIB
                raise UserError("upload_file_large", Where(file=display_name), limit=limit)
            if self.bytes > self.limits.total_bytes:
                raise too_large(Where(file=display_name), self.limits)
            out.write(chunk)


def _root_name(uploads: Sequence[Upload]) -> str:
    """Return the name of the folder for uploads: that of a single file, else "upload"."""
    # The importer names the snapshot after the folder it reads.
    if len(uploads) == 1:
        name = safe_path(uploads[0].name).name
        stem = archive_stem(name) if is_archive(name) else PurePosixPath(name).stem
        if stem and not stem.startswith("."):
            return stem
    return "upload"


def _names(uploads: Sequence[Upload]) -> str:
    """Return the names of the first three uploads, joined by commas."""
    return ", ".join(upload.name for upload in uploads[:3]) or "–"


def _named_as_uploaded(error: UserError, folder: Path) -> UserError:
    """Return an error with file names as uploaded, without the temporary folder."""
    prefix = f"{folder}/"

    def plain(value: object) -> object:
        """Return a value without the folder."""
        return value.replace(prefix, "") if isinstance(value, str) else value

    where = error.where
    file = where.file.replace(prefix, "") if where.file else where.file
    params = {key: plain(value) for key, value in error.params.items()}
    return UserError(error.code, Where(file, where.line, where.field), **params)
