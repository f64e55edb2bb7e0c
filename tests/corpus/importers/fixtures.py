"""The written answers and pages that the tests of their readers share."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from corpus.importers.legalize_kr import parse, read_tree
from corpus.model import Statute, Unit, split_id

FIXTURES = Path(__file__).parents[2] / "fixtures"


@cache
def law_of(folder: Path) -> tuple[Statute, ...]:
    """Return the real law of a folder, which is read once in a process."""
    return tuple(read_tree(folder))


def fixture(name: str) -> str:
    """Return the text of ``tests/fixtures/<name>``."""
    return (FIXTURES / name).read_text(encoding="utf-8")


def by_place(statute: Statute) -> dict[str, Unit]:
    """Return the units of a statute by the place half of their ids."""
    return {split_id(unit.semantic_id)[1]: unit for unit in statute.units}


def parse_statute(text: str, file: str) -> Statute:
    """Return the statute of a text in the layout of legalize-kr."""
    return parse(text, file)[0]
