"""A judgment and its sections, and which column of a user's file holds what of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from corpus.files.rows import parse_object, printable, read_text
from errors import UserError, Where


class Section(StrEnum):
    """What a part of a judgment is about (002, section 2.2.1)."""

    HEAD = "head"  # court, parties, charges, and the order where it comes first
    FACTS = "facts"
    CLAIMS = "claims"  # what the defendant pleads
    REASONING = "reasoning"  # why the court decides so, and under which provisions
    SENTENCING = "sentencing"  # what weighs for and against the defendant
    CONCLUSION = "conclusion"
    REST = "rest"  # what no pattern names


@dataclass(frozen=True, slots=True)
class JudgmentPart:
    """A stretch of a judgment's text, [start, end) in code points, and what it is about."""

    section: Section
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Judgment:
    """A judgment: what a file says of it, and its text.

    `date` is ISO 8601, or empty where nobody says. `charges` and `provisions` are as written. The
    parts lie in order in the text and do not overlap. `source` says where in the file it stood.
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


PLAIN = ("id", "number", "court", "date", "title", "charges", "provisions", "language")
TEXT = "text"
SECTIONS = tuple(str(section) for section in Section)
FIELDS = (*PLAIN, TEXT, *SECTIONS)
"""What a column can hold. `text` is the full text; without it, the columns of sections make it."""

_FILE_BYTES = 256 * 1024
_TOLD = 20  # columns named in a refusal
_KEYS = ("columns", "language", "patterns")
_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    name: tuple(each.strip() for each in words.split(","))
    for name, words in {
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
    }.items()
}


@dataclass(frozen=True, slots=True)
class CaseRules:
    """How to read a file of judgments.

    `columns` maps a field of :data:`FIELDS` to a column. `language` holds for judgments without
    one, "" lets the script of the text decide. `patterns` is text in the form of the packaged
    patterns (`corpus.cases.patterns`), to be tried before them.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    patterns: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the rules as a mapping file and an import keep them."""
        columns = {name: self.columns[name] for name in FIELDS if name in self.columns}
        return {"columns": columns, "language": self.language, "patterns": self.patterns}


def suggested(columns: Sequence[str]) -> dict[str, str]:
    """Return the columns that their names suggest, field → column.

    Where a column may be the full text, none is taken for a section: sections are then cut from it.
    """
    plain = {"_".join(name.lower().split()): name for name in reversed(columns)}
    by_name = plain | {name.strip().lower(): name for name in reversed(columns)}
    found = {
        each: next(by_name[word] for word in words if word in by_name)
        for each, words in _SYNONYMS.items()
        if any(word in by_name for word in words)
    }
    return {k: v for k, v in found.items() if not (TEXT in found and k in SECTIONS)}


def amended(columns: Mapping[str, str], said: Mapping[str, str]) -> dict[str, str]:
    """Return the columns with what somebody said of some fields on top; "" takes a column away.

    Full text and sections exclude each other, so saying one takes the other away.
    """
    gone = {TEXT} if any(said.get(name) for name in SECTIONS) else set()
    if said.get(TEXT):
        gone |= set(SECTIONS)
    whole = {name: column for name, column in columns.items() if name not in gone} | dict(said)
    return {name: column for name, column in whole.items() if column}


def complete(rules: CaseRules, present: Sequence[str], file: str) -> CaseRules:
    """Return the rules with columns suggested where they name none, and check them.

    Raises UserError for an unknown field, a column that is not there, no column of text, and full
    text beside sections.
    """
    columns = dict(rules.columns) or suggested(present)
    known = ", ".join(f'"{name}"' for name in present[:_TOLD]) + ", …" * (len(present) > _TOLD)
    for name, column in columns.items():
        if name not in FIELDS:
            raise _unknown(name, file)
        if column not in present:
            raise UserError("column_missing", Where(file, field=column), what=name, known=known)
    if "id" not in columns:
        raise UserError("court_case_column", Where(file), what="id", known=known)
    sections = [name for name in SECTIONS if name in columns]
    if TEXT not in columns and not sections:
        raise UserError("court_case_no_text_column", Where(file), known=known)
    if TEXT in columns and sections:
        raise UserError("court_case_text_twice", Where(file, field=columns[sections[0]]))
    return CaseRules(columns, rules.language, rules.patterns)


def rules_of(found: Mapping[str, Any], file: str = "") -> CaseRules:
    """Return the rules that a mapping file or a kept import says; UserError for what is wrong."""
    for key, value in found.items():
        if key not in _KEYS:
            raise UserError("mapping_key", Where(file or None, field=key), known=", ".join(_KEYS))
        if key != "columns" and not isinstance(value, str):
            raise UserError("field_not_text", Where(file or None, field=key))
    columns = found.get("columns", {})
    if not isinstance(columns, dict):
        raise UserError(
            "court_case_field", Where(file or None, field="columns"), known=", ".join(FIELDS)
        )
    for key, value in columns.items():
        if key not in FIELDS or not isinstance(value, str):
            raise UserError(
                "court_case_field", Where(file or None, field=key), known=", ".join(FIELDS)
            )
    return CaseRules(columns, found.get("language", ""), found.get("patterns", ""))


def read_case_rules(path: Path) -> CaseRules:
    """Return the rules of a mapping file. Raises UserError naming the field that is wrong."""
    name = printable(path.name)
    return rules_of(parse_object(read_text(path, name, _FILE_BYTES), name, 1), name)


def _unknown(field_name: str, file: str) -> UserError:
    where = Where(file or None, field=field_name)
    return UserError("court_case_field", where, known=", ".join(FIELDS))
