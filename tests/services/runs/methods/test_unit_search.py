"""The indexes of a snapshot and the search box, on a little fictional law."""

from __future__ import annotations

import pytest

from errors import UserError
from retrieval.lexical.bm25_method import BM25
from services.runs.methods.unit_search import Recipe, search_units, text_index, title_index
from storage.law.imports import keep_statutes
from tests.projects.small_law import ACT, RULE, SLUG, law


def found(index, query):
    return [hit.unit_id for hit in index.search(query, 10)]


def test_the_text_index_reads_texts_and_the_title_index_does_not(ws):
    texts, titles = text_index(ws, 1), title_index(ws, 1)
    assert len(texts) == len(titles) == 6
    assert f"{ACT}_별지1서식" not in found(texts, "나룻배 신고서")  # a form is not searched
    assert f"{ACT}_2조" in found(texts, "갖추어야")
    assert found(titles, "갖추어야") == []
    assert found(titles, "Whistles") == [f"{RULE}_article-2"]
    assert found(titles, "구명조끼")[0] in {f"{ACT}_2조", f"{ACT}_별표1"}


def test_indexes_are_made_once_per_content_and_recipe(ws, monkeypatch):
    folder = ws.folder / "index"
    text_index(ws, 1)
    title_index(ws, 1)
    text_index(ws, 1, Recipe("whitespace"))
    text_index(ws, 1, Recipe(k1=0.9))
    assert len(list(folder.iterdir())) == 4
    monkeypatch.setattr(BM25, "fit", lambda *_: pytest.fail("built again"))
    text_index(ws, 1)
    title_index(ws, 1)


def test_a_new_snapshot_has_its_own_index(ws):
    keep_statutes(ws, SLUG, law(" 등대를 둔다."), "second")
    assert found(text_index(ws, 2), "등대") == [f"{ACT}_1조"]
    assert found(text_index(ws, 1), "등대") == []


@pytest.mark.parametrize("recipe", [Recipe("../escape"), Recipe(k1=-1), Recipe(b=2)])
def test_a_recipe_that_cannot_be_is_refused_before_a_folder_is_made(ws, recipe):
    with pytest.raises(UserError):
        text_index(ws, 1, recipe)
    assert not (ws.folder / "index").exists()


@pytest.mark.parametrize("query", ["나루안전법 제4조", "나루안전법4조"])
def test_a_typed_citation_comes_first(ws, query):
    first = search_units(ws, 1, query)[0]
    assert (first.semantic_id, first.cited, first.score) == (f"{ACT}_4조", True, None)
    assert len(search_units(ws, 1, f"{query} 나룻배", 1)) == 1


def test_words_are_searched_and_rows_are_whole(ws):
    hits = search_units(ws, 1, "등불 나룻배", 3)
    assert hits[0].semantic_id == f"{ACT}_4조"
    assert (hits[0].statute, hits[0].label, hits[0].heading) == ("나루안전법", "제4조", "등불")
    assert hits[0].text.startswith("밤에") and hits[0].tier == 1 and hits[0].kind == "act"
    assert not hits[0].cited and (hits[0].score or 0) > 0
    assert len({hit.unit_id for hit in hits}) == len(hits) == 3
    assert search_units(ws, 1, "나룻배", 0) == search_units(ws, 1, "나룻배", -5) == []
    assert len(search_units(ws, 1, "나룻배", 10**9)) <= 6


@pytest.mark.parametrize("query", ["   ", "'; DROP TABLE unit; --", "\x00"])
def test_odd_queries_find_nothing_and_break_nothing(ws, query):
    assert search_units(ws, 1, query) == []
