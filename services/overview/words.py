"""The overview in the reader's language: a report of work, questions, agreement and runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluation.agreement.interpretation import Kind as FigureKind
from evaluation.agreement.interpretation import kind_of
from evaluation.ranking.scoring import ORDERING
from evaluation.reports.report import Chart, Kind, Report, Section, Shape, Value, Word, Words
from messages import catalogue, say
from services.overview.progress import DAYS, FEWEST, LastRun, WorkLine
from services.overview.questions import FINAL
from services.overview.report import AgreementLine, Overview
from storage.tasks import display_name

_KINDS = {"pace": Kind.SECONDS, "by_deadline": Kind.SHARE}
_UNITS = (("hours", 3600), ("minutes", 60), ("seconds", 1))
_EXACT_SECONDS = 10  # longer times are rounded to five seconds
_LAW = {"in_use": "current"}  # the state of a run by its law; other states are called as the law is
_NAMED = 5  # batches with a sentence of their own
_ENOUGH = 10  # items below which a figure is no extreme


def as_report(overview: Overview, agreement: Sequence[AgreementLine], language: str) -> Report:
    """Return the overview: the next step, then work, questions, agreement, amendments and runs."""
    words = Words("overview", language)
    step = overview.next
    sections = (
        work_section(overview, language),
        people_section(overview.work, language),
        questions_section(overview, language),
        agreement_section(agreement, language),
        doubt_section(overview, language),
        runs_section(overview, language),
    )
    facts = {
        "next": step.as_dict(),
        "disputes_open": {str(task): count for task, count in overview.disputes.items()},
        "in_doubt": overview.in_doubt.as_dict(),
        "by_state": overview.questions.as_dict(),
        "runs_total": overview.runs.total,
        "runs_current": overview.runs.current,
    }
    lead = words("next_line", says=step.say(language), command=step.command)
    return Report("overview", words("title"), sections, lead, facts=facts)


def rough_time(seconds: float, language: str) -> str:
    """Return a rounded duration: "20 s", "3 min", "2 h"."""
    unit, size = next((each for each in _UNITS if seconds >= each[1]), _UNITS[-1])
    count = max(1, round(seconds / size))
    if unit == "seconds" and count > _EXACT_SECONDS:
        count = 5 * round(count / 5)
    return Words("overview.guide", language)(unit, count=count)


def work_section(overview: Overview, language: str) -> Section:
    """Return the progress of each task and batch, with a sentence for batches with a deadline."""
    words = Words("overview", language, kinds=_KINDS)
    rows = (
        {
            **_named(line, words),
            "complete": line.complete,
            "partly": line.partly,
            "untouched": line.items - line.complete - line.partly,
            "made": line.made,
            "wanted": line.wanted,
            "beyond": line.beyond,
            "lately": line.lately,
            "pace": _pace(line.pace),
            "end": line.end and line.end.isoformat(),
            "deadline": line.deadline and line.deadline.date().isoformat(),
            "forecast": _forecast(line, words),
            "by_deadline": _by_deadline(line),
            "disputes": None if line.batch else overview.disputes.get(line.task),
        }
        for line in overview.work
    )
    heads = {"lately": words("lately", days=DAYS), "forecast": words("forecast_of")}
    chart = Chart(
        Shape.STACK,
        ("task", "batch"),
        ("complete", "partly", "untouched"),
        legend=words("items"),
        rest="untouched",
        mark="by_deadline",
    )
    notes = (words("work_help"), words("pace_help", days=DAYS, fewest=FEWEST))
    lead = " ".join(_work_sentences(overview, words))
    about = rows, lead, chart, notes
    return words.section("work", "work", *about, heads=heads, opens="task")


def people_section(lines: Sequence[WorkLine], language: str) -> Section:
    """Return each person's share of tasks or batches."""
    words = Words("overview", language, kinds=_KINDS)
    rows = (
        {
            **_named(line, words),
            "person": each.person,
            "submitted": each.submitted,
            "lately": each.lately,
            "pace": _pace(each.pace),
        }
        for line in lines
        for each in line.people
    )
    heads = {"lately": words("lately", days=DAYS)}
    return words.section("people", "people", rows, heads=heads)


def questions_section(overview: Overview, language: str) -> Section:
    """Return the number of questions per state; each opens its questions."""
    words, of = Words("overview", language), overview.questions
    rows = [{"state": words.word(each, "state."), "count": of.count(each)} for each in of.states]
    chart = Chart(Shape.STACK, (), ("count",), "state")
    about = rows, " ".join(_questions_sentences(overview, words)), chart
    heads = {"state": words("state_of")}
    return words.section("questions", "questions", *about, heads=heads, opens="state")


def agreement_section(lines: Sequence[AgreementLine], language: str) -> Section:
    """Return the agreement on each task; error rates, where less is better, are not drawn."""
    words = Words("overview", language)
    scored = [line for line in lines if line.statistic is not None]
    kinds = {line.task: kind_of(line.statistic or "") for line in scored}
    used = [kind for kind in FigureKind if kind in kinds.values()]
    rows = (
        {
            "task": Word(str(line.task), task_name(line, language)),
            "statistic": Word(line.statistic or "", _statistic(line, language)),
            **{kind.value: line.figure if kinds[line.task] is kind else None for kind in used},
            "n": line.figure.n,
        }
        for line in scored
    )
    drawn = tuple(kind.value for kind in used if kind is not FigureKind.ERROR)
    chart = Chart(Shape.FOREST, ("task",), drawn, legend=words("agreement")) if drawn else None
    notes = (*_interval_notes(scored, words), words("agreement_help"))
    lead = _agreement_sentence(lines, words)
    heads = {str(each): say(f"agreement.column.{each}", language) for each in used}
    return words.section("agreement", "agreement", rows, lead, chart, notes, heads=heads)


def doubt_section(overview: Overview, language: str) -> Section:
    """Return in words which decisions are in doubt after amendments."""
    words, doubt = Words("overview", language), overview.in_doubt
    lead = " ".join(doubt.lines(language)) if doubt.any else words("in_doubt_none")
    return words.section("amendments", "in_doubt", (), lead)


def runs_section(overview: Overview, language: str) -> Section:
    """Return the latest runs, their scores, and whether they are up to date."""
    words, scores = Words("overview", language), overview.scores
    rows = (
        {
            "run": each.label,
            "score": scores[each.run.id],
            "n": scores[each.run.id].n,
            "run_id": each.run.id,
            "snapshot": _snapshot(each),
            "state": words.word("stale" if each.stale else _LAW.get(each.law, each.law), "run."),
            "at": f"{each.run.created_at:%Y-%m-%d %H:%M}",
        }
        for each in overview.runs.runs
    )
    measure = repr(ORDERING)
    heads = {"run": words("run_name"), "state": words("state_of"), "score": measure}
    chart = Chart(Shape.FOREST, ("run",), ("score",))
    lead = " ".join(_run_sentences(overview, words))
    return words.section("runs", "runs", rows, lead, chart, heads=heads)


def task_name(line: WorkLine | AgreementLine, language: str) -> str:
    """Return the display name of a task."""
    return line.title or display_name(line.task, language)


def batch_name(line: WorkLine, language: str) -> str:
    """Return the display name of a batch, marking practice."""
    return say("overview.practice", language, batch=line.batch) if line.practice else line.batch


def _statistic(line: AgreementLine, language: str) -> str:
    """Return the name of the statistic, and of the field for several."""
    name, field = say(f"statistics.name.{line.statistic}", language), _field(line, language)
    if not field:
        return name
    return f"{name} ({say('overview.least_of', language, field=field, fields=f'{line.fields:,}')})"


def _field(line: AgreementLine, language: str) -> str:
    """Return the display name of the field that several are judged by; "" for one."""
    if line.fields < 2 or not line.field:
        return ""
    key = f"forms.field.{line.field}"  # a project's own field is called by its key
    known = say(key, language) if key in catalogue() else line.field
    return (line.labels or {}).get(language) or known


def _named(line: WorkLine, words: Words) -> dict[str, Value]:
    """Return the cells of task and batch."""
    batch = Word(line.batch, batch_name(line, words.language)) if line.batch else None
    return {"task": Word(str(line.task), task_name(line, words.language)), "batch": batch}


def _pace(pace: float | None) -> float | None:
    """Return a rounded pace."""
    return None if pace is None else round(pace, 1)


def _by_deadline(line: WorkLine) -> float | None:
    """Return the share of submissions that are made by the deadline at this pace."""
    if line.by_deadline is None or not line.wanted:
        return None
    return line.by_deadline / line.wanted


def _forecast(line: WorkLine, words: Words) -> Word | None:
    """Return a forecast: finished, late, will be late, on time, or unknown; None if undated."""
    if not line.left:
        return words.word("finished", "forecast.")
    if line.deadline and line.misses:
        return words.word("late" if line.state == "late" else "will_miss", "forecast.")
    if line.begun and line.pace is None:
        return words.word("too_little", "forecast.")
    return words.word("on_time", "forecast.") if line.deadline and line.end else None


def _work_sentences(overview: Overview, words: Words) -> Iterator[str]:
    """Yield the overall progress, then each batch's forecast, late ones first."""
    tasks = [line for line in overview.work if not line.batch]
    if not tasks:
        yield words("none")
        return
    counts = {
        name: f"{sum(getattr(line, name) for line in tasks):,}"
        for name in ("complete", "items", "made", "wanted")
    }
    yield words("work_sum", **counts)
    behind = [line for line in tasks if line.left and line.wanted]
    if behind and len(tasks) > 1:
        last = min(behind, key=lambda line: line.made / line.wanted)
        name = task_name(last, words.language)
        yield words("work_last", task=name, made=f"{last.made:,}", wanted=f"{last.wanted:,}")
    if overview.disputes_open:
        yield words("disputes_sum", count=f"{overview.disputes_open:,}")
    due = [line for line in overview.work if line.deadline and line.left]
    due.sort(key=lambda line: not line.misses)
    for line in due[:_NAMED]:
        yield _batch_sentence(line, words)
    if len(due) > _NAMED:
        yield words("batches_more", count=len(due) - _NAMED)


def _batch_sentence(line: WorkLine, words: Words) -> str:
    forecast = _forecast(line, words)
    days = {"date": line.deadline and line.deadline.date(), "end": line.end}
    name = "due" if forecast is None else forecast.value
    batch = batch_name(line, words.language)
    return words(f"batch_sentence.{name}", batch=batch, left=f"{line.left:,}", **days)


def _questions_sentences(overview: Overview, words: Words) -> Iterator[str]:
    of = overview.questions
    if not of.total:
        yield words("no_questions")
        return
    counts = {"final": of.final, "pending": of.pending, "total": of.total}
    yield words("sum", **{name: f"{n:,}" for name, n in counts.items()})
    pending = [state for state in of.states if state not in FINAL]
    if pending:
        most = max(pending, key=of.count)
        yield words("most_pending", state=words(f"state.{most}"), count=f"{of.count(most):,}")
    if of.inheriting:
        yield words("inheriting", count=f"{of.inheriting:,}")


def _agreement_sentence(lines: Sequence[AgreementLine], words: Words) -> str:
    """Say on which tasks people agree most and least, or that nothing can be compared."""
    known = [
        line
        for line in lines
        if line.figure.n >= _ENOUGH and kind_of(line.statistic or "") is FigureKind.CHANCE
    ]
    if len(known) > 1:
        # An interval over the whole scale says little: the surest high is the most.
        first = max(known, key=lambda line: (line.figure.low or 0, line.figure.value or 0))
        others = (line for line in known if line is not first)
        last = min(others, key=lambda line: line.figure.value or 0)
        most, least = (_agreement_text(line, words) for line in (first, last))
        found = words("agree_between", most=most, least=least)
        if first.figure.overlaps(last.figure):
            found = f"{found} {say('agreement.sentence.order_chance', words.language)}"
    elif known:
        found = words("agree_one", task=_agreement_text(known[0], words))
    else:
        found = "" if lines else words("none")
    rest = [task_name(line, words.language) for line in lines if line.statistic is None]
    told = words("no_figures", tasks=", ".join(rest)) if rest else ""
    return " ".join(filter(None, (found, told)))


def _agreement_text(line: AgreementLine, words: Words) -> str:
    names = task_name(line, words.language), _field(line, words.language)
    return f"{' · '.join(filter(None, names))} ({line.figure.text()}, n = {line.figure.n:,})"


def _interval_notes(scored: Sequence[AgreementLine], words: Words) -> Iterator[str]:
    """Yield the distinct reasons for missing intervals."""
    figures = [line.figure for line in scored if line.figure.low is None]
    keys = ("no_interval_one" if each.n < 2 else "no_interval_same" for each in figures)
    yield from map(words, dict.fromkeys(keys))


def _run_sentences(overview: Overview, words: Words) -> Iterator[str]:
    runs = overview.runs
    if not runs.total:
        yield words("no_runs")
        return
    yield words("runs_of", current=f"{runs.current:,}", total=f"{runs.total:,}")
    known = [(overview.scores[each.run.id], each.label) for each in runs.runs]
    known = [each for each in known if each[0].value is not None]
    known.sort(key=lambda each: -(each[0].value or 0))
    if len(known) > 1 and known[0][0].value != known[1][0].value:
        (figure, run), *_ = known
        asked = {"count": len(known), "run": run, "measure": repr(ORDERING)}
        yield words("best_run", figure=figure.text(), **asked)


def _snapshot(run: LastRun) -> str:
    """Return the display name of a run's snapshot."""
    day = run.snapshot.effective
    return f"{run.snapshot.id} · {run.snapshot.name}" + (f" ({day.isoformat()})" if day else "")
