"""Wordings that give a question away as made from documents, and words made comparable."""

from __future__ import annotations

import re
import unicodedata

_GIVEN_EN = r"(?:given|provided|above|following|preceding|presented|supplied|attached|cited)"
_THING_EN = (
    r"(?:texts?|documents?|passages?|provisions?|contexts?|materials?|information|excerpts?|"
    r"articles?|clauses?|regulations?|statutes?|law)"
)
_SOURCE_EN = r"(?:texts?|documents?|passages?|provisions?|contexts?|materials?|excerpts?)"
_GIVEN_KO = r"(?:제시된|주어진|제공된|위의?|상기|다음의?|아래의?|앞의|해당)"
_THING_KO = (
    r"(?:조문|조항|문서|자료|본문|지문|내용|법령|규정|규칙|법조문|정보|텍스트|글|문맥|발췌|"
    r"[조항호](?=(?:에서|에|의|을|를|이|가|은|는|과|와)?(?![가-힣])))"
)
_TEXT_KO = r"(?:법조문|조문|조항|본문|지문|제시문|규정|[조항호](?=(?:에서|에|의)(?![가-힣])))"

META = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_GIVEN_EN}\s+{_THING_EN}\b(?!\s+(?:obligation|requirement)s?)",
        rf"\b{_THING_EN}\s+(?:{_GIVEN_EN}|mentioned|above|below)\b",
        rf"\b(?:according\s+to|based\s+on|as\s+stated\s+in|in\s+light\s+of)\s+(?:the|this|these)\s+"
        rf"{_SOURCE_EN}\b",
        r"\b(?:the|this)\s+(?:text|document|passage|excerpt|context)\b",
        r"\b(?:document|provision|passage|text)\s+[AB]\b",
        r"(?:문서|조문|조항|규정|자료|지문|본문)\s*[AB](?![A-Za-z])",
        rf"(?<![가-힣]){_GIVEN_KO}\s*{_THING_KO}",
        rf"(?<![가-힣])(?:이|본|동|같은)\s*{_TEXT_KO}",
        r"(?<![가-힣])(?:본문|지문|제시문|조문|조항|자료|문서)(?:에서|에|의 내용에)?\s*"
        r"(?:따르면|의하면|언급된|나타난|근거하여)",
    )
)
"""Wordings that speak of the material instead of the matter."""

CITING = tuple(
    re.compile(pattern)
    for pattern in (
        r"제\s*\d+\s*[조항호]",
        r"(?<!\d)\d+\s*조(?:\s*의\s*\d+)?\s*제?\s*\d+\s*[항호]",
        r"「[^「」]+」",
        r"별표\s*\d|별지\s*제\s*\d",
        r"\b(?:[Aa]rticle|[Ss]ection|[Pp]aragraph|[Cc]lause)s?\s+\d",
        r"§\s*\d",
        r"\b(?:[A-Z][a-z]+\s+){1,6}(?:Act|Decree|Code)\b",
    )
)
"""Names and places of law, which a question is to do without."""

_PUNCTUATION = re.compile(r"[^\w\s]+")
_HANGUL = re.compile(r"[가-힣]")


def comparable(text: str) -> str:
    """Return the text without what does not count when wordings are compared."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_PUNCTUATION.sub(" ", folded).split())


def says(text: str, words: str) -> bool:
    """Whether the words stand in the text, from the beginning of a word; endings may follow.

    Korean joins its particles to words, so only a number has to end where the words end.
    """
    said, sought = comparable(text), comparable(words)
    if not sought:
        return False
    end = r"(?!\d)" if sought[-1].isdecimal() else ""
    if sought[-1].isascii() and sought[-1].isalpha():
        end = r"\b"
    return re.search(rf"(?<!\w){re.escape(sought)}{end}", said) is not None


def in_language(text: str, language: str) -> bool:
    """Whether a text is in the script of its language, as far as that can be told."""
    return bool(_HANGUL.search(unicodedata.normalize("NFC", text))) == (language == "ko")
