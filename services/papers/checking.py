"""What a paper finds in a project before it runs: what is there, what is missing, what it costs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from evaluation.reports.report import Report, Section, Sheet, Words
from services.papers.needs import Needs, need_in_words
from services.papers.recipes import PaperTable, Recipe, Step
from services.papers.running import Execute, Reported, last_run
from storage.db.workspace import Workspace


def check_report(
    ws: Workspace,
    slug: str,
    recipe: Recipe,
    execute: Execute,
    language: str = "en",
    by: int | None = None,
) -> Report:
    """Report what each step and table of a paper lacks, and its cost.

    Raises UserError for an unknown project, and for `by` (None: the operator) who does not see
    scores. `execute` runs a step's estimating command and returns its report.
    """
    run = last_run(ws, slug, recipe.name, by)
    words, needs = Words("papers", language), Needs(ws, slug)
    rows = [
        {
            "step": step.step,
            "state": _readiness(needs.lacking(step.needs), words),
            "last": _last_outcome(made, words) if made else None,
            **_cost(step, needs, execute),
            "command": step.command,
        }
        for step in recipe.steps
        for made in (run.steps.get(step.step),)
    ]
    tables = [{"table": t.table, **_lacks(t, needs, words)} for t in recipe.tables]
    ready = sum(not needs.lacking(step.needs) for step in recipe.steps)
    sections = (
        Section("steps", words("steps"), Sheet.of(rows, words)),
        Section("tables", words("tables"), Sheet.of(tables, words)),
    )
    lead = words("check_lead", ready=ready, steps=len(rows), tables=len(tables))
    return Report(f"paper_check_{recipe.name}", recipe.title, sections, lead)


def _readiness(lacking: str, words: Words) -> str:
    """Return whether a step is ready, or what it lacks."""
    if not lacking:
        return words("step_state.ready")
    return words("step_state.not_run", reason=need_in_words(lacking, words.language))


def _last_outcome(made: Reported, words: Words) -> str:
    """Return the outcome of a step's last run."""
    if made.state == "not_run":
        return _readiness(made.reason, words)
    return words(f"step_state.{made.state}", reason=made.reason)


def _lacks(table: PaperTable, needs: Needs, words: Words) -> dict[str, object]:
    """Return the numbers of a table's rows and of those that lack something, and what they lack."""
    rows = [(name, (*table.needs, *row.needs)) for p in table.parts for name, row in p.rows.items()]
    lacking = {name: needs.lacking(wanted) for name, wanted in rows}
    reasons = dict.fromkeys(
        need_in_words(each, words.language) for each in lacking.values() if each
    )
    why = [table.without[words.language]] if table.without else list(reasons)
    return {
        "rows": len(lacking),
        "lacking": sum(bool(each) for each in lacking.values()),
        "why": "; ".join(why) or None,
    }


def _cost(step: Step, needs: Needs, execute: Execute) -> dict[str, Any]:
    """Run a step's estimating command, if any; return calls and tokens, None where not known."""
    if step.estimate is None or needs.lacking(step.needs):
        return {"calls": None, "tokens": None}
    found = execute(shlex.split(step.estimate))
    return {name: next(_named(found, name), None) for name in ("calls", "tokens")}


def _named(found: Mapping[str, Any], name: str) -> Iterator[float]:
    """Yield the numbers under a name anywhere in a report."""
    for key, value in found.items():
        if isinstance(value, Mapping):
            yield from _named(value, name)
        elif key == name and isinstance(value, int | float):
            yield value
