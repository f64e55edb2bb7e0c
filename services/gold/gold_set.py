"""Named gold sets for retrieval: judged questions, judgements, and a hash of both.

``people`` is what people of the project decided, ``source`` the answers labelled in the question
files, and ``people-over-source`` falls back to the second where people decided nothing. Labels of a
source are nobody's decision: they support figures only, never an export of decisions. With
``:searchable`` after a name (or ``searchable`` alone, for the widest) gold that is not searched or
has no text is left out.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

from sqlmodel import Session

from annotation.gold.derivation import Evidence, GoldItem, derived, evidence_of
from annotation.people.roles import Act, reading_as
from corpus.model import Question
from corpus.natural_order import in_natural_order
from errors import UserError, Where
from messages import say
from normalization.grouping import grouped
from normalization.hashing import text_hash
from storage.db.workspace import Workspace
from storage.imported_files import LabelSource, label_sources
from storage.law.catalogues import units_of_labels
from storage.law.corpus import (
    SnapshotView,
    id_in_use,
    known_snapshot,
    snapshot_of,
)
from storage.law.passages import not_searched, without_text
from storage.projects import ProjectView, find_project
from storage.runs.search_levels import levels_searched

SEARCHABLE = "searchable"
_NAMED = 10  # questions named in an error
_IN_GOLD = Where(field="gold")


class GoldName(StrEnum):
    """Name of a gold set, the widest last."""

    PEOPLE = "people"
    SOURCE = "source"
    BOTH = "people-over-source"


@dataclass(frozen=True, slots=True)
class GoldSize:
    """Name and size of the gold set behind a figure; `labelled` questions have source labels.

    `left_out` counts the pairs that cannot be found, and the questions without any other, where
    they are left out.
    """

    name: GoldName
    questions: int
    labelled: int
    left_out: tuple[int, int] | None = None

    def say(self, language: str = "en") -> str:
        """Describe the gold set and how many questions of each kind of judgement it has."""
        counts = {"people": f"{self.questions - self.labelled:,}", "source": f"{self.labelled:,}"}
        said = say(f"gold_sets.said.{self.name}", language, count=f"{self.questions:,}", **counts)
        if self.left_out is None:
            return said
        gone = dict(zip(("pairs", "questions"), (f"{n:,}" for n in self.left_out), strict=True))
        return f"{said} {say('gold_sets.left_out', language, **gone)}"

    def as_dict(self) -> dict[str, str | int]:
        """Return JSON values to put beside those of a figure."""
        suffix = "" if self.left_out is None else f":{SEARCHABLE}"
        return {"gold": f"{self.name}{suffix}", "gold_questions": self.questions}


@dataclass(frozen=True)
class GoldSet:
    """A project's gold for the snapshot `snapshot_id`: judged items by ascending external id.

    `name` is the source of the judgements. `pending` counts the questions that people have not
    settled, as on every page (`annotation.gold.derivation`), `left_out` also those derived from
    their options. `amended` are the external ids, ascending, of those settled for the law they were
    decided on but not for this snapshot, where the law differs; `waiting` those undecided as
    candidates from it are lacking. `whole` is the unfiltered set where this one leaves out what
    cannot be found. `questions` are all of the project, by external id. The items' lineage has no
    citations and no origins: an export reads these itself.
    """

    items: Sequence[GoldItem]
    pending: int
    snapshot_id: int | None = None
    amended: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    left_out: int = 0
    name: GoldName = GoldName.PEOPLE
    whole: GoldSet | None = None
    questions: Mapping[str, Question] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The name that :func:`gold_set` accepts for this set."""
        return str(self.name) if self.whole is None else f"{self.name}:{SEARCHABLE}"

    @property
    def labelled(self) -> int:
        """Number of questions whose gold comes from a source."""
        return sum(item.outcome == "source" for item in self.items)

    @property
    def sources(self) -> dict[str, int]:
        """Number of the project's questions by where their gold comes from; they add up.

        `final` ones are decided by people, `inherited` ones have the gold of the question that they
        were made from, `labelled` ones that of a source, `without` ones none.
        """
        inherited = sum(e.inherited is not None and e.outcome != "source" for e in self.items)
        return {
            "final": len(self.items) - inherited - self.labelled,
            "inherited": inherited,
            "labelled": self.labelled,
            "without": max(0, len(self.questions) - len(self.items)),
        }

    @property
    def doubted(self) -> tuple[int, int]:
        """Numbers of questions decided on other law, in doubt: with gold of a source, and none.

        Those that wait for candidates count as well.
        """
        doubted = {*self.amended, *self.waiting}
        labelled = len(doubted.intersection(item.external_id for item in self.items))
        return labelled, len(doubted) - labelled

    @property
    def size(self) -> GoldSize:
        """Name and size of the set."""
        left_out = None
        if self.whole is not None:
            pairs = sum(len(each.units) for each in self.whole.items)
            pairs -= sum(len(each.units) for each in self.items)
            left_out = pairs, len(self.whole.items) - len(self.items)
        return GoldSize(self.name, len(self.items), self.labelled, left_out)

    @cached_property
    def qrels(self) -> dict[str, dict[str, int]]:
        """Question → unit → grade (the source's, else 1).

        A question without provision has no unit, so it is not scored. Units that people accepted
        are relevant, even where the source says 0.
        """
        return {
            item.external_id: {u: max(item.grades.get(u, 1), 1) for u in sorted(item.units)}
            for item in self.items
        }

    @cached_property
    def units(self) -> list[str]:
        """Distinct gold units, ascending."""
        return sorted({unit for item in self.items for unit in item.units})

    @cached_property
    def question_hashes(self) -> dict[str, str]:
        """Question → SHA-256 of its gold, for every question of the set."""
        return {query: _hash_of(_hash_input(units)) for query, units in self.qrels.items()}

    @cached_property
    def hash(self) -> str:
        """SHA-256 of questions and their gold units."""
        rows = [
            [item.external_id, item.no_provision, _hash_input(self.qrels[item.external_id])]
            for item in self.items
        ]
        return _hash_of(rows)

    def learning_hash(self, questions: Iterable[str]) -> str:
        """Return a hash of everything a method that ranks these questions learns from.

        It learns from the whole set, including what cannot be found.
        """
        return _hash_of([(self.whole or self).hash, *sorted(questions)])


def _hash_input(units: Mapping[str, int]) -> list[str] | dict[str, int]:
    """Return the judgments in the form that is hashed: units only where all grades are 1."""
    return dict(units) if set(units.values()) - {1} else [*units]


def _hash_of(value: object) -> str:
    """Return the hash of a JSON value."""
    return text_hash(json.dumps(value, ensure_ascii=False))


@dataclass(frozen=True, slots=True)
class ProjectGold:
    """What a project's gold sets are made of, read once."""

    ws: Workspace
    project: ProjectView
    evidence: Evidence

    def named(
        self, session: Session, law: int | None, name: str, snapshot_id: int | None = None
    ) -> GoldSet:
        """Return the gold set `name` for the snapshot with id `law` (None before the first import).

        `snapshot_id` is that of the set. Raises UserError for an unknown name or snapshot.
        """
        if snapshot_id is not None:
            known_snapshot(self.evidence.laws, snapshot_id)
        plain = "" if name == SEARCHABLE else name.removesuffix(f":{SEARCHABLE}")
        wanted = gold_named(plain)
        whole = gold_of(derived(session, self.evidence, law), snapshot_id, self.evidence.questions)
        if wanted is not GoldName.PEOPLE:
            whole = _with_source(whole, wanted, self._source_items(session, law))
        if plain == name or law is None:
            return whole
        levels = levels_searched(session, self.project.id)
        gone = {*not_searched(session, law, levels, whole.units)}
        return without_units(whole, gone.union(without_text(session, law, whole.units)))

    def sizes(self) -> dict[GoldName, int]:
        """Return each non-empty gold set's size, the widest first; BOTH only with both others."""
        with self.ws.reading() as session:
            items = derived(session, self.evidence, id_in_use(session, self.project.id))
        people, source = {item.external_id for item in items if item.settled}, {*self._labelled()}
        counts = {
            GoldName.BOTH: len(people | source) if people and source else 0,
            GoldName.PEOPLE: len(people),
            GoldName.SOURCE: len(source),
        }
        return {name: count for name, count in counts.items() if count}

    def _labelled(self) -> dict[str, Question]:
        """Return each question with imported labels, and the question that they belong to.

        A question derived from an option of another has the other's labels.
        """
        asked, made = self.evidence.questions, self.evidence.made
        judged = {name: asked[made[name].parent] if name in made else asked[name] for name in asked}
        return {name: question for name, question in judged.items() if question.gold_ids}

    def _source_items(self, session: Session, law: int | None) -> list[GoldItem]:
        """Return the questions with labels from their source, resolved to units.

        A label that matches nothing in the law is kept as written: it cannot be found, so it counts
        as missed.
        """
        labelled = self._labelled()
        labels = {label for each in labelled.values() for label in each.gold_ids}
        units = {label: label for label in labels}
        if law is not None:
            units = units_of_labels(session, law, labels)
        found = []
        for name, judged in labelled.items():
            said, grades = dict(judged.grades), dict[str, int]()
            for label in judged.gold_ids:
                unit = units[label]
                grades[unit] = max(grades.get(unit, 1), said.get(label, 1))
            item = GoldItem(
                item_id=0,
                external_id=name,
                question=self.evidence.questions[name].text,
                outcome="source",
                units=tuple(sorted(grades)),
                snapshot_id=law,
                inherited=self.evidence.made.get(name),
                grades=grades,
            )
            found.append(item)
        return found


def gold_set(
    ws: Workspace, project_slug: str, snapshot_id: int | None = None, name: str = GoldName.PEOPLE
) -> GoldSet:
    """Return the gold of a snapshot of the project, by default the one in use.

    `name` is a gold set's; "" is the widest with a question. Raises UserError for an unknown
    project, snapshot or name.
    """
    with ws.reading() as session:
        project = find_project(session, project_slug)
        read = ProjectGold(ws, project, evidence_of(session, project))
        law = snapshot_id or id_in_use(session, project.id)
        return read.named(session, law, name, snapshot_id)


def _with_source(people: GoldSet, name: GoldName | None, labelled: Sequence[GoldItem]) -> GoldSet:
    """Return source gold, or both (people's where they decided); without `name` the widest."""
    if name is None and labelled:
        name = GoldName.BOTH if people.items else GoldName.SOURCE
    if name is None:
        return people
    decided = () if name is GoldName.SOURCE else people.items
    judged = {item.external_id: item for item in (*labelled, *decided)}
    return replace(people, items=tuple(judged[each] for each in sorted(judged)), name=name)


def without_units(gold: GoldSet, gone: Collection[str]) -> GoldSet:
    """Return the gold without these units.

    Questions left without a unit are dropped; those that no provision answers stay.
    """
    kept = [(item, tuple(u for u in item.units if u not in gone)) for item in gold.items]
    items = tuple(replace(item, units=units) for item, units in kept if units or not item.units)
    return replace(gold, items=items, whole=gold)


def gold_named(name: str, where: Where = _IN_GOLD) -> GoldName | None:
    """Parse the name of a gold set, None for "". Raises UserError for an unknown name."""
    if not name:
        return None
    if name not in set(GoldName):
        raise UserError("gold_unknown", where, name=name, known=", ".join(GoldName))
    return GoldName(name)


def read_gold(ws: Workspace, project_slug: str, by: int | None = None) -> ProjectGold:
    """Return the evidence from which the gold sets of a project derive.

    Raises UserError for `by` (None: the operator) who may not see scores.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        return ProjectGold(ws, project, evidence_of(session, project))


def sources_of_labels(ws: Workspace, project_slug: str, by: int | None = None) -> list[LabelSource]:
    """Return the origins of the labels in the gold set ``source``, the first import first.

    Raises UserError as :func:`read_gold`.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        return label_sources(session, project.id)


def gold_of(
    items: Sequence[GoldItem],
    snapshot_id: int | None = None,
    questions: Mapping[str, Question] = MappingProxyType({}),
) -> GoldSet:
    """Return the gold set of the settled among derived items; `questions` are the project's."""
    decided = [item for item in items if item.settled]
    pending = grouped((reason, item.external_id) for item in items for reason in item.pending)
    return GoldSet(
        items=tuple(sorted(decided, key=lambda item: item.external_id)),
        pending=sum(not item.settled for item in items if item.inherited is None),
        snapshot_id=snapshot_id,
        amended=tuple(sorted(pending.get("amended", ()))),
        waiting=tuple(sorted(pending.get("no_candidates", ()))),
        left_out=len(items) - len(decided),
        questions=questions,
    )


@dataclass(frozen=True, slots=True)
class GoldSets:
    """Gold sets of several snapshots of a project: the one in use, and others by id."""

    in_use: GoldSet
    others: Mapping[int, GoldSet]

    def of(self, snapshot_id: int) -> GoldSet:
        """Return the gold set of a snapshot; that in use for one that is not among the others."""
        return self.others.get(snapshot_id, self.in_use)

    @property
    def all(self) -> list[GoldSet]:
        """All sets, that of the snapshot in use first."""
        return [self.in_use, *self.others.values()]


def gold_sets(
    ws: Workspace,
    project_slug: str,
    snapshots: Iterable[int],
    gold: str | GoldSets = "",
    read: ProjectGold | None = None,
) -> GoldSets:
    """Return the gold sets of the snapshot in use and of `snapshots`.

    All have the name of the one in use. `gold` is that name, or the sets where they are known, and
    `read` what they are made of where it has been read. Raises UserError as :func:`gold_set` does.
    """
    if isinstance(gold, GoldSets):
        if {*snapshots} <= {*gold.others, gold.in_use.snapshot_id}:
            return gold
        gold = gold.in_use.label  # there are runs on another snapshot since
    with ws.reading() as session:
        project = find_project(session, project_slug)
        read = read or ProjectGold(ws, project, evidence_of(session, project))
        used = id_in_use(session, project.id)
        in_use = read.named(session, used, gold, used)
        others = sorted({*snapshots} - {used})
        of = {law: read.named(session, law, in_use.label, law) for law in others}
    return GoldSets(in_use, of)


def required_gold(
    ws: Workspace,
    project_slug: str,
    snapshot_id: int | None = None,
    name: str = GoldName.PEOPLE,
) -> GoldSet:
    """Return :func:`gold_set`. Raises UserError also when no question is judged."""
    return require_judged(gold_set(ws, project_slug, snapshot_id, name), project_slug)


def require_judged(gold: GoldSet, project_slug: str) -> GoldSet:
    """Return `gold`. Raises UserError with the reason when no question is judged."""
    if gold.items:
        return gold
    for code, lacking in (("gold_amended", gold.amended), ("gold_waits", gold.waiting)):
        if lacking:
            named = ", ".join(in_natural_order(lacking)[:_NAMED])
            raise UserError(code, slug=project_slug, count=len(lacking), named=named)
    raise UserError("no_gold", slug=project_slug, pending=gold.pending)


def chosen_snapshot(
    ws: Workspace, project_slug: str, snapshot_id: int | None = None
) -> SnapshotView:
    """Return a snapshot of the project, by default the one in use.

    Raises UserError for an unknown project or snapshot, and when it has none.
    """
    with ws.reading() as session:
        return snapshot_of(session, find_project(session, project_slug), snapshot_id)
