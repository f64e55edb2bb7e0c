"""What a table of runs has to say of what they searched, and of the gold that they did not."""

from __future__ import annotations

from collections.abc import Sequence

from messages import say
from services.runs.significance import RunScores


def searched_notes(runs: Sequence[RunScores], language: str = "en") -> list[str]:
    """Return the sentences; none for runs that all came from files."""
    return [*_searched(runs, language), *_missed(runs, language), *_added(runs, language)]


def _searched(runs: Sequence[RunScores], language: str) -> list[str]:
    """Say what was searched: once where it is the same of all runs that say so, else by run."""
    known = [run for run in runs if run.line.searched.levels is not None]
    if len({run.line.searched for run in known}) == 1:
        return [say("levels.searched_note", language, levels=known[0].line.searched.say(language))]
    told = "; ".join(f"{run.label} ({run.line.searched.say(language)})" for run in known)
    return [say("levels.differ_note", language, runs=told)] if told else []


def _missed(runs: Sequence[RunScores], language: str) -> list[str]:
    """Say which gold was not searched: once where it is the same of all runs, else by run."""
    outside = [(run.label, run.not_searched) for run in runs if run.not_searched is not None]
    some = [(label, each) for label, each in outside if each.units]
    if some and len(some) == len(outside) and all(each == some[0][1] for _, each in some):
        return [say("levels.missed_note", language, **some[0][1].counted(language))]
    return [
        say("levels.missed_by_note", language, run=label, **each.counted(language))
        for label, each in some
    ]


def _added(runs: Sequence[RunScores], language: str) -> list[str]:
    labels = ", ".join(run.label for run in runs if run.line.searched.gold_added)
    return [say("levels.gold_added_note", language, runs=labels)] if labels else []
