"""What a release says of itself, and the citation files made from it.

The files are CITATION.cff, .zenodo.json and a BibTeX entry. Every text is data: it is written
with the dumper of its format.

The card of a release, README.md as the Hugging Face hub reads it.

Its YAML names the JSON Lines: builders are not mixed, so the same judgements as TSV, which BEIR
reads, stay unnamed. Column types are stated, since a reader would else guess them from the first
rows.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from functools import cached_property
from typing import Any

import yaml
from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from errors import UserError, Where

_NAME = re.compile(r"[a-z][a-z0-9]*([_.-][a-z0-9]+)*")
_VERSION = re.compile(r"\d{1,6}(\.\d{1,6}){0,2}")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
NAME_LIMIT = 60
_LIMIT = 2_000  # characters of a text
_AUTHORS = 100
_BIBTEX = re.compile(r"[\\{}%#$&_^~]")  # letters that mean something to LaTeX
_ISO_639_3 = {"ko": "kor", "en": "eng", "zh": "zho", "ja": "jpn"}


@dataclass(frozen=True)
class About:
    """What people say of a release; `name` is that of its files and modules, `date` its day.

    Texts are on one line. `licence` is an SPDX expression, or any other words.
    """

    name: str
    version: str = ""
    title: str = ""
    licence: str = ""
    authors: tuple[str, ...] = ()
    description: str = ""
    url: str = ""
    doi: str = ""
    date: str = ""

    def __post_init__(self) -> None:
        """Join white space, and drop authors without a name."""
        for each in fields(self):
            said = getattr(self, each.name)
            if isinstance(said, str):
                object.__setattr__(self, each.name, " ".join(said.split()))
        names = (" ".join(author.split()) for author in self.authors)
        object.__setattr__(self, "authors", tuple(filter(None, names)))

    @property
    def lacking(self) -> tuple[str, ...]:
        """Required fields that this release lacks."""
        needed = ("version", "title", "licence", "authors", "description")
        return tuple(name for name in needed if not getattr(self, name))

    @cached_property
    def spdx(self) -> str:
        """The licence as an SPDX expression, "" if it is none."""
        try:
            return str(canonicalize_license_expression(self.licence))
        except InvalidLicenseExpression:
            return ""

    @property
    def licence_url(self) -> str:
        """The address of the licence's text, "" for an expression of several, or other words."""
        simple = self.spdx and re.fullmatch(r"[A-Za-z0-9.-]+", self.spdx)
        return f"https://spdx.org/licenses/{self.spdx}.html" if simple else ""

    @property
    def module(self) -> str:
        """The name as one of a Python module."""
        return re.sub(r"[.-]", "_", self.name)

    @property
    def year(self) -> str:
        """The year of the release."""
        return self.date[:4]

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {each.name: getattr(self, each.name) for each in fields(self)} | {
            "authors": list(self.authors)
        }

    def check(self) -> None:
        """Raise UserError for a field that is missing or not of its form."""
        _require_all(self.lacking)
        self.check_name()
        _require(self.doi, not self.doi or _DOI.fullmatch(self.doi), "doi")
        _require(self.url, not self.url or re.fullmatch(r"https?://\S+", self.url), "url")
        _require(self.date, _is_day(self.date), "date")
        for name, text in (("title", self.title), ("licence", self.licence)):
            _require(text, len(text) <= _LIMIT // 4, name)
        _require(self.description, len(self.description) <= _LIMIT, "description")
        _require(self.authors[-1], len(self.authors) <= _AUTHORS, "authors")
        for author in self.authors:
            _require(author, len(author) <= _LIMIT // 4, "authors")

    def check_name(self) -> None:
        """Raise UserError for a name or version that is not of its form, as file names must be."""
        _require_all([name for name in ("name", "version") if not getattr(self, name)])
        _require(self.name, len(self.name) <= NAME_LIMIT and _NAME.fullmatch(self.name), "name")
        _require(self.version, _VERSION.fullmatch(self.version), "version")


def _require_all(lacking: Sequence[str]) -> None:
    """Raise UserError if any fields are `lacking`, naming them and their options."""
    options = {"authors": "--author", "version": "--release-version", "name": "NAME"}
    if lacking:
        said = ", ".join(options.get(name, f"--{name}") for name in lacking)
        raise UserError("release_lacks", fields=", ".join(lacking), options=said)


def _require(said: str, holds: object, field: str) -> None:
    """Raise UserError for what a field says, cut to 80 characters, unless `holds` is true."""
    if not holds:
        raise UserError("release_field", Where(field=field), said=said[:80])


def _is_day(text: str) -> bool:
    """Return True for an ISO date."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def citation_cff(about: About) -> str:
    """Return the text of CITATION.cff."""
    said = {
        "cff-version": "1.2.0",
        "message": "If you use this data set, please cite it as below.",
        "type": "dataset",
        "title": about.title,
        "abstract": about.description,
        "authors": [{"name": author} for author in about.authors],
        "version": about.version,
        "date-released": about.date,
        "license": about.spdx if about.licence_url else "",
        "doi": about.doi,
        "url": about.url,
    }
    return dump_yaml({name: value for name, value in said.items() if value})


def zenodo_json(about: About, languages: tuple[str, ...]) -> str:
    """Return the text of .zenodo.json; descriptions there are HTML."""
    said = {
        "title": about.title,
        "upload_type": "dataset",
        "description": f"<p>{html.escape(about.description)}</p>",
        "creators": [{"name": author} for author in about.authors],
        "version": about.version,
        "publication_date": about.date,
        "license": about.spdx.lower() if about.licence_url else "",
        "access_right": "open",
        "doi": about.doi,
        "keywords": ["information retrieval", "legal retrieval", "benchmark"],
        "language": iso_639_3(languages[0]) if len(languages) == 1 else "",
    }
    return dump_json({name: value for name, value in said.items() if value})


def bibtex(about: About) -> str:
    """Return the BibTeX entry of a release."""
    said = {
        "title": about.title,
        "author": " and ".join(f"{{{_tex(author)}}}" for author in about.authors),
        "year": about.year,
        "version": about.version,
        "doi": about.doi,
        "url": about.url,
    }
    lines = (
        f"  {name} = {{{text if name == 'author' else _tex(text)}}},"
        for name, text in said.items()
        if text
    )
    return "\n".join((f"@misc{{{about.module}_{about.year},", *lines, "}"))


def _tex(text: str) -> str:
    """Escape a text for BibTeX."""
    named = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
    return _BIBTEX.sub(lambda found: named.get(found[0], "\\" + found[0]), text)


def iso_639_3(language: str) -> str:
    """Return the three-letter code of a language, "und" for one that has none here."""
    return _ISO_639_3.get(language, "und")


def dump_yaml(value: Any) -> str:
    """Return a value as YAML, keys in the order given, Hangul as itself."""
    return str(yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=100))


def dump_json(value: Any) -> str:
    """Return a value as indented JSON, keys in the order given, Hangul as itself."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


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
    """A configuration of the Hugging Face loader: its files by split, and its columns."""

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
    """Return the Hugging Face type of values, by the first that is not None; else string."""
    known = [value for value in values if value is not None]
    first = next(iter(known), None)
    if isinstance(first, Mapping):
        return {"struct": features_of(known)}
    if isinstance(first, list | tuple):
        return {"sequence": _type_of([each for value in known for each in value])["dtype"]}
    types = {bool: "bool", int: "int64", float: "float64"}
    return {"dtype": types.get(type(first), "string")}


def card_text(card: Card) -> str:
    """Return README.md: the metadata of the Hugging Face hub, then what people read."""
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
    """Return the card's metadata for the Hugging Face hub."""
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
    """Return a Markdown block of code, with a fence longer than any in it."""
    longest = max(map(len, re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
