"""The guideline that people follow, and the version of it that each decision carries."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from words import LANGUAGES

_FOLDER = Path(__file__).parent / "guidelines"
_NUMBER = re.compile(r"^(?:Version|버전) (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Guideline:
    """The guideline in one language (Markdown), with its version."""

    version: str
    language: str
    text: str


def guideline(language: str = "en", task: str = "citation_mapping") -> Guideline:
    """Return the guideline of a task. Raises KeyError for a language it is not written in."""
    return Guideline(version(task), language, _texts(task)[language])


@cache
def version(task: str = "citation_mapping") -> str:
    """Return ``<number>-<hash>``: the number stated in the texts, and a hash over all of them.

    The hash has 12 hexadecimal digits; it changes with any edit, so that no two wordings share a
    version even if somebody forgets the number.
    """
    texts = _texts(task)
    numbers = {found[1] for text in texts.values() if (found := _NUMBER.search(text))}
    if len(numbers) != 1:
        raise ValueError(f"the guidelines of {task} state versions {sorted(numbers)}, not one")
    digest = sha256("\0".join(texts[language] for language in sorted(texts)).encode())
    return f"{numbers.pop()}-{digest.hexdigest()[:12]}"


@cache
def _texts(task: str) -> dict[str, str]:
    return {
        language: (_FOLDER / f"{task}.{language}.md").read_text(encoding="utf-8")
        for language in LANGUAGES
    }
