"""How to read a source of the user's own shape: set once, saved as a small JSON file.

A mapping says which column holds which field of a unit, and what holds for every unit where no
column says it. A heading pattern says how headings look in plain text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from corpus.files.rows import parse_object
from corpus.files.textfile import printable, read_text
from errors import UserError, Where

FIELDS = (
    "statute",
    "place",
    "heading",
    "text",
    "id",
    "level",
    "kind",
    "path",
    "effective",
)
"""What a column can hold. Only `text` must be mapped; `statute` may be a fixed title instead."""

_MAPPING_BYTES = 64 * 1024
_KEYS = ("columns", "title", "kind", "pattern")
_SYNONYMS = {
    "statute": ("statute", "law", "law_name", "document", "act", "법령", "법령명", "문서"),
    "place": (
        "place",
        "article",
        "article_no",
        "section",
        "number",
        "조",
        "조문번호",
        "조문",
        "번호",
    ),
    "heading": ("heading", "title", "article_title", "caption", "제목", "조문제목"),
    "text": ("text", "content", "body", "내용", "조문내용", "본문"),
    "id": ("semantic_id", "unit_id", "id", "_id"),
    "level": ("level", "단위"),
    "kind": ("kind", "tier", "type", "law_level", "법령구분", "종류"),
    "path": ("path", "chapter", "장"),
    "effective": ("effective", "effective_date", "date", "시행일", "시행일자"),
}


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """What a user says about a source once.

    `columns` maps a field of :data:`FIELDS` to the name of a column. `title` and `kind` hold for
    every unit without one. `pattern` shows a heading of plain text: ``제{number}조({heading})``.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    kind: str = ""
    pattern: str = ""

    def as_json(self) -> str:
        """Return the rules as the text of a mapping file."""
        content = {
            "columns": dict(sorted(self.columns.items())),
            "title": self.title,
            "kind": self.kind,
            "pattern": self.pattern,
        }
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def read_rules(path: Path) -> ReadingRules:
    """Return the rules of a mapping file. Raises UserError naming the field that is wrong."""
    name = printable(path.name)
    found = parse_object(read_text(path, name, _MAPPING_BYTES), name, 1)
    for key, value in found.items():
        if key not in _KEYS:
            raise UserError("mapping_key", Where(name, field=key), known=", ".join(_KEYS))
        if key != "columns" and not isinstance(value, str):
            raise UserError("field_not_text", Where(name, field=key))
    columns = found.get("columns", {})
    if not isinstance(columns, dict):
        raise UserError("mapping_columns", Where(name, field="columns"), known=", ".join(FIELDS))
    for key, value in columns.items():
        if key not in FIELDS or not isinstance(value, str):
            raise UserError("mapping_columns", Where(name, field=key), known=", ".join(FIELDS))
    texts = {key: str(value) for key, value in found.items() if key != "columns"}
    return ReadingRules(columns=columns, **texts)


def suggested(columns: list[str]) -> dict[str, str]:
    """Return the mapping that the names of columns suggest, field → column."""
    by_name = {name.strip().lower(): name for name in reversed(columns)}
    return {
        each: by_name[word]
        for each, words in _SYNONYMS.items()
        for word in [next((word for word in words if word in by_name), None)]
        if word is not None
    }
