"""Write a typology as the YAML that `reading.parse` reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from construction.cases.typology import Charge, Group, Typology

_LINE = 100  # characters; a longer list is written one entry to a line


def write(typology: Typology) -> str:
    """Return the typology as text; `parse` reads the same from it."""
    return "\n".join(_lines(typology)) + "\n"


def _lines(typology: Typology) -> Iterator[str]:
    if typology.statutes:
        yield "statutes:"
        for names in typology.statutes:
            yield f"- names: {_flow(names)}"
    yield "categories:"
    for category in typology.categories:
        yield f"- key: {category.key}"
        yield f"  label: {_label(category.label)}"
        yield "  charges:" if category.charges else "  charges: []"
        for charge in category.charges:
            yield from _charge(charge, f"{category.key}.{charge.key}")


def _charge(charge: Charge, full: str) -> Iterator[str]:
    yield f"  - key: {charge.key}"
    yield f"    label: {_label(charge.label)}"
    if charge.source != "written":
        yield f"    source: {charge.source}"
    labels = set(charge.label.values())
    yield from _list("titles", [each for each in charge.titles if each not in labels], "    ")
    if charge.groups != (Group(full, charge.label),):
        yield "    groups:"
        for group in charge.groups:
            yield f"    - key: {group.key.removeprefix(full + '.')}"
            yield f"      label: {_label(group.label)}"
            yield from _list("provisions", group.provisions, "      ")


def _list(name: str, texts: Iterable[str], indent: str) -> Iterator[str]:
    entries = list(texts)
    if not entries:
        return
    line = f"{indent}{name}: {_flow(entries)}"
    if len(line) <= _LINE:
        yield line
    else:
        yield f"{indent}{name}:"
        yield from (f"{indent}- {_quoted(each)}" for each in entries)


def _label(label: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{name}: {_quoted(text)}" for name, text in label.items()) + "}"


def _flow(texts: Iterable[str]) -> str:
    return "[" + ", ".join(_quoted(each) for each in texts) + "]"


def _quoted(text: str) -> str:
    """Return the text in double quotes, what YAML does not print escaped."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08x}" for each in quoted)
