"""SHA-256 of texts, values and files, in hexadecimal."""

from __future__ import annotations

import json
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8; lone surrogates, which files may hold, count too."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def json_hash(value: Any) -> str:
    """Return the SHA-256 of a JSON value, its keys in order and all that is not ASCII escaped."""
    return text_hash(json.dumps(value, sort_keys=True))


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's bytes. Raises OSError for one that cannot be read."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def seeded_hash(seed: int, *parts: str) -> int:
    """Return a number that depends on the seed and the parts alone, evenly spread over 128 bits.

    What it decides for one thing stays as it is whatever other things there are.
    """
    return int(text_hash("\x1f".join((str(seed), *parts)))[:32], 16)
