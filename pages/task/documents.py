"""Viewer data about the guideline and codebook: text, options, changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.adjudication.judged_under import judged_under
from annotation.adjudication.tasks import Dispute
from annotation.guidelines.builtin_documents import IN_YAML, KINDS
from annotation.guidelines.codebook_tree import Option, parse
from annotation.guidelines.documents import Text, text_of, text_under
from corpus.compare.diff import diff
from messages import say
from pages.shell.context import Context
from pages.task.guideline_text import around, guideline_blocks
from storage.db.workspace import Workspace


def options_of(ws: Workspace, person_id: int, task: str, language: str) -> tuple[Option, ...]:
    """Return the options of the task's codebook that belong to no factor."""
    if task in IN_YAML:
        return ()
    return parse(text_of(ws, person_id, "codebook", task, language).text, task).options


def guideline_part(
    ws: Workspace, person_id: int, task: str, begun_under: tuple[str, str], language: str
) -> dict[str, Any]:
    """Return the guideline, the meanings of its options, and changes since the draft began."""
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


def judged_part(context: Context, task: str, entry: Dispute | None) -> dict[str, Any]:
    """Return the guideline and codebook that a case was judged under, by default the current ones.

    `under` names that version, `asked` describes the disputed sub-factors of a factor codebook,
    `tick` is what ticking a provision and leaving it unticked mean.
    """
    language, who = context.language, (context.workspace, context.person.id)
    known = {} if entry is None else judged_under(*who, entry.item_id)
    guideline, codebook = (
        text_under(*who, kind, task, language, next(iter(known.get(kind, ())), ""))
        for kind in KINDS
    )
    options = () if task in IN_YAML else parse(codebook.text, task).options
    labels = {option.key: option.label[language] for option in options}
    return {
        "version": guideline.version,
        "under": _under(context, task, guideline, known.get("guideline", ())),
        "blocks": guideline_blocks(guideline.text),
        "options": [[option.label[language], option.meaning[language]] for option in options],
        "asked": _disputed_factors(entry, language) if task in IN_YAML else None,
        "tick": [labels.get("accept", ""), labels.get("reject", "")],
        "changes": [],
    }


def _under(context: Context, task: str, shown: Text, versions: Sequence[str]) -> str:
    """Return a note on which version is shown of those a case was judged under, "" if none."""
    if not versions:
        return ""
    newest, *others = versions
    if shown.version != newest:
        return context.say("adjudication.guide.text_unknown", judged=newest, version=shown.version)
    if others:
        told = {"version": newest, "others": ", ".join(others)}
        return context.say("adjudication.guide.judged_several", **told)
    now = text_of(context.workspace, context.person.id, "guideline", task, context.language)
    words = "judged" if now.version == newest else "judged_before"
    return context.say(f"adjudication.guide.{words}", version=newest)


def _disputed_factors(entry: Dispute | None, language: str) -> list[list[str]]:
    """Return the label and the meanings of each disputed sub-factor."""
    places: Mapping[str, Any] = getattr(entry, "places", {})
    asked = []
    for _, sub in (places[key] for key in (entry.causes if entry else ()) if key in places):
        lines = [f"{option.label[language]}: {option.help[language]}" for option in sub.options]
        asked.append([sub.label[language], "\n".join([sub.help[language], *lines])])
    return asked
