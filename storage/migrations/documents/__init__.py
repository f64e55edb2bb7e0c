"""Guidelines and codebooks as they came with Touchstone before, by the migration that keeps them.

Migrations rest on it: neither the files nor what reads them is ever edited; texts that change again
get a folder of their own. A file is called ``<kind>.<task>.<language>``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType


@cache
def texts_before(revision: str) -> Mapping[tuple[str, str], Mapping[str, str]]:
    """Return the texts by kind and task, then by language, of what that migration keeps."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for file in sorted((Path(__file__).parent / revision).iterdir()):
        kind, task, language, _ = file.name.split(".")
        found.setdefault((kind, task), {})[language] = file.read_bytes().decode()
    return MappingProxyType(found)
