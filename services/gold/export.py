"""Export the gold: BEIR, TREC qrels, and JSONL that traces every line to people's decisions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from annotation.gold.derivation import GoldItem
from annotation.gold.lineage import LineageEntry
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
from services.gold.gold_set import GoldSet, chosen_snapshot, required_gold
from services.gold.search_coverage import gold_not_searched
from services.gold.splits import SplitState, split_of_gold
from storage.db.atomic_files import published
from storage.db.workspace import Workspace
from storage.export import beir, trec
from storage.export.beir import GoldLine, snapshot_as_dict, write_lineage
from storage.export.datasheet import FILES as DATASHEET
from storage.export.datasheet import Datasheet, as_sections, write_datasheet
from storage.law.corpus import SnapshotView, load_questions, snapshot_by_id
from storage.law.passages import Levels, Passage, retrieval_corpus
from storage.projects import project_by_slug
from storage.runs.search_levels import levels_searched

FILES = ("corpus.jsonl", *DATASHEET, "gold.jsonl", "qrels.trec", "qrels/test.tsv", "queries.jsonl")


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export came to.

    `questions` counts settled questions, `no_provision` those of them that nothing in the corpus
    answers, `pairs` the question–unit judgements, `corpus` the units exported, all of `levels` and
    of the snapshot `snapshot_id`, and `pending` the questions left out because they are not
    settled; `amended` names those of them that were, before the law was amended, `waiting` those of
    which it cannot be told before candidates from this law have been made. `not_searched` has the
    counts of `services.gold.search_coverage.NotSearched.as_dict`: judgements of units that are not
    among those exported. `files` are paths below `folder`.
    """

    folder: str
    snapshot: str
    snapshot_id: int
    questions: int
    no_provision: int
    pairs: int
    corpus: int
    pending: int
    amended: tuple[str, ...]
    waiting: tuple[str, ...]
    gold_hash: str
    levels: Levels
    not_searched: Mapping[str, Any]
    split: int | None = None
    files: tuple[str, ...] = FILES


@dataclass(frozen=True, slots=True)
class Parts:
    """Which version of the division is used: that of `number`, else the newest; `none` for none."""

    number: int | None = None
    none: bool = False


NEWEST = Parts()


@dataclass(frozen=True, slots=True)
class _World:
    """All that an export writes."""

    gold: GoldSet
    snapshot: SnapshotView
    corpus: list[Passage]
    searched: SearchedGold
    questions: Mapping[str, Question]
    snapshots: Mapping[int, SnapshotView]
    split: SplitState | None

    @property
    def files(self) -> tuple[str, ...]:
        """The files that are written: judgements of each part where gold is divided."""
        if self.split is None:
            return FILES
        others = (name for name in FILES if not name.startswith("qrels/"))
        return tuple(sorted((*others, *(_qrels(line.part) for line in self.split.lines))))


def export_gold(
    ws: Workspace,
    project_slug: str,
    folder: Path,
    snapshot_id: int | None = None,
    *,
    by: int | None = None,
    sheet: Sheet | None = None,
    parts: Parts = NEWEST,
) -> ExportReport:
    """Write the project's gold into `folder`, which is made when absent.

    The corpus is of one snapshot, the one in use unless another is named: its units of the levels
    that the project searches, and nothing else. The judgements are all of the gold, so that what
    points outside the corpus counts as missed; the datasheet says how many do. Gold that does not
    hold for the snapshot is left out. The same database gives
    the same bytes. Files of an earlier export are replaced, others left alone; when anything
    fails, `folder` is as it was. `by` is the person who exports, None for the operator; `sheet` is
    what the datasheet cannot know. Where the gold is divided, each part of the version that `parts`
    names has judgements of its own. Raises UserError for who may not, for an unknown project,
    snapshot or version, when no question is settled, and when the folder cannot be written.
    """
    allow(ws, project_slug, by, Act.EXPORT_GOLD)
    world = _world(ws, project_slug, snapshot_id, sheet, parts)
    with published(folder) as part:
        _write(part, world)
        write_datasheet(part, _datasheet(ws, project_slug, world, sheet or Sheet()))
        stale = _stale(folder, world.files)
    for file in stale:
        file.unlink(missing_ok=True)
    qrels = world.gold.qrels
    return ExportReport(
        folder=str(folder),
        snapshot=world.snapshot.name,
        snapshot_id=world.snapshot.id,
        questions=len(world.gold.items),
        no_provision=sum(item.no_provision for item in world.gold.items),
        pairs=sum(map(len, qrels.values())),
        corpus=len(world.corpus),
        pending=world.gold.pending,
        amended=world.gold.amended,
        waiting=world.gold.waiting,
        gold_hash=world.gold.hash,
        levels=world.searched.levels,
        not_searched=world.searched.outside.as_dict(),
        split=None if world.split is None else world.split.view.number,
        files=world.files,
    )


def _qrels(part: str) -> str:
    return f"qrels/{part}.tsv"


def _stale(folder: Path, files: tuple[str, ...]) -> list[Path]:
    """Return judgements of parts that an earlier export wrote here and this one does not.

    Left there they would be taken for judgements of this export.
    """
    try:
        said = json.loads((folder / DATASHEET[0]).read_text("utf-8"))
        before = set(said["distribution"]["files"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    ours = (_qrels(part) for part in PARTS)
    return [folder / name for name in ours if name in before and name not in files]


def datasheet(
    ws: Workspace, project_slug: str, sheet: Sheet, *, by: int | None = None
) -> list[tuple[str, str]]:
    """Return heading and text of each section of the datasheet that an export now would hold.

    It lacks the hashes of the files alone. Raises UserError as `export_gold` does.
    """
    allow(ws, project_slug, by, Act.EXPORT_GOLD)
    world = _world(ws, project_slug, None, sheet, NEWEST)
    return as_sections(_datasheet(ws, project_slug, world, sheet).facts())


def _datasheet(ws: Workspace, project_slug: str, world: _World, sheet: Sheet) -> Datasheet:
    about = (world.gold, world.snapshot, world.searched, sheet, world.split)
    return gold_datasheet(ws, project_slug, *about)


def _world(
    ws: Workspace, project_slug: str, snapshot_id: int | None, sheet: Sheet | None, parts: Parts
) -> _World:
    snapshot = chosen_snapshot(ws, project_slug, snapshot_id)
    gold = required_gold(ws, project_slug, snapshot.id)
    if sheet is not None and sheet.pseudonyms:
        gold = under_pseudonyms(gold, pseudonyms(ws, project_slug))
    project = project_by_slug(ws, project_slug)
    split = None if parts.none else split_of_gold(ws, project, gold, parts.number)
    with ws.reading() as session:
        ids = {entry.snapshot_id for item in gold.items for entry in item.lineage}
        ids |= {item.snapshot_id for item in gold.items if item.snapshot_id is not None}
        questions = load_questions(session, project.id)
        levels = levels_searched(session, project.id)
        corpus = retrieval_corpus(session, snapshot.id, levels)
        outside = gold_not_searched(session, snapshot.id, levels, gold)
        asked = [questions[item.external_id] for item in gold.items]
        return _World(
            gold=gold,
            snapshot=snapshot,
            corpus=corpus,
            searched=SearchedGold(
                levels, len(corpus), outside, _jurisdictions(corpus), _jurisdictions(asked)
            ),
            questions=questions,
            snapshots={number: snapshot_by_id(session, number) for number in sorted(ids)},
            split=split,
        )


def _jurisdictions(of: Sequence[Passage] | Sequence[Question]) -> dict[str, int]:
    """Return how many there are of each jurisdiction, none where nobody has said one."""
    counts = Counter(each.jurisdiction for each in of)
    return dict(counts) if any(counts) else {}


def _write(folder: Path, world: _World) -> None:
    qrels = {query: units for query, units in world.gold.qrels.items() if units}
    asked = [(world.questions[item.external_id], item.no_provision) for item in world.gold.items]
    beir.write_corpus(folder / "corpus.jsonl", world.corpus)
    parts = None if world.split is None else world.split.parts
    beir.write_queries(folder / "queries.jsonl", asked, parts)
    for part in ("test",) if world.split is None else (line.part for line in world.split.lines):
        here = {name for name in qrels if parts is None or parts.get(name) == part}
        beir.write_qrels(folder / _qrels(part), {name: qrels[name] for name in here})
    trec.write_qrels(folder / "qrels.trec", qrels)
    write_lineage(
        folder / "gold.jsonl",
        (line for item in world.gold.items for line in _lines(item, world)),
    )


def _lines(item: GoldItem, world: _World) -> Iterator[GoldLine]:
    snapshot = world.snapshot if item.snapshot_id is None else world.snapshots[item.snapshot_id]
    for unit in item.units or (None,):
        decisions = [_decision(entry, unit, world.snapshots) for entry in item.lineage]
        strings = [text for decision in decisions for text in decision["citations"]]
        yield GoldLine(
            question_id=item.external_id,
            unit_id=unit,
            outcome=item.outcome,
            snapshot=snapshot,
            corpus_snapshot=world.snapshot,
            corpus_levels=world.searched.levels,
            searched=None if unit is None else unit not in world.searched.outside.units,
            citations=tuple(dict.fromkeys(strings)),
            reason=next((entry.reason for entry in reversed(item.lineage) if entry.reason), ""),
            decisions=tuple(decisions),
            inherited_from=_parentage(item),
            split=None if world.split is None else world.split.parts.get(item.external_id),
        )


def _parentage(item: GoldItem) -> dict[str, Any] | None:
    """Return what the question was made of, as JSON values."""
    if item.inherited is None:
        return None
    of = asdict(item.inherited)
    del of["item_id"]
    return of | {"person": item.inherited.person or "operator", "at": of["at"].isoformat()}


def _decision(
    entry: LineageEntry, unit: str | None, snapshots: Mapping[int, SnapshotView]
) -> dict[str, Any]:
    """Return a decision as JSON values, with what it says of `unit` alone."""
    plain = entry.as_dict()
    said = next((label for label in entry.labels if label.unit == unit), None)
    dropped = ("labels", "snapshot_id", "effective")
    return {key: value for key, value in plain.items() if key not in dropped} | {
        "snapshot": snapshot_as_dict(snapshots[entry.snapshot_id]),
        "label": said.label if said else None,
        "citations": list(said.citations) if said else [],
    }
