"""A datasheet as Markdown: sections of facts, tables where a fact has rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~$&])")
HEADINGS = {
    "motivation": "Motivation",
    "composition": "Composition",
    "collection": "Collection process",
    "labelling": "Labelling",
    "uses": "Uses",
    "distribution": "Distribution",
    "maintenance": "Maintenance",
}


def as_markdown(facts: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the facts, section by section; text of people is shown as it is, never as Markdown."""
    lines = [f"# Datasheet: {_text(facts['motivation']['title'])}", ""]
    for name, heading in HEADINGS.items():
        lines += [f"## {heading}", ""]
        for question, answer in facts[name].items():
            lines += _fact(question, answer, _text)
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def as_sections(facts: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return each section's heading and its lines, as they are: to be shown as text."""
    return [
        (
            heading,
            "\n".join(line for fact in facts[name].items() for line in _fact(*fact, _words)),
        )
        for name, heading in HEADINGS.items()
    ]


def _fact(question: str, answer: Any, text: Callable[[object], str]) -> Iterator[str]:
    label = f"- {text(question[0].upper() + question[1:])}:"
    if isinstance(answer, Mapping) and "n" in answer and "value" in answer:
        yield f"{label} {_figure(answer)}"
    elif isinstance(answer, Mapping):
        yield label
        for name, value in answer.items():
            figure = isinstance(value, Mapping)
            yield f"  - {text(name)}: {_figure(value) if figure else text(value)}"
    elif isinstance(answer, list):
        yield label
        for row in answer:
            yield "  - " + ", ".join(f"{text(name)} {text(value)}" for name, value in row.items())
    else:
        yield f"{label} {text(answer)}"


def _figure(figure: Mapping[str, Any]) -> str:
    if figure["value"] is None:
        return f"not defined (n = {figure['n']:,})"
    interval = figure["95 % interval"]
    within = f", 95 % interval {interval[0]:.3f} to {interval[1]:.3f}" if interval else ""
    return f"{figure['value']:.3f}{within} (n = {figure['n']:,})"


def _text(value: object) -> str:
    return _words(value) if isinstance(value, int) else _SPECIAL.sub(r"\\\1", _words(value))


def _words(value: object) -> str:
    if value is None:
        return "not recorded"
    return f"{value:,}" if isinstance(value, int) else " ".join(str(value).split())
