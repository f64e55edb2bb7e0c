"""Datasheets of exported benchmarks, as JSON and as Markdown.

Their sections and questions are those of Gebru et al., "Datasheets for Datasets", Communications of
the ACM 64 (12), 2021: answered from the data where possible, and from the project's form. A field
of the form that is not filled in names the place to do so.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from construction.gold.datasheet_form import FIELDS, Answers, open_fields
from normalization.hashing import file_hash

FILES = ("datasheet.json", "datasheet.md")
CHECKSUMS = "SHA256SUMS"
TO_FILL_IN = "not filled in yet (screen Gold, Datasheet; or touchstone.py datasheet set)"
OPEN = "fields of the form not filled in yet"

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
    """The facts of a benchmark from its data, and from people (`answers`).

    `form` is the version of the form that they filled in.
    """

    title: str
    purpose: str
    licence: str
    composition: Mapping[str, Any]
    collection: Mapping[str, Any]
    labelling: Mapping[str, Any]
    maintenance: Mapping[str, Any]
    uses: Mapping[str, Any] = field(default_factory=dict)
    answers: Answers = field(default_factory=dict)
    form: int = 1

    def facts(self) -> dict[str, dict[str, Any]]:
        """Return the answers by section and question, without the hashes of the files."""
        licence = self.licence.strip() or self.answers.get("licence", "")
        said = {**self.answers, "licence": licence}
        return {
            "motivation": {"title": self.title, "purpose": self.purpose}
            | _form_answers("motivation", said),
            "composition": {**self.composition, **_form_answers("composition", said)},
            "collection": {**self.collection, **_form_answers("collection", said)},
            "labelling": {**self.labelling, **_form_answers("labelling", said)},
            "uses": {**self.uses, **_form_answers("uses", said)},
            "distribution": _form_answers("distribution", said),
            "maintenance": {
                **self.maintenance,
                **_form_answers("maintenance", said),
                "version of the form that people filled in": self.form,
                OPEN: f"{len(open_fields(said))} of {len(FIELDS)}",
            },
        }


def _form_answers(section: str, answers: Answers) -> dict[str, str]:
    """Return people's answers in a section, a placeholder for each empty field."""
    return {
        field.question: answers.get(field.key) or TO_FILL_IN
        for field in FIELDS
        if field.section == section
    }


def write_datasheet(folder: Path, sheet: Datasheet) -> None:
    """Write `FILES` beside the files of an export in `folder`, with their hashes.

    The same facts and files give the same bytes.
    """
    facts = sheet.facts()
    facts["distribution"]["files"] = {
        path.relative_to(folder).as_posix(): file_hash(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    text = json.dumps(facts, ensure_ascii=False, indent=2)
    for name, content in zip(FILES, (text + "\n", as_markdown(facts)), strict=True):
        (folder / name).write_text(content, "utf-8", newline="\n")


def write_checksums(folder: Path) -> tuple[str, ...]:
    """Write SHA256SUMS of a folder; return the paths of all its files, SHA256SUMS included."""
    files = sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )
    lines = (f"{file_hash(folder / name)}  {name}\n" for name in files)
    (folder / CHECKSUMS).write_text("".join(lines), "utf-8", newline="\n")
    return tuple(sorted((*files, CHECKSUMS)))


def count_values(values: Iterable[Any]) -> dict[str, int]:
    """Count each value, in sorted order."""
    return {str(value): count for value, count in sorted(Counter(values).items())}


def as_markdown(facts: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the facts as Markdown, by section; people's text is escaped."""
    lines = [f"# Datasheet: {_text(facts['motivation']['title'])}", ""]
    for name, heading in HEADINGS.items():
        lines += [f"## {heading}", ""]
        for question, answer in facts[name].items():
            lines += _fact(question, answer, _text)
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def as_sections(facts: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return each section's heading and lines, as plain text."""
    return [
        (
            heading,
            "\n".join(line for fact in facts[name].items() for line in _fact(*fact, _words)),
        )
        for name, heading in HEADINGS.items()
    ]


def _fact(question: str, answer: Any, text: Callable[[object], str]) -> Iterator[str]:
    """Yield a question with its answer as list lines; `text` writes names and values."""
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
    """Return a figure with its interval, if any, and n as text."""
    if figure["value"] is None:
        return f"not defined (n = {figure['n']:,})"
    interval = figure["95 % interval"]
    within = f", 95 % interval {interval[0]:.3f} to {interval[1]:.3f}" if interval else ""
    return f"{figure['value']:.3f}{within} (n = {figure['n']:,})"


def _text(value: object) -> str:
    """Return a value with Markdown escaped."""
    return _words(value) if isinstance(value, int) else _SPECIAL.sub(r"\\\1", _words(value))


def _words(value: object) -> str:
    """Return a value as text."""
    if value is None:
        return "none"
    return f"{value:,}" if isinstance(value, int) else " ".join(str(value).split())
