"""Korean words cut to morphemes: worked examples, the file of words, and what must hold always."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ThreadPoolExecutor

import pytest

from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.registry import make
from retrieval.lexical.bm25_method import BM25
from retrieval.text import morphemes
from retrieval.text.morphemes import WordFile
from retrieval.text.tokenise import cut_all, tokeniser

TEXTS = ["소방시설을 설치한 자는", "건축물의 허가 exits", "", "제12조 소방시설 消防法"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("소방시설을 설치하여야 한다", ["소방", "시설", "설치"]),
        ("건축물에서의 허가는", ["건축물", "허가"]),
        ("NFTC 102 2.1.1의 exits", ["nftc", "102", "2.1.1", "exit"]),
        ("消防法에 관리하는 the", ["消防", "防法", "관리"]),
        ("및 또는 그 것", []),
        ("", []),
        (" \n·「」", []),
    ],
)
def test_what_carries_content_is_left(text, tokens):
    assert tokeniser("morphemes")(text) == tokens


def test_a_word_is_cut_alike_wherever_it_stands():
    cut = tokeniser("morphemes")
    apart = [token for word in ["소방시설을", "설치한", "자는"] for token in cut(word)]
    assert cut("소방시설을 설치한 자는") == apart == next(cut_all("morphemes", TEXTS))


def test_text_without_any_space_is_cut_in_time_that_grows_with_its_length():
    assert tokeniser("morphemes")("소방시설설치" * 3_333).count("소방") > 3_000
    longest = max(map(len, morphemes.pieces("소방시설" * 5_000)))
    assert longest == 64


def test_many_texts_are_cut_as_each_by_itself_and_their_words_kept(tmp_path, monkeypatch):
    expected = [tokeniser("morphemes")(text) for text in TEXTS]
    assert list(cut_all("morphemes", TEXTS, tmp_path)) == expected
    monkeypatch.setattr(morphemes, "_kiwi", lambda: pytest.fail("a kept word was analysed again"))
    assert list(cut_all("morphemes", TEXTS, tmp_path)) == expected


def test_threads_may_cut_at_once(monkeypatch):
    monkeypatch.setattr(morphemes, "_memory", {})
    texts = [
        f"{word}을 설치한 {other}에서" for word in TEXTS[1].split() for other in TEXTS[0].split()
    ]
    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(tokeniser("morphemes"), texts * 5))
    assert at_once == [*cut_all("morphemes", texts * 5)]


def test_questions_of_any_number_are_remembered_within_bounds(monkeypatch):
    monkeypatch.setattr(morphemes, "_WORDS_IN_MEMORY", 3)
    monkeypatch.setattr(morphemes, "_memory", {})
    for word in ("소방", "시설", "건축", "허가", "소방"):
        assert tokeniser("morphemes")(word) == [word]
        assert len(morphemes._memory) <= 3


def test_bm25_over_morphemes_finds_a_word_in_another_form_also_when_loaded(tmp_path):
    corpus = Corpus.of([Document("a", body="설치하는 자"), Document("b", body="관리하는 자")])
    spec = {"method": "bm25", "tokeniser": "morphemes"}
    method = make(spec, Resources(folder=tmp_path / "cache"))
    method.fit(corpus)
    query = Query("q", "설치했는지")
    assert [hit.unit_id for hit in method.search([query], 5)["q"]] == ["a"]
    assert [file.name for file in (tmp_path / "cache").iterdir()] == [morphemes.file_name()]
    method.save(tmp_path / "kept")
    loaded = make(spec)
    loaded.load(tmp_path / "kept", corpus)
    assert loaded.search([query], 5) == method.search([query], 5)
    assert isinstance(loaded, BM25)
    assert loaded.score(query, ["b", "a"]).tolist() == [
        0.0,
        method.search([query], 1)["q"][0].score,
    ]


def test_a_file_of_words_gives_back_what_it_was_given(tmp_path):
    file = WordFile(tmp_path / "new" / "words.tsv")
    assert file.read() == {}
    file.append({"소방시설을": ("소방", "시설"), "을": ()})
    file.append({"허가": ("허가",)})
    assert file.read() == {"소방시설을": ("소방", "시설"), "을": (), "허가": ("허가",)}


@pytest.mark.parametrize("tail", [65_536, 1, 7])
def test_a_line_half_written_is_passed_over_and_then_cut_off(tmp_path, monkeypatch, tail):
    monkeypatch.setattr(morphemes, "_TAIL", tail)
    path = tmp_path / "words.tsv"
    file = WordFile(path)
    path.write_bytes("한 줄이 아니다".encode())
    assert file.read() == {}
    file.append({"허가": ("허가",)})
    with path.open("ab") as torn:
        torn.write("소방시설을\t소방".encode())
    assert file.read() == {"허가": ("허가",)}
    file.append({"건축물의": ("건축물",)})
    assert path.read_text("utf-8") == "허가\t허가\n건축물의\t건축물\n"


def add(path, start):
    for number in range(start, start + 200):
        WordFile(path).append({f"가{number}": (f"나{number}",)})


def test_two_processes_may_add_at_once(tmp_path):
    path = tmp_path / "words.tsv"
    context = multiprocessing.get_context("fork")
    both = [context.Process(target=add, args=(path, start)) for start in (0, 1_000)]
    for one in both:
        one.start()
    for one in both:
        one.join()
        assert one.exitcode == 0
    numbers = [*range(200), *range(1_000, 1_200)]
    assert WordFile(path).read() == {f"가{n}": (f"나{n}",) for n in numbers}


def test_a_few_words_are_cut_as_many_are(monkeypatch):
    words = sorted({word for text in TEXTS for word in morphemes.pieces(text)} | {"및", "대한민국"})
    apart = morphemes.analyse(words)
    monkeypatch.setattr(morphemes, "_FEW", 0)
    assert morphemes.analyse(words) == apart
