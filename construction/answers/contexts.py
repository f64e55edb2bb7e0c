"""What stands before a model when it answers: nothing, provisions of some origin, or its own words.

The oracle context holds the gold and distractors that are hard to tell from it: the gold is never
left out, then come provisions that an edge of the citation graph joins to it in either direction,
then any others, to k in all; their order is drawn by the seed and the question's id (RegOps-Bench
2026, §5.6). The pure oracle is the gold alone in such an order. A pseudo-passage is what a model
wrote about the question beforehand: the rollout of structured query expansion (Zheng et al. 2025,
§5.4), or what a prompt of its own asks for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from random import Random
from typing import Any

from normalization.hashing import seeded_hash, text_hash

K = 10  # provisions in a context
CHARACTERS = 3_000  # of a passage that are shown
MOST = 100  # provisions in a context at most


class Kind(StrEnum):
    """Where what is shown comes from."""

    NONE = "none"
    RUN = "run"  # the first k of a stored run
    ROLLOUT = "rollout"  # what structured query expansion makes of the question
    PSEUDO = "pseudo"  # what the answering model wrote about the question beforehand
    GOLD = "gold"
    ORACLE = "oracle"  # the gold among distractors, k in all
    PURE_ORACLE = "pure_oracle"  # the gold alone, in the order of an oracle

    @property
    def provisions(self) -> bool:
        """Whether provisions are shown, which have ids."""
        return self is not Kind.NONE and not self.written

    @property
    def written(self) -> bool:
        """Whether the one passage is what a model wrote beforehand."""
        return self in (Kind.ROLLOUT, Kind.PSEUDO)

    @property
    def needs_gold(self) -> bool:
        """Whether only a question whose gold names provisions has such a context."""
        return self in (Kind.GOLD, Kind.ORACLE, Kind.PURE_ORACLE)


class Origin(StrEnum):
    """Why a passage is in a context."""

    GOLD = "gold"
    NEIGHBOUR = "neighbour"
    RANDOM = "random"
    RETRIEVED = "retrieved"
    PSEUDO = "pseudo"


@dataclass(frozen=True, slots=True)
class ContextSpec:
    """A kind of context with its parameters. What a kind does not use plays no part in it.

    `k` is how many provisions are shown, `seed` draws distractors and their order, `characters` is
    where a passage is cut. `run_id` is the stored run of the kind `run`, and `run` its name. With
    `single`, each of the first k passages is shown alone, in a call of its own; with `anchor`, the
    question's topic anchor stands beside them (RegOps-Bench 2026, §4.2). `writer` is the model that
    wrote a rollout or an anchor. `gold` names the gold set of the kinds that need gold.
    """

    kind: Kind
    k: int = K
    seed: int = 0
    characters: int = CHARACTERS
    run: str = ""
    run_id: int | None = None
    single: bool = False
    anchor: bool = False
    writer: str = ""
    gold: str = "people"

    def record(self) -> dict[str, Any]:
        """Return it as a row keeps it."""
        return asdict(self) | {"kind": self.kind.value}

    @property
    def identity(self) -> tuple[object, ...]:
        """What two equal contexts have in common: all that this kind goes by."""
        if self.kind is Kind.NONE:
            return (self.kind.value,)
        drawn = self.kind in (Kind.ORACLE, Kind.PURE_ORACLE)
        counted = self.kind in (Kind.RUN, Kind.ORACLE) or self.single
        return (
            self.kind.value,
            self.characters,
            self.k if counted else None,
            self.seed if drawn else None,
            self.run_id if self.kind is Kind.RUN else None,
            self.single,
            self.anchor,
            self.writer,
            self.gold if self.kind.needs_gold else None,
        )

    @property
    def label(self) -> str:
        """The context in a few plain words, for the name of a system."""
        if self.kind is Kind.RUN:
            return f"{self.run or f'run {self.run_id}'} top {self.k}{self._alone}"
        words = "closed" if self.kind is Kind.NONE else self.kind.value.replace("_", " ")
        if self.kind is Kind.ORACLE:
            words += f" {self.k}"
        if self.kind in (Kind.ORACLE, Kind.PURE_ORACLE) and self.seed:
            words += f" seed {self.seed}"
        if self.kind.needs_gold and self.gold != "people":
            words += f" of {self.gold}"
        return words + self._alone

    @property
    def _alone(self) -> str:
        return " one by one" if self.single else ""


def read_spec(record: Mapping[str, Any]) -> ContextSpec:
    """Return the context that a row keeps; what it does not say is as by default."""
    known = {name: record[name] for name in ContextSpec.__dataclass_fields__ if name in record}
    return ContextSpec(**(known | {"kind": Kind(record["kind"])}))


@dataclass(frozen=True, slots=True)
class Provision:
    """A unit of law as it can be shown; `label` says where it stands."""

    unit: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage of a context: `unit` is its semantic id, "" for a pseudo-passage."""

    unit: str
    label: str
    text: str
    origin: Origin

    def snapshot(self) -> dict[str, Any]:
        """Return what is kept of it: of law not the text, but what proves which it was."""
        written = {} if self.unit else {"text": self.text}
        return written | {
            "unit": self.unit,
            "label": self.label,
            "origin": self.origin.value,
            "text_sha256": text_hash(self.text),
            "characters": len(self.text),
        }


@dataclass(frozen=True, slots=True)
class Sources:
    """What contexts are made from: `gold` of the question, its `ranking` by a run, best first.

    `neighbours` are provisions joined to the gold; `pool` are all that distractors may be, in
    ascending order.
    """

    gold: Sequence[str] = ()
    ranking: Sequence[str] = ()
    neighbours: Collection[str] = ()
    pool: Sequence[str] = ()


def placed(spec: ContextSpec, question: str, sources: Sources) -> list[tuple[str, Origin]]:
    """Return which provisions stand before the model, in their order, each once.

    The same spec, question and sources give the same. The gold of the gold and both oracle contexts
    does not depend on the seed and is never left out, also where it is more than k.
    """
    gold = sorted(set(sources.gold))
    if spec.kind is Kind.RUN:
        first = list(dict.fromkeys(sources.ranking))[: spec.k]
        return [(unit, Origin.RETRIEVED) for unit in first]
    if not spec.kind.needs_gold:
        return []
    found = [(unit, Origin.GOLD) for unit in gold]
    if spec.kind is Kind.ORACLE:
        found += _distractors(spec, question, gold, sources)
    if spec.kind is not Kind.GOLD:
        found.sort(key=lambda each: (seeded_hash(spec.seed, "order", question, each[0]), each[0]))
    return found[: spec.k] if spec.single else found


def shown(
    places: Iterable[tuple[str, Origin]], known: Mapping[str, Provision], characters: int
) -> tuple[Shown, ...]:
    """Return the passages of those provisions that are known, each cut at so many characters."""
    return tuple(
        Shown(unit, known[unit].label, known[unit].text[:characters], origin)
        for unit, origin in places
        if unit in known
    )


def pseudo_passage(text: str, characters: int) -> Shown:
    """Return what a model wrote as the one passage of a context."""
    return Shown("", "", text[:characters], Origin.PSEUDO)


def provisions_text(passages: Iterable[Shown]) -> str:
    """Return passages as a prompt has them: each under a line with its id and where it stands."""
    return "\n\n".join(
        "\n".join(part for part in (_head(each), each.text) if part) for each in passages
    )


def _head(passage: Shown) -> str:
    return f"[{passage.unit}] {passage.label}".strip() if passage.unit else passage.label


def _distractors(
    spec: ContextSpec, question: str, gold: Sequence[str], sources: Sources
) -> list[tuple[str, Origin]]:
    """Return neighbours of the gold, then others of the pool, to k with the gold."""
    room = max(0, spec.k - len(gold))
    near = sorted(
        set(sources.neighbours) - set(gold),
        key=lambda unit: (seeded_hash(spec.seed, "near", question, unit), unit),
    )[:room]
    room -= len(near)
    taken = {*gold, *near}
    drawn = Random(seeded_hash(spec.seed, "random", question))
    wanted = min(len(sources.pool), room + len(taken))
    far = [unit for unit in drawn.sample(sources.pool, wanted) if unit not in taken][:room]
    return [(unit, Origin.NEIGHBOUR) for unit in near] + [(unit, Origin.RANDOM) for unit in far]
