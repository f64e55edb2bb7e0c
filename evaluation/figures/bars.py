"""Bars of a chart: figures under the names of their groups."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.figure import Figure


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure under the label of its group, in the colour of its series."""

    group: str
    series: str
    figure: Figure
