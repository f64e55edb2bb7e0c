"""The written answers and pages that the tests of their readers share."""

from __future__ import annotations

from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures"


def fixture(name: str) -> str:
    """Return the text of ``tests/fixtures/<name>``."""
    return (FIXTURES / name).read_text(encoding="utf-8")
