"""Figures of a release: its parts, its corpus, agreement, and changes since another."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.gold.derivation import GoldItem
from errors import UserError, Where
from evaluation.figure import Figure
from evaluation.reports.report import Chart, Kind, Report, Section, Shape, Word, Words
from messages import say
from normalization.grouping import nested
from services.gold.datasheet import AGREEMENT
from services.gold.export import ExportData
from storage.export.beir import read_lines
from storage.export.datasheet import Datasheet

_KINDS = {"per_question": Kind.SECONDS, "reason": Kind.NOTE}
Gold = Mapping[str, Mapping[str | None, int | None]]
"""Question → unit → grade; the unit None, without a grade, where no provision answers."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier release: what it said of itself, its questions and its gold."""

    about: Mapping[str, Any]
    questions: Mapping[str, str]
    gold: Gold

    @classmethod
    def read(cls, folder: Path) -> Earlier:
        """Read an earlier release from its folder. Raises UserError if it cannot be read."""
        try:
            about = json.loads((folder / "release.json").read_text("utf-8"))
            asked = {each["_id"]: each["text"] for each in read_lines(folder / "queries.jsonl")}
            gold = nested(
                (line["question_id"], line["unit_id"], line["relevance"])
                for line in read_lines(folder / "gold.jsonl")
                if line["relevance"] != 0
            )
            texts = {name: said for name, said in about.items() if isinstance(said, str)}
            authors = tuple(map(str, about.get("authors", ())))
            return cls(texts | {"authors": authors}, asked, gold)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise UserError("release_unreadable", Where(str(folder))) from error


def changes(data: ExportData, before: Earlier, language: str = "en") -> list[dict[str, Any]]:
    """Return the changes since an earlier release, by question, as rows of the report.

    Each is added, changed, reworded or withdrawn. Of a question that is gold the reason is that of
    its last decision, of one withdrawn why it is pending.
    """
    words = Words("release_report", language)
    items = {item.external_id: item for item in data.gold.items}
    now: dict[str, Mapping[Any, int | None]] = {
        name: data.gold.qrels[name] or {None: None} for name in items
    }
    found = []
    for name in sorted({*now, *before.gold}):
        one, other = before.gold.get(name), now.get(name)
        kind = "withdrawn" if other is None else "added" if one is None else "changed"
        if one == other:
            if name not in items or items[name].question == before.questions.get(name):
                continue
            kind = "reworded"
        row = {
            "question": name,
            "change": words.word(kind, "change_"),
            "before": ", ".join(sorted(unit or "" for unit in one or ())) or None,
            "after": ", ".join(sorted(unit or "" for unit in other or ())) or None,
            "reason": _reason(items.get(name), data.pending.get(name), language),
        }
        found.append(row)
    return found


def _reason(item: GoldItem | None, pending: Sequence[str] | None, language: str) -> str:
    """Explain why a question has its gold, or is no longer gold."""
    if item is not None:
        last = next(reversed(item.lineage), None)
        said = "" if last is None else f"{last.at:%Y-%m-%d} {last.reason or last.comment}"
        return f"{_outcome(item.outcome, language).text} {said}".strip()
    if pending is None:
        return say("release_report.gone", language)
    return ", ".join(say(f"gold.reason.{each}", language) for each in pending)


def _outcome(outcome: str, language: str) -> Word:
    """Return the display name of an outcome."""
    return Word(outcome, say(f"gold.outcomes.{outcome}", language))


def release_report(
    data: ExportData, facts: Datasheet, before: Earlier | None, language: str = "en"
) -> Report:
    """Return the figures of a release, and if `before` is given, the changes since."""
    words = Words("release_report", language, kinds=_KINDS)
    sections = [_parts(data, words), _outcomes(data, words), _corpus(data, words)]
    sections.append(_agreement(facts, words))
    if before is not None:
        sections.append(_changes(data, before, words))
    counts = {
        "questions": len(data.gold.items),
        "none": sum(item.no_provision for item in data.gold.items),
        "pairs": sum(len(item.units) for item in data.gold.items),
        "corpus": len(data.corpus),
    }
    lead = words("lead", **{name: f"{count:,}" for name, count in counts.items()})
    return Report("release", words("title"), tuple(sections), lead, facts=counts)


def _parts(data: ExportData, words: Words) -> Section:
    """Return questions and judgements by part of the split; "–" for questions in no part."""
    of = {} if data.split is None else data.split.parts
    part_of = {
        item.external_id: "test" if data.split is None else of.get(item.external_id, "")
        for item in data.gold.items
    }
    names = [*data.qrels_by_part, *([""] if "" in part_of.values() else [])]
    qrels = data.qrels
    rows = []
    for part in names:
        here = [item for item in data.gold.items if part_of[item.external_id] == part]
        grades = [grade for i in here for grade in qrels.get(i.external_id, {}).values()]
        answered, relevant = sum(not e.no_provision for e in here), len(grades) - grades.count(0)
        row = {
            "part": words.word(part or "none", "parts_of."),
            "answered": answered,
            "no_answer": len(here) - answered,
            "relevant": relevant,
            "rejected": grades.count(0),
            "per_question": relevant / answered if answered else None,
        }
        rows.append(row)
    none = sum(item.no_provision for item in data.gold.items)
    outside = data.searched.outside
    notes = (words("outside", count=outside.pairs),) if outside.pairs else ()
    chart = Chart(Shape.STACK, ("part",), ("answered", "no_answer"))
    lead = words("parts_lead", count=none) if none else ""
    return words.section("parts", "parts", rows, lead, chart, notes)


def _outcomes(data: ExportData, words: Words) -> Section:
    """Count the questions of the release by outcome."""
    counts = Counter(item.outcome for item in data.gold.items)
    rows = [
        {"outcome": _outcome(outcome, words.language), "questions": n}
        for outcome, n in sorted(counts.items())
    ]
    chart = Chart(Shape.STACK, ("outcome",), ("questions",))
    return words.section("outcomes", "outcomes", rows, chart=chart)


def _corpus(data: ExportData, words: Words) -> Section:
    """Return the documents of the corpus by level."""
    counts = Counter(passage.level for passage in data.corpus)
    texts = Counter(each.level for each in data.corpus if data.texts[each.unit_id])
    rows = [
        {"level": str(level), "with_text": texts[level], "without_text": n - texts[level]}
        for level, n in sorted(counts.items())
    ]
    chart = Chart(Shape.STACK, ("level",), ("with_text", "without_text"))
    return words.section("corpus", "corpus", rows, chart=chart)


def _agreement(facts: Datasheet, words: Words) -> Section:
    """Return the agreement of the people who decided, as the datasheet has it."""
    rows = []
    for name, said in facts.labelling.get(AGREEMENT, {}).items():
        figure = Figure(name, said["value"], said["n"], *(said["95 % interval"] or ()))
        rows.append({"measure": name, "agreement": figure})
    chart = Chart(Shape.FOREST, ("measure",), ("agreement",), zero=True)
    return words.section("agreement", "agreement", rows, chart=chart)


def _changes(data: ExportData, before: Earlier, words: Words) -> Section:
    """Return the changes since an earlier release, each with its reason."""
    rows = changes(data, before, words.language)
    counts = Counter(row["change"].value for row in rows)
    kinds = {kind: f"{counts[kind]:,}" for kind in ("added", "changed", "reworded", "withdrawn")}
    lead = words("changes_lead", version=str(before.about.get("version", "")), **kinds)
    return words.section("changes", "changes", rows, lead)
