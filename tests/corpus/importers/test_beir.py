from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from corpus.importers.beir import read_beir, read_beir_questions
from corpus.model import Tier
from errors import UserError
from tests.conftest import ROOT

FIXTURE = ROOT / "tests" / "fixtures" / "beir"


def test_our_own_export_reads_back_and_foreign_ids_stay_recognisable() -> None:
    act, others = read_beir(FIXTURE).statutes
    unit = act.units[0]
    assert (act.semantic_id, act.tier, act.effective) == (
        "나루터안전법",
        Tier.ACT,
        date(2026, 1, 1),
    )
    assert (unit.semantic_id, unit.label, unit.heading) == ("나루터안전법_1조", "제1조", "목적")
    assert unit.path == ("제1장 총칙",)
    assert [(u.semantic_id, u.label, u.heading) for u in others.units] == [
        ("beir_MED-10", "MED-10", "Lamps on ferries"),
        ("beir_MED-14", "MED-14", ""),
    ]


def test_queries_bring_the_units_judged_relevant_as_gold() -> None:
    first, second = read_beir_questions(FIXTURE)
    assert (first.external_id, first.language, first.gold_ids) == ("q1", "en", ("beir_MED-10",))
    assert (second.language, second.gold_ids, second.answer) == ("ko", ("나루터안전법_1조",), "")


def folder(tmp_path: Path, qrels: str, queries: str = '{"_id": "q", "text": "?"}\n') -> Path:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text(qrels, encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text(queries, encoding="utf-8")
    return tmp_path


def test_short_fields_of_a_query_and_its_metadata_are_columns(tmp_path: Path) -> None:
    query = '{"_id": "q", "text": "?", "type": "audit", "metadata": {"language": "en", "hops": 2}}'
    (question,) = read_beir_questions(folder(tmp_path, "", f"{query}\n"))
    assert question.columns == (("hops", "2"), ("type", "audit"))


@pytest.mark.parametrize("line", ["q\tx", "q\tx\ty", "q x 1", "q\tx\t1\t2"])
def test_a_judgement_that_cannot_be_read_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(UserError) as caught:
        read_beir_questions(folder(tmp_path, f"query-id\tcorpus-id\tscore\n{line}\n"))
    error = caught.value
    assert (error.code, error.where.file, error.where.line) == ("qrels_form", "qrels/test.tsv", 2)


def test_a_query_that_stands_twice_is_refused(tmp_path: Path) -> None:
    twice = '{"_id": "q", "text": "?"}\n' * 2
    with pytest.raises(UserError) as caught:
        read_beir_questions(folder(tmp_path, "", twice))
    assert caught.value.code == "record_repeated"
