"""Records of a history as entries with semantic ids and names instead of database ids."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlmodel import Session, select

from annotation.adjudication.decisions import circumstances
from annotation.history.entry import PLAIN, TABLES, Entry, migrations_of, named_keys, supersedes
from annotation.work.audits import public_payload
from annotation.work.carry_over import carries_draft_over, units_of, with_units_replaced
from annotation.work.submissions import origins_of
from normalization.grouping import grouped
from storage.db.rows import rows_with
from storage.mcq.votes import voted_from_file
from storage.tables.cases import CourtCase, QueryChoice
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
    Snapshot,
    UnitRow,
)
from storage.tables.exchange import ImportedFile
from storage.tables.mcq import Mcq, McqVote
from storage.tables.people import (
    Batch,
    BatchEvent,
    Confidence,
    DocumentMigration,
)
from storage.tables.runs import (
    ExperimentRow,
    SplitRow,
)
from storage.tasks import NAME


class Teller:
    """Converts records of one project to entries, resolving their references."""

    def __init__(self, session: Session, project_id: int) -> None:
        self._session = session
        people = select(Person).where(Person.project_id == project_id)
        rows = session.exec(people).all()
        self.names = {row.id: row.name for row in rows}
        self._owners = {row.account_id: row.name for row in rows if row.account_id is not None}
        items = select(Item.id, NAME).outerjoin(QuestionRow)
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
        ids = grouped((family, number) for family, number, _ in wanted)
        rows = {
            (family, row.id): row
            for family, numbers in ids.items()
            for row in self._rows(TABLES[family], TABLES[family].id, numbers)
        }
        more = self._related(ids)
        return [self._entry(*each, rows[each[:2]], more[each[:2]]) for each in wanted]

    def _rows(self, table: Any, column: Any, ids: Iterable[int]) -> Iterator[Any]:
        """Yield the rows of a table with these values of a column."""
        return rows_with(self._session, select(table), column, ids)

    def _related(
        self, ids: Mapping[str, Sequence[int]]
    ) -> Mapping[tuple[str, int], dict[str, Any]]:
        """Return the details of records that stand in other tables, by family and id."""
        found: dict[tuple[str, int], dict[str, Any]] = defaultdict(dict)
        made, decided = ids.get("submission", ()), ids.get("adjudication", ())
        labels = list(self._rows(AnnotationLabel, AnnotationLabel.annotation_id, made))
        accepted = list(self._rows(AdjudicationLabel, AdjudicationLabel.adjudication_id, decided))
        self._load_unit_names([row.unit_id for row in (*labels, *accepted)])
        for row in sorted(labels, key=lambda row: self._units[row.unit_id]):
            at, unit = found["submission", row.annotation_id], self._units[row.unit_id]
            at.setdefault("labels", {})[unit] = row.label
            if row.evidence:
                at.setdefault("evidence", {})[unit] = row.evidence["spans"]
        for row in sorted(accepted, key=lambda row: self._units[row.unit_id]):
            units = found["adjudication", row.adjudication_id].setdefault("units", [])
            units.append(self._units[row.unit_id])
        for row in self._rows(AnnotationAnswer, AnnotationAnswer.annotation_id, made):
            found["submission", row.annotation_id].setdefault("given", {})[row.field] = row.value
        for row in self._rows(Confidence, Confidence.annotation_id, made):
            found["submission", row.annotation_id]["confidence"] = row.value
        shown = self._rows(CandidateRow, CandidateRow.candidate_set_id, ids.get("candidates", ()))
        for number, count in Counter(row.candidate_set_id for row in shown).items():
            found["candidates", number]["candidates"] = count
        self._add_circumstances(ids, found)
        return found

    def _add_circumstances(
        self, ids: Mapping[str, Sequence[int]], details: Mapping[tuple[str, int], dict[str, Any]]
    ) -> None:
        """Add in which role something was decided, and what was migrated or imported."""
        for family in ("adjudication", "settlement"):
            table = TABLES[family]
            query = select(table.id, *circumstances(table))
            query = query.join(Person)
            for number, *how in rows_with(self._session, query, table.id, ids.get(family, ())):
                marks = zip(("own_label", "administrator"), how, strict=True)
                details[family, number].update({name: True for name, holds in marks if holds})
        for family in ("draft", "submission"):
            table, numbers = TABLES[family], ids.get(family, ())
            for number, by in rows_with(self._session, migrations_of(table), table.id, numbers):
                details[family, number]["migration"] = f"migration-{by}"
            for number, (origin, by) in origins_of(self._session, table, numbers).items():
                imported = origin.as_dict() | {"by": self.names.get(by)}
                details[family, number]["imported"] = imported

    def _load_unit_names(self, ids: list[int]) -> None:
        query = select(UnitRow.id, UnitRow.semantic_id)
        unknown = {number for number in ids if number not in self._units}
        self._units |= dict(rows_with(self._session, query, UnitRow.id, unknown))

    def _entry(
        self, family: str, number: int, kind: str, row: Any, more: Mapping[str, Any]
    ) -> Entry:
        """Return a row as an entry of the history, with `more` details from other tables."""
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
            details={**more, **told},
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
        by = getattr(row, "by_person_id", getattr(row, "person_id", None))
        return self.names.get(by), about

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

    def _law_of(self, row: Any) -> str:
        """Return the content hash of the snapshot that a row names."""
        return self._snapshots[row.snapshot_id].content_hash

    def _common_fields(self, row: Annotation | Adjudication) -> dict[str, Any]:
        return {
            "no_provision": row.no_provision,
            "seconds": row.seconds,
            "snapshot": self._law_of(row),
            "guideline": row.guideline_version,
            "codebook": row.codebook_version,
        }

    def _submission(self, row: Annotation) -> dict[str, Any]:
        """Return the details of a submission: comment, flag, the one it supersedes."""
        said = {"comment": row.comment, "flag": row.flag}
        return self._common_fields(row) | said | supersedes("submission", row)

    def _adjudication(self, row: Adjudication) -> dict[str, Any]:
        """Return the details of a decision: reason, submissions, the one it supersedes."""
        said = {"reason": row.reason, "submissions": named_keys(row)}
        return self._common_fields(row) | said | supersedes("adjudication", row)

    def _candidates(self, row: CandidateSet) -> dict[str, Any]:
        """Return the details of a candidate set: method, snapshot, citations."""
        law = self._law_of(row)
        return {"method": row.method, "snapshot": law, "citations": len(row.citations)}

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
        return {"method": row.method, "params": row.params, "snapshot": self._law_of(row)}

    def _experiment(self, row: ExperimentRow) -> dict[str, Any]:
        """Return the details of an experiment: number, name, snapshot, gold."""
        on = {"snapshot": self._law_of(row), "gold_hash": row.gold_hash}
        return {"experiment": row.number, "name": row.name} | on

    def _split(self, row: SplitRow) -> dict[str, Any]:
        """Return the details of a split: shares, seed, grouping."""
        asked = {name: row.recipe.get(name) for name in ("shares", "seed")}
        shares = dict(zip(("train", "dev", "test"), asked.pop("shares") or (), strict=False))
        said = {"number": row.number, "note": row.note, "split_by": row.recipe.get("by")}
        on = {"snapshot": self._law_of(row), "gold_hash": row.gold_hash}
        return said | {"shares": shares} | asked | on

    def _votes(self, row: McqVote) -> dict[str, Any]:
        """Return the details of a file of votes, by the first vote of it."""
        file, _, digest = row.prompt_version.rpartition(" ")
        tools, models, count = voted_from_file(self._session, row)
        said = {"tool": tools, "models": models, "file": file, "content_hash": digest}
        return said | {"vote_count": count}


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
