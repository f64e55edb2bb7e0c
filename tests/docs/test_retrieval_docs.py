"""The page on retrieval says what there is, and its examples can be run."""

from __future__ import annotations

import re

from construction.experiments.reading import parse
from retrieval.core.registry import METHODS
from retrieval.core.spec_file import parse_spec
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "retrieval.md").read_text(encoding="utf-8")


def test_every_method_has_its_row() -> None:
    rows = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    described = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert set(METHODS) <= described


def test_the_examples_can_be_read() -> None:
    spec, experiment = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert parse_spec(spec)["of"][1]["dimensions"] == 300
    assert len(parse(experiment).lines) == 27
