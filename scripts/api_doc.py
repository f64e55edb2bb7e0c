"""Write docs/api.md from the docstrings of what `import touchstone` gives."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

TARGET = ROOT / "docs" / "api.md"
HEAD = """# Touchstone in a notebook

Load law, run methods and compute figures in Python, without a project.

`pip install .` in the checkout gives the module `touchstone` and the command of that name; without
installing, `import touchstone` works in the checkout's folder. Law, methods and figures come from
files and data frames: no database, no server, nothing written. [notebook.ipynb](notebook.ipynb)
shows it on the sample in a few lines; [own-method.md](own-method.md) tells how to bring a method of
your own.

    import touchstone

    law = touchstone.load_law("laws/")                # any format that Touchstone imports
    law.search("recommended", "Who appoints the fire safety officer?", k=10)
    run = law.run("bm25", {"q1": "Who appoints …?"})  # as many questions as you like
    touchstone.evaluate(run, "qrels.txt", against="other.trec")

`touchstone.__version__` is the version, as text; `touchstone --version` prints it.

What a user can mend is raised as `touchstone.UserError`, which says what is wrong, where, and what
to do. The names on this page are stable; everything else may change with any version
([why so](decisions/0024-a-room-for-each-feature.md)). This page is written by
`python scripts/api_doc.py`.
"""
_SHOWN = {"__getitem__", "_fit", "_search", "_save", "_load"}  # what people call or write
_VALUE = r"\1"
_ENUM = re.compile(r"<[^:>]*: ('[^']*')>")


def public() -> list[tuple[str, object]]:
    """Return every public name with what it is, in the order of the page."""
    import touchstone

    return [(name, getattr(touchstone, name)) for name in touchstone.__all__]


def members(owner: type) -> Iterator[tuple[str, object]]:
    """Yield the public functions and properties that a class defines, as they are written."""
    for name, member in vars(owner).items():
        told = inspect.isfunction(member) or isinstance(
            member, property | cached_property | classmethod | staticmethod
        )
        if told and (not name.startswith("_") or name in _SHOWN):
            yield name, member


def words(thing: object) -> str:
    """Return the docstring of a public thing; "" where nobody has said what it is."""
    said = inspect.getdoc(thing) or ""
    return "" if said == inspect.getdoc(type(thing)) and not inspect.isclass(thing) else said


def render() -> str:
    """Return the whole page."""
    return HEAD + "".join(f"\n{_section(name, thing)}" for name, thing in public())


def _section(name: str, thing: Any) -> str:
    """Return the section of a public name."""
    if not inspect.isclass(thing):
        return f"## {name}\n\n{_call(name, thing)}\n\n{_text(thing)}\n"
    lines = [f"## {name}\n\n{_call(name, thing)}\n\n{_text(thing)}\n"]
    for member, value in members(thing):
        heading = f"{name}[…]" if member == "__getitem__" else f"{name}.{member}"
        function = getattr(value, "__func__", value)
        shown = f"\n\n{_call(member, function)}" if inspect.isfunction(function) else ""
        lines.append(f"### {heading}{shown}\n\n{_text(function)}\n")
    return "\n".join(lines)


def _call(name: str, thing: Any) -> str:
    """Return the signature of a public name."""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return f"    {name}"
    shown = [each for each in signature.parameters.values() if each.name not in ("self", "cls")]
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in shown]
    told = str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    return f"    {name}{_ENUM.sub(_VALUE, told)}"


def _text(thing: object) -> str:
    """Return a docstring as Markdown."""
    said = words(thing.func if isinstance(thing, cached_property) else thing)
    return re.sub(r"``([^`]+)``", r"`\1`", said)


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
