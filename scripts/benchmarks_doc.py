"""Write benchmarks/README.md from the benchmarks themselves: what each asks and what it prints."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "benchmarks"
TARGET = FOLDER / "README.md"
HEAD = """# Benchmarks

Each runs as `python -m benchmarks.NAME` from the checkout; `--help` says what it measures and what
it takes. With `--json` it prints one JSON object, whose keys stand below (`*` stands for anything);
each value is a figure: `value`, `n`, and `ci`, its 95 % interval, or null. This page is written by
`python scripts/benchmarks_doc.py`.

| Benchmark | What it says | What it prints |
| --- | --- | --- |
"""
NO_FIGURES = "no figures"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A program among the benchmarks: its name, its first line, and the keys that it prints."""

    name: str
    summary: str
    prints: tuple[str, ...]


def benchmarks() -> list[Benchmark]:
    """Return every program of the folder, by name. What they share makes no parser."""
    found = []
    for path in sorted(FOLDER.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            match node:
                case ast.Assign(
                    targets=[ast.Name("PARSER")],
                    value=ast.Call(args=[_, ast.Constant(value=str(prints))]),
                ):
                    summary = (ast.get_docstring(tree) or "").split("\n")[0]
                    found.append(Benchmark(path.stem, summary, tuple(prints.split())))
    return found


def render() -> str:
    """Return the whole page."""
    rows = []
    for benchmark in benchmarks():
        keys = ", ".join(f"`{key}`" for key in benchmark.prints) or NO_FIGURES
        rows.append(f"| `{benchmark.name}` | {benchmark.summary} | {keys} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
