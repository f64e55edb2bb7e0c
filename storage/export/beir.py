"""The BEIR layout: ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/test.tsv``."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from corpus.model import Question
from storage.law.passages import Passage

Qrels = Mapping[str, Mapping[str, int]]
QRELS_HEADER = ("query-id", "corpus-id", "score")


def write_corpus(path: Path, passages: Iterable[Passage]) -> None:
    """Write one line per passage, in the order given: _id, title, text, metadata."""
    write_lines(path, map(_document, passages))


def write_queries(path: Path, questions: Iterable[tuple[Question, bool]]) -> None:
    """Write one line per (question, whether it has no provision), in the order given."""
    write_lines(
        path,
        (
            {
                "_id": question.external_id,
                "text": question.text,
                "metadata": {"language": question.language, "no_provision": no_provision},
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


def _document(passage: Passage) -> dict[str, Any]:
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
        },
    }
