"""The query language of terms and connectors: parser, syntax tree and writer.

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
does. Connectors of equal strength bind from left to right. Parentheses come before all. ``!``
truncates a word to its root, ``*`` is one character, ``#`` before a word or phrase matches exactly
this form. A word that the index divides (``제12조``) is a phrase.
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
DEEPEST = 40  # nested parentheses
MOST_APART = 255
ROOT, ANY, EXACT = "!", "*", "#"


class Kind(StrEnum):
    """The kind of a connector, from the strongest to the weakest."""

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
    """A connector; `n` is its distance in words, 0 for those without one."""

    kind: Kind
    n: int = 0

    def __str__(self) -> str:
        return f"{self.kind[0]}{self.n}" if self.kind in _NUMERICAL else str(self.kind)

    @property
    def strength(self) -> tuple[int, int, int]:
        """Its binding strength: higher binds more strongly."""
        if self.kind in _NUMERICAL:
            return 1, -self.n, -_ORDER[self.kind]
        return 0, -_ORDER[self.kind], 0


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a phrase in lower case, with ``*`` for any character; `root` if truncated."""

    text: str
    root: bool = False

    def __str__(self) -> str:
        return self.text + (ROOT if self.root else "")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Consecutive words, mostly a single one; `exact` matches each in this form only."""

    terms: tuple[Term, ...]
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Either:
    """Any of two or more parts, none of which is itself an Either."""

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
    """Return the alternative of `parts`, nested ones flattened; of a single part itself."""
    flat = [each for part in parts for each in (part.parts if isinstance(part, Either) else [part])]
    return flat[0] if len(flat) == 1 else Either(tuple(flat))


def write(part: Part) -> str:
    """Write a syntax tree as a query that `parse` reads back, with the fewest parentheses."""
    match part:
        case Phrase(terms, exact):
            written = " ".join(map(str, terms))
            alone = len(terms) == 1 and written != "or"
            return (EXACT if exact else "") + (written if alone else f'"{written}"')
        case Either(parts):
            return " ".join(_parenthesised(each, _OR_STRENGTH, False) for each in parts)
        case Connected(connector, left, right):
            strength = connector.strength
            before, after = (
                _parenthesised(left, strength, True),
                _parenthesised(right, strength, False),
            )
            return f"{before} {connector} {after}"


def strength_of(part: Part) -> tuple[int, int, int]:
    """Return the binding strength of a part, higher binding more; phrases bind most strongly."""
    match part:
        case Phrase():
            return 3, 0, 0
        case Either():
            return _OR_STRENGTH
        case Connected(connector):
            return connector.strength


def _parenthesised(part: Part, strength: tuple[int, int, int], equal_stays: bool) -> str:
    """Write a part, in parentheses if it binds less strongly than its surroundings."""
    own = strength_of(part)
    bare = own > strength or (equal_stays and own == strength)
    return write(part) if bare else f"({write(part)})"


@dataclass(frozen=True, slots=True)
class _Token:
    """A token of a query: its kind, its offset (from 0), and its text as typed."""

    what: str  # open, close, connector, or, phrase
    at: int
    text: str
    connector: Connector | None = None
    phrase: Phrase | None = None


# Full-width and typographic forms of keyboards, one for one so that offsets stay true.
_FORMS = str.maketrans("“”„‟«»＂（）＋／＆％！＊＃", '""""""' + '"()+/&%!*#')
_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<phrase>#?\"[^\"]*(?P<closed>\")?)|(?P<open>\()|(?P<close>\))"
    r"|(?P<connector>[+/][^\s\"()&%]*|&|%)|(?P<word>[^\s\"()&%/+]+)"
)
_NUMBER = re.compile(r"[+/]([0-9]+)")


def parse(query: str) -> Part:
    """Parse a query. Raises UserError with the place of a syntax error."""
    plain = unicodedata.normalize("NFC", query)
    if len(plain) > LONGEST:
        raise UserError("connectors_long", limit=LONGEST)
    tokens = _tokens(lowered(plain.translate(_FORMS)))
    if not tokens:
        raise UserError("connectors_empty")
    if sum(token.what == "phrase" for token in tokens) > MOST_TERMS:
        raise UserError("connectors_many", limit=MOST_TERMS)
    return _Reader(tokens).whole()


def _raise_syntax_error(code: str, at: int, text: str, **params: object) -> NoReturn:
    """Raise UserError for the `text` at offset `at` of a query."""
    raise UserError(code, Where(), place=at + 1, text=text.strip() or text, **params)


def _tokens(query: str) -> list[_Token]:
    """Split a query into tokens. Raises UserError for an open phrase."""
    tokens: list[_Token] = []
    for found in _TOKEN.finditer(query):
        what, at, text = str(found.lastgroup), found.start(), found[0]
        what = "phrase" if what == "closed" else what
        if what == "phrase":
            if not found["closed"]:
                _raise_syntax_error("connectors_quote", at, text)
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
    """Parse a connector with its distance."""
    text = unicodedata.normalize("NFKC", text)  # full-width figures and letters
    if numbered := _NUMBER.fullmatch(text):
        n = int(numbered[1][:4])
        if not 1 <= n <= MOST_APART:
            _raise_syntax_error("connectors_distance", at, text, limit=MOST_APART)
        return Connector(Kind.BEFORE if text[0] == "+" else Kind.NEAR, n)
    if text in list(Kind) and text[1:] != "n":
        return Connector(Kind(text))
    _raise_syntax_error("connectors_unknown", at, text)


def _phrase(text: str, at: int) -> Phrase:
    """Parse `text`, a word or a quoted phrase, with its operators."""
    exact = text.startswith(EXACT)
    inner = text.removeprefix(EXACT).strip('"')
    if EXACT in inner:
        _raise_syntax_error("connectors_exact", at + text.index(EXACT, int(exact)), text)
    terms: list[Term] = []
    behind = 0
    for start, end in words_of(inner):
        word, root = inner[start:end], inner[end : end + 1] == ROOT
        glued = bool(terms) and terms[-1].root and start == behind
        if glued or ROOT in inner[behind:start]:
            _raise_syntax_error("connectors_root", at, text)
        if not word.strip(ANY):
            _raise_syntax_error("connectors_star", at, text)
        if root and exact:
            _raise_syntax_error("connectors_exact_root", at, text)
        terms.append(Term(word, root))
        behind = end + root
    if ROOT in inner[behind:]:
        _raise_syntax_error("connectors_root", at, text)
    if not terms:
        _raise_syntax_error("connectors_no_word", at, text)
    return Phrase(tuple(terms), exact)


class _Reader:
    """A precedence-climbing parser of the tokens."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._next = 0
        self._depth = 0

    def whole(self) -> Part:
        """Parse the whole query."""
        part = self._connected(None)
        if self._next < len(self._tokens):  # only an unmatched closing parenthesis can stop it here
            token = self._tokens[self._next]
            _raise_syntax_error("connectors_close", token.at, token.text)
        return part

    def _connected(self, above: tuple[int, int, int] | None) -> Part:
        """Parse a part whose connectors all bind more strongly than `above`."""
        part = self._either()
        while (token := self._peek()) is not None and token.connector is not None:
            strength = token.connector.strength
            if above is not None and strength <= above:
                break
            self._next += 1
            part = Connected(token.connector, part, self._connected(strength))
        return part

    def _either(self) -> Part:
        """Parse alternatives."""
        parts = [self._operand()]
        while (token := self._peek()) is not None and token.what in ("phrase", "open", "or"):
            if token.what == "or":
                self._next += 1
            parts.append(self._operand())
        return either(*parts)

    def _operand(self) -> Part:
        """Parse a term, phrase or parenthesised part."""
        token = self._peek()
        if token is None:
            last = self._tokens[-1]
            _raise_syntax_error("connectors_missing", last.at, last.text)
        if token.what in ("connector", "or", "close"):
            _raise_syntax_error("connectors_missing", token.at, token.text)
        self._next += 1
        return token.phrase if token.phrase is not None else self._parenthesised_part(token)

    def _parenthesised_part(self, opening: _Token) -> Part:
        """Parse up to the closing parenthesis."""
        self._depth += 1
        if self._depth > DEEPEST:
            _raise_syntax_error("connectors_deep", opening.at, opening.text, limit=DEEPEST)
        part = self._connected(None)
        if self._peek() is None:
            _raise_syntax_error("connectors_open", opening.at, opening.text)
        self._next += 1
        self._depth -= 1
        return part

    def _peek(self) -> _Token | None:
        """Return the next token, None at the end."""
        return self._tokens[self._next] if self._next < len(self._tokens) else None
