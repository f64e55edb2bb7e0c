"""Marks on runs: retired, restored, tagged, noted.

A run never changes and none is deleted; each mark is an event, and so is taking it back. A retired
run is hidden from the leaderboard by default and counted there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from annotation.people.roles import Act, writing_as
from annotation.work.submissions import checked_text, says_something
from errors import UserError, Where
from messages import say
from storage.db.workspace import Workspace
from storage.runs.run_store import Mark, RunMarks, keep_mark, list_runs, marks_of

TAG_CHARACTERS = 40
MOST_TAGS = 20  # of a run
NOTE_CHARACTERS = 2_000

_Said = Callable[[RunMarks], bool]


def retire(
    ws: Workspace, project_slug: str, run_ids: Sequence[int], why: str = "", by: int | None = None
) -> tuple[int, ...]:
    """Retire runs of the project; return those that were not retired before, in their order.

    Raises UserError for an unknown run, a reason that is too long, and for `by` (None: the
    operator) who may not run retrieval; then none is retired.
    """
    reason = checked_text(why, "reason", NOTE_CHARACTERS)
    return _marked(ws, project_slug, run_ids, "retired", reason, by, lambda now: not now.retired)


def restore(
    ws: Workspace, project_slug: str, run_ids: Sequence[int], by: int | None = None
) -> tuple[int, ...]:
    """Restore retired runs; return those that were retired. Raises UserError as `retire`."""
    return _marked(ws, project_slug, run_ids, "restored", "", by, lambda now: now.retired)


def tag(
    ws: Workspace, project_slug: str, run_ids: Sequence[int], text: str, by: int | None = None
) -> tuple[int, ...]:
    """Tag runs; return those that did not have the tag.

    Raises UserError as `retire` does, for a tag that is blank, too long or has a comma or a line
    break in it, and where a run would have more than MOST_TAGS.
    """
    name = checked_tag(text)

    def lacks(now: RunMarks) -> bool:
        """Return True if a run lacks the tag. Raises UserError if it has too many."""
        if name not in now.tags and len(now.tags) >= MOST_TAGS:
            raise UserError("run_tags_full", Where(field="tag"), limit=MOST_TAGS)
        return name not in now.tags

    return _marked(ws, project_slug, run_ids, "tagged", name, by, lacks)


def untag(
    ws: Workspace, project_slug: str, run_ids: Sequence[int], text: str, by: int | None = None
) -> tuple[int, ...]:
    """Remove a tag from runs; return those that had it. Raises UserError as `tag` does."""
    name = checked_tag(text)
    return _marked(ws, project_slug, run_ids, "untagged", name, by, lambda now: name in now.tags)


def note(ws: Workspace, project_slug: str, run_id: int, text: str, by: int | None = None) -> bool:
    """Set the note of a run, "" for none; return True if it changed.

    Raises UserError as `retire` does, and for a note that is too long.
    """
    said = checked_text(text, "note", NOTE_CHARACTERS)
    return bool(_marked(ws, project_slug, [run_id], "noted", said, by, lambda n: n.note != said))


def checked_tag(text: str) -> str:
    """Return the normalised tag. Raises UserError for an invalid one."""
    name = " ".join(checked_text(text, "tag", TAG_CHARACTERS).split())
    if not says_something(name) or "," in name:
        raise UserError("run_tag", Where(field="tag"))
    return name


def _marked(
    ws: Workspace,
    project_slug: str,
    run_ids: Sequence[int],
    mark: Mark,
    text: str,
    by: int | None,
    changes: _Said,
) -> tuple[int, ...]:
    """Store a mark for the runs it changes; return these. Raises UserError for unknown ones."""
    with writing_as(ws, project_slug, by, Act.RUN_RETRIEVAL) as (session, project, _):
        known = {run.id for run in list_runs(session, project.id)}
        wanted = list(dict.fromkeys(run_ids))
        if unknown := [run for run in wanted if run not in known]:
            raise UserError("run_unknown", run=unknown[0])
        now = marks_of(session, wanted)
        changed = [run for run in wanted if changes(now.get(run, RunMarks()))]
        for run in changed:
            keep_mark(session, run, mark, text, by, ws.clock())
    return tuple(changed)


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
