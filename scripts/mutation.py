"""Measure the bite of the tests: ``python -m scripts.mutation [--number N] [--seed N] [--json]``.

Draws changes of single places in the product (cosmic-ray's operators: another comparison, number
or operator, a condition turned round, a loop left out), makes each in a copy of the repository,
and runs the tests that ran its line. A change that no test notices survives, and is printed.

Which tests run which lines is recorded first, by one run of the whole suite without a browser; it
is kept in the folder of `--covered` and taken from there again. Rooms count by their code lines.
Changes that nobody can see are not drawn: of annotations, of classes' decorators (frozen, slots),
of `abstractmethod`, protocols and caches, of what only a type checker reads, of the number behind
`or` for an id that is there, of `strict` of zip, of rows handled at once, of a digest's length, of
a file's indent, of how arguments are given, of `is` for `==` where both are the same; nor a named
number of 20 or more by one, which a test could only repeat.
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
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.provider import OperatorProvider
from coverage import CoverageData

from evaluation.figure import wilson
from scripts.size import ROOT, code_lines, tracked

ROOMS = ("retrieval", "evaluation", "annotation", "storage", "construction", "llm")
PLANNED = 60  # seconds of tests for one change, as they took when they were recorded
SECONDS = 600  # longest run of them: a change that makes them last longer is noticed
FIRST = 25  # tests that run alone first: most changes are noticed by them
LARGE = 20  # from here on, a named number by one is not drawn
_EQUAL: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Is: ast.Eq, ast.IsNot: ast.NotEq}
_LISTS = "tests/inventory/"  # of what the product declares
_UNSEEN = frozenset({"abstractmethod", "cache", "lru_cache"})  # decorators
_SIZE = re.compile(r"_([A-Z_]+_)?(AT_ONCE|BATCH)")


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change: the module's path, the line, and its operator's occurrence in the module."""

    path: str
    line: int
    operator: str
    occurrence: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What `tests` tests made of a change; `killer` is the first that failed, "" if none did."""

    mutation: Mutation
    killer: str
    tests: int
    change: str


class _Bare(ast.NodeTransformer):
    """Drops what changes nothing that a user sees: annotations, decorators of classes, sizes …"""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.decorator_list = []
        shape = any(ast.unparse(base).startswith("Protocol") for base in node.bases)
        return ast.Pass() if shape else self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        name = ast.unparse(node.targets[0])
        if _SIZE.fullmatch(name):
            node.value = ast.Constant(None)
        elif name.isupper():  # `MOST = 100`, `LEAST, MOST = 40, 6_000`
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            for value in values:
                if isinstance(value, ast.Constant) and type(value.value) is int:
                    value.value = min(value.value, LARGE)
        return self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        last = node.values[-1]
        number = last.operand if isinstance(last, ast.UnaryOp) else last  # -1
        known = isinstance(number, ast.Constant) and type(number.value) is int
        if isinstance(node.op, ast.Or) and known:
            node.values[-1] = ast.Constant(0)  # `row.id or 0`: of a stored row it is never used
        return self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        right = node.comparators[-1]
        number = isinstance(right, ast.Constant) and not isinstance(right.value, str)
        member = isinstance(right, ast.Attribute) and ast.unparse(right.value)[:1].isupper()
        if number or member:  # None, numbers and members of an enumeration are but one each
            node.ops = [_EQUAL.get(type(op), type(op))() for op in node.ops]
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        return ast.Pass() if "TYPE_CHECKING" in ast.unparse(node.test) else self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        made = ast.unparse(node.value.func) if isinstance(node.value, ast.Call) else ""
        return node.value if made.endswith(("hexdigest", "_hash")) else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "zip":
            node.keywords = []  # `strict` says what holds already
        node.keywords = [each for each in node.keywords if each.arg != "indent"]
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        given = node.args  # `*` and `/` among them are no operators
        given.args = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        given.defaults = [*given.defaults, *filter(None, given.kw_defaults)]
        given.posonlyargs, given.kwonlyargs, given.kw_defaults = [], [], []
        names = [ast.unparse(one).partition("(")[0] for one in node.decorator_list]
        each = zip(names, node.decorator_list, strict=True)
        node.decorator_list = [one for name, one in each if name not in _UNSEEN]
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
    """Return the module's text with the change; None where it changes nothing, or is no Python."""
    source = (ROOT / mutation.path).read_text(encoding="utf-8")
    text = mutate_code(source, OperatorProvider()[mutation.operator](), mutation.occurrence)
    try:
        same = text is None or ast.dump(_bare(text)) == ast.dump(_bare(source))
    except SyntaxError:  # `not` before a name that is assigned there
        return None
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


def _bare(source: str) -> ast.AST:
    """Parse a source without docstrings and annotations."""
    return _Bare().visit(ast.parse(source))  # type: ignore[no-any-return]


class Covering:
    """Which tests run a line of the product, as `scripts.covered_lines` recorded it."""

    def __init__(self, folder: Path) -> None:
        """Read what every process of the recorded run wrote."""
        self.seconds: dict[str, float] = {}
        self.lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for file in folder.glob("seconds.*.json"):
            self.seconds |= json.loads(file.read_text())
        for file in folder.glob("lines.*"):
            data = CoverageData(str(file))
            data.read()
            for path in data.measured_files():
                of = self.lines[str(Path(path).relative_to(ROOT))]
                for line, tests in data.contexts_by_lineno(path).items():
                    of[line].update(tests)

    def tests(self, path: str, line: int) -> list[str]:
        """Return the tests that run a line, those of its room first, each by its seconds.

        Of a line that is run by an import alone (a constant, a signature), or never: the tests
        that run anything in its module, and those that list what the product declares; of a
        module without functions: the tests of its room, or of the room around it.
        """
        of = self.lines[path]
        known = self.seconds.keys()
        found = known & set[str]().union(*(of.get(at, ()) for at in _statement(path, line)))
        declared = set() if found else {test for test in known if test.startswith(_LISTS)}
        found = found or known & set[str]().union(*of.values())
        room = f"tests/{path.rpartition('/')[0]}/"
        while not found and "/" in room:
            found = {test for test in known if test.startswith(room)}
            room = room.rstrip("/").rpartition("/")[0] + "/"
        tests = list(found | declared)
        tests.sort(key=lambda test: (not test.startswith(room), self.seconds[test]))
        sums = accumulate(self.seconds[test] for test in tests)
        return [test for test, seconds in zip(tests, sums, strict=True) if seconds < PLANNED]


def record(folder: Path, processes: int, *tests: str) -> None:
    """Run tests, all without a browser, and write which run which lines into a new folder."""
    folder.mkdir(parents=True)
    rooms = {"COVERED_LINES": str(folder), "COVERED_ROOMS": " ".join(ROOMS)}
    options = ("-p", "scripts.covered_lines", "-n", str(processes), "--dist", "loadfile")
    _run(ROOT, *options, "-m", "not e2e and not long", "--ignore", "tests/e2e", *tests, **rooms)


@cache
def _statement(path: str, line: int) -> range:
    """Return the lines of the innermost statement on a line; of a block, those of its head."""
    within = range(line, line + 1)
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or line):
            body = getattr(node, "body", None)
            end = body[0].lineno if body else (node.end_lineno or line) + 1
            if line < end:
                within = range(node.lineno, end)
    return within


def attempt(mutation: Mutation, copy: Path, tests: Sequence[str]) -> Outcome:
    """Make a change in a copy of the repository, run tests, the first ones alone, and undo it."""
    target = copy / mutation.path
    before, after = target.read_text(encoding="utf-8"), mutated(mutation) or ""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "", "", "", "", 0, "")
    change = "\n".join(line for line in lines if line[:3] not in ("---", "+++") and line[0] in "-+")
    _write(target, after)
    try:
        parts = [part for part in (tests[:FIRST], tests[FIRST:]) if part]
        killer = next(filter(None, (_killer(copy, part) for part in parts)), "")
        return Outcome(mutation, killer, len(tests), change)
    finally:
        _write(target, before)


def _write(module: Path, text: str) -> None:
    """Write a module, and drop its bytecode: one second and size may serve two texts."""
    module.write_text(text, encoding="utf-8")
    for kept in module.parent.glob(f"__pycache__/{module.stem}.*.pyc"):
        kept.unlink()


def _killer(copy: Path, tests: Sequence[str]) -> str:
    """Return the first test that fails in the copy, else how their run ended; "" if they pass."""
    try:
        run = _run(copy, "-x", "-rfE", "-p", "no:cacheprovider", *tests)
    except subprocess.TimeoutExpired:
        return "timeout"
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", run.stdout, re.M)
    return "" if run.returncode == 0 else failed[1] if failed else f"exit {run.returncode}"


def _run(folder: Path, *options: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder."""
    shared = os.environ.get("TOUCHSTONE_SHARED", str(ROOT.parent / "shared"))
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "pytest", "-q", "--no-header", *options],
        cwd=folder,
        env={**os.environ, "TOUCHSTONE_SHARED": shared, **more},
        capture_output=True,
        text=True,
        timeout=None if more else SECONDS,
        check=False,
    )


def outcomes(
    mutations: Sequence[Mutation], covering: Covering, processes: int
) -> Iterator[Outcome]:
    """Yield what the tests make of each change, `processes` at a time."""
    with tempfile.TemporaryDirectory() as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(processes):
            copies.put(_copied(Path(folder) / str(number)))

        def tried(mutation: Mutation) -> Outcome:
            """Test one mutation in a free copy."""
            copy = copies.get()
            try:
                return attempt(mutation, copy, covering.tests(mutation.path, mutation.line))
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(processes) as pool:
            for done in as_completed([pool.submit(tried, mutation) for mutation in mutations]):
                yield done.result()


def _copied(folder: Path) -> Path:
    """Copy the repository, its history too, which tests read."""
    command = ["git", "clone", "--quiet", str(ROOT), str(folder)]
    subprocess.run(command, check=True)  # noqa: S603
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
    parser.add_argument("--covered", type=Path, default=ROOT / ".covered")
    parser.add_argument("--json", action="store_true", help="print figures and outcomes as JSON")
    asked = parser.parse_args()
    if not asked.covered.exists():
        record(asked.covered, asked.processes)
    tried = list[Outcome]()
    drawn = draw(asked.number, asked.seed, asked.rooms)
    for outcome in outcomes(drawn, Covering(asked.covered), asked.processes):
        tried.append(outcome)
        at = f"{len(tried)} {outcome.mutation.path}:{outcome.mutation.line}"
        by = f"noticed by {outcome.killer}" if outcome.killer else f"survives\n{outcome.change}"
        print(f"{at} ({outcome.tests} tests) {by}", file=sys.stderr, flush=True)  # noqa: T201
    killed = sum(bool(outcome.killer) for outcome in tried)
    low, high = wilson(killed, asked.number)
    share = killed / asked.number
    figures = {"mutations": asked.number, "killed": share, "interval": [low, high]}
    everything = json.dumps({**figures, "outcomes": [asdict(one) for one in tried]})
    line = f"Killed {killed} of {asked.number}: {share:.3f} [{low:.3f}, {high:.3f}]"
    print(everything if asked.json else line)  # noqa: T201


if __name__ == "__main__":
    main()
