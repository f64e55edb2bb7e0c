"""The typology that a project starts from: `starter.yaml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "starter.yaml"


@cache
def starter() -> str:
    """Return the text of the starting typology."""
    return FILE.read_text(encoding="utf-8")
