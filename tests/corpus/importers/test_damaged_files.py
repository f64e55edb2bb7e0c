"""Every reader gets damaged files: it reads them or says what is wrong, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus.importers.beir import read_beir_questions
from corpus.importers.registry import FORMATS, detect
from corpus.importers.table import ReadingRules
from corpus.model import Statute
from errors import UserError
from storage.law.fingerprint import content_hash
from tests.conftest import ROOT
from tests.corpus.importers.mutations import CASES, damaged

FIXTURES = ROOT / "tests" / "fixtures"
PATTERN = ReadingRules(pattern="제{number}조({heading})")
# What a reader may take, also on a busy machine: of a megabyte at most.
FUZZ = settings(
    max_examples=CASES,
    deadline=100_000,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def sources(name: str) -> list[Path]:
    folder = ROOT / "sample" / "statutes" if name == "legalize-kr" else FIXTURES / name
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    return [file for file in files if file.suffix in FORMATS[name].endings]


def sound(statutes: tuple[Statute, ...]) -> None:
    """Check what the rest of the product relies on."""
    units = [unit for statute in statutes for unit in statute.units]
    assert units
    assert len({unit.semantic_id for unit in units}) == len(units)
    for unit in units:
        assert unit.semantic_id.startswith(unit.statute_id + "_")
        assert all(0 <= part.start <= part.end <= len(unit.text) for part in unit.parts)
        assert len({part.path for part in unit.parts}) == len(unit.parts)
    content_hash(statutes)


@pytest.mark.parametrize("name", FORMATS)
@FUZZ
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    originals = sources(name)
    raw = data.draw(damaged([file.read_bytes() for file in originals]))
    file = tmp_path_factory.mktemp("damaged") / originals[0].name
    file.write_bytes(raw)
    rules = data.draw(st.sampled_from([ReadingRules(), PATTERN]))
    try:
        sound(FORMATS[name].read(file, rules, None).statutes)
    except UserError as error:
        assert error.where.file
        assert error.remedy("ko") and error.remedy("en")
    try:
        assert detect(file) in FORMATS
    except UserError as error:
        assert error.remedy()


@FUZZ
@given(data=st.data())
def test_damaged_questions_of_a_folder_are_read_or_refused(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("beir")
    (folder / "qrels").mkdir()
    for name in ("queries.jsonl", "qrels/test.tsv"):
        whole = (FIXTURES / "beir" / name).read_bytes()
        (folder / name).write_bytes(data.draw(st.one_of(st.just(whole), damaged([whole]))))
    try:
        assert read_beir_questions(folder)
    except UserError as error:
        assert error.where.file and error.remedy()
