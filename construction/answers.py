"""Contexts of answering models: none, provisions of some origin, or a passage of its own.

The oracle context holds the gold and hard distractors: the gold is never left out, then come
provisions that an edge of the citation graph joins to it in either direction, then any others, to k
in all; their order is drawn by the seed and the question's id (RegOps-Bench 2026, §5.6). The pure
oracle is the gold alone in such an order. A pseudo-passage is what a model wrote about the question
beforehand: the rollout of structured query expansion (Zheng et al. 2025, §5.4), or the reply to a
prompt of its own.

Forms of answers: prose, provision by provision, or the choice of an option.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from random import Random
from string import ascii_uppercase
from typing import Any

from construction.reformulation import is_yes_no, says_yes
from corpus.model import Question
from evaluation.replies.per_provision import ANSWER
from normalization.hashing import seeded_hash, text_hash

K = 10  # provisions in a context
CHARACTERS = 3_000  # shown of a passage
MOST = 100  # provisions in a context at most


class Kind(StrEnum):
    """The origin of a context."""

    NONE = "none"
    RUN = "run"  # the first k of a stored run
    ROLLOUT = "rollout"  # the structured query expansion of the question
    PSEUDO = "pseudo"  # the answering model's own passage about the question
    GOLD = "gold"
    ORACLE = "oracle"  # the gold among distractors, k in all
    PURE_ORACLE = "pure_oracle"  # the gold alone, in the order of an oracle

    @property
    def provisions(self) -> bool:
        """Whether provisions are shown, which have ids."""
        return self is not Kind.NONE and not self.written

    @property
    def written(self) -> bool:
        """Whether the context is one passage that a model wrote beforehand."""
        return self in (Kind.ROLLOUT, Kind.PSEUDO)

    @property
    def needs_gold(self) -> bool:
        """Whether the context needs a question whose gold names provisions."""
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
    """A kind of context with its parameters; parameters that the kind does not use are ignored.

    `k` is the number of provisions shown, `seed` draws distractors and their order, `characters` is
    where a passage is cut. `run_id` is the stored run of the kind `run`, and `run` its name. With
    `single`, each of the first k passages is shown alone, in a call of its own; with `anchor`, the
    question's topic anchor is shown with them (RegOps-Bench 2026, §4.2). `writer` is the model that
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
        """Return the JSON fields of a stored row."""
        return asdict(self) | {"kind": self.kind.value}

    @property
    def identity(self) -> tuple[object, ...]:
        """The context's key: all parameters that its kind uses."""
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
        """A short label of the context, for the name of a system."""
        if self.kind is Kind.RUN:
            return f"{self.run or f'run {self.run_id}'} top {self.k}{self._single_suffix}"
        words = "closed" if self.kind is Kind.NONE else self.kind.value.replace("_", " ")
        if self.kind is Kind.ORACLE:
            words += f" {self.k}"
        if self.kind in (Kind.ORACLE, Kind.PURE_ORACLE) and self.seed:
            words += f" seed {self.seed}"
        if self.kind.needs_gold and self.gold != "people":
            words += f" of {self.gold}"
        return words + self._single_suffix

    @property
    def _single_suffix(self) -> str:
        """Return the suffix of names for contexts that show passages one by one."""
        return " one by one" if self.single else ""


def read_spec(record: Mapping[str, Any]) -> ContextSpec:
    """Read a context from a stored row; missing fields get their defaults."""
    known = {name: record[name] for name in ContextSpec.__dataclass_fields__ if name in record}
    return ContextSpec(**(known | {"kind": Kind(record["kind"])}))


@dataclass(frozen=True, slots=True)
class Provision:
    """A unit of law to show; `label` is its place in words."""

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
        """Return the stored record: for law a digest instead of the text."""
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
    """The inputs of contexts: `gold` of the question, its `ranking` by a run, best first.

    `neighbours` are provisions joined to the gold; `pool` are all possible distractors, in
    ascending order.
    """

    gold: Sequence[str] = ()
    ranking: Sequence[str] = ()
    neighbours: Collection[str] = ()
    pool: Sequence[str] = ()


def context_provisions(
    spec: ContextSpec, question: str, sources: Sources
) -> list[tuple[str, Origin]]:
    """Return (unit id, origin) of the provisions that a context shows, in order, each once.

    The same spec, question and sources give the same. The gold of the gold and both oracle contexts
    does not depend on the seed and is never left out, even where it is more than k.
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


def cut_passages(
    places: Iterable[tuple[str, Origin]], known: Mapping[str, Provision], characters: int
) -> tuple[Shown, ...]:
    """Return the passages of the known provisions, each cut to `characters`."""
    return tuple(
        Shown(unit, known[unit].label, known[unit].text[:characters], origin)
        for unit, origin in places
        if unit in known
    )


def pseudo_passage(text: str, characters: int) -> Shown:
    """Return a model's text as the only passage of a context."""
    return Shown("", "", text[:characters], Origin.PSEUDO)


def provisions_text(passages: Iterable[Shown]) -> str:
    """Return passages as text for a prompt: each under a line with its id and label."""
    return "\n\n".join(
        "\n".join(part for part in (_head(each), each.text) if part) for each in passages
    )


def _head(passage: Shown) -> str:
    """Return the heading of a passage in a prompt."""
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


ANCHOR = "query_anchor"  # the prompt for a question's topic anchor
_WRITTEN = {Kind.ROLLOUT: "expand_structured", Kind.PSEUDO: "answer_pseudo"}
_YES_NO = {"en": ("Yes", "No"), "ko": ("예", "아니요")}


class Format(StrEnum):
    """The form of an answer."""

    FREE = "free"  # prose; where provisions are shown, with a footer of those cited
    PER_PROVISION = "per_provision"  # JSON: claims under the id of each provision, and an answer
    CHOICE_GENERATED = "choice_generated"  # the letter of an option, written
    CHOICE_LIKELIHOOD = "choice_likelihood"  # the letter that the model finds most probable

    @property
    def chooses(self) -> bool:
        """Whether the answer is the choice of an option."""
        return self in (Format.CHOICE_GENERATED, Format.CHOICE_LIKELIHOOD)

    def fits(self, kind: Kind) -> bool:
        """Whether this form is possible in a context of that kind."""
        return self is not Format.PER_PROVISION or kind.provisions


LABELS = {
    Format.FREE: "",
    Format.PER_PROVISION: "per provision",
    Format.CHOICE_GENERATED: "choice",
    Format.CHOICE_LIKELIHOOD: "likelihood",
}
"""The suffix of a system's name for its format."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option to choose; `letter` is shown to the model, `label` is the question's own.

    `correct` is None if unknown.
    """

    letter: str
    label: str
    text: str
    correct: bool | None = None


def options_of(question: Question) -> tuple[Option, ...]:
    """Return the options of a question, lettered from A in their order; () for fewer than two.

    A question without options that is answered with yes or no has these two: labelled A and B, and
    in English lettered Y and N (Zheng et al. 2025, §5.4).
    """
    if question.choices:
        options = tuple(
            Option(letter, each.label, each.text, each.correct)
            for letter, each in zip(ascii_uppercase, question.choices, strict=False)
        )
        return options if len(options) > 1 else ()
    if not is_yes_no(question):
        return ()
    yes = says_yes(question.answer)
    words = _YES_NO.get(question.language, _YES_NO["en"])
    letters = "AB" if question.language == "ko" else "YN"
    return Option(letters[0], "A", words[0], yes), Option(letters[1], "B", words[1], not yes)


def prompt_before(spec: ContextSpec) -> str:
    """Return the id of the prompt to run before the question, "" for none."""
    return ANCHOR if spec.anchor else _WRITTEN.get(spec.kind, "")


def claims_schema(units: Iterable[str]) -> dict[str, Any]:
    """Return the JSON schema of an answer by provision: claims by unit id, and the answer."""
    claims = {"type": "array", "items": {"type": "string"}}
    properties: dict[str, Any] = dict.fromkeys(units, claims) | {ANSWER: {"type": "string"}}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def prompt_of(form: Format, kind: Kind) -> str:
    """Return the id of the prompt for an answer of that form in such a context."""
    if form.chooses:
        return "answer_choice" if kind is Kind.NONE else "answer_choice_context"
    if form is Format.PER_PROVISION:
        return "answer_provisions"
    if kind is Kind.NONE:
        return "answer_closed"
    return "answer_context" if kind.provisions else "answer_with_pseudo"


def values_of(
    form: Format,
    kind: Kind,
    question: Question,
    passages: Sequence[Shown],
    year: str = "",
    anchor: str = "",
) -> dict[str, str]:
    """Return the values of the prompt that `prompt_of` names; `year` is that of the law shown."""
    values = {"question": question.text, "jurisdiction": question.jurisdiction, "year": year}
    if anchor:
        values["anchor"] = anchor
    if form.chooses:
        options = options_of(question)
        values["options"] = "\n".join(f"{each.letter}. {each.text}" for each in options)
    if kind is not Kind.NONE:
        values["context"] = provisions_text(passages)
    return values
