"""Marks on runs: retired, restored, tagged, untagged, noted.

A run never changes and none is deleted; each mark is an event, and so is taking it back. A retired
run is hidden from the leaderboard by default and counted there.
"""

from __future__ import annotations

from collections.abc import Sequence

from annotation.people.roles import Act, writing_as
from annotation.work.submissions import checked_text, says_something
from errors import UserError, Where
from messages import say
from storage.db.workspace import Workspace
from storage.runs.run_store import Mark, RunMarks, keep_mark, list_runs, marks_of

TAG_CHARACTERS = 40
MOST_TAGS = 20  # of a run
NOTE_CHARACTERS = 2_000


def mark_runs(
    ws: Workspace,
    project_slug: str,
    run_ids: Sequence[int],
    mark: Mark,
    text: str = "",
    by: int | None = None,
) -> tuple[int, ...]:
    """Mark runs of the project; return those that this changes, in their order.

    `text` is why they are retired, the tag, or the note, "" for none. Raises UserError for an
    unknown run, a text that is too long, a tag that is blank or has a comma or a line break in it,
    where a run would have more than MOST_TAGS, and for `by` (None: the operator) who may not run
    retrieval; then none is marked.
    """
    if mark in ("tagged", "untagged"):
        said = checked_tag(text)
    else:
        said = checked_text(text, "reason" if mark == "retired" else "note", NOTE_CHARACTERS)
    with writing_as(ws, project_slug, by, Act.RUN_RETRIEVAL) as (session, project, _):
        known = {run.id for run in list_runs(session, project.id)}
        wanted = list(dict.fromkeys(run_ids))
        if unknown := [run for run in wanted if run not in known]:
            raise UserError("run_unknown", run=unknown[0])
        now = marks_of(session, wanted)
        changed = [run for run in wanted if _changes(now.get(run, RunMarks()), mark, said)]
        for run in changed:
            keep_mark(session, run, mark, said, by, ws.clock())
    return tuple(changed)


def _changes(now: RunMarks, mark: Mark, text: str) -> bool:
    """Return True if a mark changes those of a run. Raises UserError for one tag too many."""
    if mark in ("retired", "restored"):
        return now.retired is (mark == "restored")
    if mark == "noted":
        return now.note != text
    if mark == "tagged" and text not in now.tags and len(now.tags) >= MOST_TAGS:
        raise UserError("run_tags_full", Where(field="tag"), limit=MOST_TAGS)
    return (text in now.tags) is (mark == "untagged")


def checked_tag(text: str) -> str:
    """Return the normalised tag. Raises UserError for an invalid one."""
    name = " ".join(checked_text(text, "tag", TAG_CHARACTERS).split())
    if not says_something(name) or "," in name:
        raise UserError("run_tag", Where(field="tag"))
    return name


def marked_lines(
    mark: str, runs: Sequence[int], changed: Sequence[int], language: str = "en"
) -> list[str]:
    """Return which of `runs` were marked, and which had the mark already, as text."""
    before = [run for run in dict.fromkeys(runs) if run not in changed]
    return [
        say(f"run_marks.{key}", language, count=len(those), runs=", ".join(map(str, those)))
        for key, those in ((f"done.{mark}", changed), ("as_before", before))
        if those
    ]
