"""Export of gold as BEIR, TREC qrels, and JSONL with the decisions behind every line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from annotation.gold.derivation import Evidence, GoldItem, derived, read_evidence, rejections_for
from annotation.gold.lineage import LineageEntry
from annotation.people.members import named_people, people_in
from annotation.people.roles import Act, reading_as
from construction.gold.splitting import PARTS
from corpus.extensions import EXPORTERS, Extension, usable
from corpus.model import Question
from errors import UserError
from services.gold.datasheet import (
    SearchedGold,
    Sheet,
    gold_datasheet,
    shown_names,
    under_pseudonyms,
)
from services.gold.gold_set import GoldSet, gold_of, require_judged, without_units
from services.gold.search_coverage import among_gold
from services.gold.splits import SplitState, split_of_gold
from storage.db.atomic_files import published
from storage.db.workspace import Workspace, at_one_moment
from storage.export import beir, trec
from storage.export.beir import snapshot_as_dict, write_lineage
from storage.export.datasheet import FILES as DATASHEET
from storage.export.datasheet import Datasheet, as_sections, write_datasheet
from storage.law.corpus import SnapshotView, snapshot_of
from storage.law.passages import NO_TEXT, Levels, Passage, not_searched, retrieval_corpus
from storage.runs.search_levels import levels_searched

NO_PROVISION = "qrels/no_provision.tsv"
"""Rejected units of questions that no provision answers.

A separate file, as tools score a question whose judgements are all 0 as 0.
"""

PASSAGES = "passage_qrels.tsv"
"""The words that answer, as ``unit#start-end`` by characters of the unit's text in the corpus."""

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
    left_out: bool
    split: int | None
    files: tuple[str, ...]


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
class ExportData:
    """Everything an export writes.

    `judged` is the gold in the qrels, `rejected` the units of grade 0, `texts` whether each unit of
    the corpus has a text; `pending` has the reasons why a question is not settled.
    """

    gold: GoldSet
    judged: GoldSet
    rejected: Mapping[str, Sequence[str]]
    texts: Mapping[str, bool]
    snapshot: SnapshotView
    corpus: list[Passage]
    searched: SearchedGold
    evidence: Evidence
    split: SplitState | None
    pending: Mapping[str, Sequence[str]]

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files written: with a split, qrels per part; optional ones if not empty."""
        always = (name for name in FILES if not name.startswith("qrels/"))
        parts = ["test"] if self.split is None else [line.part for line in self.split.lines]
        more = {NO_PROVISION: self.zeros(no_provision=True), PASSAGES: self.passages}
        some = (name for name, lines in more.items() if lines)
        return tuple(sorted((*always, *(f"qrels/{part}.tsv" for part in parts), *some)))

    @property
    def passages(self) -> dict[str, dict[str, int]]:
        """Question → passage → grade, for gold units whose words that answer were marked."""
        found: dict[str, dict[str, int]] = {}
        for item in self.judged.items:
            grades = self.judged.qrels[item.external_id]
            named = [
                (f"{unit}#{start}-{end}", grades[unit])
                for unit, words in item.evidence.items()
                if unit in grades
                for start, end in words["spans"]
            ]
            found |= {item.external_id: dict(named)} if named else {}
        return found

    @property
    def qrels(self) -> dict[str, dict[str, int]]:
        """Question → unit → grade, for questions with gold; 0 for rejected units."""
        zeros = self.zeros(no_provision=False)
        return {
            query: dict.fromkeys(zeros.get(query, ()), 0) | units
            for query, units in self.judged.qrels.items()
            if units
        }

    @property
    def qrels_by_part(self) -> dict[str, dict[str, dict[str, int]]]:
        """The qrels of each part of the split; all as "test" where there is none."""
        qrels = self.qrels
        if self.split is None:
            return {"test": qrels}
        parts = self.split.parts
        return {
            line.part: {name: of for name, of in qrels.items() if parts.get(name) == line.part}
            for line in self.split.lines
        }

    def zeros(self, *, no_provision: bool) -> dict[str, Sequence[str]]:
        """Return question → rejected units, for questions with gold or those without provision."""
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
    also: Sequence[str] = (),
) -> ExportReport:
    """Write the project's gold into `folder`, which is created if absent.

    The corpus is of one snapshot, by default the one in use: its units of the levels that the
    project searches. The judgements are all of the gold, so those outside the corpus count as
    missed; the datasheet counts them. Units that everybody rejected have grade 0. `pairs` narrows
    both. Gold that does not hold for the snapshot is left out. The same database gives the same
    bytes. Files of an earlier export are replaced, others left alone; on any failure `folder` is
    unchanged. `by` is the exporter, None for the operator; `sheet` is what the datasheet cannot
    derive. With a split, each part of the version in `parts` has its own qrels. `also` names
    exporters of installed packages; each writes into a subfolder of its name. Raises UserError for
    `by` without permission, for an unknown project, snapshot, version or exporter, when no question
    is settled, and when the folder cannot be written.
    """
    exporters = [exporter_named(name) for name in also]
    data, about = export_data(ws, project_slug, by, snapshot_id, sheet or Sheet(), parts, pairs)
    with published(folder) as part:
        write_files(part, data)
        write_datasheet(part, about)
        for each in exporters:
            (part / each.name).mkdir()
            each.call(each.value, part, part / each.name)
        stale = _stale_qrels(folder, data.files)
    for file in stale:
        file.unlink(missing_ok=True)
    grades = [grade for units in data.qrels.values() for grade in units.values()]
    return ExportReport(
        folder=str(folder),
        snapshot=data.snapshot.name,
        snapshot_id=data.snapshot.id,
        questions=len(data.gold.items),
        no_provision=sum(item.no_provision for item in data.gold.items),
        pairs=sum(grade > 0 for grade in grades),
        rejected=grades.count(0) + sum(map(len, data.zeros(no_provision=True).values())),
        corpus=len(data.corpus),
        pending=data.gold.pending,
        amended=data.gold.amended,
        waiting=data.gold.waiting,
        gold_hash=data.gold.hash,
        levels=data.searched.levels,
        not_searched=data.searched.outside.as_dict(),
        without_text=data.searched.without_text.as_dict(),
        units_without_text=data.searched.units_without_text,
        left_out=pairs.searchable_only,
        split=None if data.split is None else data.split.view.number,
        files=data.files,
    )


def exporter_named(name: str) -> Extension:
    """Return an exporter of an installed package. Raises UserError for an unknown name."""
    known = usable(EXPORTERS)
    if name not in known:
        raise UserError("exporter_unknown", name=name[:60], known=", ".join(known) or "–")
    return known[name]


def _stale_qrels(folder: Path, files: tuple[str, ...]) -> list[Path]:
    """Return qrels of parts left by an earlier export, which would be mistaken for this one's.

    Left there they would be taken for judgements of this export.
    """
    try:
        said = json.loads((folder / DATASHEET[0]).read_text("utf-8"))
        before = set(said["distribution"]["files"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    ours = (NO_PROVISION, PASSAGES, *(f"qrels/{part}.tsv" for part in PARTS))
    return [folder / name for name in ours if name in before and name not in files]


def datasheet(
    ws: Workspace, project_slug: str, sheet: Sheet, *, by: int | None = None
) -> list[tuple[str, str]]:
    """Return heading and text of each datasheet section as an export now would write it.

    Only the file hashes are missing. Raises UserError as `export_gold` does.
    """
    return as_sections(export_data(ws, project_slug, by, None, sheet)[1].facts())


def export_data(
    ws: Workspace,
    project_slug: str,
    by: int | None,
    snapshot_id: int | None,
    sheet: Sheet,
    parts: Parts = NEWEST,
    pairs: Pairs = ALL_PAIRS,
) -> tuple[ExportData, Datasheet]:
    """Return the data of an export, and its datasheet. Raises UserError as `export_gold` does."""
    with (
        at_one_moment(ws) as seen,
        reading_as(seen, project_slug, by, Act.EXPORT_GOLD) as (session, project, _),
    ):
        snapshot = snapshot_of(session, project, snapshot_id)
        evidence = read_evidence(session, project, sources=True)
        items = derived(session, evidence, snapshot.id)
        gold = require_judged(gold_of(items, snapshot.id), project_slug)
        people = people_in(session, project.id)
        agreed = named_people(session, project.id) if sheet.names else ()
        names = shown_names(people, agreed)
        gold = under_pseudonyms(gold, names)
        split = None if parts.none else split_of_gold(seen, project, gold, parts.number)
        levels = levels_searched(session, project.id)
        corpus = retrieval_corpus(session, snapshot.id, levels)
        texts = {passage.unit_id: bool(passage.text.strip()) for passage in corpus}
        others = [unit for unit in gold.units if unit not in texts]
        outside = not_searched(session, snapshot.id, levels, others)
        headed = [unit for unit in gold.units if unit in texts and not texts[unit]]
        rejected = rejections_for(session, gold.items, snapshot.id)
        searched = SearchedGold(
            levels=levels,
            units=len(corpus),
            outside=among_gold(gold, outside),
            without_text=among_gold(gold, dict.fromkeys(headed, NO_TEXT)),
            units_without_text=len(corpus) - sum(texts.values()),
            rejected=sum(map(len, rejected.values())),
            jurisdictions=_jurisdictions(corpus),
            asked=_jurisdictions([evidence.questions[item.external_id] for item in gold.items]),
        )
        data = ExportData(
            gold=gold,
            judged=without_units(gold, {*outside, *headed}) if pairs.searchable_only else gold,
            rejected=_exported_rejections(rejected, texts, pairs),
            texts=texts,
            snapshot=snapshot,
            corpus=corpus,
            searched=searched,
            evidence=evidence,
            split=split,
            pending={item.external_id: item.pending for item in items if not item.settled},
        )
        about = (gold, snapshot, searched, sheet, split, evidence, people, names)
        return data, gold_datasheet(seen, session, project, *about)


def _exported_rejections(
    rejected: Mapping[str, Sequence[str]], texts: Mapping[str, bool], pairs: Pairs
) -> Mapping[str, Sequence[str]]:
    """Return the rejected units for the qrels: none, all, or those with text, as `pairs` says."""
    if pairs.positives_only:
        return {}
    if not pairs.searchable_only:
        return rejected
    found = {query: [u for u in units if texts.get(u)] for query, units in rejected.items()}
    return {query: units for query, units in found.items() if units}


def _jurisdictions(of: Sequence[Passage] | Sequence[Question]) -> dict[str, int]:
    """Count items per jurisdiction; empty where none is stated."""
    counts = Counter(each.jurisdiction for each in of)
    return dict(counts) if any(counts) else {}


def write_files(folder: Path, data: ExportData) -> None:
    """Write corpus, questions, judgements and lineage into a folder."""
    asked = [
        (data.evidence.questions[item.external_id], item.no_provision) for item in data.gold.items
    ]
    beir.write_corpus(folder / "corpus.jsonl", data.corpus)
    parts = None if data.split is None else data.split.parts
    beir.write_queries(folder / "queries.jsonl", asked, parts)
    for part, here in data.qrels_by_part.items():
        beir.write_qrels(folder / f"qrels/{part}.tsv", here)
    trec.write_qrels(folder / "qrels.trec", data.qrels)
    if none := data.zeros(no_provision=True):
        zeros = {query: dict.fromkeys(units, 0) for query, units in none.items()}
        beir.write_qrels(folder / NO_PROVISION, zeros)
    if passages := data.passages:
        beir.write_qrels(folder / PASSAGES, passages)
    marked = {unit for item in data.gold.items for unit in item.evidence}
    texts = {each.unit_id: each.text for each in data.corpus if each.unit_id in marked}
    write_lineage(
        folder / "gold.jsonl",
        (line for item in data.gold.items for line in _gold_lines(item, data, texts)),
    )


def _gold_lines(
    item: GoldItem, data: ExportData, texts: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield a line per gold or rejected unit of a question; without gold, one without a unit too.

    `relevance` is the grade of a gold unit, and 0 of one that everybody rejected. `snapshot` is the
    law it was decided on, `corpus_snapshot` the law of the benchmark, in which the unit has the
    same text. `searched` is whether the unit is in its corpus, `has_text` whether with its text:
    None where there is no unit or it is not in. `citations` are the strings of the official answer
    that led to the unit, `reason` is the adjudicator's. `decisions` are all decisions on the
    question in order of time, each with its own ``label`` for this unit. `inherited_from` is the
    parent of a question made of an option: the decisions are the parent's. `evidence` are the words
    that answer, where they were marked.
    """
    laws, name = data.evidence.laws, item.external_id
    snapshot = data.snapshot if item.snapshot_id is None else laws[item.snapshot_id]
    gold = data.gold.qrels[name].items() or [(None, None)]
    part = None if data.split is None else data.split.parts.get(name)
    inherited: dict[str, Any] = {}
    if item.inherited is not None:
        inherited = asdict(item.inherited) | {"person": item.inherited.person or "operator"}
        inherited["at"] = item.inherited.at.isoformat()
        del inherited["item_id"]
    for unit, relevance in (*gold, *((each, 0) for each in data.rejected.get(name, ()))):
        decisions = [_decision_json(entry, unit, laws) for entry in item.lineage]
        strings = [text for decision in decisions for text in decision["citations"]]
        yield {
            "question_id": name,
            "unit_id": unit,
            "relevance": relevance,
            "no_provision": item.no_provision,
            "outcome": item.outcome,
            "snapshot": snapshot_as_dict(snapshot),
            "corpus_snapshot": snapshot_as_dict(data.snapshot),
            "corpus_levels": list(map(str, data.searched.levels)),
            "searched": None if unit is None else unit in data.texts,
            "has_text": None if unit is None else data.texts.get(unit),
            "citations": list(dict.fromkeys(strings)),
            "reason": next((each.reason for each in reversed(item.lineage) if each.reason), ""),
            "decisions": decisions,
            **({"inherited_from": inherited} if inherited else {}),
            **({"split": part} if part else {}),
            **_evidence_json(item.evidence.get(unit or ""), texts.get(unit or "")),
        }


def _evidence_json(evidence: Mapping[str, Any] | None, text: str | None) -> dict[str, Any]:
    """Return the marked words of a label as JSON values, {} if there are none.

    The words themselves only of a unit in the corpus.
    """
    if evidence is None:
        return {}
    words = [
        {"start": start, "end": end} | ({} if text is None else {"text": text[start:end]})
        for start, end in evidence["spans"]
    ]
    return {"evidence": {"spans": words, "sha256": evidence["sha256"]}}


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
        **({"evidence": said.evidence} if said and said.evidence else {}),
    }
