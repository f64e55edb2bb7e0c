"""The anchor of a question, and the views of it that are searched for (RefWalk, §4.1, table 20)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

PROMPT = "query_anchor"
FACETS = ("actor", "temporal", "magnitude", "situational")
VIEWS = ("narrow", "mid", "wide")
UNSPECIFIED = "unspecified"
ALL, OMIT = "all", "omit"


@dataclass(frozen=True, slots=True)
class Anchor:
    """What a question is about; `facets` holds those that it mentions."""

    topic: str
    facets: Mapping[str, str]


def read_anchor(text: str) -> Anchor:
    """Return the anchor that a reply of the form ``query_anchor`` says.

    A facet that is empty or "unspecified" is not mentioned. Raises ValueError for another form.
    """
    said = json.loads(text)
    if not isinstance(said, dict):
        raise ValueError("no anchor")
    values = {name: " ".join(str(said.get(name, "")).split()) for name in ("topic", *FACETS)}
    facets = {
        name: values[name] for name in FACETS if values[name].lower() not in ("", UNSPECIFIED)
    }
    return Anchor(values["topic"], facets)


def views(question: str, anchor: Anchor | None, unspecified: str = ALL) -> dict[str, str]:
    """Return the text of each view; without an anchor each is the question.

    A facet that the question does not mention is said to be "all", as the authors' own code does,
    or left out where `unspecified` is "omit". Without a topic the question stands in its place.
    """
    if anchor is None:
        return dict.fromkeys(VIEWS, question)
    topic = f"[TOPIC] {anchor.topic or question}"
    conditions = _conditions(anchor, unspecified)
    return {
        "narrow": question,
        "mid": "\n".join([topic, f"[Q] {question}", *conditions]),
        "wide": "\n".join([topic, *conditions]),
    }


def _conditions(anchor: Anchor, unspecified: str) -> list[str]:
    said = [
        f"[{name.upper()}] {anchor.facets.get(name, ALL)}"
        for name in FACETS
        if name in anchor.facets or unspecified == ALL
    ]
    return [f"Conditions: {', '.join(said)}"] if said else []
