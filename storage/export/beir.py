"""The BEIR layout, and gold with its lineage: the decisions on each question and unit."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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
    path: Path, questions: Iterable[tuple[Question, bool]], parts: Mapping[str, str] | None = None
) -> None:
    """Write one line per (question, whether it has no provision), in the order given.

    `parts` gives the part of the split of each question; questions in no part get no field.
    """
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
                    **_split(question.external_id, parts),
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
            **_jurisdiction(passage),
        },
    }


def _augmented(question: Question) -> dict[str, str | tuple[str, ...]]:
    """Return the axes of a generated question; {} for any other."""
    columns = dict(question.columns)
    return columns if columns.get("origin") == AUGMENTED else {}


def _split(question_id: str, parts: Mapping[str, str] | None) -> dict[str, str]:
    """Return the ``split`` field of a question; {} where it is in no part."""
    return {"split": parts[question_id]} if parts and question_id in parts else {}


def _jurisdiction(of: Passage | Question) -> dict[str, str]:
    """Return the ``jurisdiction`` field; {} where it is unknown."""
    return {"jurisdiction": of.jurisdiction} if of.jurisdiction else {}


@dataclass(frozen=True, slots=True)
class GoldLine:
    """One unit that was judged for a question, or (`unit_id` None) that none is gold.

    `relevance` is the grade of a gold unit, and 0 of one that everybody rejected. `snapshot` is the
    law it was decided on, `corpus_snapshot` the law of the benchmark, in which the unit has the
    same text. `corpus_levels` are the levels that the benchmark's corpus holds, `searched` is
    whether the unit is in it, `has_text` whether with its text: None where there is no unit or it
    is not in. `citations` are the strings of the official answer that led to the unit, `reason` is
    the adjudicator's. `decisions` are all decisions on the question in order of time, as JSON
    values, each with its own ``label`` for this unit. `inherited_from` is the parent of a question
    made of an option: the decisions are the parent's. `split` is the part of the split that the
    question is in.
    """

    question_id: str
    unit_id: str | None
    relevance: int | None
    no_provision: bool
    outcome: str
    snapshot: SnapshotView
    corpus_snapshot: SnapshotView
    corpus_levels: tuple[str, ...]
    searched: bool | None
    has_text: bool | None
    citations: tuple[str, ...]
    reason: str
    decisions: tuple[Mapping[str, Any], ...]
    inherited_from: Mapping[str, Any] | None = None
    split: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the line as JSON values, in the order written."""
        return {
            "question_id": self.question_id,
            "unit_id": self.unit_id,
            "relevance": self.relevance,
            "no_provision": self.no_provision,
            "outcome": self.outcome,
            "snapshot": snapshot_as_dict(self.snapshot),
            "corpus_snapshot": snapshot_as_dict(self.corpus_snapshot),
            "corpus_levels": [str(level) for level in self.corpus_levels],
            "searched": self.searched,
            "has_text": self.has_text,
            "citations": list(self.citations),
            "reason": self.reason,
            "decisions": [dict(decision) for decision in self.decisions],
            **({"inherited_from": dict(self.inherited_from)} if self.inherited_from else {}),
            **({"split": self.split} if self.split else {}),
        }


def snapshot_as_dict(snapshot: SnapshotView) -> dict[str, str | None]:
    """Return a snapshot's identity outside this database: name, content hash, effective date."""
    return {
        "name": snapshot.name,
        "content_hash": snapshot.content_hash,
        "effective": snapshot.effective.isoformat() if snapshot.effective else None,
    }


def write_lineage(path: Path, lines: Iterable[GoldLine]) -> int:
    """Write the lines by ascending question and unit id; return their number."""
    ordered = sorted(lines, key=lambda line: (line.question_id, line.unit_id or ""))
    write_lines(path, (line.as_dict() for line in ordered))
    return len(ordered)
