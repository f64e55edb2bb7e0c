"""What the viewer of factor tagging is told of a court case, as plain JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.tagging.case_views import Progress, Suggested, own_case
from annotation.work.queue_service import ItemView
from construction.tagging.codebook import Factor, SubFactor
from corpus.cases.model import JudgmentPart, Section
from storage.db.workspace import Workspace


def fixed_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return the judgment in its sections, what is asked of it, and what models suggest by now."""
    found = own_case(ws, person_id, item)
    case = found.case
    return {
        "title": case.title,
        "court": case.court,
        "date": case.date,
        "charges": list(case.charges),
        "provisions": list(case.provisions),
        "language": case.language,
        "text": case.text,
        "parts": parts(case.text, case.parts),
        "groups": [[key, name[language]] for key, name in found.groups.items()],
        "subs": [_sub(factor, sub, language) for factor, subs in found.asked for sub in subs],
        "suggestions": found.setting,
        "suggestedAtAll": found.anything_suggested,
        "suggested": suggested_part(found.suggestions),
        "counts": {field: dict(counts) for field, counts in found.counts.items()},
    }


def parts(text: str, found: Iterable[JudgmentPart]) -> list[list[Any]]:
    """Return [section, start, end] that cover the text; what is in no section is ``rest``.

    White space between two sections belongs to the first of them.
    """
    told: list[list[Any]] = []
    at = 0
    full = [each for each in found if each.start < each.end]
    for part in sorted(full, key=lambda each: (each.start, each.end)):
        if part.start > at and text[at : part.start].strip():
            told.append([str(Section.REST), at, part.start])
        elif told and part.start > at:
            told[-1][2] = part.start
        if max(at, part.start) < part.end:
            told.append([str(part.section), max(at, part.start), part.end])
            at = part.end
    if text[at:].strip():
        told.append([str(Section.REST), at, len(text)])
    return told


def suggested_part(told: Mapping[str, Iterable[Suggested]]) -> dict[str, list[dict[str, Any]]]:
    """Return suggestions by sub-factor."""
    return {key: [_suggestion(each) for each in rows] for key, rows in told.items()}


def progress_part(rows: Iterable[Progress], language: str) -> list[list[Any]]:
    """Return [sub-factor, factor's name, its name, cases done, cases that ask it]."""
    return [
        [row.sub.key, row.factor.label[language], row.sub.label[language], row.done, row.asked]
        for row in rows
    ]


def _sub(factor: Factor, sub: SubFactor, language: str) -> dict[str, Any]:
    return {
        "key": sub.key,
        "label": sub.label[language],
        "help": sub.help[language],
        "factorKey": factor.key,
        "factor": factor.label[language],
        "options": [
            {"key": each.key, "label": each.label[language], "help": each.help[language]}
            for each in sub.options
        ],
        "claim": sub.claim,
        "required": sub.required,
        "exclusive": sub.exclusive,
        "when": {other: list(options) for other, options in sub.when.items()},
    }


def _suggestion(each: Suggested) -> dict[str, Any]:
    return {
        "model": each.model,
        "state": each.state,
        "options": list(each.options),
        "quote": each.quote,
        "start": each.start,
        "end": each.end,
    }
