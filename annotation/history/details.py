"""Records of a history as entries with semantic ids and names instead of database ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import circumstances
from annotation.history.entry import PLAIN, Entry, migrations_of
from annotation.work.audits import public_payload
from annotation.work.carry_over import carries_draft_over, units_of, with_units_replaced
from annotation.work.submissions import origins_of
from storage.mcq.votes import voted_from_file
from storage.tables.cases import CaseImport, CaseSetting, CourtCase, QueryChoice, TypologyRow
from storage.tables.core import (
    Adjudication,
    AdjudicationLabel,
    Annotation,
    AnnotationAnswer,
    AnnotationLabel,
    CandidateRow,
    CandidateSet,
    DraftEvent,
    Item,
    Person,
    QuestionRow,
    RunRow,
    Settlement,
    Snapshot,
    UndoneDecision,
    UnitRow,
)
from storage.tables.exchange import ImportedFile, LabelFile
from storage.tables.mcq import Mcq, McqVote
from storage.tables.people import (
    AccountEvent,
    Batch,
    BatchEvent,
    Comment,
    Confidence,
    Document,
    DocumentMigration,
    KnownAnswer,
    PersonEvent,
    Referral,
)
from storage.tables.runs import (
    DatasheetAnswersRow,
    ExperimentRow,
    RunMark,
    SavedView,
    SearchLevels,
    SplitRow,
)
from storage.tasks import NAME

TABLES: Mapping[str, Any] = {
    "draft": DraftEvent,
    "submission": Annotation,
    "adjudication": Adjudication,
    "settlement": Settlement,
    "undone": UndoneDecision,
    "referral": Referral,
    "comment": Comment,
    "known_answer": KnownAnswer,
    "candidates": CandidateSet,
    "batch": BatchEvent,
    "person": PersonEvent,
    "account": AccountEvent,
    "guideline": Document,
    "migration": DocumentMigration,
    "snapshot": Snapshot,
    "run": RunRow,
    "run_mark": RunMark,
    "saved_view": SavedView,
    "experiment": ExperimentRow,
    "court_cases": CaseImport,
    "typology": TypologyRow,
    "case_query": QueryChoice,
    "suggestions": CaseSetting,
    "levels": SearchLevels,
    "split": SplitRow,
    "datasheet": DatasheetAnswersRow,
    "labels": LabelFile,
    "votes": McqVote,
    "verdicts": ImportedFile,
    "questions": ImportedFile,
}
_BY = (  # families whose rows have the actor in `by_person_id`
    *("person", "batch", "known_answer", "guideline", "migration"),
    *("typology", "case_query", "suggestions", "levels", "experiment", "run_mark"),
    *("split", "datasheet", "labels", "verdicts", "questions", "saved_view"),
)
_CHUNK = 500  # ids in one query


class Teller:
    """Converts records of one project to entries, resolving their references."""

    def __init__(self, session: Session, project_id: int) -> None:
        self._session = session
        people = select(Person).where(Person.project_id == project_id)
        rows = session.exec(people).all()
        self.names = {row.id: row.name for row in rows}
        self._owners = {row.account_id: row.name for row in rows if row.account_id is not None}
        items = select(Item.id, NAME).outerjoin(
            QuestionRow, col(QuestionRow.id) == Item.question_id
        )
        self.items = dict(session.exec(items.where(Item.project_id == project_id)).all())
        shots = select(Snapshot).where(Snapshot.project_id == project_id)
        self._snapshots = {row.id: row for row in session.exec(shots)}
        batches = select(Batch.id, Batch.name).where(Batch.project_id == project_id)
        self._batches = dict(session.exec(batches).all())
        made = select(DocumentMigration.id, DocumentMigration.by_person_id)
        found = session.exec(made.where(DocumentMigration.project_id == project_id))
        self._takers = {f"migration-{number}": person for number, person in found}
        self._units: dict[int, str] = {}

    def tell(self, records: Iterable[tuple[str, int, str]]) -> list[Entry]:
        """Return the entries of the records (family, id, kind), in that order."""
        wanted = list(records)
        rows: dict[tuple[str, int], Any] = {}
        for family in {family for family, _, _ in wanted}:
            ids = [number for name, number, _ in wanted if name == family]
            for row in self._by_ids(TABLES[family], TABLES[family].id, ids):
                rows[family, row.id] = row
        said = self._labels(wanted)
        for family, number, migration in self._migrated(wanted):
            said.setdefault((family, number), {})["migration"] = f"migration-{migration}"
        for family, number, origin in self._imported(wanted):
            said.setdefault((family, number), {})["imported"] = origin
        return [self._entry(*each, rows[each[0], each[1]], said) for each in wanted]

    def _by_ids(self, table: Any, column: Any, ids: list[int]) -> Iterable[Any]:
        """Yield the rows with these values of a column, a chunk a query."""
        for start in range(0, len(ids), _CHUNK):
            part = ids[start : start + _CHUNK]
            yield from self._session.exec(select(table).where(col(column).in_(part)))

    def _migrated(self, records: list[tuple[str, int, str]]) -> Iterable[tuple[str, int, int]]:
        """Yield the migrated drafts and submissions among them, and the migration."""
        for family in ("draft", "submission"):
            ids = [number for name, number, _ in records if name == family]
            for start in range(0, len(ids), _CHUNK):
                query = migrations_of(TABLES[family], ids[start : start + _CHUNK])
                yield from ((family, *row) for row in self._session.exec(query).all())  # type: ignore[call-overload]

    def _imported(
        self, records: list[tuple[str, int, str]]
    ) -> Iterable[tuple[str, int, dict[str, Any]]]:
        """Yield the imported drafts and submissions among them, with their origin."""
        for family in ("draft", "submission"):
            ids = [number for name, number, _ in records if name == family]
            for start in range(0, len(ids), _CHUNK):
                part = ids[start : start + _CHUNK]
                for number, (origin, by) in origins_of(self._session, TABLES[family], part).items():
                    yield family, number, origin.as_dict() | {"by": self.names.get(by)}

    def _labels(self, records: list[tuple[str, int, str]]) -> dict[tuple[str, int], dict[str, Any]]:
        """Return the labels of the submissions and decisions among them."""
        made = [number for family, number, _ in records if family == "submission"]
        decided = [number for family, number, _ in records if family == "adjudication"]
        sets = [number for family, number, _ in records if family == "candidates"]
        labels = list(self._by_ids(AnnotationLabel, AnnotationLabel.annotation_id, made))
        accepted = list(self._by_ids(AdjudicationLabel, AdjudicationLabel.adjudication_id, decided))
        self._load_unit_names([row.unit_id for row in (*labels, *accepted)])
        said: dict[tuple[str, int], dict[str, Any]] = {}
        for row in labels:
            at = said.setdefault(("submission", row.annotation_id), {})
            at.setdefault("labels", {})[self._units[row.unit_id]] = row.label
            if row.evidence:
                at.setdefault("evidence", {})[self._units[row.unit_id]] = row.evidence["spans"]
        for row in accepted:
            at = said.setdefault(("adjudication", row.adjudication_id), {})
            at.setdefault("units", []).append(self._units[row.unit_id])
        for row in self._by_ids(AnnotationAnswer, AnnotationAnswer.annotation_id, made):
            at = said.setdefault(("submission", row.annotation_id), {})
            at.setdefault("given", {})[row.field] = row.value
        for row in self._by_ids(Confidence, Confidence.annotation_id, made):
            said.setdefault(("submission", row.annotation_id), {})["confidence"] = row.value
        for family, number, *how in self._circumstances(records):
            true = zip(("own_label", "administrator"), map(bool, how), strict=True)
            said.setdefault((family, number), {}).update({name: True for name, is_ in true if is_})
        for row in self._by_ids(CandidateRow, CandidateRow.candidate_set_id, sets):
            at = said.setdefault(("candidates", row.candidate_set_id), {"candidates": 0})
            at["candidates"] += 1
        return said

    def _circumstances(
        self, records: list[tuple[str, int, str]]
    ) -> Iterator[tuple[str, int, bool, bool]]:
        """Yield (family, id, has the adjudicator labelled the item, is an administrator)"""
        for family, table in (("adjudication", Adjudication), ("settlement", Settlement)):
            ids = [number for name, number, _ in records if name == family]
            query = select(table.id, *circumstances(table))
            query = query.join(Person, col(Person.id) == table.person_id)
            for start in range(0, len(ids), _CHUNK):
                part = col(table.id).in_(ids[start : start + _CHUNK])
                for row in self._session.exec(query.where(part)):
                    yield (family, *row)

    def _load_unit_names(self, ids: list[int]) -> None:
        unknown = sorted({number for number in ids if number not in self._units})
        for start in range(0, len(unknown), _CHUNK):
            part = unknown[start : start + _CHUNK]
            query = select(UnitRow.id, UnitRow.semantic_id).where(col(UnitRow.id).in_(part))
            self._units |= {number or 0: name for number, name in self._session.exec(query)}

    def _entry(
        self,
        family: str,
        number: int,
        kind: str,
        row: Any,
        details: Mapping[tuple[str, int], dict[str, Any]],
    ) -> Entry:
        """Return a row as an entry of the history, with labels and units in order."""
        more = details.get((family, number), {})
        units = more.get("labels"), more.get("units")
        if units[0]:
            more = more | {"labels": dict(sorted(units[0].items()))}
        if units[1]:
            more = more | {"units": sorted(units[1])}
        person, about = self._who(family, row, more.get("migration"))
        file = self._file_of(row) if family == "votes" else None
        if file is not None:
            person = self.names.get(file.by_person_id)
        told = PLAIN[family](row) if family in PLAIN else _DETAILS[family](self, row)
        return Entry(
            key=f"{family}-{number}",
            at=row.created_at if hasattr(row, "created_at") else row.at,
            kind=f"{family}.{kind}",
            item=self.items.get(getattr(row, "item_id", None)),
            person=person,
            about=about,
            details=more | told,
            snapshot_id=getattr(row, "snapshot_id", None),
            signed=file is not None,
        )

    def _who(self, family: str, row: Any, migration: str | None) -> tuple[str | None, str | None]:
        """Return the names of the actor and of the person concerned."""
        if migration is not None:  # one person's answer, migrated by another
            return self.names.get(self._takers[migration]), self.names.get(row.person_id)
        about = self._owners.get(getattr(row, "account_id", 0))
        if family == "person":
            about = self.names.get(row.person_id)
        by = "by_person_id" if family in _BY else "person_id"
        return self.names.get(getattr(row, by, None)), about

    def _file_of(self, vote: McqVote) -> ImportedFile | None:
        """Return the file that a vote was imported with, None if not recorded."""
        project = select(Mcq.project_id).where(Mcq.id == vote.mcq_id).scalar_subquery()
        query = select(ImportedFile).where(
            ImportedFile.kind == "votes",
            ImportedFile.project_id == project,
            ImportedFile.at == vote.at,
        )
        return self._session.exec(query).first()

    def _draft(self, row: DraftEvent) -> dict[str, Any]:
        """Return the details of an act on a draft: unit, fields changed."""
        plain = dict(row.payload)
        unit = plain.pop("unit_id", None)
        plain.pop("candidate_set_id", None)
        plain.pop("migration_id", None)
        if "fields" in plain:
            changed = plain.pop("fields")
            plain["given"] = {field: said and said["now"] for field, said in changed.items()}
        if unit is not None:
            self._load_unit_names([unit])
            plain["unit"] = self._units.get(unit)
        if carries_draft_over(plain):
            self._load_unit_names([*units_of(plain)])
            plain = with_units_replaced(plain, lambda each: self._units[int(each)])
        return plain | ({"undoes": f"draft-{row.undoes_id}"} if row.undoes_id else {})

    def _common_fields(self, row: Annotation | Adjudication) -> dict[str, Any]:
        return {
            "no_provision": row.no_provision,
            "seconds": row.seconds,
            "snapshot": self._snapshots[row.snapshot_id].content_hash,
            "guideline": row.guideline_version,
            "codebook": row.codebook_version,
        }

    def _submission(self, row: Annotation) -> dict[str, Any]:
        """Return the details of a submission: comment, flag, the one it supersedes."""
        said = {"comment": row.comment, "flag": row.flag} | _superseded_record("submission", row)
        return self._common_fields(row) | said

    def _adjudication(self, row: Adjudication) -> dict[str, Any]:
        """Return the details of a decision: reason, submissions, the one it supersedes."""
        between = [f"submission-{number}" for number in row.annotation_ids]
        said = {"reason": row.reason, "submissions": between} | _superseded_record(
            "adjudication", row
        )
        return self._common_fields(row) | said

    def _candidates(self, row: CandidateSet) -> dict[str, Any]:
        """Return the details of a candidate set: method, snapshot, citations."""
        return {
            "method": row.method,
            "snapshot": self._snapshots[row.snapshot_id].content_hash,
            "citations": len(row.citations),
        }

    def _batch(self, row: BatchEvent) -> dict[str, Any]:
        """Return the details of a batch event, with names in place of ids."""
        known = self.names if row.kind == "people" else self.items
        named = {
            name: [known.get(each) for each in value] if isinstance(value, list) else value
            for name, value in public_payload(row.payload).items()
        }
        return {"batch": self._batches[row.batch_id]} | named

    def _case_query(self, row: QueryChoice) -> dict[str, Any]:
        query = select(CourtCase.external_id).where(CourtCase.id == row.court_case_id)
        return {"group": row.group_key, "case": self._session.exec(query).one()}

    def _run(self, row: RunRow) -> dict[str, Any]:
        """Return the details of a retrieval run: method, parameters, snapshot."""
        snapshot = self._snapshots[row.snapshot_id]
        return {"method": row.method, "params": row.params, "snapshot": snapshot.content_hash}

    def _experiment(self, row: ExperimentRow) -> dict[str, Any]:
        """Return the details of an experiment: number, name, snapshot, gold."""
        snapshot = self._snapshots[row.snapshot_id].content_hash
        on = {"snapshot": snapshot, "gold_hash": row.gold_hash}
        return {"experiment": row.number, "name": row.name} | on

    def _split(self, row: SplitRow) -> dict[str, Any]:
        """Return the details of a split: shares, seed, grouping."""
        asked = {name: row.recipe.get(name) for name in ("shares", "seed")}
        shares = dict(zip(("train", "dev", "test"), asked.pop("shares") or (), strict=False))
        said = {"number": row.number, "note": row.note, "split_by": row.recipe.get("by")}
        on = {"snapshot": self._snapshots[row.snapshot_id].content_hash, "gold_hash": row.gold_hash}
        return said | {"shares": shares} | asked | on

    def _votes(self, row: McqVote) -> dict[str, Any]:
        """Return the file of the vote, which is the first of its file."""
        file, _, digest = row.prompt_version.rpartition(" ")
        tools, models, count = voted_from_file(self._session, row)
        said = {"tool": tools, "models": models, "file": file, "content_hash": digest}
        return said | {"vote_count": count}


def _superseded_record(family: str, row: Annotation | Adjudication) -> dict[str, Any]:
    return {"supersedes": f"{family}-{row.supersedes_id}"} if row.supersedes_id else {}


_DETAILS: Mapping[str, Callable[[Teller, Any], dict[str, Any]]] = {
    "draft": Teller._draft,
    "submission": Teller._submission,
    "adjudication": Teller._adjudication,
    "candidates": Teller._candidates,
    "batch": Teller._batch,
    "run": Teller._run,
    "experiment": Teller._experiment,
    "case_query": Teller._case_query,
    "split": Teller._split,
    "votes": Teller._votes,
}
