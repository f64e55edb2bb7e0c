"""A judgment and its sections, and the mapping of a user's columns to its fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from corpus.files.rows import parse_object, printable, read_text
from corpus.importers import table
from errors import UserError, Where


class Section(StrEnum):
    """The topic of a part of a judgment (002, section 2.2.1)."""

    HEAD = "head"  # court, parties, charges, and the order where it comes first
    FACTS = "facts"
    CLAIMS = "claims"  # the defendant's pleas
    REASONING = "reasoning"  # the court's grounds, and the provisions applied
    SENTENCING = "sentencing"  # factors for and against the defendant
    CONCLUSION = "conclusion"
    REST = "rest"  # no pattern names it


@dataclass(frozen=True, slots=True)
class JudgmentPart:
    """A part of a judgment's text, [start, end) in code points, and its section."""

    section: Section
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Judgment:
    """A judgment: the fields of its file, and its text.

    `date` is ISO 8601, or empty if unknown. `charges` and `provisions` are as written. The parts
    are in text order and do not overlap. `source` is its place in the file.
    """

    external_id: str
    court: str
    date: str
    title: str
    charges: tuple[str, ...]
    provisions: tuple[str, ...]
    language: str
    text: str
    parts: tuple[JudgmentPart, ...]
    source: Mapping[str, Any] = field(default_factory=dict)

    @property
    def number(self) -> str:
        """The court's own case number, "" if unknown."""
        return str(self.source.get("number", ""))


PLAIN = ("id", "number", "court", "date", "title", "charges", "provisions", "language")
TEXT = "text"
SECTIONS = tuple(str(section) for section in Section)
FIELDS = (*PLAIN, TEXT, *SECTIONS)
"""The possible fields of a column. `text` is the full text; else section columns make it up."""

_FILE_BYTES = 256 * 1024
_TOLD = 20  # the most columns that an error names
_SYNONYMS = {
    "id": "id, _id, case_id, caseid, external_id, doc_id, 판례일련번호, 일련번호",
    "number": "number, case_number, case_no, docket, 사건번호, 案号",
    "court": "court, court_name, 법원, 법원명, 法院",
    "date": "date, judgment_date, decision_date, decided, 선고일, 선고일자, 裁判日期",
    "title": "title, case_name, name, 사건명, 标题, 案件名称",
    "charges": "charges, charge, offence, offense, crime, 죄명, 罪名, 案由",
    "provisions": "provisions, provision, statutes, articles, 적용법조, 참조조문, 法条",
    "language": "language, lang, 언어",
    "text": "text, full_text, fulltext, content, body, judgment, qw, query, 판결문, 전문, "
    "판례내용, 전체내용, 全文, 正文",
    "facts": "facts, fact, 범죄사실, 사실, 事实",
    "claims": "claims, claim, arguments, 주장, 피고인의 주장, 辩护",
    "reasoning": "reasoning, reason, reasons, 이유, 판단, 理由",
    "sentencing": "sentencing, sentencing_factors, 양형, 양형의 이유, 양형이유, 量刑",
    "conclusion": "conclusion, order, disposition, result, 주문, 判决, 主文",
    "head": "head, header, preamble",
    "rest": "rest, evidence, 증거의 요지, 증거, 证据",
}


@dataclass(frozen=True, slots=True)
class CaseRules:
    """The settings for reading a file of judgments.

    `columns` maps a field of :data:`FIELDS` to a column. `language` applies to judgments without
    one; with "" the script of the text decides. `patterns` is text in the form of the packaged
    patterns (`corpus.cases.patterns`), tried before them.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    patterns: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the rules as stored in a mapping file and with an import."""
        columns = {name: self.columns[name] for name in FIELDS if name in self.columns}
        return {"columns": columns, "language": self.language, "patterns": self.patterns}


def suggested(columns: Sequence[str]) -> dict[str, str]:
    """Guess the columns by their names, field → column; no sections beside a full text.

    If a column may be the full text, none is taken for a section: sections are then found in it.
    """
    found = table.suggested(columns, _SYNONYMS)
    return {k: v for k, v in found.items() if not (TEXT in found and k in SECTIONS)}


def with_choices(columns: Mapping[str, str], choices: Mapping[str, str]) -> dict[str, str]:
    """Return the columns with a user's choices for some fields; "" removes a column.

    Full text and sections exclude each other: setting one removes the other.
    """
    gone = {TEXT} if any(choices.get(name) for name in SECTIONS) else set()
    if choices.get(TEXT):
        gone |= set(SECTIONS)
    whole = {name: column for name, column in columns.items() if name not in gone} | dict(choices)
    return {name: column for name, column in whole.items() if column}


def complete(rules: CaseRules, present: Sequence[str], file: str) -> CaseRules:
    """Fill in suggested columns if the rules name none, and validate them.

    Raises UserError for an unknown field, a missing column, no text column, and full text together
    with sections.
    """
    columns = dict(rules.columns) or suggested(present)
    known = ", ".join(f'"{name}"' for name in present[:_TOLD]) + ", …" * (len(present) > _TOLD)
    for name, column in columns.items():
        if name not in FIELDS:
            at = Where(file or None, field=name)
            raise UserError("court_case_field", at, known=", ".join(FIELDS))
        if column not in present:
            raise UserError("column_missing", Where(file, field=column), what=name, known=known)
    if "id" not in columns:
        raise UserError("court_case_column", Where(file), what="id", known=known)
    sections = [name for name in SECTIONS if name in columns]
    if TEXT not in columns and not sections:
        raise UserError("court_case_no_text_column", Where(file), known=known)
    if TEXT in columns and sections:
        raise UserError("court_case_text_twice", Where(file, field=columns[sections[0]]))
    return replace(rules, columns=columns)


def rules_of(values: Mapping[str, Any], file: str = "") -> CaseRules:
    """Parse the rules of a mapping file or a stored import. Raises UserError for invalid ones."""
    texts = ("language", "patterns")
    return CaseRules(**table.mapping_of(values, file, texts, FIELDS, "court_case_field"))


def read_case_rules(path: Path) -> CaseRules:
    """Read the rules of a mapping file. Raises UserError naming the invalid field."""
    name = printable(path.name)
    return rules_of(parse_object(read_text(path, name, _FILE_BYTES), name, 1), name)
