"""Parser of TOML codebooks: factors, sub-factors and options.

`options` and `factors` are arrays of tables with a `key`, a `label` and a `meaning` in each
language; a factor may have `factors` and `options` of its own.

Validation of codebook texts by task, and length limits.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

from annotation.guidelines.documents import IN_YAML
from annotation.work.submissions import Decision
from construction.tagging import reading
from corpus.files.declarations import KEY
from corpus.limits import FACTOR_BOOK, GUIDELINE
from errors import UserError, Where
from messages import LANGUAGES
from normalization import composed_value

FIXED = {  # keys that code relies on
    "citation_mapping": tuple(str(each) for each in Decision),
    "answer_rating": ("correct", "incorrect"),
    "research": ("found", "none"),
    "attribution_review": ("match", "partial", "none", "yes", "partly", "no", "uncited"),
}
_AT_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_MAX_LENGTH = {"label": 60, "meaning": 1_000}  # characters
_MAX_DEPTH = 4  # maximum nesting of factors


@dataclass(frozen=True, slots=True)
class Option:
    """An answer option: key, and label and meaning by language."""

    key: str
    label: Mapping[str, str]
    meaning: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor: label and meaning by language, sub-factors and options."""

    key: str
    label: Mapping[str, str]
    meaning: Mapping[str, str]
    factors: tuple[Factor, ...]
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Codebook:
    """A task's codebook: factors, and options outside of factors."""

    factors: tuple[Factor, ...]
    options: tuple[Option, ...]

    def option(self, key: str) -> Option:
        """Return the top-level option of that key. Raises KeyError if there is none."""
        return next(each for each in self.options if each.key == key)


@lru_cache(maxsize=32)
def parse(text: str, task: str) -> Codebook:
    """Parse a codebook from TOML.

    Raises UserError, with line or field, for invalid TOML, an unknown or missing field, a label or
    meaning that is missing in a language, empty or too long, a key that is repeated or invalid, and
    for options other than those that the task's code relies on.
    """
    try:
        said = composed_value(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        found = _AT_LINE.search(str(error))
        line = int(found[1]) if found and found[1] else text.count("\n") + 1
        reason = _AT_LINE.sub("", str(error))
        raise UserError("codebook_toml", Where(line=line), reason=reason) from error
    except RecursionError as error:
        raise UserError("codebook_toml", reason="nested too deeply") from error
    _refuse_unknown_fields(said, {"factors", "options"}, "")
    book = Codebook(_factors(said, "", 1), _options(said, ""))
    if not book.factors and not book.options:
        _refuse("codebook_empty", "options")
    _refuse_other_keys(book, task)
    return book


def _refuse_other_keys(book: Codebook, task: str) -> None:
    """Raise UserError for options other than those that the task's code relies on."""
    wanted = FIXED.get(task)
    if wanted is None:
        return
    if book.factors or sorted(option.key for option in book.options) != sorted(wanted):
        _refuse("codebook_keys", "options", keys=", ".join(wanted))


def _factors(table: Mapping[str, Any], prefix: str, depth: int) -> tuple[Factor, ...]:
    """Parse the nested factors of a table. Raises UserError below the allowed depth."""
    found = []
    for place, each in _tables(table, "factors", prefix):
        if depth > _MAX_DEPTH:
            _refuse("codebook_depth", place, limit=_MAX_DEPTH)
        _refuse_unknown_fields(each, {"key", "label", "meaning", "factors", "options"}, place)
        inner = _factors(each, f"{place}.", depth + 1), _options(each, f"{place}.")
        if not inner[0] and not inner[1]:
            _refuse("codebook_empty", place)
        found.append(Factor(*_key_label_meaning(each, place), *inner))
    _refuse_repeated([each.key for each in found], f"{prefix}factors")
    return tuple(found)


def _options(table: Mapping[str, Any], prefix: str) -> tuple[Option, ...]:
    """Parse the options of a factor; their keys must differ."""
    found = []
    for place, each in _tables(table, "options", prefix):
        _refuse_unknown_fields(each, {"key", "label", "meaning"}, place)
        found.append(Option(*_key_label_meaning(each, place)))
    _refuse_repeated([each.key for each in found], f"{prefix}options")
    return tuple(found)


def _tables(
    table: Mapping[str, Any], name: str, prefix: str
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each table of an array with its place, counted from 1: ``options[2]``."""
    rows = table.get(name, [])
    if not isinstance(rows, list):
        _refuse("codebook_field", f"{prefix}{name}")
    for number, each in enumerate(rows, 1):
        place = f"{prefix}{name}[{number}]"
        if not isinstance(each, dict):
            _refuse("codebook_field", place)
        yield place, each


def _key_label_meaning(
    table: Mapping[str, Any], place: str
) -> tuple[str, Mapping[str, str], Mapping[str, str]]:
    key = table.get("key")
    if not isinstance(key, str) or not KEY.fullmatch(key):
        _refuse("codebook_key", f"{place}.key")
    return key, _texts(table, "label", place), _texts(table, "meaning", place)


def _texts(table: Mapping[str, Any], name: str, place: str) -> Mapping[str, str]:
    """Parse a text in every language of the product. Raises UserError if one is missing."""
    texts = table.get(name)
    if not isinstance(texts, dict):
        _refuse("codebook_field", f"{place}.{name}")
    _refuse_unknown_fields(texts, set(LANGUAGES), f"{place}.{name}")
    for language in LANGUAGES:
        text, where = texts.get(language), f"{place}.{name}.{language}"
        if not isinstance(text, str) or not text.strip():
            _refuse("codebook_field", where)
        if len(text) > _MAX_LENGTH[name]:
            _refuse("text_too_long", where, limit=_MAX_LENGTH[name], length=len(text))
    return {language: " ".join(texts[language].split()) for language in LANGUAGES}


def _refuse_unknown_fields(table: Mapping[str, Any], known: set[str], place: str) -> None:
    for name in sorted(table.keys() - known):
        where = f"{place}.{name}" if place else name
        _refuse("codebook_unknown", where, known=", ".join(sorted(known)))


def _refuse_repeated(keys: list[str], place: str) -> None:
    """Raise UserError for the first key that a list of a codebook repeats."""
    for number, key in enumerate(keys, 1):
        if key in keys[: number - 1]:
            _refuse("codebook_twice", f"{place}[{number}].key", key=key)


def _refuse(code: str, field: str, **params: object) -> NoReturn:
    """Raise the error of a field of the codebook."""
    raise UserError(code, Where(field=field), **params)


TEXT_LIMIT = GUIDELINE
FACTORS_LIMIT = FACTOR_BOOK


def text_limit(kind: str, task: str) -> int:
    """Return the maximum number of characters of a text of the document."""
    return FACTORS_LIMIT if kind == "codebook" and task in IN_YAML else TEXT_LIMIT


def refuse_unsound(text: str, task: str) -> None:
    """Raise UserError, with its place, for an invalid codebook."""
    if task in IN_YAML:
        reading.parse(text)
    else:
        parse(text, task)
