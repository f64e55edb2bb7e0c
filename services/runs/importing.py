"""Import of TREC run files of other systems, scored beside the project's own runs.

The order of a ranking is TREC's (score, then rank, then id). Every ranking of a project question is
stored, judged or not; a question missing from the file is not part of the run. Rankings are cut at
MAX_DEPTH units.

A unit the snapshot lacks, or a question the project lacks, is refused with its line, or skipped and
counted on request: "skip" closes the ranks behind an unknown unit, "keep" leaves it in place as not
relevant, as in the other system's own evaluation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from annotation.people.roles import Act, allow
from corpus.natural_order import in_natural_order
from corpus.run import deepest
from errors import UserError, Where, require_known
from messages import say
from normalization import composed
from normalization.hashing import file_hash
from retrieval.core.model import MAX_DEPTH
from services.gold.gold_set import chosen_snapshot
from services.runs.methods.preparation import DEPTH, IMPORTED, VERSION
from services.runs.scoring import score_run
from storage.db.workspace import Workspace
from storage.export.trec import RankedUnit, as_field, read_rankings
from storage.law.corpus import load_questions, unit_ids
from storage.projects import find_project
from storage.runs.experiments import RecordView, keep_record
from storage.runs.run_store import Ranking, RunKey, extend_run, find_run, keep_run

NAME_CHARACTERS = 80
_VERSION = "1"
_NAMED = 5  # questions named in an error

UNKNOWN = ("refuse", "skip", "keep")  # what becomes of unknown questions and units
_Rankings = Mapping[str, Sequence[RankedUnit]]


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of what was imported from a run file and what was left out.

    Of the project's questions, `questions` are in the file and `not_in_file` are not. Left out were
    the file's questions that the project lacks (`unknown_questions`), and `cut` units beyond
    MAX_DEPTH. `unknown_units` counts ranks held by a unit that the snapshot lacks.
    """

    questions: int
    not_in_file: int
    unknown_questions: int
    unknown_units: int
    cut: int


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported run; `was_there` if it had been imported before."""

    run_id: int
    label: str
    counts: Counts
    was_there: bool

    def lines(self, language: str = "en") -> list[str]:
        """Describe the import: the run, then what was left out."""
        counts, kept = asdict(self.counts), "there" if self.was_there else "brought"
        named = {"run": self.run_id, "name": self.label, "count": counts.pop("questions")}
        left_out = [(name, count) for name, count in counts.items() if count]
        return [
            say(f"run_files.{kept}", language, **named),
            *(say(f"run_files.{name}", language, count=count) for name, count in left_out),
        ]


@dataclass(frozen=True, slots=True)
class _Known:
    """Questions and units of the project, keyed by their form in a TREC file."""

    questions: Mapping[str, str]
    units: Mapping[str, str]


def import_run(
    ws: Workspace,
    project_slug: str,
    file: Path,
    name: str = "",
    *,
    unknown: str = "refuse",
    snapshot_id: int | None = None,
    file_name: str | None = None,
    by: int | None = None,
) -> Imported:
    """Import a TREC run file as a run on a snapshot, by default the one in use.

    `name` is the run's label, by default the file's own tag; `file_name` is used in errors. The
    same file under the same name is stored once; rankings of questions added since are appended.
    Raises UserError for `by` (None: the operator) who may not run retrieval, a name that is too
    long, and, naming file and line, for whatever cannot be read or is unknown under "refuse", and
    for a file without any question of the project.
    """
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    require_known("run_unknown_rule", UNKNOWN, rule=unknown)
    snapshot = chosen_snapshot(ws, project_slug, snapshot_id).id
    place = str(file) if file_name is None else file_name
    rankings, digest = read_rankings(file, place), file_hash(file)
    label = _label(name, rankings)
    with ws.reading() as session:
        project = find_project(session, project_slug)
        asked = [*load_questions(session, project.id)]
        known = _Known(_ids_by_field(asked), _ids_by_field(unit_ids(session, snapshot)))
    if unknown == "refuse":
        _refuse_unknown(rankings, known, place)
    answers, counts = _known_rankings(rankings, known, keep=unknown == "keep")
    if not counts.questions:
        theirs, ours = (
            ", ".join(in_natural_order(e)[:_NAMED]) for e in (rankings, known.questions)
        )
        where, count = Where(place, field="query"), len(known.questions)
        raise UserError("run_no_question", where, count=count, theirs=theirs, ours=ours)
    depth = min(MAX_DEPTH, deepest(rankings) or 0)
    params = {"name": label, "sha256": digest, "unknown": unknown, DEPTH: depth}
    key = RunKey(project.id, snapshot, IMPORTED, params | {VERSION: _VERSION}, "")
    about = {"file": Path(place).name, "sha256": digest} | asdict(counts)
    record = RecordView(label, "imported", about, by_person_id=by)
    with ws.writing() as session:
        there = find_run(session, key)
        run = there or keep_run(session, key, answers, ws.clock())
        extend_run(session, run, answers, key.params)
        keep_record(session, run, record, ws.clock())
    score_run(ws, run, measures=())  # kept on disk, so that the leaderboard only reads it
    return Imported(run, label, counts, there is not None)


def _label(name: str, rankings: _Rankings) -> str:
    """Return the label of an imported run: its name, or the tag in the file."""
    tags = (unit.tag for ranking in rankings.values() for unit in ranking)
    label = composed(" ".join(name.split())) or next(tags)[:NAME_CHARACTERS]
    if len(label) > NAME_CHARACTERS:
        raise UserError("run_name_long", limit=NAME_CHARACTERS)
    return label


def _ids_by_field(ids: Iterable[str]) -> dict[str, str]:
    """Map ids as trec_eval writes them to ids."""
    return {as_field(each): each for each in ids}


def _refuse_unknown(rankings: _Rankings, known: _Known, file: str) -> None:
    """Raise UserError for the first line that names an unknown question or unit."""
    strangers = [
        (unit.line, query, unit.unit)
        for query, ranking in rankings.items()
        for unit in ranking
        if query not in known.questions or unit.unit not in known.units
    ]
    if not strangers:
        return
    line, query, unit = min(strangers)
    if query not in known.questions:
        raise UserError("run_query_unknown", Where(file, line, "query"), query=query)
    count = len(strangers)
    raise UserError("run_unit_unknown", Where(file, line, "unit"), unit=unit, count=count)


def _known_rankings(
    rankings: _Rankings, known: _Known, *, keep: bool
) -> tuple[dict[str, Ranking], Counts]:
    """Return the rankings of known questions with counts; unknown units stay only with `keep`."""
    answers: dict[str, Ranking] = {}
    unknown_units = cut = 0
    named = rankings.keys() & known.questions.keys()
    for field in sorted(named):
        kept = [
            (known.units.get(each.unit, each.unit), each.score)
            for each in rankings[field]
            if keep or each.unit in known.units
        ]
        unknown_units += sum(each.unit not in known.units for each in rankings[field])
        cut += max(0, len(kept) - MAX_DEPTH)
        answers[known.questions[field]] = kept[:MAX_DEPTH]
    return answers, Counts(
        questions=len(named),
        not_in_file=len(known.questions) - len(named),
        unknown_questions=len(rankings) - len(named),
        unknown_units=unknown_units,
        cut=cut,
    )
