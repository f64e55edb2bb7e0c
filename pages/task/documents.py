"""What a viewer is told of its task's guideline and codebook: text, options, what is new."""

from __future__ import annotations

from typing import Any

from annotation.guidelines.builtin_documents import IN_YAML
from annotation.guidelines.codebook_tree import Option, parse
from annotation.guidelines.documents import text_of
from corpus.compare.diff import diff
from messages import say
from pages.task.guideline_text import around, guideline_blocks
from storage.db.workspace import Workspace


def options_of(ws: Workspace, person_id: int, task: str, language: str) -> tuple[Option, ...]:
    """Return the options of the task's codebook that stand in no factor."""
    if task in IN_YAML:
        return ()
    return parse(text_of(ws, person_id, "codebook", task, language).text, task).options


def guideline_part(
    ws: Workspace, person_id: int, task: str, begun_under: tuple[str, str], language: str
) -> dict[str, Any]:
    """Return the guideline, what its options mean, and what changed since a draft was begun."""
    guideline = text_of(ws, person_id, "guideline", task, language)
    options = options_of(ws, person_id, task, language)
    told: dict[str, Any] = {
        "version": guideline.version,
        "blocks": guideline_blocks(guideline.text),
        "options": [[option.label[language], option.meaning[language]] for option in options],
        "meanings": {option.key: option.meaning[language] for option in options},
        "changes": [],
    }
    if begun_under[0]:
        number = int(begun_under[0].partition("-")[0])
        old = text_of(ws, person_id, "guideline", task, language, number).text
        told["since"] = say("documents.since", language, number=number)
        told["note"] = guideline.note
        told["changes"] = [
            [str(each.kind), each.text] for each in around(diff(old, guideline.text))
        ]
    return told
