"""Extraction of facts from court cases, by a model or by sentences.

Replies are cached like any other call, so a case is asked about once per model and prompt. Where
the model refuses, fails, or is unreadable, the sentences of the case are used instead, and that is
counted.
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
"""Characters of a case's facts sent to a model; longer ones are truncated."""


@dataclass(frozen=True, slots=True)
class CaseText:
    """A court case by its external id: the text of its facts, and its language."""

    id: str
    facts: str
    language: str


@dataclass
class CaseFacts:
    """Facts of cases by id; `dropped` counts discarded facts by reason, `notes` the calls."""

    facts: dict[str, Sequence[Fact]] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    def add(self, case: CaseText, found: Facts) -> None:
        """Add the facts of a case."""
        self.facts[case.id] = found.kept
        self.dropped.update(found.dropped)


def facts_of(
    cases: Sequence[CaseText], keys: KeyTokens, ask: Asker | None = None, most: int = 20
) -> CaseFacts:
    """Return the facts of `cases`; `ask` is the extracting model, None for sentences.

    Raises UserError where no model is set, or it takes no calls.
    """
    found = CaseFacts()
    said: Sequence[ModelReply | None] = [None] * len(cases)
    if ask is not None:
        said = ask([_fact_prompt(case, most) for case in cases])
        found.notes["asked"] = len(cases)
    for case, reply in zip(cases, said, strict=True):
        if reply is not None and not reply.problem:
            found.add(case, _parsed_facts(composed_value(json.loads(reply.text)), most))
            continue
        if reply is not None:
            found.notes[reply.problem] += 1
        cut = facts_by_sentence(case.facts, keys)
        found.add(case, Facts(cut.kept[:most], _dropped_counts(cut, most)))
    return found


def _fact_prompt(case: CaseText, most: int) -> ModelPrompt:
    language = "ko" if case.language == "ko" else "en"
    text = readable(case.facts[:LONGEST])
    return ModelPrompt(PROMPT, language, {"text": text, "most": str(most)})


def _parsed_facts(said: Mapping[str, list[Mapping[str, str]]], most: int) -> Facts:
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
    """Replace identifiers of facts by ones that occur in the case's text.

    A model paraphrases, and decoding can only write what occurs in the text: then the identifier
    starts with its first word that occurs, in the sentence containing most of its words, and
    continues as the text does. A fact without any such word is dropped.
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


def _dropped_counts(found: Facts, most: int) -> dict[str, int]:
    more = len(found.kept) - most
    return found.dropped | ({"beyond": more} if more > 0 else {})
