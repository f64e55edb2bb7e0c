"""What the checks of an audit read: a benchmark in memory, its ids, gold and groups of twins."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from unicodedata import normalize

from corpus.benchmarks.model import Benchmark, Fault, Judgment, Record
from corpus.long_work import Progress, check_stop
from normalization.grouping import grouped
from services.audit.near_duplicates import Twins, twins

_OTHER = re.compile(r"[\W_]+")
CARD_FIELDS = ("license", "language", "task_categories", "size_categories", "pretty_name")
EVERY_PART = ("queries", "documents", "judgments")
_NO_ANSWER = ("no_provision", "no_answer")


@dataclass(frozen=True, slots=True)
class Case:
    """One place where a check found something: file and line, ids, and the words that show it."""

    place: str
    id: str
    other: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A check: its name in the catalogue, how grave its findings are, and what it looks through.

    `of` names what is counted (documents, queries, judgments, files); without one of `needs` in
    the benchmark it is not run.
    """

    name: str
    severity: str
    of: str
    find: Callable[[Material], Iterable[Case]]
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """A document or a query as the checks read it."""

    id: str
    text: str
    title: str
    place: str
    answer: str
    no_answer: bool
    split: str
    statute: str

    @property
    def whole(self) -> str:
        """Title and text."""
        return f"{self.title} {self.text}" if self.title else self.text


@dataclass
class Material:
    """A benchmark in memory. `documents` and `queries` are in the order of its files."""

    benchmark: Benchmark
    documents: list[Text]
    queries: list[Text]
    judgments: list[Judgment]
    faults: list[Fault]
    progress: Progress | None
    rankings: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, benchmark: Benchmark, progress: Progress | None = None) -> Material:
        """Read a benchmark's documents, queries and judgments into memory."""
        faults = list(benchmark.unread)
        documents = list(_texts(benchmark.documents.read(faults)))
        queries = list(_texts(benchmark.queries.read(faults)))
        judgments = list(_once(benchmark.judge(faults)))
        known = dict.fromkeys(faults)  # queries that list their gold are read twice
        return cls(benchmark, documents, queries, judgments, list(known), progress)

    @cached_property
    def document_of(self) -> dict[str, Text]:
        """The first document of each id."""
        return _firsts(self.documents)

    @cached_property
    def query_of(self) -> dict[str, Text]:
        """The first query of each id."""
        return _firsts(self.queries)

    @cached_property
    def grades(self) -> Mapping[str, dict[str, float]]:
        """Query → document → its highest grade, of whatever split."""
        found: dict[str, dict[str, float]] = defaultdict(dict)
        for each in self.judgments:
            known = found[each.query].get(each.document)
            found[each.query][each.document] = max(
                each.grade, each.grade if known is None else known
            )
        return found

    @cached_property
    def gold(self) -> dict[str, list[str]]:
        """Query → the documents that are judged relevant; no query without one."""
        found = {q: [d for d, grade in of.items() if grade > 0] for q, of in self.grades.items()}
        return {query: documents for query, documents in found.items() if documents}

    @cached_property
    def splits(self) -> dict[str, set[str]]:
        """Query → the splits in which it is judged, or that its row names."""
        found: dict[str, set[str]] = defaultdict(set)
        for each in self.judgments:
            found[each.query].update([each.split] if each.split else [])
        for text in self.queries:
            if text.split and text.id not in found:
                found[text.id].add(text.split)
        return found

    @cached_property
    def document_twins(self) -> Twins:
        """The groups of documents that are the same or nearly so."""
        return twins([folded(each.text) for each in self.documents], 5, 0.8)

    @cached_property
    def query_twins(self) -> Twins:
        """The groups of queries that are the same or nearly so."""
        return twins([folded(each.text) for each in self.queries], 3, 0.7)

    def count(self, kind: str) -> int:
        """Return the size of a part: documents, queries, judgments, texts, ids, files or card."""
        if kind in ("texts", "ids"):
            return len(self.documents) + len(self.queries)
        if kind == "files":
            return len(self.benchmark.files)
        if kind == "card":
            return len(CARD_FIELDS)
        return len(getattr(self, kind))


def _texts(records: Iterator[Record]) -> Iterator[Text]:
    """Yield documents or queries with their fields and places."""
    for number, each in enumerate(records):
        if number % 1000 == 0:
            check_stop()
        fields = each.fields
        more = fields.get("metadata")
        fields = {**fields, **more} if isinstance(more, dict) else fields
        said = {name: fields.get(name) for name in ("answer", "split", "statute", "law_name")}
        texts = {name: value if isinstance(value, str) else "" for name, value in said.items()}
        yield Text(
            each.id,
            each.text,
            each.title,
            f"{each.file}:{each.line}",
            texts["answer"],
            any(fields.get(name) is True for name in _NO_ANSWER),
            texts["split"],
            texts["statute"] or texts["law_name"],
        )


def _once(judgments: Iterable[Judgment]) -> Iterator[Judgment]:
    """Yield the judgments without those that a file only copies from another."""
    known: dict[tuple[str, str, float], dict[str, str]] = {}
    for each in sorted(judgments, key=lambda each: not each.split):
        files = known.setdefault((each.query, each.document, each.grade), {})
        if each.split or not files or each.file in files.values():
            copied = files.setdefault(each.split, each.file) != each.file
            if not copied:
                yield each


def _firsts(texts: Iterable[Text]) -> dict[str, Text]:
    """Map ids to their first text."""
    return {key: same[0] for key, same in grouped((each.id, each) for each in texts).items()}


def folded(text: str) -> str:
    """Return the letters and digits of a text, composed for comparison, in lower case."""
    return _OTHER.sub("", normalize("NFKC", text)).casefold()
