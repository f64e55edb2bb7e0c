"""Parser of charges and provisions as judgments and typologies write them.

``가. 사기 나. 상해``, ``诈骗罪、盗窃罪`` and ``Fraud, Assault`` name two offences each, each as
written there. A known title may contain commas itself, so the longest run of pieces that is a known
title counts as one.

``형법 제307조 제1항``, ``刑法第二百四十六条第一款`` and ``Article 307(1) of the Criminal Act`` name
a statute, an article and a part of it. A provision that names no statute belongs to the statute
named before it (``형법 제347조 제1항, 제30조``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

from corpus.cases.fields import number_of

_HAN = "[0-9零〇一二两三四五六七八九十百千]++"
_ASIDE = re.compile(rf"\((?!\s*{_HAN}(?:-\d+)?\s*\))[^()]*\)")  # a remark; (1) is a paragraph
_OF = (  # the statute after a place
    r"(?:\s++of\s++(?P<of>[^\d,;\s]++(?:\s++(?!and\b)[^\d,;\s]++)*+)"
    r"(?=\s*+(?:$|[,;])|\s++and\b))?"
)
_PATTERNS = {  # by what every provision of the language holds
    "조": re.compile(
        r"제\s*+(?P<article>\d++)\s*+조(?:의\s*+(?P<branch>\d++))?"
        r"(?:\s*+제\s*+(?P<paragraph>\d++)\s*+항)?(?:\s*+제\s*+(?P<item>\d++)\s*+호)?"
    ),
    "条": re.compile(
        rf"第\s*+(?P<article>{_HAN})\s*+条(?:之(?P<branch>{_HAN}))?"
        rf"(?:\s*+(?:第\s*+)?(?P<paragraph>{_HAN})\s*+款)?"
        rf"(?:\s*+(?:第\s*+)?\(?(?P<item>{_HAN})\)?\s*+项)?"
    ),
    "": re.compile(
        r"\b(?:Articles?|Art\.?|Sections?|Sec\.?|§)\s*+(?P<article>\d++)"
        r"(?:-(?P<branch>\d++))?(?:,?\s*+(?:paragraph\s*+)?\((?P<paragraph>\d++)\))?"
        r"(?:,?\s*+(?:(?:item|subparagraph)\s*+)?\((?P<item>\d++)\))?" + _OF,
        re.IGNORECASE,
    ),
}
_APART = re.compile(r"[\d,;、]")  # no statute before a place goes back beyond these
_EACH = r"\d++(?:-\d++)?+(?:\s*+\(\d++\))*+"
_SEVERAL = re.compile(  # Articles 347(1), 30 and 37 of the Criminal Act
    rf"\b(?:Articles|Sections|Arts\.)\s*+"
    rf"(?P<list>{_EACH}(?:\s*+(?:,(?:\s*+and)?+|and)\s*+{_EACH})++)" + _OF,
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:각|구|및|와|과|나아가|또는|依照|根据|依据|按照|和|及|以及|and|under|pursuant to|the)\s+"
    r"|^(?:依照|根据|依据|按照|以及)",
    re.IGNORECASE,
)
_SAME = {"같은법", "동법", "该法", "本法", "thesameact", "sameact", "theact", "act"}


@dataclass(frozen=True, slots=True)
class Provision:
    """A place in a statute; branch (의2), paragraph and item are 0 if not given."""

    statute: str
    article: int
    branch: int = 0
    paragraph: int = 0
    item: int = 0

    def covers(self, other: Provision) -> bool:
        """Return whether `other` is this place or lies within it."""
        mine = (self.statute, self.article, self.branch)
        return (
            mine == (other.statute, other.article, other.branch)
            and self.paragraph in (0, other.paragraph)
            and self.item in (0, other.item)
        )


def read_provisions(text: str, names: Mapping[str, str] | None = None) -> tuple[Provision, ...]:
    """Return the provisions named in a text, in its order; () if it names no article.

    `names` maps every folded name of a statute (`fold_statute`) to its one name. A provision whose
    statute is not named, here or before it, has the statute "".
    """
    plain = _ASIDE.sub(" ", unicodedata.normalize("NFKC", text))
    for mark in _PATTERNS:
        if mark in plain:
            plain = plain if mark else _SEVERAL.sub(_separate_articles, plain)
            if found := tuple(_provisions_found(mark, plain, names or {})):
                return found
    return ()


def fold_statute(name: str) -> str:
    """Normalize a statute's name: no white space, quotation marks or leading function words."""
    name = unicodedata.normalize("NFKC", name).strip(" \t\n,;·")
    while lead := _LEAD.match(name):
        name = name[lead.end() :]
    return (
        "".join(each for each in name if each.isalnum()).casefold().removeprefix("中华人民共和国")
    )


def _provisions_found(mark: str, text: str, names: Mapping[str, str]) -> Iterator[Provision]:
    """Yield the provisions in a text as a mark's pattern reads them; the statute carries over."""
    statute, done = "", 0
    for match in _PATTERNS[mark].finditer(text):
        said = match.groupdict()
        before = _APART.split(text[done : match.start()])[-1]
        name = fold_statute(said.get("of") or before)
        done = match.end()
        if name and name not in _SAME:
            statute = names.get(name, name)
        parts = (said[part] for part in ("article", "branch", "paragraph", "item"))
        yield Provision(statute, *(number_of(part) if part else 0 for part in parts))


def _separate_articles(several: re.Match[str]) -> str:
    """Rewrite a list of articles as separate articles, each with its statute."""
    of = f" of {several['of']}" if several["of"] else ""
    each = re.findall(_EACH, several["list"])
    return ", ".join(f"Article {''.join(one.split())}{of}" for one in each)


_LONGEST_RUN = 6  # the most pieces between commas that may be one title
_REMARK = re.compile(r"[\W_]+")
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
    """A title in a court case; `known` is its folded form, "" for an unknown one."""

    text: str
    known: str


def fold_title(title: str) -> str:
    """Normalize a title: no white space, punctuation or case, nor a final word for offence."""
    return _core(_fold(unicodedata.normalize("NFKC", title)))


def read_charge(text: str, known: Container[str]) -> Iterator[CaseTitle]:
    """Yield the titles in an entry of a list of charges; the whole entry if none is known."""
    found = list(read_titles(text, known))
    if any(each.known for each in found) or not found:
        yield from found
    else:
        yield CaseTitle(" ".join(text.split()), "")


def read_titles(text: str, known: Container[str]) -> Iterator[CaseTitle]:
    """Yield the titles in a text, also those that are not among the folded `known`."""
    text = unicodedata.normalize("NFKC", text)
    if "죄명" in text:
        text = _FOUND.sub(r"\1", text)
    if whole := _known_title(_fold(text), known):
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
    """Return the number of pieces from `at` that form the longest known title, and its folded form.

    The pieces and the separators between them are folded: separators are part of a longer title.
    """
    joined, found = "", (1, "")
    for run in range(1, min(_LONGEST_RUN, len(folded) - at) + 1):
        last = at + run - 1
        joined += folded[last] if run == 1 else between[last - 1] + folded[last]
        if folded[last] and (title := _known_title(joined, known)):
            found = run, title
    return found


def _known_title(folded: str, known: Container[str]) -> str:
    """Return the title that a text folds to, "" if none is known."""
    core = _core(folded)
    if core in known:
        return core
    shorter = _core(core[:-1]) if core[-1:] in ("등", "等") else ""  # "and others"
    return shorter if shorter and shorter in known else ""


def _fold(text: str) -> str:
    """Return a title without remarks and case."""
    return _REMARK.sub("", text).casefold()


def _core(folded: str) -> str:
    """Return a title without the word for crime at its end."""
    return folded[:-1] if len(folded) > 1 and folded[-1] in "죄罪" else folded
