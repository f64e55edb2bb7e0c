"""Reader of a published benchmark as law and questions, with its labels: `corpus.benchmarks` tells.

Documents of SearchFireSafety and RegOps-Bench are read as the statutes they are, all others as
BEIR's: a unit each, of one collection or of the statute that the id names. What cannot come in is
left out and counted by its reason.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpus.benchmarks.model import Benchmark, Fault
from corpus.benchmarks.model import Record as Published
from corpus.benchmarks.reading import FIELDS_TOLD, read_benchmark
from corpus.files.rows import RowReader
from corpus.importers.beir import (
    OWN_FIELDS,
    document_record,
    hash_of,
    hash_of_files,
    question_of,
    unit_id,
)
from corpus.importers.registry import detect, read_statutes
from corpus.importers.statutes.records import Notes, Record, assemble
from corpus.long_work import Progress
from corpus.model import Question, Statute, slug, split_id
from errors import UserError
from normalization import composed_value

_NATIVE = ("searchfiresafety", "regops")
_TOLD = (*OWN_FIELDS, *FIELDS_TOLD)
_VERSIONS = ("version", "release", "dataset_version")


@dataclass(slots=True)
class LeftOut:
    """What of a benchmark does not come in: counts by reason, and the first of each in words."""

    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)

    def add(self, reason: str, where: str) -> None:
        """Count one thing, at a place or in the words of an error."""
        self.counts[reason] += 1
        self.first.setdefault(reason, where)

    def add_faults(self, faults: Iterable[Fault]) -> None:
        """Count faults by their reason."""
        for each in faults:
            self.add(each.reason, f"{each.file}:{each.line}")


@dataclass(frozen=True, slots=True)
class Adopted:
    """A benchmark's law and questions; `name` has its release, `sha256` is of all files read.

    Of a folder it is that of the names and hashes of the files, as ``sha256sum`` writes them.
    """

    name: str
    sha256: str
    statutes: tuple[Statute, ...]
    questions: tuple[Question, ...]
    left_out: LeftOut


def read_adopted(path: Path, release: str, progress: Progress | None) -> Adopted:
    """Read the benchmark in a folder or file; without `release`, its version is the one it states.

    Raises UserError for what is no benchmark, and for documents that make no law.
    """
    found, left_out = read_benchmark(path), LeftOut()
    native, name, statutes = _native(found), slug(found.name) or "corpus", tuple[Statute, ...]()
    if native is not None:
        statutes = read_statutes(native, progress=progress)[1].statutes
    elif found.documents:
        statutes = assemble(_documents(found, name, left_out), Notes(), progress).statutes
    collection = "" if native or not found.documents else name
    version = " ".join((release or _version(found)).split())
    return Adopted(
        name=f"{found.name} {version}".strip(),
        sha256=_hash(found),
        statutes=statutes,
        questions=tuple(_questions(found, collection, left_out)),
        left_out=left_out,
    )


def _native(found: Benchmark) -> Path | None:
    """Return the file of documents that a format of statutes reads by itself, None without one.

    Its ids name a statute and a place: of others the format would make ids that no label has.
    """
    first = next(iter(found.documents), None)
    if len(found.documents.files) != 1 or not found.home.is_dir():
        return None
    if first is None or not all(split_id(first.id)):
        return None
    file = found.home / found.documents.files[0]
    try:
        return file if detect(file) in _NATIVE else None
    except UserError:
        return None


def _documents(found: Benchmark, name: str, left_out: LeftOut) -> Iterator[Record]:
    """Yield the documents, each id once; `name` is the collection's."""
    faults, seen = list[Fault](), set[str]()
    for each in found.documents.read(faults):
        if each.id in seen:
            left_out.add("document_repeated", f"{each.file}:{each.line}: {each.id}")
        elif each.id:
            seen.add(each.id)
            yield document_record(_row(each, title=each.title), name)
    left_out.add_faults(faults)


def _row(each: Published, **more: str) -> RowReader:
    """Return a row as BEIR has it."""
    fields = {**each.fields, "_id": each.id, "text": each.text, **more}
    return RowReader(each.file, each.line, fields)


def _questions(found: Benchmark, collection: str, left_out: LeftOut) -> Iterator[Question]:
    """Yield the questions with the grades that the judgments give; each id once."""
    judged = _grades(found, collection, left_out)
    faults, seen, kept = list[Fault](), set[str](), set[str]()
    for each in found.queries.read(faults):
        if each.id in seen:
            left_out.add("question_repeated", f"{each.file}:{each.line}: {each.id}")
            continue
        seen.add(each.id)
        try:
            question = question_of(_row(each), judged.get(each.id, {}), _TOLD)
        except UserError as error:
            if each.id:  # without an id it is among the faults
                left_out.add(error.code, error.render())
        else:
            kept.add(each.id)
            yield question
    left_out.add_faults(faults)
    for query in sorted(judged.keys() - kept):
        for document in judged[query]:
            left_out.add("judged_question_missing", f"{query}: {document}")


def _grades(found: Benchmark, collection: str, left_out: LeftOut) -> dict[str, dict[str, int]]:
    """Return query → unit → whole grade; a pair graded twice keeps its first grade."""
    grades: dict[str, dict[str, int]] = {}
    faults = list[Fault]()
    for each in found.judge(faults):
        place = f"{each.file}:{each.line}: {each.query} {each.document}"
        if each.grade != int(each.grade):
            left_out.add("grade_not_whole", f"{place} {each.grade}")
            continue
        unit = unit_id(collection, each.document) if collection else each.document
        known = grades.setdefault(each.query, {}).setdefault(unit, int(each.grade))
        if known != each.grade:
            left_out.add("graded_twice", place)
    if found.judged != found.queries.files:  # else they are counted as questions
        left_out.add_faults(faults)
    return grades


def _version(found: Benchmark) -> str:
    """Return the version that a benchmark states: in ``release.json``, or on its card."""
    said: Mapping[str, Any] = found.card or {}
    try:
        told = composed_value(json.loads((found.home / "release.json").read_text("utf-8")))
        said = told if isinstance(told, dict) else said
    except (OSError, ValueError, RecursionError):
        pass
    return next((str(said[name]) for name in _VERSIONS if said.get(name)), "")


def _hash(found: Benchmark) -> str:
    """Return the SHA-256 of the benchmark's files that are read."""
    if not found.home.is_dir():
        return hash_of(found.home)
    names = sorted({*found.documents.files, *found.queries.files, *found.judged})
    return hash_of_files(found.home, [found.home / name for name in names])
