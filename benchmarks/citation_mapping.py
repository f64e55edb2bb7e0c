"""How well citations are resolved, and whether gold is among the first ten candidates.

    python -m benchmarks.citation_mapping [--statutes DIR] [--questions FILE] [--json]

The labels are the questions' own `semantic_ids`, at article level: a pair is one question with one
article (or section of a technical standard). Labels whose article the corpus lacks are counted as
such and not scored; annexes are scored separately; questions without any label are left out.

Headline figures, over pairs that the labels can decide:

* ``resolver_recall``: of the labelled articles that the answer cites, the share that resolved. An
  answer cites an article when it writes its number, and not only for another instrument. The source
  also labels provisions that an answer merely rests on; a resolver that named those would be
  guessing.
* ``resolver_precision``: of the articles resolved, the share that is labelled. The labels were made
  from the citation strings that the source extracted (`law_references`). An article resolved from
  a citation that is not among these was never judged, so it is left out (unscored is missing, never
  zero); so is one that the answer cites by exact title and number, which only shows that a label is
  missing.
* ``candidate_recall_at_10``: of the labelled articles that the answer cites (as for recall), the
  share among the first ten candidates.

The headline names stand for these, and not for the strict companions below, because a strict
figure mostly measures the labels: a reader who checks its misses by hand finds articles that no
answer names, and "extra" articles that stand in the answer word for word.

Each has a ``_strict`` companion that takes every label as it is: all labelled articles of the
corpus count for the recalls, and every resolved article without label counts against precision, in
every question that has any label at all. Every pair set aside or missed is listed with its class
and its words; the classes are rules over the texts (`benchmarks/labels.py`), not a list of cases.
Intervals are 95 % bootstrap intervals over questions.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import SHARED, program

PARSER = program(
    __doc__,
    "resolver_precision resolver_recall candidate_recall_at_10 annex_precision annex_recall "
    "*_strict labels_outside_the_corpus import_and_build_seconds propose_seconds",
)
PARSER.add_argument("--statutes", type=Path, default=SHARED / "korean-law/fire-safety/kr")
PARSER.add_argument("--questions", type=Path, default=SHARED / "searchfiresafety/qna.jsonl")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from benchmarks.labels import Pair, Verdict, judge, level_of
from benchmarks.program import need, run
from construction.mapping import CandidateSet, propose
from corpus.citations.catalogue import Catalogue
from corpus.citations.labels import unit_of_label
from corpus.importers.beir import read_questions
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level, Question, Statute
from evaluation.figure import Figure, ratio_figure
from retrieval.lexical.bm25_method import BM25Index

CITED = frozenset({Verdict.HIT, Verdict.MISSED})
LABELLED = CITED | {Verdict.LABEL_NOT_CITED, Verdict.LABEL_OTHER_INSTRUMENT}
DECIDED = frozenset({Verdict.HIT, Verdict.EXTRA})
RESOLVED = DECIDED | {Verdict.LABEL_OMITS_VERBATIM, Verdict.UNLISTED}
SEARCHED = (Level.ARTICLE, Level.SECTION, Level.ANNEX)
TOP = 10
ARTICLES, ANNEXES = attrgetter("articles"), attrgetter("annexes")  # the pairs of a level


@dataclass(frozen=True, slots=True)
class Scored:
    """One labelled question: its pairs by level and the units of its first candidates."""

    articles: list[Pair]
    annexes: list[Pair]
    top: frozenset[str]


@dataclass(frozen=True, slots=True)
class Result:
    """Everything measured."""

    scored: list[Scored]
    unlabelled: int
    outside: int
    build_seconds: float
    propose_seconds: float


def figures_of(options: Namespace, _: Path) -> list[Figure]:
    """Return every figure; print the pairs that are no hit where people read."""
    need(options, "statutes", "questions")
    result = measure(options.statutes, options.questions)
    if not options.json:
        print_pairs(result)
    return figures(result)


def measure(statutes_folder: Path, questions_file: Path) -> Result:
    """Import both, build catalogue and indexes, and propose candidates for every question."""
    began = time.perf_counter()
    statutes = read_tree(statutes_folder)
    questions = read_questions(questions_file)
    catalogue = Catalogue.from_statutes(statutes)
    titles, texts = _indexes(statutes)
    built = time.perf_counter()
    proposed = [propose(q, catalogue, titles, texts) for q in questions]
    done = time.perf_counter()
    scored: list[Scored] = []
    outside = unlabelled = 0
    for question, proposal in zip(questions, proposed, strict=True):
        units = [unit_of_label(label, catalogue) for label in question.gold_ids]
        outside += units.count(None)
        unlabelled += not units
        if units:
            scored.append(_score(question, proposal, {u for u in units if u}, catalogue))
    return Result(scored, unlabelled, outside, built - began, done - built)


def figures(result: Result) -> list[Figure]:
    """Return the figures, headline first."""
    scored = result.scored
    return [
        _share("resolver_precision", scored, ARTICLES, {Verdict.HIT}, DECIDED),
        _share("resolver_recall", scored, ARTICLES, {Verdict.HIT}, CITED),
        _found("candidate_recall_at_10", scored, ARTICLES, CITED),
        _share("resolver_precision_strict", scored, ARTICLES, {Verdict.HIT}, RESOLVED),
        _share("resolver_recall_strict", scored, ARTICLES, {Verdict.HIT}, LABELLED),
        _found("candidate_recall_at_10_strict", scored, ARTICLES, LABELLED),
        _share("annex_precision", scored, ANNEXES, {Verdict.HIT}, DECIDED),
        _share("annex_recall", scored, ANNEXES, {Verdict.HIT}, CITED),
        _share("annex_precision_strict", scored, ANNEXES, {Verdict.HIT}, RESOLVED),
        _share("annex_recall_strict", scored, ANNEXES, {Verdict.HIT}, LABELLED),
        Figure("labels_outside_the_corpus", float(result.outside), len(scored)),
        Figure("import_and_build_seconds", result.build_seconds, 1),
        Figure("propose_seconds", result.propose_seconds, len(scored) + result.unlabelled),
    ]


def print_pairs(result: Result) -> None:
    """List every pair that is not a hit, by level and class."""
    print(f"\n{len(result.scored)} questions have labels, {result.unlabelled} have none.")
    for name, pairs_of in (("Articles", ARTICLES), ("Annexes", ANNEXES)):
        pairs = [pair for one in result.scored for pair in pairs_of(one)]
        counts = Counter(pair.verdict for pair in pairs)
        print(f"\n{name}: " + ", ".join(f"{counts[v]} {v}" for v in Verdict))
        for verdict in Verdict:
            listed = [pair for pair in pairs if pair.verdict is verdict]
            if verdict is Verdict.HIT or not listed:
                continue
            print(f"\n  {verdict}")
            for pair in listed:
                print(f"    {pair.question:>6}  {pair.unit_id}  {pair.detail}")
    print(f"\nLabelled and cited, but not among the first {TOP} candidates:")
    for one in result.scored:
        for pair in one.articles:
            if pair.verdict in LABELLED and pair.unit_id not in one.top:
                print(f"    {pair.question:>6}  {pair.unit_id}  {pair.verdict}")


def _score(
    question: Question, proposal: CandidateSet, gold: set[str], catalogue: Catalogue
) -> Scored:
    def pairs(level: Level) -> list[Pair]:
        own = {unit for unit in gold if level_of(unit) is level}
        return judge(question, own, proposal.citations, catalogue, level)

    top = frozenset(c.unit_id for c in proposal.candidates[:TOP])
    articles = pairs(Level.ARTICLE) + pairs(Level.SECTION)
    return Scored(articles, pairs(Level.ANNEX), top)


def _share(
    name: str,
    scored: Sequence[Scored],
    pairs_of: Callable[[Scored], list[Pair]],
    good: set[Verdict],
    counted: frozenset[Verdict],
) -> Figure:
    """Return the share of `good` among the pairs whose verdict is `counted`."""
    verdicts = [[p.verdict for p in pairs_of(one) if p.verdict in counted] for one in scored]
    return _ratio(name, [[v in good for v in one] for one in verdicts])


def _found(
    name: str,
    scored: Sequence[Scored],
    pairs_of: Callable[[Scored], list[Pair]],
    counted: frozenset[Verdict],
) -> Figure:
    """Return the share of the counted pairs whose unit is among the first candidates."""
    inside = [
        [p.unit_id in one.top for p in pairs_of(one) if p.verdict in counted] for one in scored
    ]
    return _ratio(name, inside)


def _ratio(name: str, right: Sequence[Sequence[bool]]) -> Figure:
    """Return the share of what is right over questions, which are resampled; n counts the pairs."""
    found = ratio_figure(name, [(sum(one), len(one)) for one in right if one])
    return replace(found, n=sum(map(len, right)))


def _indexes(statutes: Sequence[Statute]) -> tuple[BM25Index, BM25Index]:
    units = [(s, u) for s in statutes for u in s.units if u.level in SEARCHED and not u.deleted]
    ids = [u.semantic_id for _, u in units]
    titles = [f"{s.title} {u.label} {u.heading}" for s, u in units]
    texts = [f"{title} {u.text}" for title, (_, u) in zip(titles, units, strict=True)]
    return BM25Index.fit(ids, titles), BM25Index.fit(ids, texts)


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
