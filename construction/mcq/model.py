"""Multi-hop questions: linked pairs of provisions, seeded samples of them, drafts and items."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from corpus.graph.model import Edge, EdgeType
from corpus.model import Statute, Tier, Unit, words_of_place
from evaluation.mcq.votes import Setting
from normalization.hashing import seeded_hash, text_hash

WRITTEN = 4  # options of a draft; an item's last one is "cannot be determined"
CANNOT_TELL = {
    "en": "It cannot be determined from the information given.",
    "ko": "주어진 정보만으로는 판단할 수 없다.",
}


@dataclass(frozen=True, slots=True)
class Passage:
    """A provision as shown for writing or answering a question."""

    unit_id: str
    statute_id: str
    tier: Tier
    language: str
    head: str
    text: str

    @property
    def shown(self) -> str:
        """The provision's text under its heading line."""
        return f"{self.head}\n{self.text}"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two provisions, the first of which leads to the second by edges of these types."""

    source: Passage
    target: Passage
    types: tuple[EdgeType, ...]

    @property
    def id(self) -> str:
        """The pair's id, unique in its snapshot."""
        return f"{self.source.unit_id} → {self.target.unit_id}"


@dataclass(frozen=True, slots=True)
class Draft:
    """A question as written: options without numbers, `answer` counted from 1."""

    query: str
    options: tuple[str, ...]
    answer: int
    explanation: str


@dataclass(frozen=True, slots=True)
class Mcq:
    """An item: five options, the last of which is "cannot be determined"; `answer` from 1."""

    id: str
    pair: Pair
    query: str
    options: tuple[str, ...]
    answer: int
    explanation: str

    @property
    def right(self) -> str:
        """The text of the right option."""
        return self.options[self.answer - 1]

    @property
    def abstention(self) -> int:
        """The number of the "cannot be determined" option, counted from 1."""
        return len(self.options)


def passage(statute: Statute, unit: Unit) -> Passage:
    """Convert a unit of a statute to a passage."""
    return Passage(
        unit_id=unit.semantic_id,
        statute_id=statute.semantic_id,
        tier=statute.tier,
        language=statute.language,
        head=head_of(*words_of_place(statute.kind, statute.title, unit.label), unit.heading),
        text=unit.text,
    )


def head_of(title: str, label: str, heading: str) -> str:
    """Return a provision's heading line: ``소방법 제2조(정의)``, ``Fire Act Article 2 (Terms)``."""
    if not (title or label):
        return heading
    if not heading:
        return f"{title} {label}"
    space = " " if label.isascii() else ""  # Korean law is cited without one
    return f"{title} {label}{space}({heading})"


LEADING = frozenset({EdgeType.DELEGATES_TO, EdgeType.REFERENCES, EdgeType.APPLIES})
"""Edges whose source relies on its target."""


@dataclass(frozen=True, slots=True)
class PairFilter:
    """Criteria for pairs. An empty set of tiers or statutes allows any.

    `tiers` are pairs of source's and target's; `statutes` are semantic ids of source statutes.
    Texts are between `shortest` and `longest` characters.
    """

    types: Collection[EdgeType] = field(default=frozenset({EdgeType.DELEGATES_TO}))
    tiers: Collection[tuple[Tier, Tier]] = ()
    statutes: Collection[str] = ()
    shortest: int = 40
    longest: int = 6_000


def linked_pairs(
    edges: Iterable[Edge], passages: Mapping[str, Passage], wanted: PairFilter
) -> list[Pair]:
    """Return the wanted pairs by their ids; edges of several types make one pair.

    `passages` are the provisions with a text, by unit id: an edge to anything else (a statute as a
    whole, a deleted provision) makes no pair, nor does a loop.
    """
    types: dict[tuple[str, str], set[EdgeType]] = {}
    for edge in edges:
        if edge.type in wanted.types and edge.source != edge.target:
            types.setdefault((edge.source, edge.target), set()).add(edge.type)
    found = []
    for (source, target), kinds in sorted(types.items()):
        if source in passages and target in passages:
            pair = Pair(passages[source], passages[target], tuple(sorted(kinds)))
            if _fits(pair, wanted):
                found.append(pair)
    return found


def sample_pairs(
    pairs: Iterable[Pair], number: int, seed: int, per_source: int | None = None
) -> list[Pair]:
    """Draw `number` of the pairs by the seed, or all if there are fewer.

    A larger sample of the same seed begins with the smaller one, and whether a pair is drawn before
    another does not depend on third ones. At most `per_source` pairs share their source.
    """
    order = sorted(pairs, key=lambda pair: (seeded_hash(seed, pair.id), pair.id))
    taken: dict[str, int] = {}
    sample = []
    for pair in order:
        source = pair.source.unit_id
        if per_source is None or taken.get(source, 0) < per_source:
            taken[source] = taken.get(source, 0) + 1
            sample.append(pair)
    return sample[: max(0, number)]


def _fits(pair: Pair, wanted: PairFilter) -> bool:
    """Return whether a pair has the wanted tiers, statute and text lengths."""
    tiers = (pair.source.tier, pair.target.tier)
    lengths = (len(pair.source.text.strip()), len(pair.target.text.strip()))
    return (
        (not wanted.tiers or tiers in wanted.tiers)
        and (not wanted.statutes or pair.source.statute_id in wanted.statutes)
        and all(wanted.shortest <= length <= wanted.longest for length in lengths)
    )


GENERATE = "mcq_generate"


def item_of(draft: Draft, pair: Pair, seed: int, number: int = 0, name: str = "") -> Mcq | None:
    """Return the item with its options shuffled by the seed, the abstention last.

    `number` distinguishes the drafts of one pair that have no `name`. None for a draft without four
    options, or whose answer is none of them.
    """
    if len(draft.options) != WRITTEN or not 1 <= draft.answer <= WRITTEN:
        return None
    name = name or f"{pair.id} #{number}"
    order = sorted(range(WRITTEN), key=lambda place: seeded_hash(seed, name, str(place)))
    return Mcq(
        id=name,
        pair=pair,
        query=draft.query.strip(),
        options=(
            *(draft.options[place].strip() for place in order),
            CANNOT_TELL[pair.source.language],
        ),
        answer=order.index(draft.answer - 1) + 1,
        explanation=draft.explanation.strip(),
    )


def generation_values(pair: Pair) -> dict[str, str]:
    """Return the values of the prompt for writing a question."""
    return {"document_a": pair.source.shown, "document_b": pair.target.shown}


def solving_prompt(setting: Setting) -> str:
    """Return the id of the prompt for answering under a setting."""
    return "mcq_solve_closed" if setting is Setting.ZERO else "mcq_solve_context"


def solving_values(item: Mcq, setting: Setting) -> dict[str, str]:
    """Return the values of that prompt."""
    options = "\n".join(f"{number}. {words}" for number, words in enumerate(item.options, 1))
    values = {"question": item.query, "options": options}
    given = {
        Setting.ZERO: (),
        Setting.A: (item.pair.source,),
        Setting.B: (item.pair.target,),
        Setting.BOTH: (item.pair.source, item.pair.target),
    }[setting]
    return values | ({"context": "\n\n".join(each.shown for each in given)} if given else {})


def wording_of(item: Mcq) -> str:
    """Return a digest of question and options, so that votes on other wordings are kept apart."""
    said = json.dumps([item.query, *item.options])
    return text_hash(said)[:12]
