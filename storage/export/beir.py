"""The BEIR layout, and gold with its lineage: the decisions on each question and unit."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from corpus.model import Question
from storage.law.corpus import SnapshotView
from storage.law.passages import Passage

Qrels = Mapping[str, Mapping[str, int]]
AUGMENTED = "augmented"  # the origin of generated and curated questions
QRELS_HEADER = ("query-id", "corpus-id", "score")


def write_corpus(path: Path, passages: Iterable[Passage]) -> None:
    """Write one line per passage, in the order given: _id, title, text, metadata."""
    write_lines(path, map(_document, passages))


def write_queries(
    path: Path, questions: Iterable[tuple[Question, bool]], parts: Mapping[str, str] | None
) -> None:
    """Write one line per (question, whether it has no provision), in the order given.

    `parts` gives the part of the split of each question; questions in no part get no field.
    """
    parts = parts or {}
    write_lines(
        path,
        (
            {
                "_id": question.external_id,
                "text": question.text,
                "metadata": {
                    "language": question.language,
                    "no_provision": no_provision,
                    **_jurisdiction(question),
                    **_augmented(question),
                    **({"split": parts[name]} if (name := question.external_id) in parts else {}),
                },
            }
            for question, no_provision in questions
        ),
    )


def write_qrels(path: Path, qrels: Qrels) -> None:
    """Write the judgements by ascending query and unit id, tab-separated under a header."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        rows.writerow(QRELS_HEADER)
        for query, units in sorted(qrels.items()):
            rows.writerows((query, unit, relevance) for unit, relevance in sorted(units.items()))


def write_lines(path: Path, objects: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object per line, Hangul as itself, keys in the order given."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for each in objects:
            file.write(json.dumps(each, ensure_ascii=False) + "\n")


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects that :func:`write_lines` wrote."""
    with path.open(encoding="utf-8", newline="\n") as file:
        yield from map(json.loads, file)


def _document(passage: Passage) -> dict[str, Any]:
    """Return a unit as a BEIR document."""
    return {
        "_id": passage.unit_id,
        "title": passage.title,
        "text": passage.text,
        "metadata": {
            "statute_id": passage.statute_id,
            "statute": passage.statute,
            "kind": passage.kind,
            "tier": passage.tier,
            "level": passage.level,
            "label": passage.label,
            "heading": passage.heading,
            "path": list(passage.path),
            "effective": passage.effective and passage.effective.isoformat(),
            **_jurisdiction(passage),
        },
    }


def _augmented(question: Question) -> dict[str, str | tuple[str, ...]]:
    """Return the columns of a generated question, its axes among them; {} for any other."""
    columns = dict(question.columns)
    return columns if columns.get("origin") == AUGMENTED else {}


def _jurisdiction(of: Passage | Question) -> dict[str, str]:
    """Return the ``jurisdiction`` field; {} where it is unknown."""
    return {"jurisdiction": of.jurisdiction} if of.jurisdiction else {}


def snapshot_as_dict(snapshot: SnapshotView) -> dict[str, str | None]:
    """Return a snapshot's identity outside this database: name, content hash, effective date."""
    return {
        "name": snapshot.name,
        "content_hash": snapshot.content_hash,
        "effective": snapshot.effective.isoformat() if snapshot.effective else None,
    }


def write_lineage(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write the lines by ascending ``question_id`` and ``unit_id``."""
    write_lines(path, sorted(lines, key=lambda line: (line["question_id"], line["unit_id"] or "")))
