"""Look-up of a whole label file in the project, before anything is stored.

Everything that a label names must exist in the project, and every answer is checked as if it were
given here, or the label is refused with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.exchange.foreign import read_labels
from annotation.exchange.foreign_tools import SHAPE_ERRORS
from annotation.exchange.label_states import load_states
from annotation.exchange.label_writing import Label, Planner
from annotation.people.roles import Act, reading_as
from errors import UserError, Where
from normalization import composed
from normalization.hashing import file_hash, json_hash
from services.exchange.label_guides import FormGuide, Guide, read_guide
from services.exchange.label_names import lookup_of
from storage.db.workspace import Workspace
from storage.tables.exchange import LabelFile
from storage.tasks import Task

_AT_ONCE = 500  # labels per look-up
_SAMPLES = 3


@dataclass(frozen=True, slots=True)
class LabelsReport:
    """Numbers of labels submitted, left as drafts, discarded; `already` existed before.

    `changed` are those among the first three that replaced an earlier file's. `begun` were skipped
    because their person has begun the question here. `refused` were left out as requested, with
    errors. `waiting` are those that a stopped import has not reached.
    """

    submitted: int = 0
    drafts: int = 0
    skipped: int = 0
    already: int = 0
    changed: int = 0
    begun: int = 0
    refused: tuple[UserError, ...] = ()
    waiting: int = 0

    @classmethod
    def of(
        cls, counts: Counter[str], refused: Iterable[UserError], waiting: int = 0
    ) -> LabelsReport:
        """Return the report on labels counted by their effect."""
        made = counts["submitted"], counts["draft"], counts["discarded"]
        skipped = counts["already"], counts["changed"], counts["begun"]
        return cls(*made, *skipped, tuple(refused), waiting)

    @property
    def new(self) -> int:
        """Number of labels imported, or to import: submitted, drafts and discarded ones."""
        return self.submitted + self.drafts + self.skipped

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        counts = {name: getattr(self, name) for name in LabelsReport.__slots__ if name != "refused"}
        return counts | {"refused": [each.as_dict() for each in self.refused]}


@dataclass(frozen=True, slots=True)
class LabelImport:
    """A looked-up file: the expected report, and the labels to import.

    Nothing is stored yet. `report` counts what would be imported, with every unfit label; `file` is
    the file's row. `samples` are the first labels as a reader would see them, by field.
    """

    project_slug: str
    file: LabelFile
    jobs: tuple[Label, ...]
    report: LabelsReport
    by: int | None
    samples: tuple[tuple[Label, Mapping[str, str]], ...] = ()


def look_up(
    ws: Workspace,
    project_slug: str,
    file: Path,
    tool: str,
    guide: Path | Guide | FormGuide,
    by: int | None = None,
    task: str = Task.CITATION_MAPPING,
) -> LabelImport:
    """Preview the import of a file, without changing anything.

    Raises UserError for `by` without permission, for a file or guide that cannot be read, and for a
    guide that is of another kind of task. Unfit labels are in the report: of another shape than the
    tool's, with an unknown item, person, choice or unit, with answers that the task does not take,
    or for an item without room or with final answers.
    """
    with reading_as(ws, project_slug, by, Act.IMPORT_LABELS) as (session, project, _):
        said = read_guide(guide) if isinstance(guide, Path) else guide
        names = lookup_of(session, project, said, task)
        labels = read_labels(file, tool, said.fields)
        refused, jobs = list(labels.unread), list[Label]()
        for label in labels.read:
            try:
                jobs.append(names.job(label))
            except UserError as error:
                error.where = _placed(error.where, label.where)
                refused.append(error)
            except SHAPE_ERRORS:
                refused.append(UserError("labels_shape", label.where, tool=tool))
        planner, counts, fit = Planner(session, project.id), Counter[str](), list[Label]()
        for place in range(0, len(jobs), _AT_ONCE):
            some = jobs[place : place + _AT_ONCE]
            states = load_states(session, {job.key for job in some}, ws.clock())
            fit += [job for job, _ in planner.sort_out(some, states, counts, refused)]
        samples = tuple((job, names.shown(job)) for job in fit[:_SAMPLES])
    about = LabelFile(
        project_id=project.id,
        tool=tool,
        name=composed(file.name),
        sha256=_content_hash(file),
        guide_sha256=said.sha256(task),
        labels=len(fit),
        by_person_id=by,
        at=ws.clock(),
    )
    report = LabelsReport.of(counts, sorted(refused, key=_sort_key))
    return LabelImport(project_slug, about, tuple(fit), report, by, samples)


def _content_hash(path: Path) -> str:
    """Return the hash of a file, or of all files in a folder with their names."""
    if not path.is_dir():
        return file_hash(path)
    files = sorted(each for each in path.rglob("*") if each.is_file())
    return json_hash([[each.relative_to(path).as_posix(), file_hash(each)] for each in files])


def _placed(within: Where, record: Where) -> Where:
    """Return the record's place with the field's path joined, such as ``[3].relevance``."""
    names = dict.fromkeys(filter(None, (record.field, within.field)))
    return Where(record.file, record.line, ".".join(names) or None)


def _sort_key(error: UserError) -> tuple[int, str]:
    """Return the sort key of an error: its line or record number, then its field."""
    field = error.where.field or ""
    number = field.partition("]")[0].removeprefix("[")
    return error.where.line or (int(number) if number.isdigit() else 0), field
