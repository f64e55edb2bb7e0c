"""The packaged guidelines and codebooks.

They apply in a project until somebody saves a version (`annotation.guidelines.documents`). Each has
its number in a line of its own, which is not shown, since every view of a text shows its version.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from messages import LANGUAGES

KINDS = ("guideline", "codebook")
TASK = "citation_mapping"
EVERY = "mul"  # language of a text for all languages (ISO 639-2)
IN_YAML = frozenset({"factor_tagging"})  # tasks whose codebook is YAML instead of TOML
_FOLDER = Path(__file__).parent / "builtin"
_NUMBER = re.compile(r"^(?:# )?(?:Version|버전) (\d+)$\n*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Packaged:
    """A packaged document: its number, and its texts by language."""

    number: int
    texts: Mapping[str, str]


def languages_of(kind: str) -> tuple[str, ...]:
    """Return the languages in which a document of the kind has texts."""
    return (EVERY,) if kind == "codebook" else tuple(LANGUAGES)


@cache
def packaged(kind: str, task: str) -> Packaged | None:
    """Return the packaged document of that kind; None for an unknown kind or task.

    Raises ValueError if its texts do not all have the same number, a defect that the tests catch.
    """
    if kind not in KINDS or not re.fullmatch(r"[a-z_]+", task):
        return None
    files = {each: _file(kind, task, each) for each in languages_of(kind)}
    if not all(file.is_file() for file in files.values()):
        return None
    texts = {each: file.read_text(encoding="utf-8") for each, file in files.items()}
    return Packaged(_number_in(kind, task, texts), MappingProxyType(texts))


def is_packaged(kind: str, task: str, texts: Mapping[str, str]) -> bool:
    """Return True if these are the packaged texts of the document."""
    base = packaged(kind, task)
    return base is not None and dict(texts) == dict(base.texts)


def without_number(text: str) -> str:
    """Return the text without the line of its number."""
    return _NUMBER.sub("", text, count=1)


def _number_in(kind: str, task: str, texts: Mapping[str, str]) -> int:
    numbers = {found[1] for text in texts.values() if (found := _NUMBER.search(text))}
    if len(numbers) != 1:
        raise ValueError(f"the {kind} of {task} states versions {sorted(numbers)}, not one")
    return int(numbers.pop())


def _file(kind: str, task: str, language: str) -> Path:
    book = ".yaml" if task in IN_YAML else ".toml"
    ending = book if language == EVERY else f".{language}.md"
    return _FOLDER / f"{kind}s" / f"{task}{ending}"
