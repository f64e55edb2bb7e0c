"""What the words of another tool mean here, and who is who: a guide to its file of labels.

The user gives it as a JSON file, or answers a form that comes to the same::

    {"item": "question_id", "choices": "provisions", "comment": "why",
     "people": {"10": "Kim Ara"},
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

GUIDE_BYTES = 16 * 1024**2


@dataclass(frozen=True, slots=True)
class Guide:
    """What the user said a file means: `people` and `decisions` by the tool's own words.

    A decision is (unit's semantic id, accept, reject or unsure), or None for "no provision".
    """

    fields: Fields
    people: Mapping[str, str]
    decisions: Mapping[str, tuple[str, str] | None]


def read_guide(path: Path) -> Guide:
    """Return the guide in a JSON file. Raises UserError for one that is not as described above."""
    where = Where(path.name)
    try:
        said: dict[str, Any] = json.loads(read_text(path, path.name, GUIDE_BYTES))
        named = {name: said.get(name, "") for name in ("item", "choices", "comment")}
        fields = Fields(**named)
        people = dict(said["people"])
        decisions = {name: _decision(each) for name, each in said["decisions"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError("labels_guide", where) from error
    texts = (*named.values(), *people.values())
    if not (fields.item and fields.choices and all(isinstance(each, str) for each in texts)):
        raise UserError("labels_guide", where)
    return Guide(fields, people, decisions)


def _decision(said: Mapping[str, Any]) -> tuple[str, str] | None:
    if said.get("no_provision") is True and len(said) == 1:
        return None
    unit, decision = said["unit"], said["decision"]
    if not isinstance(unit, str) or decision not in list(Decision):
        raise ValueError(decision)
    return unit, str(decision)
