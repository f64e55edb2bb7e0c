"""Exported folders for the browser: files with hashes, and a reproducible zip."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.tables import json_lines
from normalization.hashing import file_hash
from storage.db.atomic_files import UNFINISHED, published
from storage.db.workspace import Workspace

# The earliest time in a zip, so that equal files give equal bytes.
_NO_TIME = (1980, 1, 1, 0, 0, 0)
_READABLE = 0o644 << 16


@dataclass(frozen=True, slots=True)
class FileLine:
    """One file: its path below the folder, its size in bytes, its SHA-256 in hexadecimal."""

    name: str
    size: int
    sha256: str


def exports_folder(workspace: Workspace, project_slug: str) -> Path:
    """Return the folder of a project's exports by the app."""
    return workspace.folder / "exports" / project_slug


def releases_folder(workspace: Workspace, project_slug: str) -> Path:
    """Return the folder of a project's releases by the app, each in a folder of its own."""
    return workspace.folder / "releases" / project_slug


def listing(folder: Path) -> list[FileLine]:
    """Return path, size and hash of each file below `folder`; empty without such a folder."""
    return [FileLine(name, path.stat().st_size, file_hash(path)) for name, path in _files(folder)]


def zipped(folder: Path) -> bytes:
    """Return the files below `folder` as a zip archive, equal for equal files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in _files(folder):
            info = zipfile.ZipInfo(name, _NO_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = _READABLE
            archive.writestr(info, path.read_bytes())
    return out.getvalue()


def publish_lines(folder: Path, files: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, int]:
    """Write JSON Lines files into a folder, all or none; return the number of lines of each."""
    with published(folder) as part:
        for name, lines in files.items():
            (part / name).write_text(json_lines(lines), encoding="utf-8", newline="\n")
    return {name: len(lines) for name, lines in files.items()}


def _files(folder: Path) -> list[tuple[str, Path]]:
    """Return (relative path, path) of each file below a folder, unfinished exports left out."""
    found = ((path.relative_to(folder), path) for path in folder.rglob("*") if path.is_file())
    return sorted(
        (name.as_posix(), path)
        for name, path in found
        if not name.parts[0].startswith(UNFINISHED)  # of an export in progress, or killed
    )
