"""Write the table of benchmarks/README.md from the benchmarks: what each asks and what it prints.

The words before the table are written by hand, in the page.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "benchmarks"
TARGET = FOLDER / "README.md"
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
    """Return the page benchmarks/README.md with its table anew."""
    rows = []
    for benchmark in benchmarks():
        keys = ", ".join(f"`{key}`" for key in benchmark.prints) or NO_FIGURES
        rows.append(f"| `{benchmark.name}` | {benchmark.summary} | {keys} |\n")
    words, rule, _ = TARGET.read_text(encoding="utf-8").partition("| --- | --- | --- |\n")
    return words + rule + "".join(rows)


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
