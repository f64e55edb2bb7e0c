"""Text repair for models, and splitting of documents into passages.

A passage is one sentence, or several that together reach a wanted length. Sentences end at . ? !
before white space, at 。？！ and at line breaks; the number or letter that marks an item (1. 가. ②)
is no sentence of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from weakref import WeakKeyDictionary

from retrieval.core.model import Corpus, Document

_HALF = re.compile("[\ud800-\udfff]")


def readable(text: str) -> str:
    """Replace each half of a surrogate pair, which is no character of Unicode, by �.

    A damaged conversion leaves such halves; tokenisers of models refuse them, and so does UTF-8.
    """
    return _HALF.sub("\N{REPLACEMENT CHARACTER}", text)


_CLOSED = "[\"'”’)\\]」』]*"
_END = re.compile(rf"[.?!]{_CLOSED}(?=\s|$)|[。？！]{_CLOSED}|\n")
_MARK = re.compile(r"\W*(?:\d+(?:의\d+)?|[가-힣]|[A-Za-z]|[ivxIVX]+)?\W*")
_NUMBER = 6  # digits, so that a document's passages sort in order
_cut: WeakKeyDictionary[Corpus, dict[int, Corpus]] = WeakKeyDictionary()


def sentences(text: str) -> list[str]:
    """Split text into its sentences, white space made single; list marks alone are left out."""
    found, start = list[str](), 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        piece = text[start:end]
        if not _MARK.fullmatch(piece):
            found.append(" ".join(piece.split()))
            start = end
    rest = " ".join(text[start:].split())
    return found if found or not rest else [rest]


def passages(text: str, characters: int) -> list[str]:
    """Split text into passages of at least `characters` each, but for the last.

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
    """Return the corpus of passages of the documents of `corpus`, each with its document's title.

    It is cached per corpus and length.
    """
    made = _cut.setdefault(corpus, {})
    if characters not in made:
        made[characters] = Corpus.of(
            piece for document in corpus.documents for piece in _pieces(document, characters)
        )
    return made[characters]


def document_id(passage_id: str) -> str:
    """Return the id of the document of a passage."""
    return passage_id[: -_NUMBER - 1]


def _pieces(document: Document, characters: int) -> Iterator[Document]:
    """Yield a document's passages as documents."""
    for number, body in enumerate(passages(document.body, characters)):
        yield replace(document, id=f"{document.id}#{number:0{_NUMBER}}", body=body)
