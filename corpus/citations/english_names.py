"""How the text of an English law names instruments: the Ferry Act of 1950, this Act, title 42.

Short names that the text defines ((hereinafter "the Act")) are read here too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from corpus.citations.english import NAME, mention_of, search_before
from corpus.citations.model import Mention, NameKind, Role

DIVISIONS = ("subpart", "part", "subchapter", "chapter", "subtitle", "division")
_AFTER = re.compile(rf"(?:\s*,)?\s+(?:of|to)\s+(?:{NAME})")
_THIS = re.compile(
    r"\s+(?:of|to|in)\s+this\s+(Act|Code|[Tt]itle|[Ss]ubtitle|[Cc]hapter|[Ss]ubchapter|[Pp]art"
    r"|[Ss]ubpart|[Dd]ivision|[Ss]ection|[Aa]rticle|Decree|Rules?|Regulations?|Order|Law|Ordinance"
    r"|Standard|Schedule|Annex)\b"
)
_ANOTHER = re.compile(
    r"\s+of\s+(?:another|any(?:\s+other)?|an?|other|each|every|those|these|its|their)\s+[A-Za-z]+"
)
_TITLE_NUMBER = re.compile(
    r",?\s+of\s+[Tt]itle\s+(\d{1,2})(?!\d)"
    r"(?P<code>,?\s+(?:of\s+the\s+)?(?:United\s+States\s+Code|Code\s+of\s+Federal\s+Regulations"
    r"|U\.?\s?S\.?\s?C\b\.?|C\.?\s?F\.?\s?R\b\.?))?"
)
# Of a name that is not read as a title: at least that it is another instrument's.
_OTHER = re.compile(
    r"\s+of\s+(?P<name>(?:Regulation|Directive|Decision)\s\((?:EU|EC|EEC|Euratom)\)\s"
    r"(?:No\s)?[0-9/]{3,12})"
    r"|\s+of\s+the\s+(?P<words>[A-Z][A-Za-z'’-]*(?:\s(?:at|of|in|for|and|on|the|to))*"
    r"(?:\s(?:[A-Z(][A-Za-z'’)-]*|at|of|in|for|and|on|the|to|with)){0,14}"
    r"\s(?:Acts?|Rules|Regulations|Code|Law|Order|Constitution|Treaty|Convention)\b"
    r"(?:\s(?:of\s)?(?:1[6-9]|20)\d\d)?|Constitution)"
)
_YEAR = re.compile(r"(?:\s+of|,)?\s+(?:1[6-9]|20)\d\d(?!\d)")
_ROLES = {
    "Act": Role.ACT,
    "Law": Role.ACT,
    "Code": Role.ACT,
    "Decree": Role.DECREE,
    "Rule": Role.RULE,
    "Regulation": Role.RULE,
    "Standard": Role.STANDARD,
}
_SHORT_NAME = re.compile(
    r"\s?\((?:(?:hereinafter|hereafter|in\s+this\s+[A-Z]\w+)[^()\"“”]{0,60}?[\"“](?:the\s+)?"
    r"|(?:hereinafter|hereafter)[,\s]+(?:referred\s+to\s+as\s+)?[‘']?(?:the\s+)?"
    r"|(?:the\s+)?[\"“‘'](?:the\s+)?|the\s+(?=[A-Z]))"
    r"([A-Z][A-Za-z.&-]*(?:\s[A-Za-z.&-]+){0,4}),?[\"”’']?\)"
)
# A title by itself has at least this many words before its kind.
_ALONE = re.compile(
    r"(?<![\w(\"“-])(?:[Tt]he\s+)?(?=(?:[A-Z][\w'’&/-]*,?\s(?:(?:of|on|and|for|the|to|in|by)\s)*)"
    r"{1,14}?(?:Act|Law|Code|Regulations?|Rules?|Decree|Order)\b)"
)
_VAGUE = frozenset(
    ("this", "that", "such", "any", "each", "an", "a", "no", "every", "same", "said", "another")
).union(("other", "both", "those", "these", "its", "all", "presidential", "ministerial", "public"))
_LEAD = re.compile(
    r"(?:under|in|of|the|for|to|by|on|and|where|if|when|with|from|see|pursuant|subject|unless|as)"
    r"\s+",
    re.IGNORECASE,
)


def instrument_after(text: str, at: int) -> tuple[Mention, int] | None:
    """Return the instrument named by "of the Ferry Act of 1950" at `at`, and where it ends.

    ``Kind.SAME`` with the name "this" stands for the own statute, with "another" for one that
    the words leave open.
    """
    if found := _THIS.match(text, at):
        return Mention(NameKind.SAME, found[0].strip(), "this"), found.end()
    if found := _TITLE_NUMBER.match(text, at):
        federal = "CFR" if "F" in (found["code"] or "").upper().replace("OF ", "") else "USC"
        return Mention(NameKind.CODE, found[0].strip(", "), code=found[1] + federal), found.end()
    if (found := _OTHER.match(text, at)) and (found["name"] or not _AFTER.match(text, at)):
        name = found["name"] or found["words"]
        return Mention(NameKind.TITLE, name, name), found.end()
    if found := _AFTER.match(text, at):
        return _dated(text, _leveled(mention_of(found)), found.end())
    if found := _ANOTHER.match(text, at):
        return Mention(NameKind.SAME, found[0].strip(), "another"), found.end()
    return None


def instrument_before(text: str, low: int, at: int) -> tuple[Mention, int] | None:
    """Return the instrument of "the Ferry Act, section 5" and where it starts."""
    found = search_before(text, low, at)
    if found is None:
        return None
    mention = mention_of(found)
    if mention.kind is not NameKind.TITLE or _vague(mention.name):
        return None
    cut, named = _cut(mention), mention.text.find(mention.name)
    mention = replace(mention, text=mention.text[cut:], name=mention.name[max(0, cut - named) :])
    return mention, low + found.start() + cut


def names_alone(text: str) -> Iterator[tuple[Mention, int, int]]:
    """Yield the instruments that a text names, with where their names begin and end."""
    name, at = re.compile(NAME), 0
    while start := _ALONE.search(text, at):
        found = name.match(text, start.start())
        at = start.end() + 1
        if found is None or found.lastgroup == "short":
            continue
        mention, end = _dated(text, _leveled(mention_of(found)), found.end())
        titled = mention.kind is NameKind.TITLE and not _vague(mention.name)
        if titled or (mention.kind is NameKind.SAME and "nforcement" in mention.text):
            cut, named = _cut(mention), mention.text.find(mention.name)
            name_cut = mention.name[max(0, cut - named) :]
            mention = replace(mention, text=mention.text[cut:], name=name_cut)
            yield mention, start.start() + cut, end
        at = max(at, found.end())


def short_name(text: str, at: int) -> str:
    """Return the short name that brackets at `at` define, empty if none: (the "Lamp Act")."""
    found = _SHORT_NAME.match(text, at)
    return found[1] if found else ""


def _leveled(mention: Mention) -> Mention:
    """Read "the Act for the …" as the Act, which is no title."""
    word = mention.name.split(" ", 1)[0].rstrip("s")
    if mention.kind is not NameKind.TITLE or word not in _ROLES or _is_title(mention.name):
        return mention
    return Mention(NameKind.LEVEL, mention.text, role=_ROLES[word])


def _is_title(name: str) -> bool:
    return re.match(r"\w+\s(?:on|concerning)\s", name) is not None


def _dated(text: str, mention: Mention, end: int) -> tuple[Mention, int]:
    """Add the year of the Ferry Act of 1950 to its name."""
    year = _YEAR.match(text, end) if mention.kind is NameKind.TITLE else None
    if year is None:
        return mention, end
    return replace(mention, text=mention.text + year[0], name=mention.name + year[0]), year.end()


def _vague(name: str) -> bool:
    words = name.lower().split()
    few = len(words) < (2 if words and words[-1] in ("act", "code", "law") else 3)
    return not words or words[0] in _VAGUE or few


def _cut(mention: Mention) -> int:
    """Return how many letters in front of a name do not belong to it: Under the Ferry Act."""
    cut = 0
    while lead := _LEAD.match(mention.text, cut):
        cut = lead.end()
    return cut
