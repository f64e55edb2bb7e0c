"""Write the sections of docs/api.md from the docstrings of what `import touchstone` gives.

The words before the first section are written by hand, in the page.
"""

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
    """Return the page docs/api.md with every section anew; its head stays."""
    head = TARGET.read_text(encoding="utf-8").partition("\n## ")[0]
    return head + "".join(f"\n{_section(name, thing)}" for name, thing in public())


def _section(name: str, thing: Any) -> str:
    """Return the section of a public name, of a class with its members."""
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
