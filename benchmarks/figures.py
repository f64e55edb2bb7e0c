"""A benchmark's figures: a table for people, one JSON object for scripts."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterable
from typing import Any

import numpy as np

from benchmarks.program import is_said
from evaluation.figure import Figure, bootstrap


def median_figure(name: str, values: list[float]) -> Figure:
    """Return the median of `values` with its bootstrap interval, which one value has not."""
    low, high = bootstrap(values, statistic=_medians) if len(values) > 1 else (None, None)
    return Figure(name, float(np.median(values)), len(values), low, high)


def _medians(resamples: np.ndarray[Any, np.dtype[np.float64]]) -> Any:
    return np.median(resamples, axis=1)


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
