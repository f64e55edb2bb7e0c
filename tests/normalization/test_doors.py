"""Every way in composes: what comes decomposed (NFD) is kept as what comes composed (NFC)."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unicodedata import is_normalized, normalize

import pytest

from annotation.exchange import lines as exchange
from annotation.exchange.foreign_tools import file_records
from annotation.ocr.blocks import checked_blocks
from annotation.people.members import checked_name
from annotation.work.editions import clean
from annotation.work.submissions import checked_reason, checked_text, fit_text
from construction.mcq.model import read_written
from corpus.cases.reading import read_judgments
from corpus.files.rows import as_text, read_rows
from corpus.files.yaml_fields import read_value
from corpus.importers.beir import read_beir_questions, read_questions
from corpus.importers.registry import FORMATS
from corpus.importers.table import ReadingRules
from corpus.model import Statute
from llm.structured.answers import json_objects
from llm.transport.openai_client import storable as reply
from services.batches import read_ids
from services.exchange.label_guides import read_guide
from services.judging.reading import read_cases
from storage.export.trec import read_rankings
from tests.conftest import ROOT

FIXTURES = ROOT / "tests" / "fixtures"
KOREAN = "나룻배법 제1조"
DECOMPOSED = normalize("NFD", KOREAN)

SOURCES: dict[str, Path] = {
    "legalize-kr": ROOT / "sample" / "statutes",
    "drf": FIXTURES / "drf",
    "html": FIXTURES / "html",
    "searchfiresafety": FIXTURES / "searchfiresafety",
    "regops": FIXTURES / "regops",
    "beir": FIXTURES / "beir",
    "table": FIXTURES / "table",
    "english": FIXTURES / "english",
    "text": FIXTURES / "text" / "rules.txt",
}
"""A folder of each format that statutes are read from."""


def as_escapes(text: str) -> str:
    """Write a text as JSON and YAML can: every letter that is not ASCII as an escape."""
    return "".join(c if c.isascii() else f"\\u{ord(c):04x}" for c in text)


def as_references(text: str) -> str:
    """Write a text as XML and HTML can: every Jamo as a reference to its number."""
    return re.sub("[\u1100-\u11ff]", lambda one: f"&#{ord(one[0])};", text)


def rewritten(source: Path, folder: Path, change: Callable[[str], str]) -> Path:
    """Copy the files of a folder, each text changed, names as they are."""
    for file in [source] if source.is_file() else sorted(source.rglob("*")):
        if file.is_file():
            there = folder / (file.relative_to(source) if file != source else file.name)
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
    return folder


def law_of(name: str, folder: Path) -> tuple[Statute, ...]:
    return FORMATS[name].read(only(name, folder), ReadingRules(), None).statutes


def only(name: str, folder: Path) -> Path:
    if not FORMATS[name].one_file:
        return folder
    return next(f for f in sorted(folder.iterdir()) if f.suffix in FORMATS[name].endings)


def nfc(text: str) -> str:
    return normalize("NFC", text)


def test_every_format_is_tried() -> None:
    assert SOURCES.keys() == FORMATS.keys()


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_decomposed_law_is_read_as_composed(name: str, tmp_path: Path) -> None:
    apart = rewritten(SOURCES[name], tmp_path / "a" / "x", lambda text: normalize("NFD", text))
    together = rewritten(SOURCES[name], tmp_path / "b" / "x", nfc)
    assert law_of(name, apart) == law_of(name, together)


@pytest.mark.parametrize("name", ["drf", "html"])
def test_letters_written_as_references_are_composed(name: str, tmp_path: Path) -> None:
    def change(text: str) -> str:
        return "".join(
            as_references(normalize("NFD", piece)) if not piece.startswith("<") else piece
            for piece in re.split(r"(<[^>]*>)", text)
        )

    apart = law_of(name, rewritten(SOURCES[name], tmp_path / "a" / "x", change))
    together = law_of(name, rewritten(SOURCES[name], tmp_path / "b" / "x", nfc))
    assert [(u.text, u.heading) for s in apart for u in s.units] == [
        (u.text, u.heading) for s in together for u in s.units
    ]


def json_line(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False)


def pinned(value: object) -> list[str]:
    """Return every text in a value read, whatever it is made of."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for each in pair for text in pinned(each)]
    if isinstance(value, list | tuple | set | frozenset):
        return [text for each in value for text in pinned(each)]
    if hasattr(value, "__dataclass_fields__"):
        return [t for name in value.__dataclass_fields__ for t in pinned(getattr(value, name))]
    return []


MCQ = json_line(
    query="나룻배법?",
    options=["가", "나", "다", "라"],
    answer=1,
    a="나룻배법_1조",
    b="나룻배법_2조",
)
FILES: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "questions": (
        "q.jsonl",
        read_questions,
        json_line(question_id="가", question=KOREAN, answer=KOREAN, law_references=[KOREAN]),
    ),
    "rows": ("q.jsonl", lambda f: [row.fields for row in read_rows(f)], json_line(가=KOREAN)),
    "rows of an array": (
        "q.json",
        lambda f: [row.fields for row in read_rows(f)],
        f"[{json_line(가=KOREAN)}]",
    ),
    "court cases": (
        "q.jsonl",
        lambda f: list(read_judgments(f)),
        json_line(id="1", text=f"{KOREAN} 판결", charges=["가", "나"]),
    ),
    "multiple-choice questions": ("q.jsonl", read_written, MCQ),
    "answers to judge": (
        "q.jsonl",
        read_cases,
        json_line(id="1", system="가", question=KOREAN, answer=KOREAN, reference=KOREAN),
    ),
    "exchanged annotations": (
        "q.jsonl",
        lambda f: [line.fields for line in exchange.read_lines(f)],
        json_line(comment=KOREAN),
    ),
    "labels of other tools": (
        "q.jsonl",
        lambda f: [one for _, one in file_records(f)],
        json_line(comment=KOREAN),
    ),
    "guide to labels": (
        "q.json",
        read_guide,
        json_line(item="가", choices="나", comment="", people={"다": "라"}, decisions={}),
    ),
    "list of ids": ("q.txt", read_ids, f"{KOREAN.replace(' ', '')}\n"),
    "run": ("q.txt", read_rankings, "가 Q0 나룻배법_1조 1 2.0 나\n"),
    "YAML": ("q.yaml", lambda f: read_value(as_text(f.read_bytes(), "q"), "q"), f'가: "{KOREAN}"'),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("escaped", [False, True])
def test_decomposed_files_are_read_as_composed(name: str, escaped: bool, tmp_path: Path) -> None:
    file_name, read, text = FILES[name]
    if escaped and not file_name.endswith(("json", "jsonl", "yaml")):
        pytest.skip("the format has no escapes")
    apart = normalize("NFD", text)
    file = tmp_path / file_name
    file.write_text(as_escapes(apart) if escaped and "yaml" not in file_name else apart, "utf-8")
    found = read(file)
    file.write_text(text, "utf-8")
    assert pinned(found) == pinned(read(file))
    assert any(not each.isascii() for each in pinned(found))
    assert all(is_normalized("NFC", each) for each in pinned(found))


def test_yaml_escapes_are_composed() -> None:
    value = read_value(f'a: "{as_escapes(DECOMPOSED)}"', None).content
    assert isinstance(value, dict) and value["a"].content == KOREAN


def test_beir_questions_are_composed(tmp_path: Path) -> None:
    folder = rewritten(FIXTURES / "beir", tmp_path / "x", lambda text: normalize("NFD", text))
    assert all(is_normalized("NFC", text) for text in pinned(read_beir_questions(folder)))


TYPED: dict[str, Callable[[str], object]] = {
    "comment": lambda text: checked_text(text, "comment"),
    "draft": fit_text,
    "name of a person": checked_name,
    "name of a batch": partial(checked_name, code="batch_name"),
    "guideline or typology": clean,
    "reason of a migration": checked_reason,
    "block of a page": lambda text: checked_blocks([{"kind": "paragraph", "text": text}]),
    "formula": lambda text: checked_blocks([{"kind": "formula", "latex": text}]),
    "reply of a model": reply,
    "object in a reply": lambda text: list(json_objects(reply(json_line(answer=text)))),
    "escaped object in a reply": lambda text: list(json_objects(json.dumps({"answer": text}))),
}


@pytest.mark.parametrize("name", TYPED)
def test_decomposed_words_are_kept_as_composed(name: str) -> None:
    assert TYPED[name](DECOMPOSED) == TYPED[name](KOREAN)


def test_doubtful_stretches_follow_their_letters() -> None:
    apart = {"kind": "paragraph", "text": normalize("NFD", "각\r\n항목"), "doubt": [[4, 7]]}
    (kept,) = checked_blocks([apart])
    assert (kept["text"], kept["doubt"]) == ("각\n항목", [[2, 3]])


# What reads bytes or JSON by itself, and why it need not compose what it reads.
OWN_READING = {
    "retrieval/dense/model_files.py": "what we wrote",
    "retrieval/text/token_worker.py": "a model's vocabulary, which is kept as it was trained",
    "corpus/benchmarks/rows.py": "files as they are, for an audit of their Unicode form",
    "services/audit/texts.py": "texts as another encoding would have them",
    "annotation/guidelines/documents.py": "our own files",
    "annotation/people/sign_in.py": "numbers that we signed",
    "corpus/cases/patterns.py": "our own files",
    "corpus/sandbox/child.py": "what our own process sends",
    "evaluation/replies/rules.py": "our own files",
    "llm/local/causal_model.py": "what a model says, composed where it becomes a reply",
    "llm/local/files.py": "settings of a local model",
    "llm/prompts/prompt_files.py": "our own files",
    "llm/settings.py": "settings of an endpoint",
    "services/stricter/benchmark_export.py": "our own files",
    "retrieval/connectors/search.py": "what we wrote",
    "services/exchange/label_names.py": "offsets in a text that is composed",
    "services/pace.py": "numbers that we wrote",
    "retrieval/baselines/text_vectors.py": "numbers that we wrote",
    "retrieval/core/method.py": "what we wrote",
    "retrieval/dense/lsa.py": "what we wrote",
    "retrieval/generative/language_model.py": "numbers of a model",
    "retrieval/rerank.py": "numbers of a model",
    "retrieval/text/morphemes.py": "what we wrote",
    "services/answers/scores.py": "what we wrote",
    "services/papers/running.py": "what we wrote",
    "services/gold/export.py": "what we wrote",
    "services/gold/release_report.py": "what we wrote",
    "services/generative/learning_curve.py": "numbers that we wrote",
    "services/models/workspace_models.py": "settings of an endpoint",
    "services/runs/methods/index_cache.py": "what we wrote",
    "services/runs/retrieving.py": "what we wrote",
    "services/runs/scoring.py": "what we wrote",
    "services/sample/loading.py": "our own files",
    "storage/db/backup.py": "what we wrote",
}
ROOMS = (
    *("annotation", "construction", "corpus", "evaluation", "llm", "retrieval", "services"),
    "storage",
)
DOORS = {
    *("normalization", "corpus.files.rows", "corpus.files.yaml_fields"),
    "corpus.files.declarations",
}
READING = {"loads", "raw_decode", "read_text", "decode"}


def reads_by_itself(file: Path) -> bool:
    """Whether a module decodes bytes or JSON without the function that composes what is read."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    imported = {
        each.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in DOORS
        for each in node.names
    }
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(map(_decodes, calls)) and not imported & {
        *("composed", "composed_value", "storable", "Spans"),
        *("read_text", "as_text", "parse_object", "read_rows", "read_lines", "read_value"),
        "read_declaration",
    }


def _decodes(call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in READING:
        return False
    if call.func.attr != "decode":
        return True
    said = call.args[0] if call.args else None
    return (not isinstance(said, ast.Constant) and said is not None) or (
        isinstance(said, ast.Constant) and str(said.value).startswith("utf")
    )


def test_nothing_reads_text_past_the_door() -> None:
    """A new importer reads by `corpus.files`, composes itself, or says above why it need not."""
    files = [file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]
    found = {str(file.relative_to(ROOT)) for file in files if reads_by_itself(file)}
    found = {each for each in found if not each.startswith("storage/migrations/")}
    assert found - OWN_READING.keys() == set(), "reads text without composing it"
    assert OWN_READING.keys() - found == set(), "need no longer be excused"
