"""What several commands say of the same results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from services.gold.search_coverage import NotSearched, Searched
    from services.law.activation import Outcome
    from services.runs.rows import Unanswered


def searched_lines(searched: Searched, outside: NotSearched | None) -> list[str]:
    """Return the words that say what a run searched, and which gold it did not."""
    lines = [say("levels.searched_note", levels=searched.say())]
    if outside is not None and outside.units:
        lines.append(say("levels.missed_note", **outside.counted()))
    return lines


def searched_json(searched: Searched, outside: NotSearched | None) -> dict[str, Any]:
    """Return the same as JSON values."""
    counts = None if outside is None else outside.as_dict()
    return {"searched": searched.code, "not_searched": counts}


def unanswered_lines(model: Unanswered) -> list[str]:
    """Return the words that say how often a language model was of no use; none without any."""
    if not model.total:
        return []
    why = f"{model.refused} refused, {model.invalid} unreadable, {model.failed} failed"
    return [
        f"The model said nothing usable in {model.total} of {model.asked} calls ({why}); "
        "there the plain question was searched."
    ]


def outcome_lines(outcome: Outcome | None) -> list[str]:
    """Say what other law in use means, and which commands go on from there."""
    if outcome is None:
        return []
    lines = outcome.lines()
    if outcome.to_check.questions:
        lines.append("`touchstone.py compare` lists what is to be checked again.")
    if outcome.to_check.lacking:
        lines.append("`touchstone.py candidates` makes the candidates that are lacking.")
    return lines


def check_ending(output: Path | None) -> None:
    """Raise UserError for a file of a report that is neither CSV nor Markdown by its name."""
    if output is not None and output.suffix.lower() not in (".csv", ".md"):
        raise UserError("report_ending", Where(file=str(output)))


def write_text(file: Path, text: str) -> None:
    """Write what somebody asked for to a file. Raises UserError where that cannot be."""
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError("report_unwritable", Where(file=str(file))) from error
