"""Run a benchmark: its input checked, its figures as a table for people or as JSON for scripts."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.program import is_said
from errors import UserError
from evaluation.figure import Figure, bootstrap


class UnmeasurableError(ValueError):
    """The input is absent, or too little for what is to be measured; the message says it."""


def run(
    parser: ArgumentParser,
    measured: Callable[[Namespace, Path], Iterable[Figure]],
    arguments: Sequence[str] | None = None,
) -> int:
    """Print the figures that `measured` makes of the options and an empty folder.

    Returns the exit code: 2 for input that is absent, too little or cannot be read.
    """
    options = parser.parse_args(arguments)
    try:
        with TemporaryDirectory() as folder:
            print_figures(measured(options, Path(folder)), options)
    except UserError as error:
        print(error.render(), file=sys.stderr)
        return 2
    except UnmeasurableError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def need(options: Namespace, *names: str) -> None:
    """Raise UnmeasurableError if one of these options names a path that is not there."""
    for name in names:
        path = getattr(options, name)
        if path is not None and not path.exists():
            raise UnmeasurableError(f"--{name}: there is no {path}")


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
