"""Archive file names: supported endings, and names without them."""

from __future__ import annotations

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
