"""Texts made readable for models, and documents cut into passages.

A passage is one sentence, or several that together reach a wanted length. Sentences end at . ? !
before white space, and at line breaks; the number or letter that marks an item (1. 가. ②) is no
sentence of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from weakref import WeakKeyDictionary

from retrieval.core.model import Corpus, Document

_HALF = re.compile("[\ud800-\udfff]")


def readable(text: str) -> str:
    """Return `text` with � for each half of a surrogate pair, which is no character of Unicode.

    A damaged conversion leaves such halves; tokenisers of models refuse them, and so does UTF-8.
    """
    return _HALF.sub("\N{REPLACEMENT CHARACTER}", text)


_END = re.compile(r"[.?!。？！][\"'”’)\]」』]*(?=\s|$)|\n")
_MARK = re.compile(r"\W*(?:\d+(?:의\d+)?|[가-힣]|[A-Za-z]|[ivxIVX]+)?\W*")
_NUMBER = 6  # digits: passages of one document stand in their order
_cut: WeakKeyDictionary[Corpus, dict[int, Corpus]] = WeakKeyDictionary()


def sentences(text: str) -> list[str]:
    """Return the sentences of `text` in their order, without white space around them."""
    found, start = list[str](), 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        piece = text[start:end]
        if not _MARK.fullmatch(piece):
            found.append(" ".join(piece.split()))
            start = end
    rest = " ".join(text[start:].split())
    return found if found or not rest else [rest]


def passages(text: str, characters: int) -> list[str]:
    """Return `text` in passages of at least `characters` each, but for the last.

    A text without a sentence is one empty passage.
    """
    found, held = list[str](), ""
    for sentence in sentences(text):
        held = f"{held} {sentence}".strip()
        if len(held) >= characters:
            found.append(held)
            held = ""
    return [*found, held] if held or not found else found


def passage_corpus(corpus: Corpus, characters: int) -> Corpus:
    """Return the passages of the documents of `corpus`, each under the title of its document.

    It is made once for a corpus and a length.
    """
    made = _cut.setdefault(corpus, {})
    if characters not in made:
        made[characters] = Corpus.of(
            piece for document in corpus.documents for piece in _pieces(document, characters)
        )
    return made[characters]


def document_id(passage_id: str) -> str:
    """Return the id of the document that a passage is from."""
    return passage_id[: -_NUMBER - 1]


def _pieces(document: Document, characters: int) -> Iterator[Document]:
    for number, body in enumerate(passages(document.body, characters)):
        yield replace(document, id=f"{document.id}#{number:0{_NUMBER}}", body=body)
