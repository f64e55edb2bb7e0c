"""The datasheet form: facts of a benchmark that only people know, read from YAML.

Its fields are the questions of Gebru et al., "Datasheets for Datasets", Communications of the ACM
64 (12), 2021, that the data of a project cannot answer. A field that is missing or empty is open::

    funding: Grant 2026-123 of the National Research Foundation
    intended_uses: |
      Comparing methods that retrieve provisions.

      Not for advice to anybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from corpus.files.rows import is_storable
from corpus.files.yaml_fields import read_value
from errors import UserError, Where, did_you_mean
from normalization import composed

ANSWER_LIMIT = 4_000  # characters of one answer
TEXT_LIMIT = 100_000  # of all together, as YAML


@dataclass(frozen=True, slots=True)
class SheetField:
    """A question for people: its key, its section of the datasheet, and its wording there."""

    key: str
    section: str
    question: str


FIELDS = (
    SheetField("created_by", "motivation", "who created it, for whom"),
    SheetField("funding", "motivation", "funding"),
    SheetField("known_limits", "composition", "known limits, errors and noise"),
    SheetField("sensitive", "composition", "confidential, personal or offensive content"),
    SheetField("question_source", "collection", "where the questions come from, and their rights"),
    SheetField("people_roles", "collection", "who the people are, and what qualifies them"),
    SheetField("compensation", "collection", "compensation"),
    SheetField("consent", "collection", "consent and ethical review"),
    SheetField("instruction", "labelling", "how people were instructed and trained"),
    SheetField("intended_uses", "uses", "intended uses"),
    SheetField("earlier_uses", "uses", "earlier uses"),
    SheetField("unfit_uses", "uses", "unfit uses"),
    SheetField("licence", "distribution", "licence"),
    SheetField("restrictions", "distribution", "restrictions by others' rights or by law"),
    SheetField("availability", "distribution", "where and since when it is available"),
    SheetField("maintainer", "maintenance", "maintainer"),
    SheetField("contact", "maintenance", "contact"),
    SheetField("updates", "maintenance", "updates, errata and older versions"),
    SheetField("contributions", "maintenance", "how others can contribute"),
)
KEYS = tuple(field.key for field in FIELDS)
SECTIONS = tuple(dict.fromkeys(field.section for field in FIELDS))

Answers = Mapping[str, str]
"""Answers by key; open fields are left out."""


def starter() -> str:
    """Return the empty form."""
    return ""


def parse(text: str) -> dict[str, str]:
    """Parse the answers in a form, in the order of `FIELDS`.

    Raises UserError, with the line, for invalid YAML, an unknown field, and an answer that is no
    text or too long.
    """
    if len(text) > TEXT_LIMIT:
        raise UserError("text_too_long", Where(field="text"), limit=TEXT_LIMIT, length=len(text))
    found = read_value(text, None)
    if found.content == "":
        return {}
    if not isinstance(found.content, dict):
        raise UserError("datasheet_form", Where(line=found.line))
    said = {}
    for key, value in found.content.items():
        where = Where(line=value.line, field=key[:60])
        if key not in KEYS:
            meant = did_you_mean(key, KEYS)
            raise UserError("field_unknown", where, known=", ".join(KEYS), meant=meant)
        if not isinstance(value.content, str):
            raise UserError("field_not_text", where)
        if not is_storable(value.content):
            raise UserError("text_unstorable", where)
        said[key] = answer = value.content.strip()
        if len(answer) > ANSWER_LIMIT:
            raise UserError("text_too_long", where, limit=ANSWER_LIMIT, length=len(answer))
    return {key: said[key] for key in KEYS if said.get(key)}


def as_yaml(answers: Answers) -> str:
    """Return the answers as a form, composed (NFC), in order; "" for none.

    Reading it back gives the same answers, line by line. Raises UserError as `parse` does.
    """
    said = {key: _lines(answers[key]) for key in KEYS if _lines(answers.get(key, ""))}
    if not said:
        return ""
    text = "".join(_entry(key, answer) for key, answer in said.items())
    parse(text)
    return text


def template(answers: Answers) -> str:
    """Return the form with every field, its question above it, to be filled in."""
    return "".join(
        f"# {field.question}\n{_entry(field.key, _lines(answers.get(field.key, '')))}"
        for field in FIELDS
    )


def _entry(key: str, answer: str) -> str:
    """Return a field as YAML; one without an answer is empty, to be filled in."""
    if not answer:
        return f"{key}:\n"
    return str(yaml.safe_dump({key: answer}, allow_unicode=True, width=100))


def _lines(answer: str) -> str:
    """Return an answer with uniform line ends."""
    plain = composed(answer).replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(line.rstrip() for line in plain.split("\n")).strip()


def open_fields(answers: Answers) -> list[SheetField]:
    """Return the fields without an answer, in order."""
    return [field for field in FIELDS if not answers.get(field.key)]
