"""What every benchmark has in common: its command line, and its figures as a table or as JSON.

A benchmark makes its parser before it imports what it measures, so that ``--help`` is answered at
once, and says there which figures it prints.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Sequence
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from errors import UserError

if TYPE_CHECKING:
    from evaluation.figure import Figure

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("TOUCHSTONE_SHARED", ROOT.parent / "shared")) / "data"
"""Where real data lies beside the checkout."""
PRINTS = "Prints: "


def program(doc: str | None, prints: str) -> ArgumentParser:
    """Return the parser of a benchmark with its module's docstring, to add options to.

    `prints` are the names of its figures, which are the keys under ``--json``, with spaces between
    them; ``*`` stands for anything. Empty for a program that prints no figures.
    """
    parser = ArgumentParser(
        description=doc,
        epilog=f"{PRINTS}{prints}" if prints else None,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.set_defaults(prints=prints)
    if prints:
        parser.add_argument("--json", action="store_true", help="print JSON only")
    return parser


def is_said(name: str, prints: str) -> bool:
    """Whether the figure is one of those that a benchmark says it prints."""
    patterns = (re.escape(each).replace(r"\*", ".*") for each in prints.split())
    return any(re.fullmatch(pattern, name) for pattern in patterns)


def several(known: Sequence[str]) -> Callable[[str], tuple[str, ...]]:
    """Return the reader of an option that names some of these, with commas between them."""

    def names(written: str) -> tuple[str, ...]:
        named = {each.strip() for each in written.split(",")}
        if not named <= set(known):
            raise ValueError(f"there are {', '.join(known)}")
        return tuple(each for each in known if each in named)

    return names


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


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return how long the work takes by that clock."""
    began = clock()
    work()
    return clock() - began


def apart(work: Callable[..., object], *arguments: object) -> None:
    """Do some work in a process of its own, so that memory is its own; end where it fails."""
    process = get_context("spawn").Process(target=work, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(process.exitcode)


def median_figure(name: str, values: Sequence[float]) -> Figure:
    """Return the median of `values` with its bootstrap interval, which one value has not."""
    return _quantile(name, values, 0.5)


def p95_figure(name: str, values: Sequence[float]) -> Figure:
    """Return what 95 of 100 `values` do not exceed, with its bootstrap interval."""
    return _quantile(name, values, 0.95)


def _quantile(name: str, values: Sequence[float], share: float) -> Figure:
    import numpy as np

    from evaluation.figure import Figure, bootstrap

    low, high = None, None
    if len(values) > 1:
        low, high = bootstrap(values, statistic=lambda drawn: np.quantile(drawn, share, axis=1))
    return Figure(name, float(np.quantile(values, share)), len(values), low, high)


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
