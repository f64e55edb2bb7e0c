"""The files of a kept index as they were written, so that damage is noticed before it ranks.

A file's size is looked at whenever an index is opened, its sum (CRC-32) where it is at most
`ALWAYS_READ` bytes or was written after the index was complete: a larger one that nobody has
touched stays unread until it is searched, so that opening takes no time whatever its size.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

ALWAYS_READ = 16 * 2**20
_BLOCK = 2**22


def described(folder: Path) -> dict[str, dict[str, int]]:
    """Return what `require_sound` compares, by the path of each file within `folder`.

    The files are on disk when it returns, not in memory alone: their sizes outlive a power cut
    that their contents would not.
    """
    found: dict[str, dict[str, int]] = {}
    for file in sorted(each for each in folder.rglob("*") if each.is_file()):
        total = _sum(file, to_disk=True)
        name = str(file.relative_to(folder))
        found[name] = {"bytes": file.stat().st_size, "crc32": total}
    return found


def require_sound(manifest: Path, files: Mapping[str, Any]) -> None:
    """Raise ValueError where a file is not as `described` had it, OSError where one is not there.

    `files` is what `described` returned of the folder of `manifest`, which was written there when
    all of them were; KeyError and TypeError say that it is not.
    """
    folder, complete = manifest.parent, manifest.stat().st_mtime_ns
    for name, known in files.items():
        file = folder / name
        about = file.stat()
        if about.st_size != known["bytes"]:
            raise ValueError(f"{name} has another size")
        trusted = about.st_mtime_ns <= complete and about.st_size > ALWAYS_READ
        if not trusted and _sum(file) != known["crc32"]:
            raise ValueError(f"{name} has been changed")


def _sum(file: Path, to_disk: bool = False) -> int:
    total = 0
    with file.open("rb") as opened:
        while block := opened.read(_BLOCK):
            total = crc32(block, total)
        if to_disk:
            os.fsync(opened.fileno())
    return total
