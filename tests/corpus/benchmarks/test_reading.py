"""Benchmarks are read in whatever layout, by what their rows are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpus.benchmarks.model import Fault
from corpus.benchmarks.reading import read_benchmark
from tests.support.refusals import code_of


def lines(path: Path, *objects: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)
    path.write_text(text, encoding="utf-8")


def text(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


def parquet(path: Path, *rows: dict[str, Any]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    path.parent.mkdir(parents=True, exist_ok=True)
    write_table(pyarrow.Table.from_pylist(list(rows)), path)


def beir(home: Path) -> None:
    lines(home / "corpus.jsonl", {"_id": "d1", "title": "T", "text": "A boat."})
    lines(home / "queries.jsonl", {"_id": "q1", "text": "What floats?"})
    text(home / "qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t2\n")


def hugging_face(home: Path) -> None:
    parquet(home / "corpus/test-00000-of-00001.parquet", {"_id": "d1", "text": "A boat."})
    parquet(home / "queries/test-00000-of-00001.parquet", {"_id": "q1", "text": "What floats?"})
    row = {"query-id": "q1", "corpus-id": "d1", "score": 2}
    parquet(home / "default/validation-00000-of-00001.parquet", row)


def trec(home: Path) -> None:
    text(home / "docs.trec", "<DOC>\n<DOCNO> d1 </DOCNO>\n<TEXT>A boat.</TEXT>\n</DOC>\n")
    topic = "<top>\n<num> Number: q1\n<title> What floats?\n<desc> Description:\n</top>\n"
    text(home / "topics.txt", topic)
    text(home / "qrels.dev.txt", "q1 0 d1 2\n")


def tables(home: Path) -> None:
    text(home / "articles.csv", 'id,reference,article\nd1,"Art. 1","A boat."\n')
    text(home / "questions_dev.csv", 'id,question,article_ids\nq1,"What floats?","d1"\n')


def fire_safety(home: Path) -> None:
    row = {"question_id": "q1", "question": "What floats?", "answer": "A.", "semantic_ids": ["d1"]}
    lines(home / "qna_dev.jsonl", row)
    law = {"doc_id": "7", "semantic_id": "d1", "law_name": "L", "chapter_body": "A boat."}
    lines(home / "documents.jsonl", law)


def regops(home: Path) -> None:
    lines(home / "articles.jsonl", {"article_id": "d1", "doc_title": "L", "text": "A boat."})
    lines(home / "items_dev.jsonl", {"id": "q1", "question": "What floats?", "gold": ["d1"]})


def lecard(home: Path) -> None:
    lines(home / "query/query.json", {"id": "q1", "query": "What floats?", "fact": "It."})
    for number in (1, 2):
        text(home / f"candidates/{number}.json", json.dumps({"pid": f"d{number}", "qw": "A boat."}))
    text(home / "qrels/dev_relevence.trec", "q1\t0\td1\t2\n")


@pytest.mark.parametrize("layout", [beir, hugging_face, trec, tables, fire_safety, regops, lecard])
def test_every_layout_gives_documents_queries_and_judgments(layout: Any, tmp_path: Path) -> None:
    layout(tmp_path)
    found = read_benchmark(tmp_path)
    first = next(iter(found.documents))
    assert (first.id, first.text) == ("d1", "A boat.")
    assert [(each.id, each.text) for each in found.queries] == [("q1", "What floats?")]
    (judgment,) = found.judgments
    assert (judgment.query, judgment.document, judgment.split) == ("q1", "d1", "dev")
    assert judgment.grade == (1 if layout in (tables, fire_safety, regops) else 2)


def test_rows_in_two_kinds_of_files_are_read_once(tmp_path: Path) -> None:
    beir(tmp_path)
    parquet(tmp_path / "parquet/corpus.parquet", {"_id": "d1", "text": "A boat."})
    lines(tmp_path / "no_answer.jsonl", {"_id": "q2", "text": "What sinks?"})
    assert read_benchmark(tmp_path).documents.files == ("corpus.jsonl",)


def test_a_block_of_a_trec_file_may_have_attributes(tmp_path: Path) -> None:
    trec(tmp_path)
    block = '<DOC id="x">\n<DOCNO> d{0} </DOCNO>\n<TEXT n="1">Boat {0} <b and c></TEXT>\n</DOC>\n'
    text(tmp_path / "docs.trec", block.format(1) + block.format(2))
    documents = [*read_benchmark(tmp_path).documents.read([])]
    assert [(each.id, each.text) for each in documents] == [
        ("d1", "Boat 1 <b and c>"),
        ("d2", "Boat 2 <b and c>"),
    ]


def test_a_card_is_read_and_a_folder_without_one_has_none(tmp_path: Path) -> None:
    beir(tmp_path)
    assert read_benchmark(tmp_path).card is None
    text(tmp_path / "README.md", "---\nlicense: mit\nlanguage:\n- ko\n---\n# A\n")
    assert read_benchmark(tmp_path).card == {"license": "mit", "language": ["ko"]}
    text(tmp_path / "README.md", "---\na: *b\n---\n")
    assert read_benchmark(tmp_path).card == {}


def test_broken_lines_are_faults_and_the_others_are_read(tmp_path: Path) -> None:
    beir(tmp_path)
    with (tmp_path / "queries.jsonl").open("ab") as file:
        file.write(b'{"_id": "q2", "text": "\xff"}\n[1]\n{"_id": \n{"text": "no id"}\n')
    text(tmp_path / "qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq1\td1\tmany\nq1\t\t1\n")
    found, faults = read_benchmark(tmp_path), list[Fault]()
    assert [each.id for each in found.queries.read(faults)] == ["q1", "q2", ""]
    assert list(found.judge(faults)) == []
    assert [(each.line, each.reason) for each in faults] == [
        *((2, "not_utf8"), (3, "not_object"), (4, "not_json"), (5, "no_id")),
        *((2, "no_grade"), (3, "no_id")),
    ]


def test_broken_tables_end_where_they_break(tmp_path: Path) -> None:
    tables(tmp_path)
    text(tmp_path / "articles.csv", 'id,article\nd1,"A boat."\nd2,"A' + "x" * (1 << 26) + '"\n')
    (tmp_path / "corpus.parquet").write_bytes(b"PAR1 not really PAR1")
    found, faults = read_benchmark(tmp_path), list[Fault]()
    assert [each.id for each in found.documents.read(faults)] == ["d1"]
    assert faults == [Fault("articles.csv", 3, "broken")]
    assert found.unread == (Fault("corpus.parquet", 1, "broken"),)


def test_a_parquet_file_that_unpacks_without_end_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpus.benchmarks.rows._PARQUET_LEAST", 0)
    rows = [{"_id": f"d{n}", "text": "x" * 9_999} for n in range(999)]
    parquet(tmp_path / "corpus.parquet", *rows)
    found, faults = read_benchmark(tmp_path), list[Fault]()
    assert len(list(found.documents.read(faults))) < 999
    assert [each.reason for each in faults] == ["broken"]


@pytest.mark.parametrize("name", ["", "notes.txt", "numbers.jsonl", "absent"])
def test_what_is_no_benchmark_is_refused(name: str, tmp_path: Path) -> None:
    text(tmp_path / "notes.txt", "Nothing but notes,\nline by line.\n")
    lines(tmp_path / "numbers.jsonl", {"a": 1})
    code = "path_missing" if name == "absent" else "benchmark_unknown"
    assert code_of(read_benchmark, tmp_path / name) == code
