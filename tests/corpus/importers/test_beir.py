"""Short fields of a question are columns; content is not."""

from __future__ import annotations

import hashlib
import json
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.importers.beir import (
    LINE_BYTES,
    MOST,
    question_columns,
    questions_hash,
    read_beir,
    read_beir_questions,
    read_questions,
)
from corpus.importers.statutes.records import Notes
from corpus.model import COLLECTION, Level, Question, Tier, slug, words_of_place
from errors import UserError, Where
from library.law import load_law
from tests.conftest import ROOT
from tests.support.examples import scaled
from tests.support.refusals import code_of
from tests.support.refusals import refusal as refusal_of

GOOD: dict[str, Any] = {
    "question_id": 7,
    "question": " 소화기를 두어야 하나요? ",
    "answer": "「소방법」 제3조에 따라 두어야 합니다.",
    "law_references": ["「소방법」 제3조"],
    "semantic_ids": ["소방법_3조"],
    "matched_doc_id": [1],
}


def line(**changes: Any) -> str:
    row = {**GOOD, **changes}
    return json.dumps({k: v for k, v in row.items() if v is not ...}, ensure_ascii=False)


def write(folder: Path, content: str | bytes) -> Path:
    path = folder / "qna.jsonl"
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def refusal(folder: Path, content: str | bytes) -> UserError:
    error = refusal_of(read_questions, write(folder, content))
    assert error.where.file == "qna.jsonl"
    return error


def test_a_question_is_read_whole(tmp_path: Path) -> None:
    (question,) = read_questions(write(tmp_path, line(difficulty="L3")))
    assert question == Question(
        external_id="7",
        text="소화기를 두어야 하나요?",
        answer="「소방법」 제3조에 따라 두어야 합니다.",
        language="ko",
        citation_strings=("「소방법」 제3조",),
        gold_ids=("소방법_3조",),
        columns=(("difficulty", "L3"),),
    )


def test_order_blank_lines_and_line_ends(tmp_path: Path) -> None:
    text = "\ufeff" + line(question_id="b") + "\r\n\r\n" + line(question_id="a") + "\n \n"
    assert [q.external_id for q in read_questions(write(tmp_path, text))] == ["b", "a"]


def test_optional_fields_may_be_absent(tmp_path: Path) -> None:
    text = line(law_references=..., semantic_ids=None, question="What is due?", answer="")
    (question,) = read_questions(write(tmp_path, text))
    assert (question.language, question.citation_strings, question.gold_ids) == ("en", (), ())
    assert question.answer == ""
    (question,) = read_questions(write(tmp_path, line(language="en")))
    assert question.language == "en"


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"question_id": ...}, "field_missing", "question_id"),
        ({"question": ...}, "field_missing", "question"),
        ({"answer": None}, "field_missing", "answer"),
        ({"question": "  "}, "field_missing", "question"),
        ({"question": 3}, "field_not_text", "question"),
        ({"answer": ["a"]}, "field_not_text", "answer"),
        ({"question_id": True}, "question_id_type", "question_id"),
        ({"question_id": 1.5}, "question_id_type", "question_id"),
        ({"question_id": ""}, "question_id_form", "question_id"),
        ({"question_id": "Q 1"}, "question_id_form", "question_id"),
        ({"question_id": "Q" * 201}, "question_id_form", "question_id"),
        ({"law_references": "제3조"}, "field_not_texts", "law_references"),
        ({"semantic_ids": [3]}, "field_not_texts", "semantic_ids"),
        ({"language": "fr"}, "language_unknown", "language"),
        ({"language": ["en"]}, "language_unknown", "language"),
    ],
)
def test_faults_of_a_field_are_named(
    tmp_path: Path, changes: dict[str, Any], code: str, field: str
) -> None:
    error = refusal(tmp_path, line(question_id=1) + "\n" + line(**changes))
    assert (error.code, error.where.line, error.where.field) == (code, 2, field)


@pytest.mark.parametrize(
    ("second", "code"),
    [
        (line()[:-20], "json_broken"),
        ("[1, 2]", "json_not_object"),
        (r'{"question_id": 2, "question": "\ud800", "answer": "a"}', "text_unstorable"),
        (r'{"question_id": 2, "question": "a", "answer": "\u0000"}', "text_unstorable"),
        (line(question_id="1"), "question_repeated"),
        ("a\0b", "nul_character"),
    ],
)
def test_faults_of_a_line_are_named(tmp_path: Path, second: str, code: str) -> None:
    error = refusal(tmp_path, line(question_id=1) + "\n" + second + "\n")
    assert (error.code, error.where.line) == (code, 2)
    assert error.params.get("first", 1) == 1


def test_another_encoding_is_named_by_line(tmp_path: Path) -> None:
    error = refusal(tmp_path, line().encode() + b"\n" + line(question_id=8).encode("cp949"))
    assert (error.code, error.where.line) == ("not_utf8", 2)


@pytest.mark.parametrize("content", ["", "\n \n", "\ufeff\n"])
def test_file_without_questions(tmp_path: Path, content: str) -> None:
    assert refusal(tmp_path, content).code == "questions_empty"
    assert code_of(read_questions, tmp_path / "none.jsonl") == "path_missing"


def test_line_at_the_bound_is_read(tmp_path: Path) -> None:
    short = len(line(more="").encode()) + 1
    text = line(more="a" * (LINE_BYTES - short)) + "\n"
    assert len(read_questions(write(tmp_path, text))) == 1
    assert refusal(tmp_path, "\n" + text[:-1] + " \n").code == "line_too_long"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(st.sampled_from(sorted(GOOD)), JSON)
@settings(max_examples=scaled(200), deadline=None)
def test_any_value_of_a_field_is_read_or_refused_by_name(
    tmp_path_factory: pytest.TempPathFactory, field: str, value: Any
) -> None:
    path = write(tmp_path_factory.mktemp("typed"), line(**{field: value}))
    try:
        (question,) = read_questions(path)
    except UserError as error:
        assert (error.where.line, error.where.field) == (1, field)
    else:
        assert isinstance(question.text, str) and question.text


@pytest.mark.real_data
def test_real_questions_import_whole(shared_data: Path) -> None:
    questions = read_questions(shared_data / "searchfiresafety" / "qna.jsonl")
    assert len(questions) == 619
    assert all(q.language == "ko" and q.answer for q in questions)
    assert questions[0].external_id == "0"
    assert questions[0].citation_strings[1] == "같은법 시행령 별표2"
    assert sum(len(q.citation_strings) for q in questions) == 719
    assert sum(len(q.gold_ids) for q in questions) == 711


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


@pytest.mark.parametrize(
    ("document", "keyed"),
    [
        ({"_id": "d0", "title": "Rent"}, True),
        ({"_id": "beir_d1"}, True),
        ({"_id": "contract_2.1"}, True),
        ({"_id": "lease_text"}, True),
        ({"_id": "lease_text12"}, True),
        ({"_id": "45352"}, True),
        ({"_id": "beir_d1", "metadata": {"statute": "beir", "kind": "collection"}}, True),
        ({"_id": "소방기본법_12조"}, False),
        ({"_id": "소방기본법_별표4"}, False),
        ({"_id": "fire-act_article-5"}, False),
        ({"_id": "NFTC-102_2.1", "metadata": {"statute": "NFTC 102"}}, False),
    ],
)
def test_ids_of_documents_are_keys_and_no_words(
    tmp_path: Path, document: dict[str, Any], keyed: bool
) -> None:
    file = tmp_path / "corpus.jsonl"
    file.write_text(json.dumps({"text": "Words.", **document}), "utf-8")
    (statute,) = read_beir(tmp_path).statutes
    (unit,) = statute.units
    words = words_of_place(statute.kind, statute.title, unit.label)
    assert (statute.kind == COLLECTION, words == ("", "")) == (keyed, keyed)
    assert unit.heading == document.get("title", "")
    assert unit.level == Level.ARTICLE or not keyed
    assert unit.label  # it is shown by its key


def test_a_collection_is_written_and_read_with_its_titles(tmp_path: Path) -> None:
    law = load_law(FIXTURE)
    found = law.search("bm25", "lamp MED-10 beir", 1)[0]
    assert (found.unit_id, found.title) == ("beir_MED-10", "Lamps on ferries")
    assert law.search("bm25", "MED-14 beir", 5) == []


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
    error = refusal_of(
        read_beir_questions, folder(tmp_path, f"query-id\tcorpus-id\tscore\n{line}\n")
    )
    assert (error.code, error.where.file, error.where.line) == ("qrels_form", "qrels/test.tsv", 2)


@pytest.mark.parametrize(
    "lines",
    [
        "query-id\tcorpus-id\tscore\nq\ta\t3\nq\tb\t2\nq\tc\t1\nq\td\t0\nq\te\t-1\n",
        "q\ta\t3\nq\tb\t2.0\nq\tc\t1\nq\td\t0\nq\te\t-1\nq\ta\t3\n",
        "q 0 a 3\nq 0 b 2\nq Q0 c 1\nq\t0\td\t0\nq 0 e -1\n",
        "qid\tdocid\trelevance\nq\ta\t+3\nq\tb\t2\nq\tc\t1\nq\td\t0\nq\te\t-1\n",
    ],
)
def test_grades_of_judgments_are_kept(tmp_path: Path, lines: str) -> None:
    name = slug(tmp_path.name)
    (question,) = read_beir_questions(folder(tmp_path, lines))
    assert question.grades == tuple(
        (f"{name}_{unit}", grade) for unit, grade in zip("abcde", (3, 2, 1, 0, -1), strict=True)
    )
    assert question.gold_ids == (f"{name}_a", f"{name}_b", f"{name}_c")


def test_judgments_that_are_all_yes_have_no_grades(tmp_path: Path) -> None:
    (question,) = read_beir_questions(folder(tmp_path, "q\ta\t1\nq\tb\t1\n"))
    assert (len(question.gold_ids), question.grades) == (2, ())


def test_two_grades_of_one_document_are_refused(tmp_path: Path) -> None:
    folder(tmp_path, "q\ta\t1\n")
    (tmp_path / "qrels" / "train.txt").write_text("q 0 b 1\nq 0 a 2\n", "utf-8")
    error = refusal_of(read_beir_questions, tmp_path)
    assert (error.code, error.where) == ("qrels_contradict", Where("qrels/train.txt", 2))


@pytest.mark.parametrize("corpus", ['{"_id": "d1", "text": "x"}\n', None, "{broken"])
def test_judgments_of_what_the_folder_lacks_are_noted(tmp_path: Path, corpus: str | None) -> None:
    folder(tmp_path, "q\td1\t1\nq\td9\t1\nq2\td1\t1\n")
    if corpus is not None:
        (tmp_path / "corpus.jsonl").write_text(corpus, "utf-8")
    notes = Notes()
    assert len(read_beir_questions(tmp_path, notes)) == 1
    found = [(note.code, note.where.line, dict(note.params)) for note in notes.all()]
    absent = [("qrels_document", 2, {"document": "d9", "question": "q"})]
    assert found == [
        *(absent if corpus and corpus.endswith("\n") else []),
        ("qrels_question", 3, {"question": "q2"}),
    ]


def test_many_judgments_of_what_is_not_there_are_counted(tmp_path: Path) -> None:
    notes = Notes()
    read_beir_questions(folder(tmp_path, "".join(f"x{n}\td\t1\n" for n in range(50))), notes)
    assert len(notes.all()) == 6
    assert "45 more" in notes.all()[-1].render()


@pytest.mark.parametrize("place", ["metadata", "row"])
def test_answers_come_with_queries(tmp_path: Path, place: str) -> None:
    more = {"metadata": {"answer": "A."}} if place == "metadata" else {"answer": "A."}
    query = json.dumps({"_id": "q", "text": "?", **more})
    (question,) = read_beir_questions(folder(tmp_path, "", query))
    assert (question.answer, question.columns) == ("A.", ())


def test_a_query_that_stands_twice_is_refused(tmp_path: Path) -> None:
    twice = folder(tmp_path, "", '{"_id": "q", "text": "?"}\n' * 2)
    assert code_of(read_beir_questions, twice) == "record_repeated"


def test_categories_are_kept_as_text_by_name():
    fields = {
        "type": " audit ",
        "level": 3,
        "share": 0.5,
        "real": True,
        "topics": ["fire", "water"],
        "question": "own",
    }
    assert question_columns(fields, {"question"}) == (
        ("level", "3"),
        ("real", "true"),
        ("share", "0.5"),
        ("topics", ("fire", "water")),
        ("type", "audit"),
    )


def test_content_and_what_cannot_be_kept_is_left_out():
    fields = {
        "long": "가" * 61,
        "lines": "a\nb",
        "blank": " ",
        "none": None,
        "nested": {"a": 1},
        "mixed": [1, "a"],
        "empty": [],
        "nan": float("nan"),
        "huge": 10**80,
        "n" * 61: "x",
        "surrogate": "\ud800",
    }
    assert question_columns(fields, ()) == ()
    assert len(question_columns({f"c{at:03}": "x" for at in range(99)}, ())) == MOST


def test_the_hash_of_questions_is_of_all_that_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "beir"
    shutil.copytree(FIXTURE, folder)
    before = questions_hash(folder)
    assert before == questions_hash(FIXTURE) and len(before) == 64
    (folder / "readme.txt").write_text("not read", "utf-8")
    assert questions_hash(folder) == before
    judged = next(iter(sorted((folder / "qrels").glob("*.tsv"))))
    judged.write_text(judged.read_text("utf-8") + "\n", "utf-8")
    assert questions_hash(folder) != before
    content = (folder / "queries.jsonl").read_bytes()
    assert questions_hash(folder / "queries.jsonl") == hashlib.sha256(content).hexdigest()
    assert code_of(questions_hash, folder / "none.jsonl") == "file_unreadable"
