"""What `benchmarks/cases_tagging.py` measures on."""

from __future__ import annotations

from benchmarks.cases_tagging import LENGTH, long_body


def test_the_judgments_are_as_long_as_said() -> None:
    text = "\n".join(("판결", *long_body()))
    assert LENGTH - 200 < len(text) <= LENGTH + 10
