"""Command that prints the history of events."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from commands.shell.arguments import option
from commands.shell.groups import COMMANDS
from commands.shell.state import State
from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from annotation.history.entry import Entry


@COMMANDS.command("history")
def history(
    state: State,
    item: Annotated[str | None, option("Of this question, by its id.")] = None,
    person: Annotated[str | None, option("By or about this person.")] = None,
    kind: Annotated[
        list[str] | None,
        option("Of this kind, such as draft or draft.label; may be repeated."),
    ] = None,
    since: Annotated[str | None, option("From this day or time (UTC) on.")] = None,
    until: Annotated[str | None, option("Before this day or time (UTC).")] = None,
    limit: Annotated[int, option("Entries to print.", min=1)] = 50,
    output: Annotated[
        Path | None, option("Write all of them to this file: .jsonl or .csv.")
    ] = None,
) -> None:
    """Tell everything that happened, newest first: drafts, submissions, decisions, people, law."""
    from annotation.history.reading import filter_by_names, read
    from services.history.export import export_history

    ws, slug = state.chosen
    part = filter_by_names(
        ws,
        slug,
        item,
        person,
        kind or (),
        _parsed_time(since, "since"),
        _parsed_time(until, "until"),
    )
    if output is not None:
        count = export_history(ws, slug, output, part)
        state.emit(
            {"file": str(output), "entries": count}, [f"Wrote {count:,} entries to {output}."]
        )
        return
    page = read(ws, slug, part, limit=limit)
    lines = [_line(entry) for entry in page.entries]
    said = f"{len(page.entries):,} of {page.total:,} entries, newest first. Times are UTC."
    told = {"entries": [entry.as_dict() for entry in page.entries], "total": page.total}
    state.emit(told, [*lines, said])


def _line(entry: Entry) -> str:
    """Return an entry of the history as a line."""
    from services.history.words import in_words, what_in_words, who_in_words

    who = who_in_words(say, entry) + (f" → {entry.about}" if entry.about else "")
    said = [
        f"{entry.at:%Y-%m-%d %H:%M:%S}",
        f"{what_in_words(say, entry):<22}",
        f"{entry.item or '–':<12}",
        who,
        " · ".join(in_words(say, entry)),
    ]
    return "  ".join(said).rstrip()


def _parsed_time(value: str | None, field: str) -> datetime | None:
    """Parse an ISO time, by default in UTC; None for None. Raises UserError for another form."""
    if value is None:
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError as error:
        raise UserError("history_date", Where(field=field), value=value) from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)
