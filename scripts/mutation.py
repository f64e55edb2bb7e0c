"""Measure the bite of the tests: ``python -m scripts.mutation [--number N] [--seed N] [--json]``.

Draws changes of single places in the product (cosmic-ray's operators: another comparison, number
or operator, a condition turned round, a loop left out), makes each in a copy of the repository,
and runs the tests near to it. A change that no test notices survives, and is printed.

Tests are near that import the module, or a module that imports it, or lie in its room's folder.
Rooms count by their code lines. Changes that nobody can see are not drawn: of annotations, of
classes' decorators (frozen, slots), of the number behind `or` for an id that is there.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.provider import OperatorProvider

from evaluation.figure import wilson
from scripts.size import ROOT, code_lines, tracked

ROOMS = ("retrieval", "evaluation", "annotation", "storage", "construction", "llm")
SECONDS = 600  # longest run of the tests of one change; one that takes longer is noticed
_IMPORTED = re.compile(r"^\s*(?:from ([\w.]+) import ([^\n(]+|\([^)]*\))|import ([\w.]+))", re.M)


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change: the module's path, the line, and its operator's occurrence in the module."""

    path: str
    line: int
    operator: str
    occurrence: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the tests made of a change; `tests` is how many files were run, 0: none is near."""

    mutation: Mutation
    killed: bool
    tests: int
    change: str


class _Bare(ast.NodeTransformer):
    """Drops annotations and the decorators of classes, which change nothing that a user sees."""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.decorator_list = []
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        last = node.values[-1]
        if (
            isinstance(node.op, ast.Or)
            and isinstance(last, ast.Constant)
            and type(last.value) is int
        ):
            last.value = 0  # `row.id or 0`: of a stored row it is never used
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)


def mutations_of(path: str) -> dict[int, list[Mutation]]:
    """Return the changes that can be made in a module, by the line where they begin."""
    found: dict[int, list[Mutation]] = defaultdict(list)
    tree = get_ast((ROOT / path).read_text(encoding="utf-8"))
    provider = OperatorProvider()
    for name in provider:
        if provider[name].arguments():
            continue
        operator, occurrence = provider[name](), 0
        for node in ast_nodes(tree):
            for (line, _), _ in operator.mutation_positions(node):
                found[line].append(Mutation(path, line, name, occurrence))
                occurrence += 1
    return found


def mutated(mutation: Mutation) -> str | None:
    """Return the module's text with the change; None where it changes nothing that runs."""
    source = (ROOT / mutation.path).read_text(encoding="utf-8")
    text = mutate_code(source, OperatorProvider()[mutation.operator](), mutation.occurrence)
    same = text is None or ast.dump(_bare(text)) == ast.dump(_bare(source))
    return None if same else text


def draw(number: int, seed: int, rooms: Sequence[str] = ROOMS) -> list[Mutation]:
    """Draw changes: a module by its code lines, then one of its lines, then one of its changes."""
    drawing = random.Random(seed)
    paths = [str(file.relative_to(ROOT)) for room in rooms for file in tracked(f"{room}/*.py")]
    weights = [code_lines((ROOT / path).read_text(encoding="utf-8")) for path in paths]
    of, drawn = cache(mutations_of), list[Mutation]()
    while len(drawn) < number:
        lines = of(drawing.choices(paths, weights)[0])
        if not lines:
            continue
        mutation = drawing.choice(lines[drawing.choice(sorted(lines))])
        if mutation not in drawn and mutated(mutation) is not None:
            drawn.append(mutation)
    return drawn


def near_tests(path: str) -> list[str]:
    """Return the test files that import a module, those that do through another, its room's."""
    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    users = _imports()[name]
    direct = {user for user in users if user.startswith("tests/")}
    through = {
        test
        for user in users - direct
        for test in _imports()[user.removesuffix(".py").replace("/", ".")]
    }
    folder = f"tests/{path.rpartition('/')[0]}"
    rings = [direct, {test for test in through if test.startswith("tests/")} - direct]
    room = {str(file.relative_to(ROOT)) for file in tracked(f"{folder}/*.py")}
    rings.append(room.difference(*rings))
    return [test for ring in rings for test in sorted(ring) if "/test_" in test]


@cache
def _imports() -> dict[str, set[str]]:
    """Return module → the files that import it."""
    users: dict[str, set[str]] = defaultdict(set)
    for file in tracked("*.py"):
        for package, names, module in _IMPORTED.findall(file.read_text(encoding="utf-8")):
            parts = [f"{package}.{name}" for name in re.findall(r"\w+", names)]
            for imported in (module, package, *parts):
                users[imported].add(str(file.relative_to(ROOT)))
    return users


def _bare(source: str) -> ast.AST:
    """Parse a source without docstrings and annotations."""
    return _Bare().visit(ast.parse(source))  # type: ignore[no-any-return]


def attempt(mutation: Mutation, copy: Path) -> Outcome:
    """Make a change in a copy of the repository, run the tests near to it, and undo it."""
    target, tests = copy / mutation.path, near_tests(mutation.path)
    before, after = target.read_text(encoding="utf-8"), mutated(mutation) or ""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "", "", "", "", 0, "")
    change = "\n".join(line for line in lines if line[:3] not in ("---", "+++") and line[0] in "-+")
    target.write_text(after, encoding="utf-8")
    try:
        return Outcome(mutation, bool(tests) and not _passes(tests, copy), len(tests), change)
    finally:
        target.write_text(before, encoding="utf-8")


def _passes(tests: Sequence[str], copy: Path) -> bool:
    """Return True if the tests pass in the copy."""
    options = ("-x", "-q", "--no-header", "-p", "no:cacheprovider", "-m", "not e2e")
    shared = os.environ.get("TOUCHSTONE_SHARED", str(ROOT.parent / "shared"))
    try:
        run = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "pytest", *options, *tests],
            cwd=copy,
            env={**os.environ, "TOUCHSTONE_SHARED": shared, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def outcomes(mutations: Sequence[Mutation], processes: int) -> Iterator[Outcome]:
    """Yield what the tests make of each change, `processes` at a time, in order."""
    with tempfile.TemporaryDirectory() as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(processes):
            copies.put(_copied(Path(folder) / str(number)))

        def tried(mutation: Mutation) -> Outcome:
            """Test one mutation in a free copy."""
            copy = copies.get()
            try:
                return attempt(mutation, copy)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(processes) as pool:
            yield from pool.map(tried, mutations)


def _copied(folder: Path) -> Path:
    """Copy the repository."""
    for file in tracked("*"):
        target = folder / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    return folder


def main() -> None:
    """Print every change that survives, and the share that was noticed with its interval."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--number", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rooms", nargs="+", default=ROOMS)
    parser.add_argument("--json", action="store_true", help="print figures and survivors as JSON")
    asked = parser.parse_args()
    survivors, killed = [], 0
    for outcome in outcomes(draw(asked.number, asked.seed, asked.rooms), asked.processes):
        killed += outcome.killed
        if not outcome.killed:
            survivors.append(outcome)
            at, tests = f"{outcome.mutation.path}:{outcome.mutation.line}", outcome.tests
            line = f"{at} survives ({tests} test files)\n{outcome.change}"
            print(line, file=sys.stderr)  # noqa: T201
    low, high = wilson(killed, asked.number)
    share = killed / asked.number
    figures = {"mutations": asked.number, "killed": share, "interval": [low, high]}
    everything = json.dumps({**figures, "survivors": [asdict(one) for one in survivors]})
    line = f"Killed {killed} of {asked.number}: {share:.3f} [{low:.3f}, {high:.3f}]"
    print(everything if asked.json else line)  # noqa: T201


if __name__ == "__main__":
    main()
