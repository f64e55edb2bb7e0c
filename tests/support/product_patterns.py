"""The expressions of the product itself, found in its modules, and texts made to hold each up."""

from __future__ import annotations

import ast
import importlib
import random
import re
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from time import process_time
from types import FrameType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ROOMS = (
    "corpus",
    "construction",
    "evaluation",
    "retrieval",
    "llm",
    "services",
    "annotation",
    "storage",
)
ANCHORED = {"match", "fullmatch"}
_CALLS = {"compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"}


@dataclass(frozen=True)
class Ours:
    """An expression with its module and name; `used` are the methods it is used by, if known."""

    module: str
    name: str
    pattern: re.Pattern[str]
    used: frozenset[str]

    def __repr__(self) -> str:
        return f"{self.module}:{self.name}"


def our_patterns() -> list[Ours]:
    """Return every expression that a module of the product holds or writes out in a call."""
    used, found = _uses(), dict[tuple[str, int], Ours]()
    for path in _files():
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for each in (*_held(importlib.import_module(name), used), *_written(path, name)):
            found.setdefault((each.pattern.pattern, each.pattern.flags), each)
    return sorted(found.values(), key=repr)


def _files() -> list[Path]:
    return [
        path
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        if "versions" not in path.parts and path.name != "__init__.py" and path.name != "env.py"
    ]


def _held(module: ModuleType, used: Mapping[str, set[str]]) -> Iterator[Ours]:
    file = Path(str(module.__file__))
    for name, value in vars(module).items():
        if name.startswith("__") or isinstance(value, ModuleType):
            continue
        for pattern in _inside(value, 0):
            if isinstance(pattern.pattern, str):
                yield Ours(
                    module.__name__, name, pattern, frozenset(used.get(_scope(file, name), ()))
                )


def _inside(value: Any, depth: int) -> Iterator[re.Pattern[str]]:  # noqa: C901  (a kind a line)
    if isinstance(value, re.Pattern):
        yield value
    elif depth > 4:
        return
    elif isinstance(value, Mapping):
        for each in (*value.keys(), *value.values()):
            yield from _inside(each, depth + 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _inside(each, depth + 1)
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from _inside(getattr(value, each.name, None), depth + 1)
    elif isinstance(value, type) and value.__module__.split(".")[0] in ROOMS:
        for name, each in vars(value).items():
            if not name.startswith("__"):
                yield from _inside(each, depth + 1)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def _nodes(path: Path) -> tuple[ast.AST, ...]:
    kinds = (ast.Call, ast.Compare, ast.Name, ast.ImportFrom, ast.FunctionDef)
    return tuple(each for each in ast.walk(_tree(path)) if isinstance(each, kinds))


def _written(path: Path, module: str) -> Iterator[Ours]:
    """Yield expressions that stand in a call, such as ``re.sub("…", …)``."""
    for node in _nodes(path):
        if not isinstance(node, ast.Call) or not node.args or _method(node) not in _CALLS:
            continue
        whose = node.func.value if isinstance(node.func, ast.Attribute) else None
        text = node.args[0]
        if isinstance(whose, ast.Name) and whose.id == "re" and isinstance(text, ast.Constant):
            method = _method(node)
            if method != "compile" and isinstance(text.value, str):
                name = f"line {node.lineno}"
                yield Ours(module, name, re.compile(text.value), frozenset([method]))


def _uses() -> dict[str, set[str]]:
    """Return by which methods the names of the product are used, wherever that is."""
    used: dict[str, set[str]] = {}
    for path in _files():
        called, outside, others = set(), _outside(path), _on_others(path)
        for node in _nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                whose = node.func.value
                if isinstance(whose, ast.Name):
                    used.setdefault(_scope(path, whose.id), set()).add(node.func.attr)
                    called.add(id(whose))
                elif isinstance(whose, ast.Attribute) and isinstance(whose.value, ast.Name):
                    key = _scope(path, whose.value.id).replace(":", ".") + f":{whose.attr}"
                    used.setdefault(key, set()).add(node.func.attr)
            elif isinstance(node, ast.Compare):
                called |= {id(each) for each in node.comparators}  # it is only told apart
        for node in _nodes(path):  # handed on: its own module knows how it is used
            handed = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
            if isinstance(node, ast.Name) and handed and id(node) not in called:
                inside = node.id.startswith("_") and id(node) not in outside
                how = others if inside else {"?"}
                used.setdefault(_scope(path, node.id), set()).update(how)
    return {name: _searching(methods) for name, methods in used.items()}


def _searching(methods: set[str]) -> set[str]:
    """Return the methods without those of what holds an expression, such as a mapping."""
    return methods - {"items", "values", "get", "format"}


def _outside(path: Path) -> frozenset[int]:
    """Return the names that a module hands to a function of another module."""
    own = {node.name for node in _nodes(path) if isinstance(node, ast.FunctionDef)}
    own |= {"tuple", "list", "zip", "enumerate", "len"}
    return frozenset(
        id(each)
        for node in _nodes(path)
        if isinstance(node, ast.Call)
        for each in (*node.args, *(one.value for one in node.keywords))
        if isinstance(each, ast.Name)
        and not (isinstance(node.func, ast.Name) and node.func.id in own)
    )


def _on_others(path: Path) -> set[str]:
    """Return the methods of expressions that a module calls on what it has no name of its own for.

    Those are its parameters and what it takes out of a list: all that what it hands on within
    itself can be used by. A method that is called on a text in writing, or with one, is not meant.
    """
    tree = _tree(path)
    names = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    } | {"re"}
    return {
        node.func.attr
        for node in _nodes(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _CALLS
        and not (isinstance(node.func.value, ast.Name) and node.func.value.id in names)
        and node.args
        and not isinstance(node.args[0], ast.Constant)
    } or {"?"}


@cache
def _scope(path: Path, name: str) -> str:
    """Return the key of a name: the module that it is from, and what it is there."""
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return _imported(path).get(name, f"{module}:{name}")


@cache
def _imported(path: Path) -> dict[str, str]:
    return {
        each.asname or each.name: f"{node.module}:{each.name}"
        for node in _nodes(path)
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    }


def _method(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


GENERIC = (
    " ", "\n", "\t", "1", "a", "A", "가", "제1조", "(", ")", "[", "<", "{", "《", "“", '"', ",",
    ".", "1.", "a ", "A ", "가 ", "a,", " \n", "The ", "of ", "the ", "제", "의", "·", "- ", "((",
    "()", "**", "```", "\\", "-", "0,", "<a", "한다. ", "<think>", "※",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Attack:
    """A text made to hold an expression up, at any length: a piece over and over between others."""

    lead: str
    body: str
    end: str

    def text(self, length: int) -> str:
        """Return the text in so many characters, and its end."""
        return (self.lead + self.body * (length // len(self.body) + 1))[:length] + self.end


def attacks(pattern: re.Pattern[str], seed: int = 0) -> list[Attack]:
    """Return texts that might hold an expression up.

    For each repetition: what leads to it, what it repeats many times over, and an end that does
    not fit. Then the whole of what fits, over and over, and pieces of law and of nothing.
    """
    rng = random.Random(seed)
    tree = re._parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)  # type: ignore[attr-defined]
    found: list[Attack] = []
    for lead, body in _repetitions(tree, "", rng):
        found += [Attack(lead, body, end) for end in ("", "\x00", "\n!")]
        found += [Attack("", lead + body * times, "") for times in (1, 30)]
    whole = "".join(_sample(tree, rng))
    pieces = dict.fromkeys((whole, whole[:-1], whole[1:], whole + " "))
    found += [Attack("", piece, "") for piece in pieces if piece]
    found += [Attack("", piece, "\x00") for piece in GENERIC]
    return list(dict.fromkeys(found))


def _repetitions(tree: Any, lead: str, rng: random.Random) -> Iterator[tuple[str, str]]:  # noqa: C901  (a kind a line)
    """Yield what leads to each repetition and what it repeats."""
    for op, value in tree:
        name = str(op)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            _, most, inner = value
            if most > 20:
                for _ in range(2):
                    if body := "".join(_sample(inner, rng)):
                        yield lead, body
            yield from _repetitions(inner, lead, rng)
        elif name == "SUBPATTERN":
            yield from _repetitions(value[3], lead, rng)
        elif name == "ATOMIC_GROUP":
            yield from _repetitions(value, lead, rng)
        elif name == "BRANCH":
            for each in value[1]:
                yield from _repetitions(each, lead, rng)
        elif name in ("ASSERT", "ASSERT_NOT"):
            yield from _repetitions(value[1], lead, rng)
        lead += "".join(_sample([(op, value)], rng))


def _sample(tree: Any, rng: random.Random) -> Iterator[str]:  # noqa: C901  (a kind a line)
    """Yield pieces of a text that fits an expression, more or less."""
    for op, value in tree:
        name = str(op)
        if name == "LITERAL":
            yield chr(value)
        elif name == "NOT_LITERAL":
            yield "a" if value != 97 else "b"
        elif name == "ANY":
            yield rng.choice("a 가1")
        elif name == "IN":
            yield _one_of(value, rng)
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            least, most, inner = value
            for _ in range(max(least, min(most, rng.choice((0, 1, 1, 2))))):
                yield from _sample(inner, rng)
        elif name == "SUBPATTERN":
            yield from _sample(value[3], rng)
        elif name == "ATOMIC_GROUP":
            yield from _sample(value, rng)
        elif name == "BRANCH":
            yield from _sample(rng.choice(value[1]), rng)
        elif name == "ASSERT" and value[0] > 0:
            yield from _sample(value[1], rng)


def _one_of(choices: Any, rng: random.Random) -> str:
    kinds = {
        "CATEGORY_DIGIT": "1",
        "CATEGORY_SPACE": " ",
        "CATEGORY_WORD": "a가",
        "CATEGORY_NOT_SPACE": "a가(",
        "CATEGORY_NOT_WORD": " .",
        "CATEGORY_NOT_DIGIT": "a ",
    }
    negated = str(choices[0][0]) == "NEGATE"
    found = ""
    for op, value in choices[1:] if negated else choices:
        if str(op) == "LITERAL":
            found += chr(value)
        elif str(op) == "RANGE":
            found += chr(value[0]) + chr(value[1])
        elif str(op) == "CATEGORY":
            found += kinds.get(str(value), "a")
    if negated:
        found = next((each for each in "a가1 .\n(x" if each not in found), "\x01")
    return rng.choice(found) if found else "a"


class TooSlowError(Exception):
    """The time was over."""


@contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Raise TooSlowError after so much processor time; Python's own engine looks for signals."""

    def stop(_: int, __: FrameType | None) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def ways(each: Ours) -> list[Callable[[str], object]]:
    """Return how an expression is tried: only at the beginning, where it is used only so."""
    if each.used and each.used <= ANCHORED:
        return [getattr(each.pattern, name) for name in sorted(each.used)]
    return [lambda text: sum(1 for _ in each.pattern.finditer(text))]


def seconds(call: Callable[[str], object], text: str, limit: float) -> float:
    """Return how long a call takes, `limit` where it takes longer."""
    began = process_time()
    try:
        with stopped_after(limit):
            call(text)
    except TooSlowError:
        return limit
    return process_time() - began
