"""The language of terms and connectors: what a query says, read from text and written back.

From the strongest to the weakest (paper 003, appendix A, after Westlaw's):

====== ==========================================================================================
"a b"  the words one after the other
a b    either, by a space (or by ``or``)
a +n b a before b, within n words (1 to 255)
a /n b a within n words of b, before or after
a +s b a before b in one sentence; ``/s`` in either order
a +p b a before b in one paragraph; ``/p`` in either order
a & b  both in one text
a % b  a, in texts that have no b
====== ==========================================================================================

Of two numerical connectors the smaller binds first whatever its kind; of two with one n ``+n``
does. What binds alike binds from left to right. Parentheses come before all. ``!`` ends a word that
is cut to its root, ``*`` is one character, ``#`` before a word or phrase takes it exactly as
written. A word that the index divides (``제12조``) is a phrase.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn, TypeAlias

from errors import UserError, Where
from normalization import lowered
from retrieval.connectors.words import words_of

LONGEST = 2_000  # characters
MOST_TERMS = 200
DEEPEST = 40  # parentheses in one another
MOST_APART = 255
ROOT, ANY, EXACT = "!", "*", "#"


class Kind(StrEnum):
    """What a connector asks for; the order is that of how strongly they bind."""

    BEFORE = "+n"
    NEAR = "/n"
    SENTENCE_BEFORE = "+s"
    SENTENCE = "/s"
    PARAGRAPH_BEFORE = "+p"
    PARAGRAPH = "/p"
    AND = "&"
    BUT_NOT = "%"


_ORDER = {kind: at for at, kind in enumerate(Kind)}
_NUMERICAL = (Kind.BEFORE, Kind.NEAR)


@dataclass(frozen=True, slots=True)
class Connector:
    """A connector; `n` is how many words it reaches, 0 for those that count none."""

    kind: Kind
    n: int = 0

    def __str__(self) -> str:
        return f"{self.kind[0]}{self.n}" if self.kind in _NUMERICAL else str(self.kind)

    @property
    def strength(self) -> tuple[int, int, int]:
        """How strongly it binds: the higher, the stronger."""
        if self.kind in _NUMERICAL:
            return 1, -self.n, -_ORDER[self.kind]
        return 0, -_ORDER[self.kind], 0


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a phrase in lower case, with ``*`` for any character; `root` if it is cut."""

    text: str
    root: bool = False

    def __str__(self) -> str:
        return self.text + (ROOT if self.root else "")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words one after the other, mostly one alone; `exact` takes each as it is written."""

    terms: tuple[Term, ...]
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Either:
    """Any of two or more parts, none of which is again one of these."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Connected:
    """Two parts joined by a connector."""

    connector: Connector
    left: Part
    right: Part


Part: TypeAlias = Phrase | Either | Connected
_OR_STRENGTH = (2, 0, 0)


def either(*parts: Part) -> Part:
    """Return any of `parts`: those of an Either among them are taken for themselves."""
    flat = [each for part in parts for each in (part.parts if isinstance(part, Either) else [part])]
    return flat[0] if len(flat) == 1 else Either(tuple(flat))


def write(part: Part) -> str:
    """Return the query that `parse` reads as `part`, with no parentheses that it can do without."""
    match part:
        case Phrase(terms, exact):
            written = " ".join(map(str, terms))
            alone = len(terms) == 1 and written != "or"
            return (EXACT if exact else "") + (written if alone else f'"{written}"')
        case Either(parts):
            return " ".join(_within(each, _OR_STRENGTH, False) for each in parts)
        case Connected(connector, left, right):
            strength = connector.strength
            before, after = _within(left, strength, True), _within(right, strength, False)
            return f"{before} {connector} {after}"


def strength_of(part: Part) -> tuple[int, int, int]:
    """Return how strongly a part holds together: phrases most."""
    match part:
        case Phrase():
            return 3, 0, 0
        case Either():
            return _OR_STRENGTH
        case Connected(connector):
            return connector.strength


def _within(part: Part, strength: tuple[int, int, int], equal_stays: bool) -> str:
    own = strength_of(part)
    bare = own > strength or (equal_stays and own == strength)
    return write(part) if bare else f"({write(part)})"


@dataclass(frozen=True, slots=True)
class _Token:
    """A token of a query: what it is, where it stands (from 0), and its text as typed."""

    what: str  # open, close, connector, or, phrase
    at: int
    text: str
    connector: Connector | None = None
    phrase: Phrase | None = None


# Full-width and typographic forms that keyboards give, one for one so that places stay true.
_FORMS = str.maketrans("“”„‟«»＂（）＋／＆％！＊＃", '""""""' + '"()+/&%!*#')
_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<phrase>#?\"[^\"]*(?P<closed>\")?)|(?P<open>\()|(?P<close>\))"
    r"|(?P<connector>[+/][^\s\"()&%]*|&|%)|(?P<word>[^\s\"()&%/+]+)"
)
_NUMBER = re.compile(r"[+/]([0-9]+)")


def parse(query: str) -> Part:
    """Return what a query says. Raises UserError that names the place of what is wrong."""
    plain = unicodedata.normalize("NFC", query)
    if len(plain) > LONGEST:
        raise UserError("connectors_long", limit=LONGEST)
    tokens = _tokens(lowered(plain.translate(_FORMS)))
    if not tokens:
        raise UserError("connectors_empty")
    if sum(token.what == "phrase" for token in tokens) > MOST_TERMS:
        raise UserError("connectors_many", limit=MOST_TERMS)
    return _Reader(tokens).whole()


def _wrong(code: str, at: int, text: str, **params: object) -> NoReturn:
    raise UserError(code, Where(), place=at + 1, text=text.strip() or text, **params)


def _tokens(query: str) -> list[_Token]:
    tokens: list[_Token] = []
    for found in _TOKEN.finditer(query):
        what, at, text = str(found.lastgroup), found.start(), found[0]
        what = "phrase" if what == "closed" else what
        if what == "phrase":
            if not found["closed"]:
                _wrong("connectors_quote", at, text)
            phrase = _phrase(text, at)
            tokens.append(_Token("phrase", at, text, phrase=phrase))
        elif what == "word":
            if text == "or":
                tokens.append(_Token("or", at, text))
            else:
                tokens.append(_Token("phrase", at, text, phrase=_phrase(text, at)))
        elif what == "connector":
            tokens.append(_Token(what, at, text, connector=_connector(text, at)))
        elif what != "space":
            tokens.append(_Token(what, at, text))
    return tokens


def _connector(text: str, at: int) -> Connector:
    text = unicodedata.normalize("NFKC", text)  # full-width figures and letters
    if numbered := _NUMBER.fullmatch(text):
        n = int(numbered[1][:4])
        if not 1 <= n <= MOST_APART:
            _wrong("connectors_distance", at, text, limit=MOST_APART)
        return Connector(Kind.BEFORE if text[0] == "+" else Kind.NEAR, n)
    if text in list(Kind) and text[1:] != "n":
        return Connector(Kind(text))
    _wrong("connectors_unknown", at, text)


def _phrase(text: str, at: int) -> Phrase:
    """Return the words of `text`, a word or a phrase in quotation marks, each with its signs."""
    exact = text.startswith(EXACT)
    inner = text.removeprefix(EXACT).strip('"')
    if EXACT in inner:
        _wrong("connectors_exact", at + text.index(EXACT, int(exact)), text)
    terms: list[Term] = []
    behind = 0
    for start, end in words_of(inner):
        word, root = inner[start:end], inner[end : end + 1] == ROOT
        glued = bool(terms) and terms[-1].root and start == behind
        if glued or ROOT in inner[behind:start]:
            _wrong("connectors_root", at, text)
        if not word.strip(ANY):
            _wrong("connectors_star", at, text)
        if root and exact:
            _wrong("connectors_exact_root", at, text)
        terms.append(Term(word, root))
        behind = end + root
    if ROOT in inner[behind:]:
        _wrong("connectors_root", at, text)
    if not terms:
        _wrong("connectors_no_word", at, text)
    return Phrase(tuple(terms), exact)


class _Reader:
    """Reads tokens by how strongly connectors bind (precedence climbing)."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._next = 0
        self._depth = 0

    def whole(self) -> Part:
        part = self._joined(None)
        if self._next < len(self._tokens):  # only a parenthesis can stop it here
            token = self._tokens[self._next]
            _wrong("connectors_close", token.at, token.text)
        return part

    def _joined(self, above: tuple[int, int, int] | None) -> Part:
        """Read a part whose connectors all bind more strongly than `above`."""
        part = self._either()
        while (token := self._peek()) is not None and token.connector is not None:
            strength = token.connector.strength
            if above is not None and strength <= above:
                break
            self._next += 1
            part = Connected(token.connector, part, self._joined(strength))
        return part

    def _either(self) -> Part:
        parts = [self._one()]
        while (token := self._peek()) is not None and token.what in ("phrase", "open", "or"):
            if token.what == "or":
                self._next += 1
            parts.append(self._one())
        return either(*parts)

    def _one(self) -> Part:
        token = self._peek()
        if token is None:
            last = self._tokens[-1]
            _wrong("connectors_missing", last.at, last.text)
        if token.what in ("connector", "or", "close"):
            _wrong("connectors_missing", token.at, token.text)
        self._next += 1
        return token.phrase if token.phrase is not None else self._bracketed(token)

    def _bracketed(self, opening: _Token) -> Part:
        self._depth += 1
        if self._depth > DEEPEST:
            _wrong("connectors_deep", opening.at, opening.text, limit=DEEPEST)
        part = self._joined(None)
        if self._peek() is None:
            _wrong("connectors_open", opening.at, opening.text)
        self._next += 1
        self._depth -= 1
        return part

    def _peek(self) -> _Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None
