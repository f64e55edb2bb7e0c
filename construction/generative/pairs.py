"""Training pairs of generative retrieval: the input text, and the identifier to generate.

From a court case (LegalSearchLM, section 3.3): its facts → each of its facts, and one fact →
another fact of the same case (element to element), as many of one kind as of the other. From a
statute, without any label: the citing sentence → an identifier of the cited provision; a paragraph
→ an identifier of its own, of another paragraph of the article, and the article's heading.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from construction.generative.facts import Fact
from normalization.hashing import seeded_hash

PER_TARGET = 12
"""The most citing sentences per article: some are cited thousands of times."""


class PairKind(StrEnum):
    """The kind of a pair: its input and output."""

    FACTS_TO_FACT = "facts_to_fact"
    FACT_TO_FACT = "fact_to_fact"
    CITING_TO_CITED = "citing_to_cited"
    PARAGRAPH_TO_OWN = "paragraph_to_own"
    PARAGRAPH_TO_OTHER = "paragraph_to_other"
    PARAGRAPH_TO_HEADING = "paragraph_to_heading"

    @property
    def of_cases(self) -> bool:
        """Whether it is made from court cases, not from statutes."""
        return self in (PairKind.FACTS_TO_FACT, PairKind.FACT_TO_FACT)


_WRITTEN = ("source", "target", "source_id", "target_id", "source_part", "target_part")


@dataclass(frozen=True, slots=True)
class Pair:
    """A training pair: `source` is the input, `target` the output.

    `source_id` and `target_id` are the case or unit that each is from, `source_part` and
    `target_part` the number of the fact, the path of the paragraph or the span of the citation.
    `target_text` is the id of the text that contains the target, `target_at` its offset; -1 if
    nowhere.
    """

    kind: PairKind
    source: str
    target: str
    source_id: str
    target_id: str
    source_part: str = ""
    target_part: str = ""
    target_text: str = ""
    target_at: int = -1

    def placed(self, text_id: str, text: str, start: int = 0) -> Pair:
        """Return the pair with its target's offset in a text, from `start` first; as is if absent.

        All white space is equal.
        """
        words = r"\s+".join(map(re.escape, self.target.split()))
        pattern = re.compile(words)
        found = pattern.search(text, start) or pattern.search(text)
        return replace(self, target_text=text_id, target_at=found.start()) if found else self

    def as_json(self) -> dict[str, str | int]:
        """Return the pair as a JSON line's fields."""
        return asdict(self) | {"kind": str(self.kind)}

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Pair:
        """Read the pair of a line. Raises KeyError and ValueError for invalid fields."""
        values: dict[str, Any] = {name: str(row[name]) for name in _WRITTEN}
        values |= {"target_text": str(row.get("target_text", ""))}
        return cls(PairKind(row["kind"]), target_at=int(row.get("target_at", -1)), **values)


def case_pairs(case: str, text: str, facts: Sequence[Fact], seed: int) -> list[Pair]:
    """Return a case's pairs: its facts → each fact, each fact → another; [] for fewer than two.

    `text` is all of its facts. Each fact gives one pair of either kind, so they are balanced; the
    other fact is drawn by the seed. A case of one fact has no pair of the second kind, and so none
    at all.
    """
    if len(facts) < 2:
        return []
    whole = [
        Pair(PairKind.FACTS_TO_FACT, text, fact.core, case, case, "", str(fact.number))
        for fact in facts
    ]
    single = []
    for at, fact in enumerate(facts):
        step = 1 + seeded_hash(seed, "other fact", case, str(fact.number)) % (len(facts) - 1)
        other = facts[(at + step) % len(facts)]
        ends = case, case, str(fact.number), str(other.number)
        single.append(Pair(PairKind.FACT_TO_FACT, fact.text, other.core, *ends))
    return [*whole, *single]


def per_target(pairs: Iterable[Pair], most: int, seed: int) -> list[Pair]:
    """Return at most `most` pairs for each target unit, drawn by the seed, in order."""
    numbered = list(enumerate(pairs))
    by_target: dict[str, list[tuple[int, int]]] = {}
    for at, pair in numbered:
        place = seeded_hash(seed, "citing", pair.source_id, pair.source_part, pair.target_id)
        by_target.setdefault(pair.target_id, []).append((place, at))
    kept = {at for places in by_target.values() for _, at in sorted(places)[:most]}
    return [pair for at, pair in numbered if at in kept]


def balanced(pairs: Sequence[Pair], times: float, seed: int) -> list[Pair]:
    """Return the pairs with no kind more than `times` as frequent as the rarest, in order.

    Kinds of cases and of statutes are balanced separately. The dropped pairs are drawn by the seed.
    Kinds without pairs are ignored.
    """
    counts = Counter(pair.kind for pair in pairs)
    most: dict[PairKind, int] = {}
    for kind in counts:
        least = min(n for other, n in counts.items() if other.of_cases == kind.of_cases)
        most[kind] = max(1, int(times * least))
    kept: set[int] = set()
    for kind, wanted in most.items():
        places = sorted(
            (_draw_order(pair, seed), at) for at, pair in enumerate(pairs) if pair.kind == kind
        )
        kept.update(at for _, at in places[:wanted])
    return [pair for at, pair in enumerate(pairs) if at in kept]


def _draw_order(pair: Pair, seed: int) -> int:
    """Return the random order of a pair."""
    parts = pair.source_id, pair.source_part, pair.target_id, pair.target_part
    return seeded_hash(seed, "balanced", pair.kind, *parts)


def held_out(pairs: Iterable[Pair], share: float, seed: int) -> tuple[list[Pair], list[Pair]]:
    """Return (training pairs, pairs held out for the learning curve).

    A case or unit is held out as a source or not at all: about `share` of them are.
    """
    kept, out = list[Pair](), list[Pair]()
    for pair in pairs:
        aside = seeded_hash(seed, "held out", pair.source_id) % 10_000 < share * 10_000
        (out if aside else kept).append(pair)
    return kept, out


def counts(pairs: Iterable[Pair]) -> dict[str, int]:
    """Count the pairs of each kind."""
    found = Counter(pair.kind for pair in pairs)
    return {str(kind): found[kind] for kind in PairKind if found[kind]}
