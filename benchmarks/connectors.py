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
                         seed, in how many the index and a walk through the words of the article
                         (benchmarks/connectors_matcher.py) find different spans
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
import multiprocessing
import random
import resource
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

import numpy as np

from benchmarks.connectors_matcher import matches, words_in
from benchmarks.corpus import unpacked
from benchmarks.program import need, run
from corpus.importers.registry import read_statutes
from evaluation.figure import Figure
from retrieval.connectors.query import Part, parse
from retrieval.connectors.search import ConnectorIndex, search
from retrieval.connectors.words import Morphemes, SearchedText, bases_of, breaks_of, lines_of
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
    reading = multiprocessing.get_context("spawn").Process(
        target=write_texts, args=(options.statutes, options.english, file)
    )
    reading.start()
    reading.join()
    if reading.exitcode:
        raise SystemExit(reading.exitcode)
    folder.mkdir()
    started = time.perf_counter()
    ConnectorIndex.build(read_texts(file), kept_words(place)).save(folder)
    built = time.perf_counter() - started
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
    taken = []
    for _ in range(ROUNDS):
        for query in asked:
            started = time.perf_counter()
            search(index, query)
            taken.append(1_000 * (time.perf_counter() - started))
    yield Figure("queries", len(asked), len(asked))
    yield Figure("query_p50_ms", float(np.percentile(taken, 50)), len(taken))
    yield Figure("query_p95_ms", float(np.percentile(taken, 95)), len(taken))


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
