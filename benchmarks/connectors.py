"""Terms-and-connectors search over all of Korean law: how fast, and is it what a walk finds?

    python -m benchmarks.connectors [--statutes PATH] [--english FILE] [--json]

The queries are those of connectors_queries.jsonl, in Korean and English; the texts are the articles
of all Korean statutes (``--statutes``: a folder or an archive) and a title of American federal
regulations (``--english``: eCFR XML). They are read by a process of their own, so that memory is
that of indexing. Figures:

``articles``, ``characters``  what is searched
``queries``              how many queries are asked
``build_seconds``        indexing all texts, with no word known before, and writing the index
``build_peak_rss_mb``    the most memory that the process had held by then, in MiB
``index_mb``             what the index takes on disk
``open_seconds``         opening the kept index and answering one query
``query_p50_ms``         the median query: reading it, its matches, counts of every part, the best
                         twenty with their places. Each is asked ``ROUNDS`` times
``query_p95_ms``         the 95th percentile of the same
``mismatches``           of all pairs of a query and one of ``SAMPLE`` articles drawn by a fixed
                         seed, in how many the index and a walk through the words of the article,
                         `matches`, find different spans
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import SHARED, program

PARSER = program(
    __doc__,
    "articles characters queries build_seconds build_peak_rss_mb index_mb open_seconds "
    "query_p50_ms query_p95_ms mismatches",
)
PARSER.add_argument("--statutes", type=Path, default=SHARED / "korean-law-all.tar.xz")
PARSER.add_argument("--english", type=Path, default=SHARED / "other-law/us/ecfr-title1-after.xml")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import json
import random
import re
import resource
import time
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from xml.etree import ElementTree

import numpy as np

from benchmarks.corpus import unpacked
from benchmarks.program import apart, need, run, seconds
from corpus.importers.registry import read_statutes
from evaluation.figure import Figure
from retrieval.connectors.query import ANY, Connected, Either, Kind, Part, Phrase, Term, parse
from retrieval.connectors.search import ConnectorIndex, search
from retrieval.connectors.words import (
    FIELD,
    PARAGRAPH,
    STOPS,
    Morphemes,
    SearchedText,
    bases_of,
    breaks_of,
    lines_of,
    pieces,
    query_base_form,
)
from retrieval.text.morphemes import kept_words
from storage.law.passages import RETRIEVED_LEVELS

QUERIES = Path(__file__).with_name("connectors_queries.jsonl")
ROUNDS = 3
SAMPLE = 2_000
_SEED = 18


def queries() -> list[str]:
    """Return the collected queries."""
    lines = QUERIES.read_text(encoding="utf-8").splitlines()
    return [str(json.loads(line)["query"]) for line in lines]


def write_texts(statutes: Path, english: Path, target: Path) -> None:
    """Write the articles of both to `target`, one a line, in the order of the law."""
    with target.open("w", encoding="utf-8") as file:
        for text in (*korean(statutes), *american(english)):
            row = text.id, text.title, text.body, text.paragraphs, text.sentences
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def korean(statutes: Path) -> Iterator[SearchedText]:
    """Yield the articles of Korean statutes, in a folder or an archive."""
    with unpacked(statutes) as folder:
        _, reading = read_statutes(folder)
    for statute in sorted(reading.statutes, key=lambda each: each.semantic_id):
        for unit in statute.units:
            if unit.level in RETRIEVED_LEVELS and not unit.deleted:
                title = " ".join(filter(None, (statute.title, unit.label, unit.heading)))
                breaks = breaks_of((part.path, part.start) for part in unit.parts)
                yield SearchedText(unit.semantic_id, title, unit.text, *breaks)


def american(file: Path) -> Iterator[SearchedText]:
    """Yield the sections of a title of the federal regulations (eCFR XML), a paragraph each P."""
    for section in ElementTree.parse(file).getroot().iter("DIV8"):  # noqa: S314  (our own data)
        title = "".join(section.find("HEAD").itertext()).strip()  # type: ignore[union-attr]
        said = [" ".join("".join(each.itertext()).split()) for each in section.iter("P")]
        body = "\n".join(said)
        yield SearchedText(f"1cfr-{section.get('N')}", title, body, lines_of(body))


def read_texts(file: Path) -> Iterator[SearchedText]:
    """Yield what `write_texts` wrote."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield SearchedText(*json.loads(line))


def mismatches(texts: Sequence[SearchedText], queries: Sequence[Part], morphemes: Morphemes) -> int:
    """Return in how many pairs of text and query the index and a walk find different spans."""
    index = ConnectorIndex.build(texts, morphemes)
    words = [words_in(text) for text in texts]
    kinds = sorted({word.text for each in words for word in each})
    bases = dict(zip(kinds, bases_of(kinds, morphemes), strict=True))
    wrong = 0
    for part in queries:
        found = {hit.number: hit for hit in search(index, part, len(texts)).hits}
        for number, each in enumerate(words):
            titles = sum(word.field == 0 for word in each)
            hit = found.get(number)
            spans = {*hit.title, *((a + titles, b + titles) for a, b in hit.words)} if hit else ()
            wrong += set(spans) != matches(part, each, bases)
    return wrong


def figures_of(options: Namespace, place: Path) -> Iterator[Figure]:
    """Yield the figures of one run, whose files stand in `place`."""
    need(options, "statutes", "english")
    file, folder = place / "texts.jsonl", place / "index"
    apart(write_texts, options.statutes, options.english, file)
    folder.mkdir()
    built = seconds(lambda: ConnectorIndex.build(read_texts(file), kept_words(place)).save(folder))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    texts = list(read_texts(file))
    size = sum(each.stat().st_size for each in folder.iterdir()) / 2**20
    yield Figure("articles", len(texts), len(texts))
    yield Figure("characters", sum(len(text.title) + len(text.body) for text in texts), len(texts))
    yield Figure("build_seconds", built, 1)
    yield Figure("build_peak_rss_mb", peak, 1)
    yield Figure("index_mb", size, 1)
    sample = sorted(random.Random(_SEED).sample(range(len(texts)), min(SAMPLE, len(texts))))
    drawn = [texts[number] for number in sample]
    del texts
    yield from _timed(folder)
    asked = [parse(query) for query in queries()]
    wrong = mismatches(drawn, asked, kept_words(place))
    yield Figure("mismatches", wrong, len(asked) * len(drawn))


def _timed(folder: Path) -> Iterator[Figure]:
    asked = queries()
    started = time.perf_counter()
    index = ConnectorIndex.load(folder)
    search(index, asked[0])
    yield Figure("open_seconds", time.perf_counter() - started, 1)
    taken = [1_000 * seconds(partial(search, index, query)) for query in asked * ROUNDS]
    yield Figure("queries", len(asked), len(asked))
    yield Figure("query_p50_ms", float(np.percentile(taken, 50)), len(taken))
    yield Figure("query_p95_ms", float(np.percentile(taken, 95)), len(taken))


Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: its field (0 title, 1 body), and its paragraph and sentence within all."""

    text: str
    field: int
    paragraph: int
    sentence: int


def words_in(text: SearchedText) -> list[Word]:
    """Return the words of a text in order."""
    found = []
    field, paragraph, sentence = -1, 0, 0
    for piece in pieces(text):
        if piece in (FIELD, PARAGRAPH, *STOPS):
            field += piece == FIELD
            paragraph += piece in (FIELD, PARAGRAPH)
            sentence += 1
        else:
            found.append(Word(piece, field, paragraph, sentence))
    return found


def matches(part: Part, words: list[Word], bases: Mapping[str, set[str]]) -> set[Span]:
    """Return the spans (first and last word) at which a query matches; empty where it does not.

    `bases` are the bases of every word of the text.
    """
    match part:
        case Phrase(terms, exact):
            return set(_phrase(terms, exact, words, bases))
        case Either(parts):
            return {span for each in parts for span in matches(each, words, bases)}
        case Connected(connector, left, right):
            lefts, rights = matches(left, words, bases), matches(right, words, bases)
            return _connected(connector.kind, connector.n, lefts, rights, words)


def _phrase(
    terms: tuple[Term, ...], exact: bool, words: list[Word], bases: Mapping[str, set[str]]
) -> Iterable[Span]:
    for first in range(len(words) - len(terms) + 1):
        here = words[first : first + len(terms)]
        if len({each.field for each in here}) == 1 and all(
            _fits(term, exact, word.text, bases[word.text])
            for term, word in zip(terms, here, strict=True)
        ):
            yield first, first + len(terms) - 1


def _fits(term: Term, exact: bool, word: str, bases: set[str]) -> bool:
    if ANY in term.text:
        pattern = ".".join(map(re.escape, term.text.split(ANY))) + (".*" if term.root else "")
        against = {word} if exact or term.root else bases
        return any(re.fullmatch(pattern, each) for each in against)
    if term.root:
        return word.startswith(term.text)
    return word == term.text if exact else query_base_form(term.text) in bases


def _connected(
    kind: Kind, n: int, lefts: set[Span], rights: set[Span], words: list[Word]
) -> set[Span]:
    if kind == Kind.BUT_NOT:
        return set() if rights else lefts
    if kind == Kind.AND:
        return lefts | rights if lefts and rights else set()
    if kind == Kind.NEAR:
        close = {(a, b) for a in lefts for b in rights if _apart(words, a, b, n)}
        return {a for a, _ in close} | {b for _, b in close}
    if kind == Kind.BEFORE:
        return _nearest({(a, b) for a in lefts for b in rights if _after(words, a, b, n)})
    name = "sentence" if kind in (Kind.SENTENCE, Kind.SENTENCE_BEFORE) else "paragraph"
    together = {
        (a, b)
        for a in lefts
        for b in rights
        if len({getattr(words[at], name) for at in (*a, *b)}) == 1
    }
    if kind in (Kind.SENTENCE, Kind.PARAGRAPH):
        return {a for a, _ in together} | {b for _, b in together}
    return _nearest({(a, b) for a, b in together if a[1] < b[0]})


def _after(words: list[Word], a: Span, b: Span, n: int) -> bool:
    return words[a[0]].field == words[b[0]].field and 0 < b[0] - a[1] <= n


def _apart(words: list[Word], a: Span, b: Span, n: int) -> bool:
    return _after(words, a, b, n) or _after(words, b, a, n)


def _nearest(pairs: set[tuple[Span, Span]]) -> set[Span]:
    """Join each left with its nearest right, and each right with its nearest left."""
    found = set()
    for a, b in pairs:
        next_after = min(right for left, right in pairs if left == a)
        last_before = max((left[1], left[0]) for left, right in pairs if right == b)
        if b == next_after or (a[1], a[0]) == last_before:
            found.add((a[0], b[1]))
    return found


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
