"""How the text of an English law names instruments: the Ferry Act of 1950, this Act, title 42.

Short names that the text defines ((hereinafter "the Act")) are read here too.

The steps below a section: (a)(1)(ii)(A), (1)3, lists and ranges of them. A step is written as the
parts of a unit are: ``(a)``, or ``3`` without brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from corpus.citations.english import NAME, mention_of, search_before
from corpus.citations.model import Mention, NameKind, Role

Steps = tuple[str, ...]

_CHAIN = re.compile(
    r"(?:\((?:[a-z]|aa|bb|cc|dd|ee|ff|gg|hh|[ivxl]{2,7}|[A-Z]|AA|BB|CC|DD|[IVXL]{2,7}"
    r"|\d{1,3}(?:-\d{1,2})?)\)|(?<=\))\d{1,3}(?![\d.]\d|\d))+"
)
_BARE = re.compile(r"\d{1,3}(?:-\d{1,2})?(?![\w%]|[.,]\d|-\d)")
_STEP = re.compile(r"\([^()]+\)|\d+(?:-\d+)?")
AND = re.compile(r",?\s++(?:and/or|and|or)\s++|,\s++")
TO = re.compile(r"\s++(?:to|through)\s++|\s?[–—-]\s?")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_MOST = 50  # steps that a range may have


def read_steps(
    text: str, at: int, *, bare: bool = False, several: bool = True
) -> tuple[list[Steps], int]:
    """Return the chains of steps written at `at`, and where they end; ``([], at)`` for none.

    (a)(1) and (2) are two chains: the second keeps what stands above its kind of step in the
    first. `bare` allows numbers without brackets (paragraph 3), `several` a list of those.
    """
    first, end = _chain(text, at, bare=bare)
    if not first:
        return [], at
    found = [first]
    while True:
        joined = _next(text, end, found[-1], bare=bare and several)
        if joined is None:
            return found, end
        more, end = joined
        found += more


def _next(text: str, end: int, last: Steps, *, bare: bool) -> tuple[list[Steps], int] | None:
    """Return the further chains of a list or a range that goes on at `end`."""
    for gap in (AND.match(text, end), TO.match(text, end)):
        if gap is None:
            continue
        new, after = _chain(text, gap.end(), bare=bare)
        whole = _under(last, new) if new else None
        if whole is None:
            continue
        if gap.re is AND:
            return [whole], after
        return [*_between(last, whole), whole], after
    return None


def _chain(text: str, at: int, *, bare: bool) -> tuple[Steps, int]:
    found = _CHAIN.match(text, at)
    if bare and (number := _BARE.match(text, at)):
        return (number[0],), number.end()
    if not found or text[at] != "(":
        return (), at
    return tuple(_STEP.findall(found[0])), found.end()


def _under(last: Steps, new: Steps) -> Steps | None:
    """Return `new` below what it shares with `last`: (a)(1) and (2) → (a)(2)."""
    for depth in range(len(last) - 1, -1, -1):
        if _alike(last[depth], new[0]):
            return (*last[:depth], *new)
    return None


def _alike(one: str, other: str) -> bool:
    """Tell whether two steps can be of one row: (a) and (b), (ii) and (iv), 3 and 4."""
    if one.startswith("(") is not other.startswith("("):
        return False
    a, b = one.strip("()"), other.strip("()")
    if a[:1].isdigit() or b[:1].isdigit():
        return a[:1].isdigit() and b[:1].isdigit()
    if a.islower() is not b.islower():
        return False
    return (_value(a) > 0 and _value(b) > 0) or len(a) == len(b) == 1 or a[0] == a[-1] == b[-1]


def _value(letters: str) -> int:
    """Return a Roman numeral's value, 0 for what is none."""
    values = [_ROMAN.get(letter, 0) for letter in letters.lower()]
    if not all(values) or letters.lower() in ("c", "l"):
        return 0
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-one if one < after else one for one, after in pairs)


def _between(first: Steps, last: Steps) -> list[Steps]:
    """Return the chains strictly between two that differ in their last step, else none."""
    above, low, high = last[:-1], first[len(last) - 1], last[-1]
    a, b = low.strip("()"), high.strip("()")
    wrap = "({})" if high.startswith("(") else "{}"
    if a.isdigit() and b.isdigit():
        names = [str(n) for n in range(int(a) + 1, min(int(b), int(a) + _MOST))]
    elif _value(a) and _value(b) and (len(a) > 1 or len(b) > 1):
        names = [_roman(n) for n in range(_value(a) + 1, min(_value(b), _value(a) + _MOST))]
        names = [name.upper() for name in names] if a.isupper() else names
    elif len(a) == len(b) == 1:
        names = [chr(n) for n in range(ord(a) + 1, ord(b))]
    else:
        names = []
    return [(*above, wrap.format(name)) for name in names]


def _roman(number: int) -> str:
    written = ""
    for value, letters in ((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv")):
        while number >= value:
            written, number = written + letters, number - value
    return written + "i" * number


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
