"""Printing a benchmark's figures: a table for people, one JSON object for scripts."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterable

from benchmarks.program import is_said
from evaluation.figure import Figure


def print_figures(figures: Iterable[Figure], options: Namespace) -> None:
    """Print each figure as ``name value [interval] n=…``, or all as one JSON object.

    Raises ValueError for a figure that the benchmark does not say it prints.
    """
    figures = list(figures)
    unsaid = [figure.name for figure in figures if not is_said(figure.name, options.prints)]
    if unsaid:
        raise ValueError(f"the benchmark does not say that it prints {', '.join(unsaid)}")
    if options.json:
        print(json.dumps({figure.name: figure.as_json() for figure in figures}))
        return
    for figure in figures:
        print(f"{figure.name:<36} {figure.text():<28} n={figure.n}")
