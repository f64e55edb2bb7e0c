"""SHA-256 hashes of texts, values and files, in hexadecimal."""

from __future__ import annotations

import json
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, lone surrogates included."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def json_hash(value: Any) -> str:
    """Return the SHA-256 of a JSON value, with sorted keys and non-ASCII characters escaped."""
    return text_hash(json.dumps(value, sort_keys=True))


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's bytes. Raises OSError for an unreadable file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def seeded_hash(seed: int, *parts: str) -> int:
    """Return a 128-bit hash of a seed and parts, uniformly distributed.

    A decision based on it for one item does not depend on other items.
    """
    return int(text_hash("\x1f".join((str(seed), *parts)))[:32], 16)
