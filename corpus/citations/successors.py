"""Successors: which instruments took the place of one that is no more, one or several, since when.

A citation of such an instrument resolves to nothing, but its successors' places are candidates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.citations.model import (
    canonical_code,
    family,
    normal,
    plain_name,
    relative_title,
    without_code,
)
from errors import UserError, Where

if TYPE_CHECKING:
    from corpus.files.yaml_fields import Fields

KINDS = ("title", "code", "ending")
FILE = Path(__file__).parent / "successors.yaml"


@dataclass(frozen=True, slots=True)
class Succession:
    """What took the place of `former`: a title, the letters of a code or the ending of titles."""

    kind: str
    former: str
    to: tuple[str, ...]
    since: date | None = None

    def names(self, name: str, code: str) -> tuple[str, ...]:
        """Return what the instrument of that name and code is called now; nothing if not this."""
        if self.kind == "code":
            number = code.removeprefix(self.former)
            own = code.startswith(self.former) and number[:1].isdigit()
            return tuple(f"{letters} {number}" for letters in self.to) if own else ()
        if self.kind == "ending":
            title = without_code(plain_name(name)).strip(" ()[]")
            start = title.removesuffix(self.former)
            own = start != title and bool(start.strip())
            return tuple(start + ending for ending in self.to) if own else ()
        cited = family(name)
        own = cited.base == normal(self.former)
        return tuple(relative_title(title, cited.role) for title in self.to) if own else ()


@dataclass(frozen=True, slots=True)
class Successors:
    """All that is known of what was replaced."""

    entries: tuple[Succession, ...] = ()

    def of(self, name: str, code: str = "") -> tuple[tuple[str, ...], bool]:
        """Return what the instrument of that name or code is called now, and if it is a standard.

        Nothing for one that was not replaced. A code that is in use (NFTC) goes before the ending.
        """
        code = code or canonical_code(name)
        found = [(one.kind, names) for one in self.entries if (names := one.names(name, code))]
        if code and not any(kind == "code" for kind, _ in found):
            found = [(kind, names) for kind, names in found if kind != "ending"]
        each = dict.fromkeys(name for _, names in found for name in names)
        return tuple(each), any(kind != "title" for kind, _ in found)


@lru_cache(maxsize=1)
def shipped() -> Successors:
    """Return the successors that the product comes with."""
    from corpus.files.yaml_fields import Fields, read_value  # reads YAML

    content = read_value(FILE.read_text(encoding="utf-8"), FILE.name).content
    return read_successors(Fields(FILE.name, 1, content if isinstance(content, dict) else {}))


def read_successors(fields: Fields) -> Successors:
    """Return what stands under ``successors:``.

    Raises UserError, with the line, for an entry that names what was replaced in no way or in
    two, names no successor, or has an unknown field or a date that is none.
    """
    return Successors(tuple(_entries(fields)))


def _entries(fields: Fields) -> Iterator[Succession]:
    for row in fields.rows("successors"):
        row.only((*KINDS, "to", "since"))
        kinds = [kind for kind in KINDS if row.optional_text(kind)]
        to = tuple(text for text, _ in row.texts("to"))
        if len(kinds) != 1 or not to:
            raise UserError("successors_entry", Where(row.file, row.line))
        yield Succession(kinds[0], row.text(kinds[0]), to, row.day("since"))
