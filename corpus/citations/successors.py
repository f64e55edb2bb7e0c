"""Successors: the instruments that replaced a repealed one, one or several, since when.

A citation of such an instrument does not resolve, but its successors' places are candidates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from corpus.citations.model import (
    canonical_code,
    family,
    normal,
    plain_name,
    relative_title,
    without_code,
)
from corpus.files.declarations import Day, Declared, Text, Texts, fault, read_declaration
from corpus.limits import FACTOR_BOOK

KINDS = ("title", "code", "ending")
FILE = Path(__file__).parent / "successors.yaml"


@dataclass(frozen=True, slots=True)
class Succession(Declared):
    """The replacement of `former`: a title, the letters of a code or the ending of titles."""

    title: Text = ""
    code: Text = ""
    ending: Text = ""
    to: Texts = ()
    since: Day | None = None

    @model_validator(mode="after")
    def _check_kind(self) -> Self:
        """Raise a fault unless one of title, code and ending is given, and a successor."""
        if sum(map(bool, (self.title, self.code, self.ending))) != 1 or not self.to:
            raise fault("successors_entry")
        return self

    @property
    def kind(self) -> str:
        """The kind of `former`: title, code or ending."""
        return next(kind for kind in KINDS if getattr(self, kind))

    @property
    def former(self) -> str:
        """The replaced title, code or ending."""
        return self.title or self.code or self.ending

    def names(self, name: str, code: str) -> tuple[str, ...]:
        """Return the instrument's current names, given its name and code; () if not this one."""
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
class Successors(Declared):
    """All known replacements."""

    entries: Annotated[tuple[Succession, ...], Field(alias="successors")] = ()

    def of(self, name: str, code: str = "") -> tuple[tuple[str, ...], bool]:
        """Return an instrument's current names, () if not replaced; whether it is a standard.

        A code in use (NFTC) takes precedence over the ending.
        """
        code = code or canonical_code(name)
        found = [(one.kind, names) for one in self.entries if (names := one.names(name, code))]
        if code and not any(kind == "code" for kind, _ in found):
            found = [(kind, names) for kind, names in found if kind != "ending"]
        each = dict.fromkeys(name for _, names in found for name in names)
        return tuple(each), any(kind != "title" for kind, _ in found)


@lru_cache(maxsize=1)
def shipped() -> Successors:
    """Return the packaged successors."""
    return read_successors(FILE.read_text(encoding="utf-8"), FILE.name)


def read_successors(text: str, file: str | None = None) -> Successors:
    """Parse the entries under ``successors:``.

    Raises UserError, with the line, for an entry that names the replaced instrument in no way or in
    two, names no successor, or has an unknown field or an invalid date.
    """
    return read_declaration(Successors, text, file, limit=FACTOR_BOOK, empty="parallel_empty")
