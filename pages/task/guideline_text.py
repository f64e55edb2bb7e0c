"""Parser of guideline Markdown into headings, points and paragraphs, never HTML.

Reads the subset of Markdown that guidelines use: ``# title``, ``## heading``, ``1. point``, ``-
point``, ``**strong**`` and ``*strong*``; everything else is plain text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from corpus.compare.diff import DiffKind, Piece
from pages.shell.plain_text import Span

_STRONG = re.compile(r"\*\*(.+?)\*\*|(?<![\w*])\*(?=[^\s*])([^*]*[^\s*])\*(?!\*)")
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_POINT = re.compile(r"(?:(\d+)\.|([-*]))\s+(.*)", re.DOTALL)
_CUT = re.compile(r"\n\s*\n|\n(?=\s*(?:\d+\.|[-*]|#{1,6})\s)")
_AFTER_HEADING = re.compile(r"^(#{1,6}\s.*)\n(?=\S)", re.MULTILINE)


def guideline_blocks(markdown: str) -> list[dict[str, Any]]:
    """Return the guideline's blocks, each with its ``[text, is strong]`` pieces.

    `kind` is title, heading, point (with its `number`, or ``•``) or paragraph.
    """
    blocks = []
    for chunk in _CUT.split(_AFTER_HEADING.sub(r"\1\n\n", markdown.strip())):
        text = " ".join(chunk.split())
        if text:
            blocks.append(_block(text))
    return blocks


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
    found = []
    for at, piece in enumerate(pieces):
        if piece.kind is DiffKind.SAME:
            first, last = at == 0, at == len(pieces) - 1
            kept = _ends(piece.text, 0 if first else lines, 0 if last else lines)
            piece = Piece(DiffKind.SAME, kept)
        found.append(piece)
    return found


def _ends(text: str, head: int, tail: int) -> str:
    """Return the first and last lines of a text, with ``⋯`` for lines omitted between."""
    rows = text.splitlines(keepends=True)
    if len(rows) <= head + tail + 3:  # replacing so few would save nothing
        return text
    # The line that a change begins or ends in is not counted: it is seldom complete.
    start, end = rows[: head + bool(head)], rows[len(rows) - tail - bool(tail) :]
    return "".join([*start, "⋯\n", *(end if tail else [])])


def _block(text: str) -> dict[str, Any]:
    number, kind = "", "paragraph"
    if heading := _HEADING.fullmatch(text):
        kind, text = "title" if heading[1] == "#" else "heading", heading[2]
    elif point := _POINT.fullmatch(text):
        kind, number, text = "point", point[1] or "•", point[3]
    return {"kind": kind, "number": number, "pieces": _pieces(text)}


def _pieces(text: str) -> list[list[Any]]:
    found: list[list[Any]] = []
    at = 0
    for strong in _STRONG.finditer(text):
        found += [[text[at : strong.start()], False], [strong[1] or strong[2], True]]
        at = strong.end()
    return [piece for piece in [*found, [text[at:], False]] if piece[0]]
