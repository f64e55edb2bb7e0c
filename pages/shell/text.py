"""Text cut into pieces on the server, because browsers count UTF-16 units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def text_pieces(text: str, *layers: Sequence[tuple[int, int]]) -> list[list[Any]]:
    """Cut `text` wherever a span of a layer starts or ends.

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
