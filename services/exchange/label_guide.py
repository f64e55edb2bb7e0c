"""Guide to a label file of another tool: the meaning of its choices, and its people.

The user gives it as a JSON file, or answers a form that comes to the same::

    {"item": "question_id", "choices": "provisions", "comment": "why",
     "people": {"10": "Kim Ara"}, "unit_ids": "accept",
     "decisions": {"Article 1": {"unit": "act_article-1", "decision": "accept"},
                   "Nothing": {"no_provision": true}}}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.exchange.foreign import Fields
from annotation.work.submissions import Decision
from corpus.files.rows import read_text
from errors import UserError, Where
from normalization import composed_value
from normalization.hashing import json_hash

GUIDE_BYTES = 16 * 1024**2


@dataclass(frozen=True, slots=True)
class Guide:
    """The meaning of a label file: `people` and `decisions` by the tool's own words.

    A decision is (unit's semantic id, accept, reject or unsure), or None for "no provision". A
    choice outside `decisions` that is itself the semantic id of a unit means `unit_ids` of that
    unit, if set; any other choice is an error.
    """

    fields: Fields
    people: Mapping[str, str]
    decisions: Mapping[str, tuple[str, str] | None]
    unit_ids: str = ""

    @property
    def sha256(self) -> str:
        """Hash of the whole content."""
        fields = [self.fields.item, self.fields.choices, self.fields.comment]
        said = [fields, dict(self.people), dict(self.decisions), self.unit_ids]
        return json_hash(said)

    def means(self, choice: str, units: Mapping[str, int]) -> tuple[str, str] | None:
        """Return the decision for a choice. Raises KeyError for an undefined one."""
        if choice in self.decisions:
            return self.decisions[choice]
        if self.unit_ids and choice in units:
            return choice, self.unit_ids
        raise KeyError(choice)


def read_guide(path: Path, unit_ids_mean: str = "") -> Guide:
    """Read a guide from a JSON file; `unit_ids_mean` is the default for unit ids.

    Raises UserError for a file not as described above.
    """
    where = Where(path.name)
    try:
        said: dict[str, Any] = composed_value(json.loads(read_text(path, path.name, GUIDE_BYTES)))
        named = {name: said.get(name, "") for name in ("item", "choices", "comment")}
        fields = Fields(**named)
        people = dict(said["people"])
        unit_ids_mean = said.get("unit_ids", unit_ids_mean)
        listed = said.get("decisions", {}) if unit_ids_mean else said["decisions"]
        decisions = {name: _decision(each) for name, each in listed.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError("labels_guide", where) from error
    texts = (*named.values(), *people.values())
    if not (fields.item and fields.choices and all(isinstance(text, str) for text in texts)):
        raise UserError("labels_guide", where)
    if unit_ids_mean not in ("", *Decision):
        raise UserError("labels_guide", Where(path.name, field="unit_ids"))
    return Guide(fields, people, decisions, unit_ids_mean)


def _decision(said: Mapping[str, Any]) -> tuple[str, str] | None:
    if said.get("no_provision") is True and len(said) == 1:
        return None
    unit, decision = said["unit"], said["decision"]
    if not isinstance(unit, str) or decision not in list(Decision):
        raise ValueError(decision)
    return unit, str(decision)
