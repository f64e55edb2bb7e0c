"""A benchmark: documents, queries and judgments as its files have them, nothing mended.

Ids and texts are as written, so that an audit can see what is wrong with them; whoever brings a
benchmark into a project composes and checks them (`corpus.importers`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Record:
    """A document or a query, with its place and the fields of its row."""

    id: str
    text: str
    title: str
    file: str
    line: int
    fields: Mapping[str, Any] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Judgment:
    """A document's grade for a query, in a split; a listing without grades grades 1."""

    query: str
    document: str
    grade: float
    split: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that cannot be read, or only in part; `reason` names why.

    ``not_utf8``, ``not_json``, ``not_object``, ``no_id``, ``no_text``, ``no_grade``, ``broken``.
    """

    file: str
    line: int
    reason: str


Rows = Callable[[list[Fault]], Iterator[Record]]


@dataclass(frozen=True, slots=True)
class Part:
    """The documents or the queries of a benchmark: each iteration reads them again, by lines."""

    files: tuple[str, ...]
    read: Rows = field(repr=False)

    def __iter__(self) -> Iterator[Record]:
        return self.read([])

    def __bool__(self) -> bool:
        return bool(self.files)


@dataclass(frozen=True)
class Benchmark:
    """A benchmark in a folder or file. `layout` names how it is laid out.

    `home` is the folder, or the file itself, below which files are named. `judge` yields its
    judgments, into a list of faults. `card` are the fields at the top of its
    README.md, None without that file; `files` all files of the folder, by name. `unread` has the
    first fault of each file whose rows cannot be told.
    """

    name: str
    home: Path
    layout: str
    documents: Part
    queries: Part
    judge: Callable[[list[Fault]], Iterator[Judgment]] = field(repr=False)
    judged: tuple[str, ...] = ()
    card: Mapping[str, Any] | None = None
    files: tuple[str, ...] = ()
    unread: tuple[Fault, ...] = ()

    @cached_property
    def judgments(self) -> tuple[Judgment, ...]:
        """Its judgments, in the order of the files."""
        return tuple(self.judge([]))
