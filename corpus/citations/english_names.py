"""Names of instruments in English text: the Ferry Act of 1950, this Act, title 42, 45 CFR.

Short names defined in the text ((hereinafter "the Act")) are read here too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from corpus.citations.model import US_CODE, Mention, NameKind, Role, canonical_code, us_code

_CAP = r"[A-Z][A-Za-z0-9'’&/-]{0,40}"
_SMALL = r"(?:(?i:of|on|and|for|the|to|in|against|from|with|by|or)|etc\.)"
_ROLES = {
    "act": Role.ACT,
    "law": Role.ACT,
    "code": Role.ACT,
    "statute": Role.ACT,
    "bill": Role.ACT,
    "ordinance": Role.ACT,
    "measure": Role.ACT,
    "charter": Role.ACT,
    "constitution": Role.ACT,
    "convention": Role.ANY,
    "treaty": Role.ANY,
    "directive": Role.ANY,
    "protocol": Role.ANY,
    "decree": Role.DECREE,
    "rule": Role.RULE,
    "regulation": Role.RULE,
    "order": Role.RULE,
    "standard": Role.STANDARD,
}
_PLURAL = ("rule", "regulation", "standard")


def _types(*words: str) -> str:
    """Return the pattern of kinds of instruments, in title case and capitals."""
    written = (word.title() + ("[Ss]?" if word in _PLURAL else "") for word in words)
    return "|".join(
        form for word in written for form in (word, word.upper().replace("[SS]", "[Ss]"))
    )


_TYPE = rf"(?:{_types(*_ROLES)})"
_CODE = r"[A-Z]{3,4}C\s?-?\s?\d{3,4}[A-Z]?"
_YEAR = r"(?:(?:(?:\s+of|,)?\s+(?:1[6-9]|20)\d\d(?![\d-]))|\s?\((?:1[6-9]|20)\d\d\))"
_ASIDE = r"\([A-Z][^()\n]{1,60}\)"  # (Consolidation), (Miscellaneous Provisions)
_LONGER = rf"(?:\s(?:{_CAP}|{_ASIDE}|of(?=\s[A-Z]))){{0,6}}\s{_TYPE}\b"
_TITLE = (
    rf"(?:(?:1[6-9]|20)\d\d\s)?(?:{_CAP}(?:,?\s(?:{_CAP}|{_SMALL}|{_ASIDE})){{0,14}}?\s)?{_TYPE}\b"
    # Criminal Code Amendment Act, Law of Property Act: up to the last word that is a kind.
    rf"(?:{_LONGER})?"
    rf"(?:\s(?:on|for|concerning|of)(?:\s{_SMALL}){{0,2}}\s{_CAP}"
    rf"(?:(?:,?\s{_SMALL}){{0,2}},?\s{_CAP}){{0,12}})?(?:\s?\({_CODE}\))?{_YEAR}?"
)
_NOW = (
    r"(?:(?:former|previous|prior|repealed|superseded|current|present|amended|old|original|then"
    r"|pre-[0-9]{4})\s+)?"
)
_THE = rf"(?:(?:[Tt]he|THE)\s+{_NOW})?"
_SAME = r"(?:same|said|that|this|such)\s+"
_LEVEL = _types("act", "law", "code", "decree", "rule", "regulation", "ordinance", "order")
_LEVEL = rf"(?:{_LEVEL}|Standards?)"
NAME = (
    rf"(?P<same>{_THE}{_SAME}(?P<same_type>{_LEVEL})\b)"
    rf"|(?P<enforcement>{_THE}Enforcement\s+(?P<enforcement_type>Decree|Rules?|Regulations?)"
    rf"(?:\s+(?:of|for|to|under)\s+{_THE}(?:(?P<of_same>{_SAME}(?:Act|Law)|Act\b(?!\s+on))"
    rf"|(?P<of_title>{_TITLE})))?)"
    rf"|(?P<level>(?:[Tt]he|THE)\s+{_NOW}(?:(?:1[6-9]|20)\d\d\s+)?(?P<level_type>{_LEVEL})\b"
    rf"(?!\s(?:on|for|concerning)\b|\sof\s[A-Z]|{_LONGER})(?:\s+of\s+(?:1[6-9]|20)\d\d)?)"
    rf"|(?P<title>{_THE}(?P<title_name>{_TITLE}))"
    rf"|(?P<code>{_THE}{_CODE}(?![0-9A-Za-z]))"
    rf"|(?P<short>{_THE}(?P<short_name>[A-Z]{{2,8}})\b(?!\s?\d))"
)
_US = rf"{US_CODE}(?:,?\s[Pp]art\s[0-9]{{1,4}})?"
_TRAILING = r"(?:['’]s)?(?:\s?\([^()]{0,80}\))?\s?[,:(]?\s{0,2}$"
_BEFORE = re.compile(rf"(?:{NAME}){_TRAILING}")
_US_BEFORE = re.compile(rf"(?P<code>{_US}){_TRAILING}")
_NAME_BEGINS = re.compile(
    r"(?<![A-Za-z])[A-Z]|\b(?:the|that|this|said|such|(?:1[6-9]|20)\d\d(?=\s[A-Z]))\b"
)
_AGAIN = re.compile(r"(?<![A-Za-z])(?:[Ii]bid|[Ii]d)\b\.?,?\s{1,3}(?:at\s)?$")
_ENDS = re.compile(rf"(?:{_TYPE}(?:['’]s)?|\d[A-Z]?|\))\W{{0,3}}$")


DIVISIONS = ("subpart", "part", "subchapter", "chapter", "subtitle", "division")
_PART_OF = re.compile(
    r",?\s+(?:of|in)\s+(?:[Pp]art|[Cc]hapter|[Dd]ivision|[Ss]ub(?:part|chapter|division))\s+"
    r"(?:[0-9]{1,4}[A-Z]?|[IVXLC]{1,7}|[A-Z])(?=,?\s+of\s)"
)
_AFTER = re.compile(rf"(?:\s*,)?\s+(?:of|in|under|to|OF)\s+(?:{NAME})")
_BESIDE = re.compile(
    rf",?\s+{_THE}(?P<title>(?P<title_name>{_TITLE}))(?!,?\s\(?(?:§|ss?\.?\s?\d|[Ss]ec|[Aa]rt|[Rr]eg))"
)
_SHORT_BESIDE = re.compile(
    r"\s(?P<short>(?P<short_name>(?!\w*(?:G|GB|VO)\b)[A-Z]{2,8}))\b(?:\s(?:1[6-9]|20)\d\d)?"
    r"(?!\s?[\d§]|\.[A-Za-z]|\s[A-Z]{2})"
)
_THIS = re.compile(
    r"\s+(?:of|to|in)\s+this\s+(Act|Code|[Tt]itle|[Ss]ubtitle|[Cc]hapter|[Ss]ubchapter|[Pp]art"
    r"|[Ss]ubpart|[Dd]ivision|[Ss]ection|[Aa]rticle|Decree|Rules?|Regulations?|Order|Law|Ordinance"
    r"|Standard|Schedule|Annex)\b"
)
_ANOTHER = re.compile(
    r",?\s+(?:of|OF)\s+(?:(?:the|an?|any(?:\s+other)?|another|other|both|each|every|such|this|that|these|those|its|their"
    r"|his|her|our|your|my)\s+)?[\w“\"]+(?:[.’'-]\w+)*"
)
_THEREOF = re.compile(r"\s+thereof\b")
_US_AFTER = re.compile(
    rf",?\s+of\s+(?P<code>{US_CODE}|[Tt]itle\s+[0-9]{{1,2}}(?!\d)(?:,?\s+(?:of\s+the\s+)?"
    r"(?:United\s+States\s+Code|Code\s+of\s+Federal\s+Regulations|U\.?\s?S\.?\s?C\b\.?|C\.?\s?F\.?\s?R\b\.?))?)"
)
# Text allowed between a place and its instrument: (duty to keep lamps), et seq.
_BETWEEN = re.compile(r"(?:\s\([^()\n]{4,90}\))?(?:,?\set\sseq\b\.?|\sff?\.|,?\sboth)?(?=,?\sof\s)")
# A name that does not parse as a title: at least it is another instrument's.
_OTHER = re.compile(
    r"\s+of\s+(?P<name>(?:Regulation|Directive|Decision)\s\((?:EU|EC|EEC|Euratom)\)\s"
    r"(?:No\s)?[0-9/]{3,12})"
    r"|\s+of\s+the\s+(?P<words>[A-Z][A-Za-z'’-]*(?:\s(?:at|of|in|for|and|on|the|to))*"
    r"(?:\s(?:[A-Z(][A-Za-z'’)-]*|at|of|in|for|and|on|the|to|with)){0,14}"
    r"\s(?:Acts?|Rules|Regulations|Code|Law|Order|Constitution|Treaty|Convention)\b"
    r"(?:\s(?:of\s)?(?:1[6-9]|20)\d\d)?|Constitution)"
)
_SHORT_NAME = re.compile(
    r"\s?\((?:(?=[A-Z]{2,8}\))|(?:hereinafter|hereafter|in\s+this\s+[A-Z]\w+)[^()\"“”]{0,60}?[\"“](?:the\s+)?"
    r"|(?:hereinafter|hereafter)[,\s]+(?:referred\s+to\s+as\s+)?[‘']?(?:the\s+)?"
    r"|(?:the\s+)?[\"“‘'](?:the\s+)?|the\s+(?=[A-Z]))"
    r"([A-Z][A-Za-z.&-]*(?:\s[A-Za-z.&-]+){0,4}),?[\"”’']?\)"
)
# A title by itself has at least this many words before its kind.
_ALONE = re.compile(
    r"(?<![\w(\"“-])(?:[Tt]he\s+)?(?:(?:1[6-9]|20)\d\d\s+)?(?=(?:[A-Z][\w'’&/-]*,?\s(?:(?:of|on|and|for|the|to|in|by)\s)*)"
    r"{1,14}?(?:Act|Law|Code|Regulations?|Rules?|Decree|Order)\b)"
)
_WHOLE = ("constitution", "convention", "treaty", "charter")  # names without a further word
_KIND = re.compile(r"Act|Law|Code|Reg|Rule|Decree|Order")
_VAGUE = frozenset(
    ("this", "that", "such", "any", "each", "an", "a", "no", "every", "same", "said", "another")
).union(("other", "both", "those", "these", "its", "all", "presidential", "ministerial", "public"))
_LEAD = re.compile(
    r"(?i:under|in|of|the|for|to|by|on|and|or|nor|but|where|if|when|with|within|without|from|see|pursuant"
    r"|subject|unless|as|at|per|via|yes|no|not|also|although|because|since|while|whereas|though|thus"
    r"|hence|therefore|however|moreover|further|furthermore|likewise|similarly|instead|indeed|both"
    r"|neither|either|does|do|did|is|are|was|were|can|may|must|shall|should|will|would|has|have|had"
    r"|compare|cf|read|like|unlike|applying|citing|following|violating|given|only|even|here|there|so"
    r"|that|what|whether|which|who|why|how|until|before|after|upon|according|regarding|concerning"
    r")[,\s]+(?:that\s+)?"
    r"|[^\n]{1,80}\n\s{0,8}the\s+(?=[A-Z])"  # a heading
    # Canada, the Ferry Act; Ferry Act 1950 and the Pier Act
    rf"|(?:{_CAP}\s){{0,14}}{_CAP}(?:,|\s(?:and|or|nor|that|by|under|with),?)\s+the\s+(?=[A-Z])"
    rf"|(?:(?:{_CAP}|{_SMALL}|{_ASIDE}),?\s){{0,14}}?Act{_YEAR}?,?\s(?:and|or|nor|but|with)\s+(?:the\s+)?"
    r"(?=[A-Z])"
)


def instrument_after(text: str, at: int) -> tuple[Mention, int] | None:
    """Return the instrument in "of the Ferry Act of 1950" at `at`, and its end; else None.

    ``NameKind.SAME`` with the name "this" is the own statute, with "another" an unspecified one.
    """
    for pattern in (_BETWEEN, _PART_OF):
        found = pattern.match(text, at)
        at = found.end() if found else at
    if found := _THIS.match(text, at):
        return Mention(NameKind.SAME, found[0].strip(), "this"), found.end()
    if found := _US_AFTER.match(text, at):
        code = us_code(found["code"]) or us_code(found["code"] + " U.S.C.")
        return Mention(NameKind.CODE, found[0].strip(", "), code=code), found.end()
    if (found := _OTHER.match(text, at)) and (found["name"] or not _AFTER.match(text, at)):
        name = found["name"] or found["words"]
        return Mention(NameKind.TITLE, name, name), found.end()
    if found := _AFTER.match(text, at):
        return _title_or_level(mention_of(found)), found.end()
    if found := _THEREOF.match(text, at):
        return Mention(NameKind.SAME, "thereof"), found.end()
    if found := _ANOTHER.match(text, at):
        return Mention(NameKind.SAME, found[0].strip(), "another"), found.end()
    return None


def instrument_before(text: str, low: int, at: int) -> tuple[Mention, int] | None:
    """Return the instrument named right before `at`, from `low` on, and its start; else None."""
    window = text[low:at]
    if found := _AGAIN.search(window):
        return Mention(NameKind.SAME, found[0].rstrip()), low + found.start()
    found = _US_BEFORE.search(window) or _name_before(window)
    if found is None:
        return None
    mention, start = _without_lead(mention_of(found))
    if mention.kind is NameKind.TITLE and _vague(mention.name, 2):
        return None
    return mention, low + found.start() + start


def instrument_beside(text: str, at: int) -> tuple[Mention, int] | None:
    """Return the instrument right after a place, without "of": s 5(1) Ferry Act 1950; else None."""
    for pattern in (_BESIDE, _SHORT_BESIDE):
        if (found := pattern.match(text, at)) and not _vague(found[0], 1):
            return mention_of(found), found.end()
    return None


def _name_before(window: str) -> re.Match[str] | None:
    """Return the match of a name that ends right before the place; None if there is none."""
    if not _ENDS.search(window):
        return None
    for start in _NAME_BEGINS.finditer(window):
        if found := _BEFORE.match(window, start.start()):
            return found if found.lastgroup != "short" else None
    return None


def mention_of(match: re.Match[str]) -> Mention:
    """Return the naming of an instrument in a match of :data:`NAME`."""
    group = defaultdict(str, {key: value for key, value in match.groupdict().items() if value})
    if written := group["same"]:
        role = role_named(group["same_type"])
        return Mention(NameKind.SAME, written, role=role, direct=role is not Role.ACT)
    if written := group["enforcement"]:
        if group["of_title"]:
            return Mention(NameKind.TITLE, written, re.sub(r"^the\s+", "", written))
        kind = NameKind.SAME if group["of_same"] else NameKind.LEVEL
        return Mention(kind, written, role=role_named(group["enforcement_type"]))
    if written := group["level"]:
        return Mention(NameKind.LEVEL, written, role=role_named(group["level_type"]))
    if written := group["code"]:
        return Mention(NameKind.CODE, written, code=us_code(written) or canonical_code(written))
    if written := group["short"]:
        return Mention(NameKind.TITLE, written, group["short_name"])
    name = group["title_name"]
    return Mention(NameKind.TITLE, group["title"], name, canonical_code(name))


def role_named(words: str) -> Role:
    """Return the role of the kind of instrument at the end of words: the said Rules, this Act."""
    return _ROLES.get(words.rpartition(" ")[2].lower().rstrip("s"), Role.ANY)


def is_lead(word: str) -> bool:
    """Return whether a word can begin a sentence without being part of a name: Under, See."""
    return _LEAD.fullmatch(word + " ") is not None


def names_alone(
    text: str, start: int = 0, end: int | None = None
) -> Iterator[tuple[Mention, int, int]]:
    """Yield the instruments named in a stretch of text, with the start and end of each name."""
    name, at, stop = re.compile(NAME), start, len(text) if end is None else end
    if not _KIND.search(text, start, stop):
        return
    while first := _ALONE.search(text, at, stop):
        found = name.match(text, first.start(), stop)
        at = first.end() + 1
        if found is None or found.lastgroup == "short":
            continue
        mention, cut = _without_lead(_title_or_level(mention_of(found)))
        titled = mention.kind is NameKind.TITLE and not _vague(mention.name)
        if titled or (mention.kind is NameKind.SAME and "nforcement" in mention.text):
            yield mention, first.start() + cut, found.end()
        at = max(at, found.end())


def short_name(text: str, at: int) -> str:
    """Return the short name defined in brackets at `at`, "" if none: (the "Lamp Act")."""
    found = _SHORT_NAME.match(text, at)
    return found[1] if found else ""


def _title_or_level(mention: Mention) -> Mention:
    """Read a kind alone ("the Act for the …") as that level; other mentions unchanged."""
    word = mention.name.split(" ", 1)[0].lower().rstrip("s")
    titled = re.match(r"\w+\s(?:on|concerning|of)\s", mention.name)
    if (
        mention.kind is not NameKind.TITLE
        or word not in _ROLES
        or titled
        or " " in mention.name.strip()
    ):
        return mention
    return Mention(NameKind.LEVEL, mention.text, role=_ROLES[word])


def _vague(name: str, shortest: int = 3) -> bool:
    """Return whether a name has too few words to identify an instrument."""
    words = name.lower().split()
    last = words[-1] if words else ""
    fewest = (
        1 if last in _WHOLE else min(2, shortest) if last in ("act", "code", "law") else shortest
    )
    return len(words) < fewest or words[0] in _VAGUE


def _without_lead(mention: Mention) -> tuple[Mention, int]:
    """Drop the words before a mention's name; return it and the number of letters dropped.

    Under the Ferry Act; Ferry Act and Pier Act, of which the last is meant.
    """
    cut = 0
    leads = _LEAD if mention.kind is NameKind.TITLE else re.compile(r"[Tt]he\s+")
    while lead := leads.match(mention.text, cut):
        cut = lead.end()
    named = mention.text.find(mention.name)
    name = mention.name[max(0, cut - named) :]
    return replace(mention, text=mention.text[cut:], name=name), cut
