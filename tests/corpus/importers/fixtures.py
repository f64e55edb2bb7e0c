"""The written answers and pages that the tests of their readers share."""

from __future__ import annotations

from pathlib import Path

from corpus.importers.legalize_kr import parse
from corpus.model import Statute

FIXTURES = Path(__file__).parents[2] / "fixtures"


def fixture(name: str) -> str:
    """Return the text of ``tests/fixtures/<name>``."""
    return (FIXTURES / name).read_text(encoding="utf-8")


def parse_statute(text: str, file: str) -> Statute:
    """Return the statute of a text in the layout of legalize-kr."""
    return parse(text, file)[0]
