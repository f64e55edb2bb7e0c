"""Texts of the overview: table cells of the page, and lines of the command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluation.agreement.interpretation import Kind, kind_of
from messages import catalogue, say
from services.overview.progress import DAYS, LastRun, WorkLine
from services.overview.report import AgreementLine, Overview

NOTHING = "–"


def task_name(line: WorkLine | AgreementLine, language: str) -> str:
    """Return the display name of a task."""
    return say(f"tasks.{line.task}", language)


def batch_name(line: WorkLine, language: str) -> str:
    """Return the display name of a batch, marking practice."""
    return say("overview.practice", language, batch=line.batch) if line.practice else line.batch


def people_said(line: WorkLine) -> str:
    """Return each person's number of submissions, most first."""
    return ", ".join(f"{each.person} {each.submitted:,}" for each in line.people)


def pace_said(line: WorkLine, language: str) -> str:
    """Return the pace with one digit, or that there is too little data."""
    if line.pace is not None:
        return f"{line.pace:.1f}"
    return say("overview.too_little", language) if line.begun else NOTHING


def end_said(line: WorkLine, language: str) -> str:
    """Return the projected end date, 'finished' or a dash."""
    if not line.left:
        return say("overview.finished", language)
    return NOTHING if line.end is None else line.end.isoformat()


def deadline_said(line: WorkLine, language: str) -> str:
    """Return the deadline, and whether it is past or will be missed."""
    if line.deadline is None:
        return ""
    day = line.deadline.date().isoformat()
    if line.state == "late":
        return say("overview.late", language, date=day)
    return say("overview.will_miss", language, date=day) if line.misses else day


def figure_said(line: AgreementLine, language: str) -> str:
    """Format a figure with its interval and n."""
    words = f"({line.figure.text()})" if line.figure.weak else line.figure.text()
    return say("overview.figure_n", language, figure=words, n=f"{line.figure.n:,}")


def figure_columns(lines: Sequence[AgreementLine], language: str) -> dict[str, list[str]]:
    """Return a column of figures per kind, as error rates and kappas are not comparable.

    All `lines` have a statistic.
    """
    kinds = [kind_of(line.statistic or "") for line in lines]
    return {
        say(f"agreement.column.{kind}", language): [
            figure_said(line, language) if own is kind else ""
            for line, own in zip(lines, kinds, strict=True)
        ]
        for kind in Kind
        if kind in kinds
    }


def statistic_said(line: AgreementLine, language: str) -> str:
    """Return the name of the statistic, and of the field for several; "" without one."""
    if line.statistic is None:
        return ""
    name = say(f"statistics.name.{line.statistic}", language)
    if line.fields < 2 or not line.field:
        return name
    field = (line.labels or {}).get(language) or _field_name(line.field, language)
    return f"{name} ({say('overview.least_of', language, field=field, fields=f'{line.fields:,}')})"


def no_interval_said(agreement: Sequence[AgreementLine], language: str) -> str:
    """Return the distinct reasons for missing intervals; "" where all have one."""
    figures = [line.figure for line in agreement if line.statistic is not None]
    keys = ("no_interval_one" if f.n < 2 else "no_interval_same" for f in figures if f.low is None)
    return " ".join(say(f"overview.{key}", language) for key in dict.fromkeys(keys))


def run_said(run: LastRun, language: str) -> str:
    """Describe whether a run is on the law in use and ranks all questions."""
    key = "stale" if run.stale else "current" if run.law == "in_use" else run.law
    return say(f"overview.run.{key}", language)


def snapshot_said(run: LastRun) -> str:
    """Return a run's snapshot: number, name and effective date."""
    day = "" if run.effective is None else f" ({run.effective.isoformat()})"
    return f"{run.snapshot_id} · {run.snapshot}{day}"


def sum_said(overview: Overview, language: str) -> str:
    """Return the sum of the states in words."""
    of = overview.questions
    counts = {"final": of.final, "pending": of.pending, "total": of.total}
    return say("overview.sum", language, **{name: f"{n:,}" for name, n in counts.items()})


def lines(
    overview: Overview, agreement: Sequence[AgreementLine], language: str = "en"
) -> list[str]:
    """Return the overview as printed lines, the next step first."""
    step = overview.next
    first = say("overview.line.next", language, says=step.say(language), command=step.command)
    return [
        first,
        *_work(overview, language),
        *_agreement(agreement, language),
        say("overview.line.disputes", language, count=f"{overview.disputes_open:,}"),
        *(overview.in_doubt.lines(language) if overview.in_doubt.any else []),
        *_questions(overview, language),
        *_runs(overview, language),
    ]


def _work(overview: Overview, language: str) -> Iterator[str]:
    for line in overview.work:
        name = batch_name(line, language) if line.batch else task_name(line, language)
        counts = {n: f"{getattr(line, n):,}" for n in ("made", "wanted", "complete", "items")}
        said = [say("overview.line.work", language, name=name, **counts)]
        said += [people_said(line)] if line.people else []
        said += _pace(line, language) if line.begun else []
        said += [_deadline(line, language)] if line.deadline else []
        yield f"{'  ' if line.batch else ''}{'; '.join(said)}"


def _pace(line: WorkLine, language: str) -> list[str]:
    lately = {"days": DAYS, "lately": f"{line.lately:,}"}
    if line.pace is None:
        return [say("overview.line.no_pace", language, **lately)]
    said = [say("overview.line.pace", language, pace=f"{line.pace:.1f}", **lately)]
    if line.end is not None:
        said.append(say("overview.line.end", language, date=line.end.isoformat()))
    return said


def _deadline(line: WorkLine, language: str) -> str:
    key = "late" if line.state == "late" else "will_miss" if line.misses else "deadline"
    day = "" if line.deadline is None else line.deadline.date().isoformat()
    return say(f"overview.line.{key}", language, date=day)


def _agreement(agreement: Sequence[AgreementLine], language: str) -> Iterator[str]:
    for line in agreement:
        task = task_name(line, language)
        if line.statistic is None:
            yield say("overview.line.agreement_none", language, task=task)
            continue
        words = {"statistic": statistic_said(line, language), "figure": figure_said(line, language)}
        told = say("overview.line.agreement", language, task=task, **words)
        yield " ".join(filter(None, (told, no_interval_said([line], language))))


def _questions(overview: Overview, language: str) -> Iterator[str]:
    of = overview.questions
    if not of.total:
        return
    yield say("overview.line.questions", language, sum=sum_said(overview, language))
    for state in of.states:
        yield f"  {say(f'overview.state.{state}', language)}: {of.count(state):,}"
    if of.inheriting:
        yield say("overview.inheriting", language, count=f"{of.inheriting:,}")


def _runs(overview: Overview, language: str) -> Iterator[str]:
    if not overview.runs.total:
        yield say("overview.no_runs", language)
        return
    counts = {"current": f"{overview.runs.current:,}", "total": f"{overview.runs.total:,}"}
    yield say("overview.runs_of", language, **counts)
    for run in overview.runs.runs:
        about = {"id": run.run_id, "label": run.label, "snapshot": snapshot_said(run)}
        yield f"  {say('overview.line.run', language, state=run_said(run, language), **about)}"


def _field_name(name: str, language: str) -> str:
    """Return the display name of a form field; a project's own by its key."""
    key = f"forms.field.{name}"
    return say(key, language) if key in catalogue() else name
