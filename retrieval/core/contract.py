"""The contract of retrieval methods as runnable checks.

A small invented law with what trips methods up: units without text, equal units, a query
of half a million characters, decomposed Korean, an empty corpus, the law of two countries.
"""

from __future__ import annotations

import tempfile
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from corpus.extensions import error_text, failed_at
from corpus.graph.model import Edge, EdgeType, Graph, Origin
from corpus.model import Tier
from errors import UserError, Where
from messages import say
from retrieval.core.method import Method, Resources
from retrieval.core.model import Corpus, Document, Query, Run, Spec
from retrieval.core.registry import complete, make

_BODY = "소방시설을 설치하여야 한다. 설치 기준은 제2조와 같다. fire alarm 12."
_LAW = (
    Document("가법_1조", "가법", "제1조", "목적", _BODY, "가법", 1, ("총칙",), 1),
    Document("가법_2조", "가법", "제2조", "설치", "건축물의 경보 설비", "가법", 1, (), 2),
    Document("가법_3조", "가법", "제3조", "설치", "건축물의 경보 설비", "가법", 1, (), 3),
    Document("나규칙_1조", "나규칙", "제1조", "", "피난 시설", "나규칙", 5, (), 1),
    Document("나규칙_2조", body="", tier=5),
    Document("나규칙_3조", "나규칙", "제3조", "설치 기준", _BODY, "나규칙", 3, (), 3),
)
_TEXTS = (
    "소방시설의 설치 기준은? 경보는?",
    "fire alarms 12",
    "",
    " \n",
    "없는 낱말",
    unicodedata.normalize("NFD", "건축물의 경보"),
    "경보 " * 100_000,
    "...",
    "' OR 1=1 -- <b> 🔥",
)
QUERIES = tuple(Query(f"q{at}", text) for at, text in enumerate(_TEXTS))
_SMALL: tuple[tuple[Document, ...], ...] = (
    (),
    (Document("a", body=_BODY),),
    (Document("a"), Document("b", body=" \n")),
    tuple(Document(unit, "가법", body=_BODY) for unit in "abcd"),
    (Document("a", body="... ?! ·"), Document("b", body="🔥🔥 🚒")),
    tuple(Document(unit, body=f"{_BODY} {unit}") for unit in ("a b", "../x", "é 🔥", "z" * 500)),
)
_OF = {"가법_1조": "kr", "가법_2조": "de", "나규칙_1조": "de", "나규칙_3조": "kr"}


class _BrokenError(Exception):
    """A violated check; `args` are the message key and its parameters."""

    def __init__(self, what: str, **params: object) -> None:
        super().__init__(what)
        self.what, self.params = what, params


@dataclass(frozen=True, slots=True)
class Check:
    """One part of the contract: its name in the catalogue, and what was wrong ("" where nothing).

    `where` is the place in the method's code where that is known.
    """

    name: str
    problem: str = ""
    where: Where = field(default_factory=Where)

    @property
    def held(self) -> bool:
        """Whether the method holds to it."""
        return not self.problem

    def says(self, language: str = "en") -> str:
        """Describe the requirement."""
        return say(f"own_method.checks.{self.name}", language)


def checks(kind: str, *parts: Callable[[], bool]) -> list[Check]:
    """Run each check of `parts`, which returns True if it holds; it is named `kind`_`part`."""
    return [_check(f"{kind}_{part.__name__}", part) for part in parts]


def _check(name: str, part: Callable[[], bool]) -> Check:
    """Run one check; a false answer or any exception is its problem."""
    try:
        held = part()
    except UserError as error:
        return Check(name, error.what(), error.where)
    except (Exception, SystemExit) as error:
        return Check(name, error_text(error), failed_at(error, None))
    return Check(name, "" if held else say(f"own_method.fails.{name}"))


def check_method(spec: Spec, language: str = "en") -> list[Check]:
    """Check a method against every part of the contract, whatever fails before.

    Raises UserError for a spec that cannot be: there is no method to check.
    """
    full = complete(spec)
    return [_check_result(name, check, full, language) for name, check in CHECKS.items()]


def _check_result(name: str, check: Callable[[Spec], None], spec: Spec, language: str) -> Check:
    """Run a check of a method; an exception becomes the problem, in words."""
    try:
        check(spec)
    except _BrokenError as broken:
        return Check(name, say(f"own_method.fails.{broken.what}", language, **broken.params))
    except UserError as error:
        return Check(name, error.what(language), error.where)
    except Exception as error:  # what the containment lets through, such as damage
        return Check(name, error_text(error), failed_at(error, None))
    return Check(name)


def _resources() -> Resources:
    """Return the resources that methods are checked with: a small citation graph, and no gold."""
    ids = [each.id for each in _LAW]
    ends = [(0, 1), (0, 1), (0, 0), (2, 1), (3, 1), (5, 1)]
    edges = [Edge(ids[a], ids[b], EdgeType.REFERENCES, Origin.TEXT, 0, 5) for a, b in ends]
    graph = Graph(dict.fromkeys(ids, Tier.ACT), edges)
    return Resources(graph=lambda: graph, settings={"graph": "1", "gold": "1"}, gold=list)


def _fitted(spec: Spec, documents: Sequence[Document] = _LAW) -> Method:
    """Return a method fitted on these documents."""
    method = make(spec, _resources())
    method.fit(Corpus.of(documents))
    return method


def _as_text(run: Mapping[str, Sequence[object]]) -> str:
    """Return a run as text, for comparison."""
    return repr(dict(run))


def _check_ranks_and_empty_query(spec: Spec) -> None:
    """Check that something is found, and nothing for a query without text."""
    run = _fitted(spec).search(QUERIES, 1000)
    if not any(run.values()):
        raise _BrokenError("nothing")
    if run["q2"] or run["q3"]:
        raise _BrokenError("empty_query")


def _check_prefix_of_longer_ranking(spec: Spec) -> None:
    """Check that shorter rankings are prefixes of longer ones."""
    method = _fitted(spec)
    run = method.search(QUERIES, 1000)
    for k in (0, 1, 2, 6):
        if method.search(QUERIES, k) != Run({query: hits[:k] for query, hits in run.items()}):
            raise _BrokenError("shorter", k=k)


def _check_query_independence(spec: Spec) -> None:
    """Check that each query alone is ranked as among others."""
    method = _fitted(spec)
    run = method.search(QUERIES, 1000)
    for query in QUERIES:
        if _as_text(method.search([query], 1000)) != _as_text({query.id: run[query.id]}):
            raise _BrokenError("alone", query=query.text[:40])


def _check_repeatable(spec: Spec) -> None:
    """Check that two searches give the same rankings."""
    one, other = (_fitted(spec).search(QUERIES, 1000) for _ in range(2))
    if _as_text(one) != _as_text(other):
        raise _BrokenError("again")


def _check_small_corpora(spec: Spec) -> None:
    """Check that corpora of few documents, or of none, can be searched."""
    for documents in _SMALL:
        _fitted(spec, documents).search(QUERIES, 10)


def _check_save_and_load(spec: Spec) -> None:
    """Check that a method ranks alike once saved and loaded."""
    method, again = _fitted(spec), make(spec, _resources())
    with tempfile.TemporaryDirectory(prefix="touchstone-method-") as folder:
        method.save(Path(folder))
        again.load(Path(folder), Corpus.of(_LAW))
        if _as_text(again.search(QUERIES, 9)) != _as_text(method.search(QUERIES, 9)):
            raise _BrokenError("kept")


def _check_jurisdiction(spec: Spec) -> None:
    """Check that a query finds only law of its own jurisdiction, ranked as if alone."""
    law = [replace(each, jurisdiction=_OF.get(each.id, "")) for each in _LAW]
    method = _fitted(spec, law)
    for of in ("kr", "de"):
        inside = [replace(each, jurisdiction="") for each in law if each.jurisdiction in ("", of)]
        asked = [replace(query, jurisdiction=of) for query in QUERIES]
        alone = _fitted(spec, inside).search(QUERIES, 9)
        if _as_text(method.search(asked, 9)) != _as_text(alone):
            raise _BrokenError("own_law")


CHECKS: Mapping[str, Callable[[Spec], None]] = {
    "ranks": _check_ranks_and_empty_query,
    "shorter": _check_prefix_of_longer_ranking,
    "alone": _check_query_independence,
    "again": _check_repeatable,
    "small": _check_small_corpora,
    "kept": _check_save_and_load,
    "own_law": _check_jurisdiction,
}
"""The checks of the contract, by name."""
