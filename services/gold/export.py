"""Export of gold as BEIR, TREC qrels, and JSONL with the decisions behind every line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from annotation.gold.derivation import GoldItem, derive
from annotation.gold.lineage import LineageEntry
from annotation.gold.negatives import rejections_for
from annotation.people.roles import Act, allow
from construction.gold.splitting import PARTS
from corpus.model import Question
from services.gold.datasheet import (
    SearchedGold,
    Sheet,
    gold_datasheet,
    pseudonyms,
    under_pseudonyms,
)
from services.gold.gold_set import GoldSet, gold_of, require_judged, searchable_gold
from services.gold.search_coverage import gold_not_searched, gold_without_text
from services.gold.splits import SplitState, split_of_gold
from storage.db.atomic_files import published
from storage.db.workspace import Workspace, at_one_moment
from storage.export import beir, trec
from storage.export.beir import GoldLine, snapshot_as_dict, write_lineage
from storage.export.datasheet import FILES as DATASHEET
from storage.export.datasheet import Datasheet, as_sections, write_datasheet
from storage.law.corpus import SnapshotView, load_questions, snapshot_by_id, snapshot_of
from storage.law.passages import Levels, Passage, retrieval_corpus
from storage.projects import ProjectView, find_project
from storage.runs.search_levels import levels_searched

NO_PROVISION = "qrels/no_provision.tsv"
"""Rejected units of questions that no provision answers.

A separate file, as tools score a question whose judgements are all 0 as 0.
"""

FILES = ("corpus.jsonl", *DATASHEET, "gold.jsonl", "qrels.trec", "qrels/test.tsv", "queries.jsonl")


@dataclass(frozen=True, slots=True)
class ExportReport:
    """Summary of an export.

    `questions` counts settled questions, `no_provision` those that no provision in the corpus
    answers, `pairs` the relevant question–unit judgements and `rejected` those of grade 0, `corpus`
    the exported units, all of `levels` and of the snapshot `snapshot_id`, and `pending` the
    questions left out as not settled; `amended` names those that were settled before the law was
    amended, `waiting` those undecided until candidates from this law exist. `not_searched` has the
    counts of `services.gold.search_coverage.NotSearched.as_dict` for judgements of units that are
    not exported; `without_text` the same for exported units with a heading only, of which there are
    `units_without_text` in all. `left_out`: the qrels have neither. `files` are paths below
    `folder`.
    """

    folder: str
    snapshot: str
    snapshot_id: int
    questions: int
    no_provision: int
    pairs: int
    rejected: int
    corpus: int
    pending: int
    amended: tuple[str, ...]
    waiting: tuple[str, ...]
    gold_hash: str
    levels: Levels
    not_searched: Mapping[str, Any]
    without_text: Mapping[str, Any]
    units_without_text: int
    left_out: bool = False
    split: int | None = None
    files: tuple[str, ...] = FILES


@dataclass(frozen=True, slots=True)
class Parts:
    """Version of the split to use: `number`, by default the newest; `none` for no split."""

    number: int | None = None
    none: bool = False


NEWEST = Parts()


@dataclass(frozen=True, slots=True)
class Pairs:
    """Which judgements to export.

    `positives_only` leaves out units that everybody rejected; `searchable_only` leaves out of the
    qrels units that are not in the corpus or have no text.
    """

    positives_only: bool = False
    searchable_only: bool = False


ALL_PAIRS = Pairs()


@dataclass(frozen=True, slots=True)
class _ExportData:
    """Everything an export writes.

    `judged` is the gold in the qrels, `rejected` the units of grade 0, `texts` whether each unit of
    the corpus has a text.
    """

    project: ProjectView
    gold: GoldSet
    judged: GoldSet
    rejected: Mapping[str, Sequence[str]]
    texts: Mapping[str, bool]
    snapshot: SnapshotView
    corpus: list[Passage]
    searched: SearchedGold
    questions: Mapping[str, Question]
    snapshots: Mapping[int, SnapshotView]
    split: SplitState | None

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files written: with a split, qrels per part."""
        files: tuple[str, ...] = FILES
        if self.split is not None:
            others = (name for name in FILES if not name.startswith("qrels/"))
            files = (*others, *(_qrels_file(line.part) for line in self.split.lines))
        return tuple(sorted((*files, NO_PROVISION) if self.zeros(no_provision=True) else files))

    @property
    def qrels(self) -> dict[str, dict[str, int]]:
        """Question → unit → grade, for questions with gold."""
        zeros = self.zeros(no_provision=False)
        return {
            query: dict.fromkeys(zeros.get(query, ()), 0) | units
            for query, units in self.judged.qrels.items()
            if units
        }

    def zeros(self, *, no_provision: bool) -> dict[str, Sequence[str]]:
        """Return the rejected units of questions with gold, or of those without provision."""
        return {
            item.external_id: self.rejected[item.external_id]
            for item in self.judged.items
            if item.no_provision is no_provision and item.external_id in self.rejected
        }


def export_gold(
    ws: Workspace,
    project_slug: str,
    folder: Path,
    snapshot_id: int | None = None,
    *,
    by: int | None = None,
    sheet: Sheet | None = None,
    parts: Parts = NEWEST,
    pairs: Pairs = ALL_PAIRS,
) -> ExportReport:
    """Write the project's gold into `folder`, which is created if absent.

    The corpus is of one snapshot, by default the one in use: its units of the levels that the
    project searches. The judgements are all of the gold, so those outside the corpus count as
    missed; the datasheet counts them. Units that everybody rejected have grade 0. `pairs` narrows
    both. Gold that does not hold for the snapshot is left out. The same database gives the same
    bytes. Files of an earlier export are replaced, others left alone; on any failure `folder` is
    unchanged. `by` is the exporter, None for the operator; `sheet` is what the datasheet cannot
    derive. With a split, each part of the version in `parts` has its own qrels. Raises UserError
    for `by` without permission, for an unknown project, snapshot or version, when no question is
    settled, and when the folder cannot be written.
    """
    with at_one_moment(ws) as seen:
        allow(seen, project_slug, by, Act.EXPORT_GOLD)
        world = _export_data(seen, project_slug, snapshot_id, sheet, parts, pairs)
        about = _datasheet(seen, world, sheet or Sheet())
    with published(folder) as part:
        _write_files(part, world)
        write_datasheet(part, about)
        stale = _stale_qrels(folder, world.files)
    for file in stale:
        file.unlink(missing_ok=True)
    grades = [grade for units in world.qrels.values() for grade in units.values()]
    return ExportReport(
        folder=str(folder),
        snapshot=world.snapshot.name,
        snapshot_id=world.snapshot.id,
        questions=len(world.gold.items),
        no_provision=sum(item.no_provision for item in world.gold.items),
        pairs=sum(grade > 0 for grade in grades),
        rejected=grades.count(0) + sum(map(len, world.zeros(no_provision=True).values())),
        corpus=len(world.corpus),
        pending=world.gold.pending,
        amended=world.gold.amended,
        waiting=world.gold.waiting,
        gold_hash=world.gold.hash,
        levels=world.searched.levels,
        not_searched=world.searched.outside.as_dict(),
        without_text=world.searched.without_text.as_dict(),
        units_without_text=world.searched.units_without_text,
        left_out=pairs.searchable_only,
        split=None if world.split is None else world.split.view.number,
        files=world.files,
    )


def _qrels_file(part: str) -> str:
    return f"qrels/{part}.tsv"


def _stale_qrels(folder: Path, files: tuple[str, ...]) -> list[Path]:
    """Return qrels of parts left by an earlier export, which would be mistaken for this one's.

    Left there they would be taken for judgements of this export.
    """
    try:
        said = json.loads((folder / DATASHEET[0]).read_text("utf-8"))
        before = set(said["distribution"]["files"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    ours = (NO_PROVISION, *(_qrels_file(part) for part in PARTS))
    return [folder / name for name in ours if name in before and name not in files]


def datasheet(
    ws: Workspace, project_slug: str, sheet: Sheet, *, by: int | None = None
) -> list[tuple[str, str]]:
    """Return heading and text of each datasheet section as an export now would write it.

    Only the file hashes are missing. Raises UserError as `export_gold` does.
    """
    with at_one_moment(ws) as seen:
        allow(seen, project_slug, by, Act.EXPORT_GOLD)
        world = _export_data(seen, project_slug, None, sheet, NEWEST)
        return as_sections(_datasheet(seen, world, sheet).facts())


def _datasheet(ws: Workspace, world: _ExportData, sheet: Sheet) -> Datasheet:
    about = (world.gold, world.snapshot, world.searched, sheet, world.split)
    return gold_datasheet(ws, world.project, *about)


def _export_data(
    ws: Workspace,
    project_slug: str,
    snapshot_id: int | None,
    sheet: Sheet | None,
    parts: Parts,
    pairs: Pairs = ALL_PAIRS,
) -> _ExportData:
    with ws.reading() as session:
        project = find_project(session, project_slug)
        snapshot = snapshot_of(session, project, snapshot_id)
        derived = derive(ws, project_slug, snapshot.id)
        gold = require_judged(gold_of(derived, snapshot.id), project_slug)
        if sheet is not None and sheet.pseudonyms:
            gold = under_pseudonyms(gold, pseudonyms(ws, project_slug))
        split = None if parts.none else split_of_gold(ws, project, gold, parts.number)
        ids = {entry.snapshot_id for item in gold.items for entry in item.lineage}
        ids |= {item.snapshot_id for item in gold.items if item.snapshot_id is not None}
        questions = load_questions(session, project.id)
        levels = levels_searched(session, project.id)
        corpus = retrieval_corpus(session, snapshot.id, levels)
        texts = {passage.unit_id: bool(passage.text.strip()) for passage in corpus}
        among = (session, snapshot.id, levels, gold)
        outside = gold_not_searched(*among)
        rejected = rejections_for(session, gold.items, snapshot.id)
        asked = [questions[item.external_id] for item in gold.items]
        return _ExportData(
            project=project,
            gold=gold,
            judged=searchable_gold(*among) if pairs.searchable_only else gold,
            rejected={} if pairs.positives_only else _exported_rejections(rejected, texts, pairs),
            texts=texts,
            snapshot=snapshot,
            corpus=corpus,
            searched=SearchedGold(
                levels=levels,
                units=len(corpus),
                outside=outside,
                without_text=gold_without_text(session, snapshot.id, gold, outside),
                units_without_text=len(corpus) - sum(texts.values()),
                rejected=sum(map(len, rejected.values())),
                jurisdictions=_jurisdictions(corpus),
                asked=_jurisdictions(asked),
            ),
            questions=questions,
            snapshots={number: snapshot_by_id(session, number) for number in sorted(ids)},
            split=split,
        )


def _exported_rejections(
    rejected: Mapping[str, Sequence[str]], texts: Mapping[str, bool], pairs: Pairs
) -> Mapping[str, Sequence[str]]:
    """Return the rejected units to write into the qrels."""
    if not pairs.searchable_only:
        return rejected
    found = {query: [u for u in units if texts.get(u)] for query, units in rejected.items()}
    return {query: units for query, units in found.items() if units}


def _jurisdictions(of: Sequence[Passage] | Sequence[Question]) -> dict[str, int]:
    """Count items per jurisdiction; empty where none is stated."""
    counts = Counter(each.jurisdiction for each in of)
    return dict(counts) if any(counts) else {}


def _write_files(folder: Path, world: _ExportData) -> None:
    qrels = world.qrels
    asked = [(world.questions[item.external_id], item.no_provision) for item in world.gold.items]
    beir.write_corpus(folder / "corpus.jsonl", world.corpus)
    parts = None if world.split is None else world.split.parts
    beir.write_queries(folder / "queries.jsonl", asked, parts)
    for part in ("test",) if world.split is None else (line.part for line in world.split.lines):
        here = {name for name in qrels if parts is None or parts.get(name) == part}
        beir.write_qrels(folder / _qrels_file(part), {name: qrels[name] for name in here})
    trec.write_qrels(folder / "qrels.trec", qrels)
    if none := world.zeros(no_provision=True):
        zeros = {query: dict.fromkeys(units, 0) for query, units in none.items()}
        beir.write_qrels(folder / NO_PROVISION, zeros)
    write_lineage(
        folder / "gold.jsonl",
        (line for item in world.gold.items for line in _gold_lines(item, world)),
    )


def _gold_lines(item: GoldItem, world: _ExportData) -> Iterator[GoldLine]:
    snapshot = world.snapshot if item.snapshot_id is None else world.snapshots[item.snapshot_id]
    gold, rejected = world.gold.qrels[item.external_id], world.rejected.get(item.external_id, ())
    judged = [*(gold.items() or [(None, None)]), *((unit, 0) for unit in rejected)]
    for unit, relevance in judged:
        decisions = [_decision_json(entry, unit, world.snapshots) for entry in item.lineage]
        strings = [text for decision in decisions for text in decision["citations"]]
        yield GoldLine(
            question_id=item.external_id,
            unit_id=unit,
            relevance=relevance,
            no_provision=item.no_provision,
            outcome=item.outcome,
            snapshot=snapshot,
            corpus_snapshot=world.snapshot,
            corpus_levels=world.searched.levels,
            searched=None if unit is None else unit in world.texts,
            has_text=None if unit is None else world.texts.get(unit),
            citations=tuple(dict.fromkeys(strings)),
            reason=next((entry.reason for entry in reversed(item.lineage) if entry.reason), ""),
            decisions=tuple(decisions),
            inherited_from=_parentage_json(item),
            split=None if world.split is None else world.split.parts.get(item.external_id),
        )


def _parentage_json(item: GoldItem) -> dict[str, Any] | None:
    """Return what the question was derived from, as JSON values."""
    if item.inherited is None:
        return None
    of = asdict(item.inherited)
    del of["item_id"]
    return of | {"person": item.inherited.person or "operator", "at": of["at"].isoformat()}


def _decision_json(
    entry: LineageEntry, unit: str | None, snapshots: Mapping[int, SnapshotView]
) -> dict[str, Any]:
    """Return a decision as JSON values, limited to its label of `unit`."""
    plain = entry.as_dict()
    said = next((label for label in entry.labels if label.unit == unit), None)
    dropped = ("labels", "snapshot_id", "effective")
    return {key: value for key, value in plain.items() if key not in dropped} | {
        "snapshot": snapshot_as_dict(snapshots[entry.snapshot_id]),
        "label": said.label if said else None,
        "citations": list(said.citations) if said else [],
    }
