"""The benchmark of terms and connectors: its queries are read, its matcher sees a wrong index."""

from __future__ import annotations

from benchmarks import connectors
from retrieval.connectors.query import parse
from retrieval.connectors.search import search
from retrieval.connectors.words import SearchedText

TEXTS = [
    SearchedText("a", "소방법 제1조", "소방안전관리자를 선임하여야 한다.", ()),
    SearchedText("b", "소방법 제2조", "과태료를 부과한다. 다만, 취소하지 아니한다."),
]


def test_the_index_and_the_walk_agree_on_forty_queries_and_a_wrong_index_is_seen(
    monkeypatch,
) -> None:
    def uncut(words):
        return [() for _ in words]

    asked = connectors.queries()
    assert len(set(asked)) == len(asked) >= 40
    assert connectors.mismatches(TEXTS, [parse(query) for query in asked], uncut) == 0
    monkeypatch.setattr(connectors, "search", lambda index, _, most: search(index, "없다", most))
    assert connectors.mismatches(TEXTS, [parse("과태료")], uncut) == 1


def test_texts_are_read_back(tmp_path, shared_data) -> None:
    law = shared_data / "korean-law" / "fire-safety" / "kr" / "건축기본법"
    english, target = shared_data / "other-law/us/ecfr-title1-after.xml", tmp_path / "texts.jsonl"
    connectors.write_texts(law, english, target)
    read = list(connectors.read_texts(target))
    here = [text for text in read if text.title.startswith("건축기본법")]
    there = [text for text in read if text.id.startswith("1cfr-")]
    assert len(here) > 20 and len(there) > 50 and len(here) + len(there) == len(read)
    assert any(text.paragraphs and text.sentences for text in here)
