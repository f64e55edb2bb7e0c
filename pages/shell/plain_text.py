"""Statute, question and answer text with marks, rendered as text and never as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from messages import say
from pages.shell.bundle import ELEMENTS, FOLD_SCRIPTS, FOLD_STYLE, joined
from pages.shell.context import language as chosen_language


def text_pieces(text: str, *layers: Sequence[tuple[int, int]]) -> list[list[Any]]:
    """Return ``[piece, bit mask of layers]``, cut wherever a span of a layer starts or ends.

    Returns ``[piece, bits]`` in order, bit i set where layer i covers the piece; the pieces
    concatenate to `text` exactly. Spans are character offsets, end exclusive; they may overlap,
    and what lies outside the text is ignored.
    """
    steps: dict[int, list[int]] = {}
    for index, spans in enumerate(layers):
        for start, end in spans:
            low, high = max(start, 0), min(end, len(text))
            if low < high:
                steps.setdefault(low, [0] * len(layers))[index] += 1
                steps.setdefault(high, [0] * len(layers))[index] -= 1
    depth, pieces, at = [0] * len(layers), [], 0
    for place in sorted({*steps, len(text)}):
        if place > at:
            pieces.append([text[at:place], sum(1 << i for i, d in enumerate(depth) if d > 0)])
            at = place
        for index, step in enumerate(steps.get(place, ())):
            depth[index] += step
    return pieces


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text with the same marks: names that ``plain_text.css`` has a style for."""

    text: str
    marks: tuple[str, ...] = ()


def split_by_marks(text: str, marks: Mapping[str, Sequence[tuple[int, int]]]) -> list[Span]:
    """Cut `text` where any mark starts or ends, so that marks may overlap.

    `marks` holds, per name, (start, end) character offsets, end exclusive; what lies outside the
    text is cut off. The spans concatenate to `text` exactly.
    """
    names = list(marks)
    return [
        Span(piece, tuple(name for bit, name in enumerate(names) if bits >> bit & 1))
        for piece, bits in text_pieces(text, *marks.values())
    ]


def plain_text(
    spans: str | Sequence[Span],
    key: str,
    tone: str = "body",
    language: str = "ko",
    height: int | None = None,
    scroll_to: tuple[int, int] | None = None,
    reached: bool = False,
) -> None:
    """Draw text with its line breaks and marks.

    `tone` is ``body``, ``lead`` or ``quiet``; `height` in pixels bounds it, and the rest is folded
    until expanded. `scroll_to` is the index of a span, and a number that changes with each request;
    such a text scrolls within its height instead. A `reached` text is a Tab stop: the first
    one in a scrolling box, so that keys can scroll it.
    """
    pieces = [Span(spans)] if isinstance(spans, str) else spans
    _component()(
        key=key,
        data={
            "spans": [asdict(span) for span in pieces],
            "tone": tone,
            "language": language,
            "height": height,
            "shown": scroll_to,
            "reached": reached,
            "words": fold_words(chosen_language()),
        },
    )


@cache
def _component() -> ComponentRenderer:
    """Register the component that draws plain text."""
    return st.components.v2.component(
        "touchstone_plain_text",
        html='<div class="plain-text-frame"></div>',
        css=joined((FOLD_STYLE, "shell/frontend/plain_text"), "css"),
        js=joined((ELEMENTS, *FOLD_SCRIPTS, "shell/frontend/plain_text"), "js"),
    )


def fold_words(language: str) -> dict[str, str]:
    """Return the labels of a folded text's button."""
    return {name: say(f"frame.ui.{name}", language) for name in ("expand", "collapse")}
