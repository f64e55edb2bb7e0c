"""Read the titles of a court case: which offences it names, each as it stands there.

``가. 사기 나. 상해``, ``诈骗罪、盗窃罪`` and ``Fraud, Assault`` name two each. A known title may
hold commas itself, so the longest run of pieces that is a known title counts as one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator
from dataclasses import dataclass

_LONGEST_RUN = 6  # pieces between commas that may be one title
_ASIDE = re.compile(r"[\W_]+")
_CUT = re.compile(
    r"[,;、,;\n/]|(?:(?:(?<!\s)|(?<=[.)]\s))\s++|(?<=\n)[^\S\n]++)(?:및|and)\s++"
    r"|(?:^|(?<=[\s,;、]))(?:[가-하]|\d{1,2}|[a-z])[.)]\s",
    re.IGNORECASE,
)
# What the court found instead of what was charged: 사기(인정된 죄명: 횡령)
_FOUND = re.compile(
    r"(?<![^,;()\[\]])[^,;()\[\]]*+(?:\([^()]*\))?[(\[]\s*+(?:인정된|변경된)\s*+죄명\s*+:?+\s*+"
    r"((?:[^()\[\]]++|\([^()]*\))*+)[)\]]"
)


@dataclass(frozen=True, slots=True)
class CaseTitle:
    """A title as it stands in a court case; `known` is its folded form, "" for an unknown one."""

    text: str
    known: str


def fold_title(title: str) -> str:
    """Return a title without white space, punctuation, case and the word for offence at its end."""
    return _core(_fold(unicodedata.normalize("NFKC", title)))


def read_charge(text: str, known: Container[str]) -> Iterator[CaseTitle]:
    """Yield the titles that an entry of a list of charges names; all of it where none is known."""
    found = list(read_titles(text, known))
    if any(each.known for each in found) or not found:
        yield from found
    else:
        yield CaseTitle(" ".join(text.split()), "")


def read_titles(text: str, known: Container[str]) -> Iterator[CaseTitle]:
    """Yield the titles that the text names, those that are not among the folded `known` too."""
    text = unicodedata.normalize("NFKC", text)
    if "죄명" in text:
        text = _FOUND.sub(r"\1", text)
    if whole := _known(_fold(text), known):
        yield CaseTitle(text.strip(), whole)
        return
    cuts = list(_CUT.finditer(text))
    starts = [0, *(cut.end() for cut in cuts)]
    ends = [*(cut.start() for cut in cuts), len(text)]
    folded = [_fold(text[start:end]) for start, end in zip(starts, ends, strict=True)]
    between = [_fold(cut[0]) for cut in cuts]
    at = 0
    while at < len(starts):
        run, found = _longest(folded, between, at, known)
        if folded[at] or run > 1:
            yield CaseTitle(text[starts[at] : ends[at + run - 1]].strip(), found)
        at += run


def _longest(
    folded: list[str], between: list[str], at: int, known: Container[str]
) -> tuple[int, str]:
    """Return how many pieces from `at` make the longest known title, and its folded form.

    The pieces are folded, and so is what stands between them: it is a part of a longer title.
    """
    joined, found = "", (1, "")
    for run in range(1, min(_LONGEST_RUN, len(folded) - at) + 1):
        last = at + run - 1
        joined += folded[last] if run == 1 else between[last - 1] + folded[last]
        if folded[last] and (title := _known(joined, known)):
            found = run, title
    return found


def _known(folded: str, known: Container[str]) -> str:
    core = _core(folded)
    if core in known:
        return core
    shorter = _core(core[:-1]) if core[-1:] in ("등", "等") else ""  # "and others"
    return shorter if shorter and shorter in known else ""


def _fold(text: str) -> str:
    return _ASIDE.sub("", text).casefold()


def _core(folded: str) -> str:
    return folded[:-1] if len(folded) > 1 and folded[-1] in "죄罪" else folded
