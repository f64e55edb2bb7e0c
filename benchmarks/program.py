"""What every benchmark's command line has in common.

A benchmark makes its parser before it imports what it measures, so that ``--help`` is answered at
once, and says there which figures it prints.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("TOUCHSTONE_SHARED", ROOT.parent / "shared")) / "data"
"""Where real data lies beside the checkout."""
PRINTS = "Prints: "


def program(doc: str | None, prints: str) -> argparse.ArgumentParser:
    """Return the parser of a benchmark with its module's docstring, to add options to.

    `prints` are the names of its figures, which are the keys under ``--json``, with spaces between
    them; ``*`` stands for anything. Empty for a program that prints no figures.
    """
    parser = argparse.ArgumentParser(
        description=doc,
        epilog=f"{PRINTS}{prints}" if prints else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
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
