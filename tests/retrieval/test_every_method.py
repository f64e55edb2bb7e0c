"""What holds for every method of the registry: one table of specs, one toy law, the same checks.

Methods that a toy cannot have are tested where they stand: those over models (dense, rerank,
endpoint, legalsearchlm) and those in Milvus.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import unicodedata
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from corpus.graph.model import Edge, EdgeType, Graph, Origin
from corpus.model import Tier
from retrieval.core.method import (
    MANIFEST,
    QUERY_CHARACTERS,
    DamagedIndexError,
    Method,
    Resources,
    Scoring,
)
from retrieval.core.model import Corpus, Document, JudgedQuestion, Query, Run
from retrieval.core.registry import METHODS, make, method_class
from tests.retrieval.talking import Talker
from tests.support.refusals import code_of, refused

ELSEWHERE = {"dense", "rerank", "endpoint", "bm25_milvus", "legalsearchlm"}

_BM25, _LSA = {"method": "bm25"}, {"method": "lsa", "dimensions": 4, "min_df": 1}
_BOTH = {"of": [_BM25, _LSA]}
SPECS: dict[str, dict[str, Any]] = {
    "bm25": _BM25 | {"fields": "bm25f", "path_weight": 1},
    "rank_bm25": {"method": "rank_bm25", "formula": "bm25+"},
    "tfidf": {"method": "tfidf", "tokeniser": "jamo3", "sublinear": True},
    "headings": {"method": "headings"},
    "family": {"method": "family"},
    "cited_as": {"method": "cited_as"},
    "cited_by": {"method": "cited_by"},
    "lsa": _LSA,
    "rocchio": {"method": "rocchio", "base": _LSA, "K": 2},
    "rrf": {"method": "rrf", **_BOTH},
    "wrrf": {"method": "wrrf", **_BOTH},
    "rrm": {"method": "rrm", "of": [_BM25, _LSA, _BM25], "k": 0},
    "minmax": {"method": "minmax", "weights": [0, 1], **_BOTH},
    "weighted": {"method": "weighted", "of": [_BM25, {"method": "cited_by"}], "weights": [1, 0.5]},
    "sar": {"method": "sar", "base": _LSA, "frozen": 1, "pool": 3, "graph_noise": "rewire"},
    "keller": {"method": "keller", "passage": 1},
    "refwalk": {"method": "refwalk", "base": _LSA, "reranker": _BM25, "N": 3, "decayed": "fusion"},
    "lightrag": {"method": "lightrag", "base": _LSA, "keywords": "model", "cosine": 0},
    "pikerag": {"method": "pikerag", "base": _LSA, "loop": True, "loop_cosine": 0},
    "expand": {"method": "expand", "base": _LSA},
    "decompose": {"method": "decompose", "base": _BM25},
    "nativerag": {"method": "nativerag", "base": _LSA, "rerank": True, "pool": 4, "top": 3},
    "hipporag2": {
        **{"method": "hipporag2", "base": _LSA, "recognition": "model"},
        **{"facts": 2, "synonymy": 0.5, "graph_noise": "rewire", "noise_rate": 0.3},
    },
    "similar_questions": {"method": "similar_questions", "tokeniser": "bigram"},
    "gold_prior": {"method": "gold_prior", "level": "family", "tokeniser": "bigram"},
}
_SAID = {
    "query_anchor": json.dumps({"topic": "소방시설", "actor": "unspecified"}),
    "query_keywords": json.dumps({"high": ["설치 기준"], "low": ["경보", "건축물"]}),
    "atoms_propose": json.dumps({"questions": ["경보 설비"]}),
    "atoms_choose": json.dumps({"choice": 1}),
    "query_decompose": json.dumps({"queries": ["설치 기준", "경보"]}),
    "rerank_yes_no": "no",
    "fact_recognition": json.dumps({"facts": [2, 1, 9]}),
}
_SENTENCE = "소방시설 설치 " * 1000 + ". "  # seven of these and more are cut off
QUERIES = [
    Query(f"q{at}", text)
    for at, text in enumerate(
        [
            "소방시설의 설치 기준은? 경보는?",
            "fire alarms 12",
            "",
            " \n",
            "없는 낱말",
            "\ud800",
            unicodedata.normalize("NFD", "건축물의 경보"),
            "경보 " * 50_000,
            "".join(f"{word}. {_SENTENCE}" for word in ("경보", "건축물", "피난", "기준")),
            "...",
        ]
    )
]

FEW = QUERIES[:7]  # without those that are long, which is about what is read of a question


def law() -> Corpus:
    body = "소방시설을 설치하여야 한다. 설치 기준은 제2조와 같다. fire alarm 12."
    return Corpus.of(
        [
            Document("가법_1조", "가법", "제1조", "목적", body, "가법", 1, ("총칙",), 1),
            Document("가법_2조", "가법", "제2조", "설치", "건축물의 경보 설비", "가법", 1, (), 2),
            Document("가법_3조", "가법", "제3조", "설치", "건축물의 경보 설비", "가법", 1, (), 3),
            Document("나규칙_1조", "나규칙", "제1조", "", "\ud800 피난 시설", "나규칙", 5, (), 1),
            Document("나규칙_2조", body="", tier=5),
            Document("나규칙_3조", "나규칙", "제3조", "설치 기준", body, "나규칙", 3, (), 3),
        ]
    )


def resources() -> Resources:
    ids = [*law().ids, "beyond"]
    ends = [(0, 1), (0, 1), (0, 0), (2, 1), (3, 1), (5, 1), (1, 6), (6, 0), (5, 0), (0, 5)]
    edges = [Edge(ids[a], ids[b], EdgeType.REFERENCES, Origin.TEXT, 0, 5) for a, b in ends]
    graph = Graph(dict.fromkeys(ids, Tier.ACT), edges)
    talker = Talker(lambda asked: _SAID.get(asked.prompt, "피난 시설의 설치"))
    return Resources(
        graph=lambda: graph, ask=talker, settings={"graph": "1", "gold": "2"}, gold=judged
    )


def judged() -> list[JudgedQuestion]:
    """Return the questions asked here, with other words and gold where they have any."""
    known: dict[str, tuple[str, tuple[str, ...]]] = {
        each.id: ("?", ()) for each in (*QUERIES, Query("q", ""))
    }
    known |= {
        "a": ("설치 기준", ("가법_1조", "나규칙_3조")),
        "b": ("fire 경보", ("가법_2조", "gone")),
    }
    return [JudgedQuestion(id_, *about) for id_, about in known.items()]


def fitted(name: str) -> Method:
    method = make(SPECS[name], resources())
    method.fit(law())
    return method


def written(run: Run) -> str:
    """Return the run with every bit of its scores."""
    return repr([(query, [(hit.unit_id, hit.score.hex()) for hit in run[query]]) for query in run])


def test_every_method_is_held_to_this() -> None:
    assert set(SPECS) | ELSEWHERE == set(METHODS)
    assert not set(SPECS) & ELSEWHERE


@pytest.mark.parametrize("name", SPECS)
def test_rankings_fall_and_longer_ones_begin_with_shorter_ones(name: str) -> None:
    method = fitted(name)
    run = method.search(QUERIES, 1000)
    assert any(run.values())
    assert not run["q2"] and not run["q3"]
    for hits in run.values():
        assert list(hits) == sorted(hits, key=lambda hit: (-hit.score, hit.unit_id))
        assert len({hit.unit_id for hit in hits}) == len(hits)
    for k in (0, 1, 2, 6):
        shorter = method.search(QUERIES, k)
        assert shorter == {query: hits[:k] for query, hits in run.items()}
    for query in QUERIES:  # whatever it is asked together with
        assert method.search([query], 1000)[query.id] == run[query.id]


@pytest.mark.parametrize("name", SPECS)
def test_units_score_as_they_rank(name: str) -> None:
    method = fitted(name)
    if not isinstance(method, Scoring):
        return
    # What goes on below a pool has its score by its place alone.
    own = method.spec.get(method.POOL) or 1000
    for query, hits in method.search(QUERIES, own).items():
        asked = QUERIES[int(query[1:])]
        scores = dict(zip(law().ids, method.score(asked, law().ids).tolist(), strict=True))
        assert {hit.unit_id: hit.score for hit in hits}.items() <= scores.items()
        if not asked.text.strip() and name != "cited_by":  # which looks at no query
            assert not any(scores.values())
    assert method.score(QUERIES[0], []).shape == (0,)
    with pytest.raises(KeyError):
        method.score(QUERIES[0], ["beyond"])


@pytest.mark.parametrize("name", ["rocchio", "hipporag2", "lightrag", "pikerag"])
def test_a_base_without_vectors_is_refused(name: str) -> None:
    assert code_of(make, {"method": name, "base": _BM25}) == "method_base_dense"


@pytest.mark.parametrize(
    "spec",
    [
        {"method": "nativerag", "rerank": True},
        {"method": "hipporag2", "reader": "model"},
        {"method": "hipporag2", "recognition": "model"},
        {"method": "lightrag", "keywords": "model"},
        {"method": "lightrag", "reader": "model"},
        {"method": "pikerag", "reader": "model"},
        {"method": "expand", "base": _BM25},
    ],
    ids=str,
)
def test_a_model_that_is_not_there_is_said_when_it_is_made(spec: dict[str, Any]) -> None:
    assert code_of(make, spec) == "method_needs_model"


POOLED = [name for name in SPECS if method_class(name).POOL]


def test_these_order_a_pool() -> None:
    assert POOLED == ["rocchio", "rrf", "wrrf", "rrm", "minmax", "sar", "refwalk", "decompose"]


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("name", POOLED)
def test_below_its_pool_a_method_goes_on_to_the_end_of_its_base(name: str, size: int) -> None:
    asks_as_it_is = {"anchor": False} if name == "refwalk" else {}
    method = make(SPECS[name] | {method_class(name).POOL: size} | asks_as_it_is, resources())
    method.fit(law())
    run = method.search(FEW, 1000)
    bases = method.parts if "of" in method.spec else method.parts[:1]
    for part in bases:
        for query, hits in part.search(FEW, 1000).items():
            assert {hit.unit_id for hit in hits} <= {hit.unit_id for hit in run[query]}
    for k in (0, 1, 3, 6):
        assert method.search(FEW, k) == {query: hits[:k] for query, hits in run.items()}


@pytest.mark.parametrize("name", SPECS)
def test_what_comes_from_disk_ranks_to_the_last_bit_the_same(name: str, tmp_path) -> None:
    method = fitted(name)
    method.save(tmp_path)
    back = make(SPECS[name], resources())
    back.load(tmp_path, law())
    assert written(back.search(FEW, 9)) == written(method.search(FEW, 9))
    assert (back.fit_notes, back.content) == (method.fit_notes, method.content)
    with refused("index_other_corpus"):
        back.load(tmp_path, Corpus.of([Document("a", body="소방시설")]))


@pytest.mark.parametrize(
    "name", ["lsa", "family", "cited_by", "gold_prior", "hipporag2", "pikerag"]
)
def test_an_index_of_more_or_fewer_units_is_refused(name: str, tmp_path) -> None:
    method = fitted(name)
    method.save(tmp_path)
    more = Corpus.of([*law().documents, Document("z")])
    for other in (Corpus.of(law().documents[:1]), *([more] if name != "pikerag" else [])):
        with pytest.raises(ValueError, match=r"not one \w+ for each document|are not there"):
            method._load(tmp_path, other)


_WORDS = "소방시설 설치 경보. fire alarm 12."
SMALL = {
    "none": [],
    "one": [Document("a", body=_WORDS, statute_title="가법")],
    "without text": [Document("a"), Document("b", body=" \n")],
    "equal": [Document(unit, "가법", body=_WORDS) for unit in "abcd"],
    "without words": [Document("a", body="... ?! ·"), Document("b", body="🔥🔥 🚒")],
    "odd ids": [
        Document(unit, body=f"{_WORDS} {unit}")
        for unit in ("a\n", "b\tc", "../x", "x#000001", "' OR 1=1", "é 🔥", "z" * 500, "\ud800")
    ],
}


@pytest.mark.parametrize("law", SMALL)
@pytest.mark.parametrize("name", SPECS)
def test_small_and_odd_corpora_are_ranked_and_kept_like_any_other(name, law, tmp_path) -> None:
    corpus = Corpus.of(SMALL[law])
    methods = [make(SPECS[name], resources()) for _ in range(2)]
    methods[0].fit(corpus)
    methods[0].save(tmp_path)
    methods[1].load(tmp_path, corpus)
    run = methods[0].search(FEW, 10)
    assert written(methods[1].search(FEW, 10)) == written(run)
    for hits in run.values():
        assert {hit.unit_id for hit in hits} <= set(corpus.ids)
        assert all(math.isfinite(hit.score) for hit in hits)
        assert list(hits) == sorted(hits, key=lambda hit: (-hit.score, hit.unit_id))


@pytest.mark.parametrize("name", SPECS)
def test_one_turned_bit_in_what_is_kept_is_noticed(name: str, tmp_path) -> None:
    fitted(name).save(tmp_path)
    again = make(SPECS[name], resources())
    for file in sorted(tmp_path.iterdir()):
        whole = file.read_bytes()
        if file.name == MANIFEST or not whole:
            continue
        file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        with pytest.raises(DamagedIndexError):
            again.load(tmp_path, law())
        file.write_bytes(whole)
    again.load(tmp_path, law())


def test_one_question_scored_is_the_question_searched_for_also_where_it_is_cut() -> None:
    """The words that tell the units apart stand behind what is read of a question."""
    query = Query("q", "소방시설 " * (QUERY_CHARACTERS // 5) + ". 경보 건축물" * 100)
    for name in ("lsa", "keller", "rocchio"):
        method = fitted(name)
        assert isinstance(method, Scoring)
        hits = method.search([query], 9)["q"]
        assert hits
        scores = method.score(query, [hit.unit_id for hit in hits])
        assert scores.tolist() == [hit.score for hit in hits]


OF = {
    "가법_1조": "kr",
    "가법_2조": "de",
    "나규칙_1조": "de",
    "나규칙_3조": "kr",
}  # the others: nobody's


def law_of(jurisdiction: str | None = None) -> Corpus:
    """Return the law of two countries and of nobody; with `jurisdiction` what is searched for it,
    as a corpus that has never held anything else.
    """
    every = [replace(each, jurisdiction=OF.get(each.id, "")) for each in law().documents]
    if jurisdiction is None:
        return Corpus.of(every)
    inside = [each for each in every if each.jurisdiction in ("", jurisdiction)]
    return Corpus.of(replace(each, jurisdiction="") for each in inside)


def asked_in(jurisdiction: str) -> list[Query]:
    return [replace(query, jurisdiction=jurisdiction) for query in FEW]


@pytest.mark.parametrize("name", SPECS)
def test_a_question_is_ranked_as_if_there_were_no_law_but_its_own(name: str) -> None:
    """To the last bit: not even what a word weighs comes from elsewhere, in any method."""
    method = make(SPECS[name], resources())
    method.fit(law_of())
    for jurisdiction in ("kr", "de", "fr"):
        alone = make(SPECS[name], resources())
        alone.fit(law_of(jurisdiction))
        assert set(alone.corpus.ids) < set(method.corpus.ids)
        run = method.search(asked_in(jurisdiction), 9)
        assert written(run) == written(alone.search(FEW, 9))
        for hits in run.values():
            assert {hit.unit_id for hit in hits} <= set(alone.corpus.ids)
    assert written(method.search(FEW, 9)) == written(fitted(name).search(FEW, 9))


@pytest.mark.parametrize("name", SPECS)
def test_questions_of_several_jurisdictions_are_asked_together(name: str, tmp_path) -> None:
    method = make(SPECS[name], resources())
    method.fit(law_of())
    own = ("kr", "", "de", "kr", "fr", "de", "")
    mixed = [replace(query, jurisdiction=of) for query, of in zip(FEW, own, strict=True)]
    run = method.search(mixed, 9)
    assert list(run) == [query.id for query in FEW]
    for query in mixed:
        assert run[query.id] == method.search([query], 9)[query.id]
    method.save(tmp_path)
    back = make(SPECS[name], resources())
    back.load(tmp_path, law_of())
    assert written(back.search(mixed, 9)) == written(run)


def digest() -> str:
    """Return a hash of what every method keeps and finds, to the last bit."""
    found = sha256()
    for name in SPECS:
        method = fitted(name)
        found.update(written(method.search(QUERIES[:5], 9)).encode("utf-8", "surrogatepass"))
        with TemporaryDirectory() as folder:
            method.save(Path(folder))
            for file in sorted(Path(folder).iterdir()):
                found.update(file.read_bytes())
    return found.hexdigest()


def test_nothing_depends_on_how_python_hashes() -> None:
    code = "from tests.retrieval.test_every_method import digest; print(digest())"
    seeded = os.environ | {"PYTHONHASHSEED": "11"}
    said = subprocess.run([sys.executable, "-c", code], env=seeded, capture_output=True, check=True)
    assert said.stdout.decode().strip() == digest()
