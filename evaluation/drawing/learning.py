"""Figure of a learning curve: loss on the left, share of correct first tokens on the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.drawing.canvas import PLAIN, Look, drawn, plain, quiet

Series = Mapping[str, Sequence[tuple[float, float]]]
"""Points (pairs read, value) of each series by its name."""


def learning_figure(
    loss: Series, first: Series, words: tuple[str, str, str], look: Look = PLAIN
) -> bytes:
    """Return the training loss and the share of correct first tokens, by pairs read, as a file.

    Without points of `first`, the share, the loss alone.

    `words` are the axis labels: pairs read, loss, correct first tokens.
    """
    panels = [(loss, words[1], None)] + ([(first, words[2], (0.0, 1.0))] if first else [])

    def draw(paper: Any) -> None:
        every = paper.subplots(1, len(panels), squeeze=False)[0]
        for axes, (series, name, span) in zip(every, panels, strict=True):
            for place, (label, points) in enumerate(series.items()):
                colour = look.theme.series[place % len(look.theme.series)]
                axes.plot(*zip(*points, strict=True), label=plain(label), color=colour)
            quiet(axes, look.theme, "y")
            axes.set_xlabel(plain(words[0]))
            axes.set_ylabel(plain(name))
            if span:
                axes.set_ylim(*span)
            axes.legend(frameon=False)

    return drawn((4.2 * len(panels), 3.0), look, draw)
