"""Guides to label files of other tools: where a file keeps what, what it means, who is who.

The user gives one as a JSON file, or answers a form that comes to the same. Of citation mapping::

    {"item": "question_id", "choices": "provisions", "comment": "why",
     "people": {"10": "Kim Ara"}, "unit_ids": "accept",
     "decisions": {"Article 1": {"unit": "act_article-1", "decision": "accept"},
                   "Nothing": {"no_provision": true}}}

Of a task with a form, such as a project's own::

    {"item": "id", "people": {"10": "Kim Ara"}, "comment": "note",
     "fields": {"relevance": {"from": "rating", "values": {"high": 3, "none": 0}},
                "evidence": {"from": "parts", "column": "provision"},
                "why": {"from": "why"}}}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from annotation.exchange.foreign import Fields
from annotation.work.submissions import Decision
from corpus.files.rows import read_text
from errors import UserError, Where
from normalization import composed_value
from normalization.hashing import json_hash

GUIDE_BYTES = 16 * 1024**2
Meaning = tuple[str, str] | None
"""(unit's semantic id, accept, reject or unsure), or None for "no provision"."""


@dataclass(frozen=True, slots=True)
class Guide:
    """The meaning of a label file for citation mapping, by the tool's own words.

    A choice outside `decisions` that is itself the semantic id of a unit means `unit_ids` of that
    unit, if set; any other choice is an error.
    """

    fields: Fields
    people: Mapping[str, str]
    decisions: Mapping[str, Meaning]
    unit_ids: str = ""

    def sha256(self, task: str) -> str:
        """Return the hash of the whole content; `task` is not in it."""
        fields = [self.fields.item, self.fields.choices, self.fields.comment]
        return json_hash([fields, dict(self.people), dict(self.decisions), self.unit_ids])

    def means(self, choice: str, units: Mapping[str, int]) -> Meaning:
        """Return a choice's (unit, decision), None for no provision; KeyError if undefined."""
        if choice in self.decisions:
            return self.decisions[choice]
        if self.unit_ids and choice in units:
            return choice, self.unit_ids
        raise KeyError(choice)


@dataclass(frozen=True, slots=True)
class FieldGuide:
    """Where a field comes from: the tool's field, its values in ours, the column of spans."""

    source: str
    values: Mapping[str, Any] = field(default_factory=dict)
    column: str = ""


@dataclass(frozen=True, slots=True)
class FormGuide:
    """The meaning of a label file for a task with a form, by field."""

    item: str
    people: Mapping[str, str]
    answers: Mapping[str, FieldGuide]
    comment: str = ""

    @property
    def fields(self) -> Fields:
        """The file's keys of the item and the comment."""
        return Fields(self.item, comment=self.comment)

    def sha256(self, task: str) -> str:
        """Return the hash of the whole content and the task."""
        said = {"item": self.item, "people": self.people, "comment": self.comment}
        return json_hash([task, said | {"fields": {k: asdict(v) for k, v in self.answers.items()}}])


def read_guide(path: Path, unit_ids_mean: str = "") -> Guide | FormGuide:
    """Read a guide from a JSON file; `unit_ids_mean` is the decision of unit ids if it says none.

    Raises UserError for a file not as described above.
    """
    where = Where(path.name)
    try:
        said: dict[str, Any] = composed_value(json.loads(read_text(path, path.name, GUIDE_BYTES)))
        guide = _form_guide(said) if "fields" in said else _mapping_guide(said, unit_ids_mean)
        texts = [guide.fields.item, guide.fields.comment, *guide.people.values()]
        if not guide.fields.item or not all(isinstance(text, str) for text in texts):
            raise ValueError(path)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError("labels_guide", where) from error
    if isinstance(guide, Guide) and guide.unit_ids not in ("", *Decision):
        raise UserError("labels_guide", Where(path.name, field="unit_ids"))
    return guide


def _mapping_guide(said: Mapping[str, Any], unit_ids_mean: str) -> Guide:
    """Parse a guide for citation mapping. Raises KeyError or ValueError for one of another form."""
    fields = Fields(said["item"], said["choices"], said.get("comment", ""))
    unit_ids_mean = said.get("unit_ids", unit_ids_mean)
    listed = said.get("decisions", {}) if unit_ids_mean else said["decisions"]
    decisions = {name: _decision(each) for name, each in listed.items()}
    if not (isinstance(fields.choices, str) and fields.choices):
        raise ValueError(fields)
    return Guide(fields, dict(said["people"]), decisions, unit_ids_mean)


def _decision(said: Mapping[str, Any]) -> Meaning:
    """Parse what a choice means: (unit, decision), or None for "no provision"."""
    if said.get("no_provision") is True and len(said) == 1:
        return None
    unit, decision = said["unit"], said["decision"]
    if not isinstance(unit, str) or decision not in list(Decision):
        raise ValueError(decision)
    return unit, str(decision)


def _form_guide(said: Mapping[str, Any]) -> FormGuide:
    """Parse a guide for a form. Raises KeyError or ValueError for one of another form."""
    answers = {
        str(name): FieldGuide(each["from"], dict(each.get("values", {})), each.get("column", ""))
        for name, each in said["fields"].items()
    }
    texts = [text for each in answers.values() for text in (each.source, each.column)]
    if not answers or not all(isinstance(text, str) for text in texts):
        raise ValueError(answers)
    return FormGuide(said["item"], dict(said["people"]), answers, said.get("comment", ""))
