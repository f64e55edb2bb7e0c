"""Datasheets of exported benchmarks, as JSON and as Markdown.

Their sections and questions are those of Gebru et al., "Datasheets for Datasets", Communications of
the ACM 64 (12), 2021, as far as the data answers them; what it does not know a datasheet says.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

FILES = ("datasheet.json", "datasheet.md")
NOT_STATED, NOT_RECORDED = "not stated", "not recorded"

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


@dataclass(frozen=True, slots=True)
class Datasheet:
    """What the data of a benchmark knows of it."""

    title: str
    purpose: str
    licence: str
    composition: Mapping[str, Any]
    collection: Mapping[str, Any]
    labelling: Mapping[str, Any]
    maintenance: Mapping[str, Any]
    uses: Mapping[str, Any] = field(default_factory=dict)

    def facts(self) -> dict[str, dict[str, Any]]:
        """Return the answers by section and question, but for the hashes of the files."""

        def unknown(*questions: str) -> dict[str, Any]:
            return dict.fromkeys(questions, NOT_RECORDED)

        ethics = unknown("compensation", "consent and ethical review")
        return {
            "motivation": {"title": self.title, "purpose": self.purpose}
            | unknown("who created it, for whom", "funding"),
            "composition": dict(self.composition),
            "collection": {**self.collection, **ethics},
            "labelling": dict(self.labelling),
            "uses": {**self.uses, **unknown("earlier uses", "unfit uses")},
            "distribution": {"licence": self.licence.strip() or NOT_STATED},
            "maintenance": {**self.maintenance, **unknown("maintainer")},
        }


def write_datasheet(folder: Path, sheet: Datasheet) -> None:
    """Write `FILES` beside the files of an export in `folder`, whose hashes they hold.

    The same facts and files give the same bytes.
    """
    facts = sheet.facts()
    facts["distribution"]["files"] = {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    text = json.dumps(facts, ensure_ascii=False, indent=2)
    for name, content in zip(FILES, (text + "\n", as_markdown(facts)), strict=True):
        (folder / name).write_text(content, "utf-8", newline="\n")


def counted(values: Iterable[Any]) -> dict[str, int]:
    """Return how often each value comes, in their order."""
    return {str(value): count for value, count in sorted(Counter(values).items())}


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
