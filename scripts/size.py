"""Print how large the repository is: ``python scripts/size.py [--json] [--log FILE]``.

Lines of code are those of all Python but the tests, without docstrings, blanks, comments and
imports. Lines of tests, JavaScript and CSS are counted as they are.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

if not __package__:  # run as a script: the root comes first, and this folder goes
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from messages import catalogue

ROOT = Path(__file__).resolve().parent.parent

_NOT_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}
_SECONDS = re.compile(r"^=+ .*\bin (\d+(?:\.\d+)?)s\b", re.MULTILINE)  # the last line of pytest


def code_lines(source: str) -> int:
    """Count the lines of a module that hold code: no docstrings, blanks, comments or imports."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NOT_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in _passed_over(ast.parse(source)):
        lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def tracked(*patterns: str) -> list[Path]:
    """Return the files of the repository whose paths match, as git knows them."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--", *patterns]
    told = subprocess.run(command, capture_output=True, check=True, text=True)  # noqa: S603
    return [ROOT / name for name in told.stdout.split("\0") if name and (ROOT / name).exists()]


def suite_seconds(log: str) -> float | None:
    """Return how long `make test` took by its log, that of its longest run; None if unended."""
    return max(map(float, _SECONDS.findall(log)), default=None)


def size(log: Path | None = None) -> dict[str, float | None]:
    """Return every figure by its name; `log` is what `make test` printed."""
    product = tracked("*.py", ":!tests/")
    figures: dict[str, float | None] = {
        "code_lines": sum(code_lines(file.read_text(encoding="utf-8")) for file in product),
        "modules": len(product),
        "test_lines": sum(map(_lines, tracked("tests/*.py"))),
        "js_lines": sum(map(_lines, tracked("*.js", "*.css", ":!tests/", ":!docs/"))),
        "strings": len(catalogue()),
    }
    if log is not None:
        figures["suite_seconds"] = suite_seconds(log.read_text(encoding="utf-8"))
    return figures


def _passed_over(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements that count as no code: docstrings and imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant):
            continue  # a call, say: texts that stand alone are docstrings, and `...` is no code
        if isinstance(node, ast.Expr | ast.Import | ast.ImportFrom):
            yield node


def _lines(file: Path) -> int:
    """Count the lines of a file."""
    return file.read_text(encoding="utf-8").count("\n")


def main() -> None:
    """Print the figures, one a line or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--log", type=Path, help="what `make test` printed")
    chosen = parser.parse_args()
    figures = size(chosen.log)
    lines = [f"{name:13} {value:>9,}" for name, value in figures.items() if value is not None]
    print(json.dumps(figures) if chosen.json else "\n".join(lines))  # noqa: T201


if __name__ == "__main__":
    main()
