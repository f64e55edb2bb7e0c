"""Rules by language for what replies say in words: the patterns of ``wording/*.toml``.

What the kinds of rule mean is said in ``wording/README.md``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evaluation.replies.option_labels import label

KINDS = (
    *("abstain", "unstated", "denied", "refuse", "negated"),
    *("choose", "contrast", "conclude", "condition", "guess"),
)
_SCRIPTS = {
    "en": re.compile(r"[A-Za-z]"),
    "de": re.compile(r"[A-Za-z]"),
    "ko": re.compile(r"[가-힣]"),
    "zh": re.compile(r"[\u4e00-\u9fff]"),
}
_FOLDER = Path(__file__).parent / "wording"


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """Where a rule matched; `rule` is its name, as in ``en.abstain.cannot_be_determined``."""

    rule: str
    match: re.Match[str]


@cache
def rules() -> Mapping[str, Mapping[str, Mapping[str, re.Pattern[str]]]]:
    """Return the patterns by language, kind and name. Raises ValueError for an unknown kind."""
    found = {}
    for language in _SCRIPTS:
        told = tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
        if not told.keys() <= set(KINDS):
            raise ValueError(f"{language}: {sorted(told.keys() - set(KINDS))} is no kind of rule")
        found[language] = {
            kind: {name: _pattern(text) for name, text in named.items()}
            for kind, named in told.items()
        }
    return found


def first(kind: str, text: str) -> RuleMatch | None:
    """Return the first rule of a kind that matches the text, in the order of the files."""
    return next(every(kind, text), None)


def every(kind: str, text: str) -> Iterator[RuleMatch]:
    """Yield each place where a rule of the kind matches, rule by rule."""
    for language, kinds in rules().items():
        named = kinds.get(kind, {})
        if not named or not _SCRIPTS[language].search(text):
            continue
        for name, pattern in named.items():
            for match in pattern.finditer(text):
                yield RuleMatch(f"{language}.{kind}.{name}", match)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text.replace("LABEL", label("chosen")), re.IGNORECASE)
