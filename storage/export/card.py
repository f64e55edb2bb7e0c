"""The card of a release, README.md as the Hugging Face hub reads it.

Its YAML names the JSON Lines: builders are not mixed, so the same judgements as TSV, which BEIR
reads, stay unnamed. Column types are stated, since a reader would else guess them from the first
rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from storage.export.about import About, bibtex, dump_yaml

PLATFORM = "Touchstone"
_HUB_LICENCE = re.compile(  # names of licences that the hub knows
    r"cc0-1\.0|cc-by(-nc)?(-nd|-sa)?-([23]\.0|4\.0|2\.5)|cdla-(sharing|permissive)-[12]\.0|mit"
    r"|apache-2\.0|mpl-2\.0|[al]?gpl-[23]\.0|bsd-[23]-clause|odc-by|odbl|pddl|unlicense"
)
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"))
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~$&])")

Features = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration of the hub's loader: its files by split, and its columns."""

    name: str
    files: Mapping[str, str]
    features: Features


@dataclass(frozen=True, slots=True)
class Card:
    """What the card of a release says beside `about`.

    `corpus` counts documents; `sections` are headings with Markdown below them.
    """

    about: About
    languages: tuple[str, ...]
    corpus: int
    configs: tuple[Config, ...]
    sections: tuple[tuple[str, str], ...]


QRELS = [
    {"name": "query-id", "dtype": "string"},
    {"name": "corpus-id", "dtype": "string"},
    {"name": "score", "dtype": "int64"},
]


def features_of(rows: Iterable[Mapping[str, Any]]) -> Features:
    """Return the column types of JSON rows, those of objects nested; None fits every type."""
    seen: dict[str, list[Any]] = {}
    for row in rows:
        for name, value in row.items():
            values = seen.setdefault(name, [])
            if isinstance(value, Mapping | list) or not values:  # one of a plain type is enough
                values.append(value)
            elif values[-1] is None:
                values[-1] = value
    return [{"name": name, **_type_of(values)} for name, values in seen.items()]


def _type_of(values: Sequence[Any]) -> dict[str, Any]:
    """Return the column type of values."""
    known = [value for value in values if value is not None]
    if known and isinstance(known[0], Mapping):
        return {"struct": features_of(known)}
    if known and isinstance(known[0], list | tuple):
        return {"sequence": _type_of([each for value in known for each in value])["dtype"]}
    types = {bool: "bool", int: "int64", float: "float64"}
    return {"dtype": types.get(type(known[0]), "string") if known else "string"}


def card_text(card: Card) -> str:
    """Return README.md: the hub's metadata, then what people read."""
    about = card.about
    parts = [
        f"---\n{dump_yaml(_metadata(card))}---",
        f"# {as_markdown(about.title)}",
        as_markdown(about.description),
        *(f"## {heading}\n\n{text}" for heading, text in card.sections),
        f"## Licence\n\n{as_markdown(about.licence)}; see `LICENSE`.",
        f"## Citation\n\n{_code(bibtex(about), 'bibtex')}",
    ]
    return "\n\n".join(parts) + "\n"


def _metadata(card: Card) -> dict[str, Any]:
    """Return the metadata of the card."""
    about, hub = card.about, card.about.spdx.lower()
    licence: dict[str, Any] = {"license": hub}
    if not _HUB_LICENCE.fullmatch(hub):
        licence = {"license": "other", "license_name": about.licence, "license_link": "LICENSE"}
    size = next((name for least, name in _SIZES if card.corpus < least), "1M<n<10M")
    return {
        "pretty_name": about.title,
        **licence,
        "language": list(card.languages),
        "multilinguality": ["multilingual" if len(card.languages) > 1 else "monolingual"],
        "annotations_creators": ["expert-generated"],
        "task_categories": ["text-retrieval"],
        "task_ids": ["document-retrieval"],
        "size_categories": [size],
        "tags": ["legal", "information-retrieval"],
        "version": about.version,
        "configs": [
            {
                "config_name": each.name,
                "data_files": [
                    {"split": split, "path": path} for split, path in each.files.items()
                ],
            }
            for each in card.configs
        ],
        "dataset_info": [
            {"config_name": each.name, "features": each.features} for each in card.configs
        ],
    }


def as_markdown(text: str) -> str:
    """Escape people's text for Markdown, on one line."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def _code(text: str, language: str = "") -> str:
    """Return a block of code, with a fence longer than any in it."""
    longest = max(map(len, re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
