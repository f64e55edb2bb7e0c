"""Viewer data about the guideline and codebook: text, options, changes.

Parser of guideline Markdown into headings, points and paragraphs, never HTML.

Reads the subset of Markdown that guidelines use: ``# title``, ``## heading``, ``1. point``, ``-
point``, ``**strong**`` and ``*strong*``; everything else is plain text.

Display names of form fields and their answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.adjudication.dispute_state import judged_under
from annotation.forms.disputes import Dispute
from annotation.forms.form import product_form
from annotation.guidelines.codebook_tree import Option, parse
from annotation.guidelines.documents import IN_YAML, KINDS, Text, text_of, text_under
from annotation.tagging.codebook import labels_of
from annotation.tasks.own import spec_of
from corpus.compare.diff import DiffKind, Piece, diff
from messages import catalogue, say
from pages.shell.context import Context
from pages.shell.plain_text import Span
from storage.db.workspace import Workspace
from storage.tasks import OWN, Task

_STRONG = re.compile(r"\*\*(.+?)\*\*|(?<![\w*])\*(?=[^\s*])([^*]*[^\s*])\*(?!\*)")
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_POINT = re.compile(r"(?:(\d+)\.|([-*]))\s+(.*)", re.DOTALL)
_CUT = re.compile(r"\n\s*\n|\n(?=\s*(?:\d+\.|[-*]|#{1,6})\s)")
_AFTER_HEADING = re.compile(r"^(#{1,6}\s.*)\n(?=\S)", re.MULTILINE)


def guideline_blocks(markdown: str) -> list[dict[str, Any]]:
    """Return the guideline's blocks, each with its ``[text, is strong]`` pieces.

    `kind` is title, heading, point (with its `number`, or ``•``) or paragraph.
    """
    chunks = _CUT.split(_AFTER_HEADING.sub(r"\1\n\n", markdown.strip()))
    return [_block(text) for chunk in chunks if (text := " ".join(chunk.split()))]


def guideline_spans(markdown: str) -> list[Span]:
    """Return the guideline as marked text, for screens without a viewer."""
    spans: list[Span] = []
    for block in guideline_blocks(markdown):
        if spans:
            spans.append(Span("\n" if block["kind"] == "point" else "\n\n"))
        if block["number"]:
            dot = "" if block["number"] == "•" else "."
            spans.append(Span(f"{block['number']}{dot} ", ("point",)))
        large = () if block["kind"] in ("point", "paragraph") else (block["kind"],)
        for text, strong in block["pieces"]:
            spans.append(Span(text, (*large, "strong") if strong else large))
    return spans


def around(pieces: Sequence[Piece], lines: int = 2) -> list[Piece]:
    """Return a diff with `lines` lines of context around changes; omissions become ``⋯``."""
    last = len(pieces) - 1
    return [
        Piece(piece.kind, _ends(piece.text, lines * (at > 0), lines * (at < last)))
        if piece.kind is DiffKind.SAME
        else piece
        for at, piece in enumerate(pieces)
    ]


def _ends(text: str, head: int, tail: int) -> str:
    """Return the first and last lines of a text, with ``⋯`` for lines omitted between."""
    rows = text.splitlines(keepends=True)
    if len(rows) <= head + tail + 3:  # replacing so few would save nothing
        return text
    # The line that a change begins or ends in is not counted: it is seldom complete.
    start, end = rows[: head + bool(head)], rows[len(rows) - tail - bool(tail) :]
    return "".join([*start, "⋯\n", *(end if tail else [])])


def _block(text: str) -> dict[str, Any]:
    """Parse a block of Markdown: title, heading, point or paragraph."""
    number, kind = "", "paragraph"
    if heading := _HEADING.fullmatch(text):
        kind, text = "title" if heading[1] == "#" else "heading", heading[2]
    elif point := _POINT.fullmatch(text):
        kind, number, text = "point", point[1] or "•", point[3]
    return {"kind": kind, "number": number, "pieces": _pieces(text)}


def _pieces(text: str) -> list[list[Any]]:
    """Split a text into plain and strong pieces."""
    found: list[list[Any]] = []
    at = 0
    for strong in _STRONG.finditer(text):
        found += [[text[at : strong.start()], False], [strong[1] or strong[2], True]]
        at = strong.end()
    return [piece for piece in [*found, [text[at:], False]] if piece[0]]


def options_of(ws: Workspace, person_id: int, task: str, language: str) -> tuple[Option, ...]:
    """Return the options of the task's codebook; () for a factor codebook and for an own task."""
    if task in IN_YAML or task.startswith(OWN):
        return ()
    return parse(text_of(ws, person_id, "codebook", task, language).text, task).options


def guideline_part(
    ws: Workspace, person_id: int, task: str, begun_under: tuple[str, str], language: str
) -> dict[str, Any]:
    """Return the guideline, the meanings of its options, and changes since the draft began."""
    guideline = text_of(ws, person_id, "guideline", task, language)
    options = options_of(ws, person_id, task, language)
    told = _told_guideline(guideline, options, language)
    told["meanings"] = {option.key: option.meaning[language] for option in options}
    if begun_under[0]:
        number = int(begun_under[0].partition("-")[0])
        old = text_of(ws, person_id, "guideline", task, language, number).text
        told["since"] = say("documents.since", language, number=number)
        told["note"] = guideline.note
        changes = around(diff(old, guideline.text))
        told["changes"] = [[str(each.kind), each.text] for each in changes]
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
    declared = task in IN_YAML or task.startswith(OWN)
    options = () if declared else parse(codebook.text, task).options
    labels = {option.key: option.label[language] for option in options}
    return {
        **_told_guideline(guideline, options, language),
        "under": _version_note(context, task, guideline, known.get("guideline", ())),
        "asked": _disputed_factors(entry, language) if task in IN_YAML else None,
        "tick": [labels.get("accept", ""), labels.get("reject", "")],
    }


def _told_guideline(guideline: Text, options: Sequence[Option], language: str) -> dict[str, Any]:
    """Return a guideline with the options of its codebook as the viewer's data."""
    return {
        "version": guideline.version,
        "blocks": guideline_blocks(guideline.text),
        "options": [[option.label[language], option.meaning[language]] for option in options],
        "changes": [],
    }


def _version_note(context: Context, task: str, text: Text, versions: Sequence[str]) -> str:
    """Return a note on which version is shown of those a case was judged under, "" if none."""
    if not versions:
        return ""
    newest, *others = versions
    if text.version != newest:
        return context.say("adjudication.guide.text_unknown", judged=newest, version=text.version)
    if others:
        told = {"version": newest, "others": ", ".join(others)}
        return context.say("adjudication.guide.judged_several", **told)
    now = text_of(context.workspace, context.person.id, "guideline", task, context.language)
    words = "judged" if now.version == newest else "judged_before"
    return context.say(f"adjudication.guide.{words}", version=newest)


def _disputed_factors(entry: Dispute | None, language: str) -> list[list[str]]:
    """Return the label and the meanings of each disputed sub-factor."""
    places = entry.places if entry else {}
    asked = []
    for _, sub in (places[key] for key in (entry.causes if entry else ()) if key in places):
        lines = [f"{option.label[language]}: {option.help[language]}" for option in sub.options]
        asked.append([sub.label[language], "\n".join([sub.help[language], *lines])])
    return asked


def answer_names(context: Context, task: str) -> dict[str, str]:
    """Return display names: fields by key, answers by ``<field>.<answer>``; {} for mapping."""
    if task == Task.CITATION_MAPPING:
        return {}
    if task == Task.FACTOR_TAGGING:
        return labels_of(context.workspace, context.project, context.language)
    if task.startswith(OWN):
        return spec_of(context.workspace, context.person.id, task).names
    fields = [key for key in catalogue() if key.startswith("forms.field.")]
    answers = [key for key in catalogue() if key.startswith("forms.answer.")]
    names = {key.rpartition(".")[2]: context.say(key) for key in fields}
    names |= {
        f"{field}.{key.rpartition('.')[2]}": context.say(key)
        for field in tuple(names)
        for key in answers
    }
    coded, where = product_form(Task(task)).coded, (context.workspace, context.person.id, task)
    options = options_of(*where, context.language)
    return names | {f"{coded}.{option.key}": option.label[context.language] for option in options}


def answer_name(names: Mapping[str, str], name: str) -> str:
    """Return the display name of a field, or of field and answer for ``<field>.<answer>``."""
    field, _, answer = name.partition(".")
    called = names.get(field, field)
    not_stated = names.get(answer, answer)
    return f"{called}: {names.get(name, not_stated)}" if answer else called
