"""Facts of court cases: taken apart by a model where one is to, else by their sentences.

A model's replies are kept like any other call, so a case is asked about once for each model and
wording. Where it refuses, fails, or says what cannot be read, the sentences of that case stand in,
and that is counted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from construction.generative.facts import Fact, Facts, facts_by_sentence
from construction.generative.key_tokens import KeyTokens
from normalization import composed_value
from retrieval.core.method import Asker, ModelPrompt, ModelReply
from retrieval.text.passages import readable, sentences

PROMPT = "case_facts"
LONGEST = 20_000
"""Characters of the facts of a case that a model reads; those of longer ones are cut."""


@dataclass(frozen=True, slots=True)
class CaseText:
    """A court case by its external id: the text of its facts, and its language."""

    id: str
    facts: str
    language: str


@dataclass
class CaseFacts:
    """The facts of cases by id; `dropped` counts the others by reason, `notes` the asking."""

    facts: dict[str, Sequence[Fact]] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    def add(self, case: CaseText, found: Facts) -> None:
        """Take what was found in a case."""
        self.facts[case.id] = found.kept
        self.dropped.update(found.dropped)


def facts_of(
    cases: Sequence[CaseText], keys: KeyTokens, ask: Asker | None = None, most: int = 20
) -> CaseFacts:
    """Return the facts of `cases`; `ask` is the model that takes them apart, None for sentences.

    Raises UserError where a model is asked and there is none, or it takes no calls.
    """
    found = CaseFacts()
    said: Sequence[ModelReply | None] = [None] * len(cases)
    if ask is not None:
        said = ask([_asked(case, most) for case in cases])
        found.notes["asked"] = len(cases)
    for case, reply in zip(cases, said, strict=True):
        if reply is not None and not reply.problem:
            found.add(case, _read(composed_value(json.loads(reply.text)), most))
            continue
        if reply is not None:
            found.notes[reply.problem] += 1
        cut = facts_by_sentence(case.facts, keys)
        found.add(case, Facts(cut.kept[:most], _beyond(cut, most)))
    return found


def _asked(case: CaseText, most: int) -> ModelPrompt:
    language = "ko" if case.language == "ko" else "en"
    text = readable(case.facts[:LONGEST])
    return ModelPrompt(PROMPT, language, {"text": text, "most": str(most)})


def _read(said: Mapping[str, list[Mapping[str, str]]], most: int) -> Facts:
    kept: list[Fact] = []
    dropped: Counter[str] = Counter()
    for number, each in enumerate(said["facts"], 1):
        core = " ".join(each["core"].split())
        if not each["relevant"] or not core:
            dropped["irrelevant"] += 1
        elif len(kept) == most:
            dropped["beyond"] += 1
        else:
            kept.append(Fact(number, " ".join(each["fact"].split()), core))
    return Facts(tuple(kept), dict(dropped))


def grounded(facts: Sequence[Fact], text: str, keys: KeyTokens) -> list[Fact]:
    """Return the facts of a case whose identifiers stand in its text, or are made to.

    A model rewrites, and what it writes need not stand there, so that decoding could never write
    it: then the identifier begins with the first of its words that does, in the sentence that has
    most of them, and goes on as the text does. A fact of which no word stands there is left out.
    """
    places = sentences(text)
    whole = " ".join(text.split())
    found = (replace(fact, core=_grounded(fact.core, whole, places, keys)) for fact in facts)
    return [fact for fact in found if fact.core]


def _grounded(core: str, whole: str, places: Sequence[str], keys: KeyTokens) -> str:
    if core in whole:
        return core
    words = [word for word in core.split() if keys.weight(word)]
    counts = [sum(word in place for word in words) for place in places]
    if not any(counts):
        return ""
    place = places[counts.index(max(counts))]
    start = place.find(next(word for word in words if word in place))
    spans = KeyTokens(keys.having, keys.texts, naive=True).identifiers(place[start:])
    return " ".join(place[start:][slice(*spans[0])].split()) if spans else ""


def _beyond(found: Facts, most: int) -> dict[str, int]:
    more = len(found.kept) - most
    return found.dropped | ({"beyond": more} if more > 0 else {})
