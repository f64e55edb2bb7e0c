"""Archives as their names tell them: which endings are read, and a name without its ending."""

from __future__ import annotations

PACKED = (".gz", ".bz2", ".xz")
"""The endings of a tar archive that is packed."""
SHORT = {".tgz": ".gz", ".tbz": ".bz2", ".tbz2": ".bz2", ".txz": ".xz"}
"""Endings that stand for ``.tar`` and one of PACKED."""
ARCHIVES = (".zip", ".tar", *(f".tar{ending}" for ending in PACKED), *SHORT)
"""The endings of archives that are read."""


def is_archive(name: str) -> bool:
    """Whether a file's name has the ending of an archive that is read."""
    return name.lower().endswith(ARCHIVES)


def archive_stem(name: str) -> str:
    """Return the name of an archive without its ending; any other name as it is."""
    found = [ending for ending in ARCHIVES if name.lower().endswith(ending)]
    return name[: -max(map(len, found))] if found else name
