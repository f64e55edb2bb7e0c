"""docs/release.md: each tool loads a release of the sample by its lines, with our figures."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from benchmarks.release import LOADERS, agrees, lines_of_page, load, prepared

LINES = lines_of_page()
TOOLS = ("datasets", "mteb", "ir_datasets", "ir_measures", "ranx", "beir", "mlcroissant")


def test_the_page_has_two_or_three_lines_for_each_tool() -> None:
    assert tuple(LINES) == TOOLS
    assert {len(ast.parse(lines).body) for lines in LINES.values()} == {2, 3}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, float]]:
    folder = tmp_path_factory.mktemp("released")
    return folder, prepared(folder)


@pytest.mark.skipif(
    not LOADERS.exists(), reason="the tools that load a release are absent: make setup-loaders"
)
@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_loads_the_release_by_its_lines(
    sample: tuple[Path, dict[str, float]], tool: str
) -> None:
    folder, known = sample
    said = load(tool, LINES[tool], folder)
    assert said and agrees(tool, said, known), (said, known)
