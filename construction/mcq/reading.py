"""Reader of multiple-choice questions in JSON Lines.

``query``, ``options``, ``answer`` (the number of the right option, from 1), ``a`` and ``b`` (the
semantic ids of the provisions) are required; ``id`` and ``explanation`` may be left out. Other
fields are kept unchanged. Rows in SearchFireSafety's published form are read too: ``question``,
``option_1`` to ``option_5``, ``answer_full`` (the right option), ``answer_partial`` (the last one),
``related_semantic_ids`` (A and B) and ``question_id``. Four options are a draft, whose order is
drawn anew; five are a finished item, whose last option is "cannot be determined". Blank lines are
skipped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from construction.mcq.model import WRITTEN
from corpus.files.rows import check_file, is_storable, parse_object, printable, read_lines
from corpus.limits import MCQ_EXPLANATION, MCQ_OPTION, MCQ_QUERY, within
from errors import UserError, Where

LINE_BYTES = 2 * 1024 * 1024
FILE_BYTES = 512 * 1024 * 1024
ID_CHARACTERS = 400
PAIR = "related_semantic_ids"
_PUBLISHED = ("question", "answer_full", "answer_partial", PAIR, "question_id")
_OURS = ("id", "query", "options", "answer", "explanation", "a", "b")


@dataclass(frozen=True, slots=True)
class Written:
    """A question in a file; `id` is empty if missing, `answer` counts from 1."""

    where: Where
    id: str
    query: str
    options: tuple[str, ...]
    answer: int
    explanation: str
    a: str
    b: str
    source: dict[str, Any]
    published: bool = False

    def named(self, field: str) -> str:
        """Return the file's name of the field `a` or `b`."""
        return PAIR if self.published else field

    @property
    def finished(self) -> bool:
        """Whether the last option is already "cannot be determined"."""
        return len(self.options) == WRITTEN + 1

    def draft(self) -> dict[str, Any]:
        """Return the draft as stored with the attempt."""
        fields = ("query", "options", "answer", "explanation")
        said = {name: getattr(self, name) for name in fields}
        return said | {"options": list(self.options)}


def read_written(path: Path) -> list[Written]:
    """Read the questions of a file, in order.

    Raises UserError naming file, line and field for the first error.
    """
    name = printable(Path(path).name)
    check_file(path, name, FILE_BYTES)
    found: list[Written] = []
    lines: dict[str, int] = {}
    for number, text in read_lines(path, name, LINE_BYTES):
        one = _written(Where(name, number), parse_object(text, name, number))
        if one.id and one.id in lines:
            first = lines[one.id]
            raise UserError("mcq_id_twice", Where(name, number, "id"), id=one.id, first=first)
        lines[one.id] = number
        found.append(one)
    if not found:
        raise UserError("mcq_file_empty", Where(name))
    return found


def published(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a question to SearchFireSafety's published form."""
    options = {f"option_{at}": text for at, text in enumerate(fields["options"], 1)}
    name = fields["id"]
    return {
        "question_id": int(name) if re.fullmatch("[1-9][0-9]{0,17}", name) else name,
        PAIR: [fields["a"], fields["b"]],
        "question": fields["query"],
        **options,
        "answer_partial": len(options),
        "answer_full": fields["answer"],
    }


def _ours(where: Where, fields: dict[str, Any]) -> dict[str, Any]:
    """Rename a published row's fields to ours. Raises UserError, naming the original field."""
    if "option_1" not in fields:
        return fields
    names = [f"option_{at}" for at in range(1, WRITTEN + 2)]
    options = [_storable(where, name, fields.get(name)) for name in names]
    for name, allowed in (("answer_full", range(1, len(names))), ("answer_partial", (len(names),))):
        if isinstance(fields.get(name), bool) or fields.get(name) not in allowed:
            raise UserError("mcq_published", _at(where, name), field=name)
    pair = fields.get(PAIR)
    if not isinstance(pair, list) or len(pair) != 2:
        raise UserError("mcq_published", _at(where, PAIR), field=PAIR)
    rest = {name: at for name, at in fields.items() if name not in (*names, *_PUBLISHED)}
    return rest | {
        "id": str(fields.get("question_id", "")),
        "query": _storable(where, "question", fields.get("question")),
        "options": options,
        "answer": int(fields["answer_full"]),
        "a": pair[0],
        "b": pair[1],
    }


def _written(where: Where, row: dict[str, Any]) -> Written:
    """Parse a question written elsewhere. Raises UserError with field."""
    fields = _ours(where, row)
    options = fields.get("options")
    if not isinstance(options, list) or len(options) not in (WRITTEN, WRITTEN + 1):
        raise UserError("mcq_options", _at(where, "options"))
    answer = fields.get("answer")
    if type(answer) is not int or not 1 <= answer <= WRITTEN:
        raise UserError("mcq_answer", _at(where, "answer"))
    identity = _text(where, fields, "id", "")
    if len(identity) > ID_CHARACTERS or not identity.isprintable():
        raise UserError("mcq_id", _at(where, "id"), limit=ID_CHARACTERS)
    return Written(
        where=where,
        id=identity.strip(),
        query=within(_text(where, fields, "query"), MCQ_QUERY, _at(where, "query")),
        options=tuple(_option(where, option) for option in options),
        answer=answer,
        explanation=within(
            _text(where, fields, "explanation", ""), MCQ_EXPLANATION, _at(where, "explanation")
        ),
        a=_text(where, fields, "a"),
        b=_text(where, fields, "b"),
        published=fields is not row,
        source={name: value for name, value in fields.items() if name not in _OURS},
    )


def _text(where: Where, fields: dict[str, Any], name: str, missing: str | None = None) -> str:
    value = fields.get(name, missing)
    return _storable(where, name, value).strip()


def _option(where: Where, option: object) -> str:
    return within(_storable(where, "options", option), MCQ_OPTION, _at(where, "options"))


def _storable(where: Where, name: str, value: object) -> str:
    if not isinstance(value, str) or not is_storable(value):
        raise UserError("mcq_text", _at(where, name), field=name)
    return value


def _at(where: Where, field: str) -> Where:
    return Where(where.file, where.line, field)
