"""Milvus Lite gives what the local engine gives, to the last bit, and says so when it fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from retrieval.core.method import Resources, Scoring
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.registry import make
from retrieval.dense.vectors import unit_length
from retrieval.engines.local import LocalEngine
from retrieval.engines.milvus import MilvusEngine, close
from tests.support.refusals import code_of, refused

QUERIES = ["소방시설 설치 기준", "건축물", "없는말", "3", "설치 설치 기준 설치 구조"]


@pytest.fixture(scope="module")
def uri(tmp_path_factory):
    pytest.importorskip("milvus_lite")
    yield str(tmp_path_factory.mktemp("milvus") / "vectors.db")
    close()


def corpus() -> Corpus:
    words = ["소방시설", "건축물", "설치", "기준", "경보설비", "대지", "구조"]
    rng = np.random.default_rng(3)
    return Corpus.of(
        Document(f"법_{at % 40:02}조_{at:03}", body=" ".join(rng.choice(words, at % 7)))
        for at in range(120)
    )


def queries() -> list[Query]:
    return [Query(str(at), text) for at, text in enumerate(QUERIES)]


def there(uri: str) -> Resources:
    return Resources(settings={"milvus_uri": uri})


def test_vectors_rank_as_in_the_local_engine_with_ties_and_zeros(uri):
    rng = np.random.default_rng(0)
    vectors = rng.integers(-1, 2, (300, 4)).astype(np.float32)  # many equal, some all zeros
    asked = rng.integers(-1, 2, (17, 4)).astype(np.float32)  # more than are asked at once
    asked[0] = 0
    ours, theirs = LocalEngine(vectors), MilvusEngine(uri, "", "a" * 64, vectors)
    for k in (1, 10, 400):
        for one, other in zip(ours.search(asked, k), theirs.search(asked, k), strict=True):
            assert one.rows.tolist() == other.rows.tolist()
            assert one.scores.tolist() == other.scores.tolist()


@pytest.mark.parametrize("unit", [True, False])
def test_raw_products_and_cosines_rank_as_in_the_local_engine(uri, unit):
    rng = np.random.default_rng(7)
    vectors = (rng.normal(size=(400, 8)) * rng.uniform(0.1, 50, (400, 1))).astype(np.float32)
    asked = (20 * rng.normal(size=(5, 8))).astype(np.float32)
    if unit:
        vectors, asked = unit_length(vectors), unit_length(asked)
    remote = MilvusEngine(uri, "", ("b" if unit else "c") * 64, vectors)
    for k in (1, 10, 500):
        pairs = zip(LocalEngine(vectors).search(asked, k), remote.search(asked, k), strict=True)
        for one, other in pairs:
            assert one.rows.tolist() == other.rows.tolist()
            assert one.scores.tolist() == other.scores.tolist()


@pytest.mark.parametrize("k", [1, 5, 200])
def test_lsa_finds_the_same_in_both(uri, k):
    spec = {"method": "lsa", "dimensions": 8}
    local, remote = make(spec), make(spec, there(uri))
    for method in (local, remote):
        method.fit(corpus())
    assert remote.search(queries(), k) == local.search(queries(), k)
    assert remote.content == local.content


@pytest.mark.parametrize("k", [1, 5, 200])
def test_bm25_finds_the_same_in_both(uri, k):
    local, remote = make({"method": "bm25"}), make({"method": "bm25_milvus"}, there(uri))
    for method in (local, remote):
        method.fit(corpus())
    assert remote.search(queries(), k) == local.search(queries(), k)
    units = list(corpus().ids[::7])
    assert isinstance(local, Scoring) and isinstance(remote, Scoring)
    for query in queries():
        assert remote.score(query, units).tolist() == local.score(query, units).tolist()


def test_bm25_counts_in_a_weighted_sum_as_the_local_one(uri):
    sums = [
        make({"method": "weighted", "of": [{"method": name}, {"method": "tfidf"}]}, there(uri))
        for name in ("bm25", "bm25_milvus")
    ]
    for method in sums:
        method.fit(corpus())
    local, remote = (method.search(queries(), 10) for method in sums)
    assert remote == local and any(local.values())


def test_bm25_comes_back_from_disk_with_its_terms_alone(uri, tmp_path):
    fitted = make({"method": "bm25_milvus"}, there(uri))
    fitted.fit(corpus())
    fitted.save(tmp_path)
    assert (tmp_path / "weights.npy").stat().st_size < 200
    back = make({"method": "bm25_milvus"}, there(uri))
    back.load(tmp_path, corpus())
    assert back.search(queries(), 5) == fitted.search(queries(), 5)


def test_a_corpus_of_nothing_finds_nothing(uri):
    for spec in ({"method": "lsa"}, {"method": "bm25_milvus"}):
        method = make(spec, there(uri))
        method.fit(Corpus.of([]))
        assert method.search(queries(), 5)["0"] == ()


@pytest.mark.parametrize("name", ["http://ann:secret@127.0.0.1:1", "nowhere/at/all/x.db", "bogus"])
def test_a_milvus_that_is_not_there_is_an_error_without_secrets(name, tmp_path):
    uri = name if "://" in name or name == "bogus" else str(tmp_path / Path(name))
    engine = MilvusEngine(uri, "", "b" * 64, np.ones((1, 2), dtype=np.float32))
    with refused("milvus_failed") as caught:
        engine.search(np.ones((1, 2), dtype=np.float32), 1)
    assert "secret" not in caught.value.render()


def test_without_an_address_bm25_in_milvus_says_what_is_missing():
    assert code_of(make, {"method": "bm25_milvus"}) == "method_needs_milvus"


@pytest.mark.parametrize(
    "spec",
    [{"method": "bm25_milvus"}, {"method": "lsa", "dimensions": 8}],
    ids=lambda s: s["method"],
)
def test_each_jurisdiction_is_searched_in_a_collection_of_its_own(uri, spec):
    several = [
        replace(each, jurisdiction="de" if at % 3 else "kr")
        for at, each in enumerate(corpus().documents)
    ]
    method = make(spec, there(uri))
    method.fit(Corpus.of(several))
    for jurisdiction in ("de", "kr"):
        own = [
            replace(each, jurisdiction="") for each in several if each.jurisdiction == jurisdiction
        ]
        alone = make({**spec, "method": spec["method"].removesuffix("_milvus")})
        alone.fit(Corpus.of(own))
        asked = [replace(query, jurisdiction=jurisdiction) for query in queries()]
        for k in (1, 200):
            run = method.search(asked, k)
            assert run == alone.search(queries(), k)
            assert any(run.values())
