"""What a measure is, in a line for the head of its column."""

from __future__ import annotations

from evaluation.ranking.measures import parse_measure
from pages.shell.context import Context


def measure_help(context: Context, key: str, interval: bool = True) -> str:
    """Return what the measure `key` is; with `interval` also what stands in brackets."""
    measure = parse_measure(key)
    cut = measure.cutoff
    these = context.say("measure.whole") if cut is None else context.say("measure.first", k=cut)
    said = context.say(f"measure.of.{measure.name}", these=these)
    return f"{said} {context.say('measure.interval')}" if interval else said
