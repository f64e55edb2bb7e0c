"""How much a file of pages may bring, and which of its pages are wanted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from errors import UserError, Where

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one file: what is beyond them is refused before it is unpacked.

    `pages` is how many may come in at once. `pixels` bounds what an image claims to have, since a
    file of some kilobytes can unpack to gigabytes; `kept` is what a page is scaled down to.
    """

    file_bytes: int = 256 * MIB
    pages: int = 300
    pixels: int = 64_000_000
    kept: int = 16_000_000
    side: int = 16  # pixels that a page has at least on each side


def wanted_pages(spec: str, there: int, limits: Limits, name: str) -> list[int]:
    """Return the numbers of the wanted pages, from 1, in order: all where `spec` is empty.

    `spec` is such as ``1-20,35``. Raises UserError for one that is no such list, for pages that
    the file does not have, and for more than may come in at once.
    """
    numbers = _numbers(spec, there, name) if spec.strip() else range(1, there + 1)
    if len(numbers) > limits.pages:
        raise UserError("pages_too_many", Where(name), pages=len(numbers), limit=limits.pages)
    return list(numbers)


def _numbers(spec: str, there: int, name: str) -> list[int]:
    found: set[int] = set()
    for part in spec.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,6})\s*(?:-\s*([0-9]{1,6})\s*)?", part)
        if match is None:
            raise UserError("pages_range", Where(field="pages"), spec=spec[:80])
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= there:
            raise UserError("pages_outside", Where(name), spec=part.strip(), pages=there)
        found |= set(range(first, last + 1))
    return sorted(found)
