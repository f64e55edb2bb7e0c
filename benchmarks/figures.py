"""Printing a benchmark's figures: a table for people, one JSON object for scripts."""

from __future__ import annotations

import json
from collections.abc import Iterable

from evaluation.figure import Figure


def print_figures(figures: Iterable[Figure], as_json: bool) -> None:
    """Print each figure as ``name value [interval] n=…``, or all as one JSON object."""
    figures = list(figures)
    if as_json:
        print(json.dumps({figure.name: figure.as_json() for figure in figures}))
        return
    for figure in figures:
        print(f"{figure.name:<36} {figure.text():<28} n={figure.n}")
