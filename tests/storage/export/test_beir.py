"""The BEIR files, read back as BEIR reads them."""

from __future__ import annotations

import csv
import json
from datetime import date

from storage.export.beir import write_corpus, write_qrels
from storage.law.passages import Passage

PASSAGE = Passage(
    row_id=7,
    unit_id="나루안전법_2조",
    statute_id="나루안전법",
    statute="나루안전법",
    kind="act",
    tier=1,
    level="article",
    label="제2조",
    heading="구명조끼",
    text='줄\n바꿈과 "따옴표"',
    path=("제1장",),
    effective=date(2026, 1, 1),
)


def test_corpus_lines(tmp_path):
    write_corpus(tmp_path / "corpus.jsonl", [PASSAGE])
    lines = (tmp_path / "corpus.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 1 and "나루" in lines[0]
    document = json.loads(lines[0])
    assert document["_id"] == "나루안전법_2조"
    assert document["title"] == "나루안전법 제2조 (구명조끼)"
    assert document["text"] == PASSAGE.text
    assert document["metadata"]["effective"] == "2026-01-01"
    assert "row_id" not in lines[0]


def test_judgements_have_their_header_and_stand_any_id(tmp_path):
    path = tmp_path / "qrels" / "test.tsv"
    write_qrels(path, {"b": {"u2": 1, "u1": 1}, "a\tx": {"u": 1}, "none": {}})
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    assert rows == [
        ["query-id", "corpus-id", "score"],
        ["a\tx", "u", "1"],
        ["b", "u1", "1"],
        ["b", "u2", "1"],
    ]
