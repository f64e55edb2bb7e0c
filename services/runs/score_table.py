"""Tables of compared runs, with notes on what they searched and the gold outside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluation.ranking.compare import COMPARED, Family, comparison_numbers
from evaluation.ranking.scoring import too_deep_notes
from evaluation.significance import LEVEL, patterns_for
from evaluation.tables import Cell, Strong, Table, written
from messages import say
from retrieval.core.registry import learns_from_gold
from services.gold.gold_set import GoldSet
from services.runs import simple_baselines
from services.runs.costs import UnitsRead, reading_notes
from services.runs.rows import RunLine
from services.runs.significance import Cell as Score
from services.runs.significance import RunScores, Significance
from services.runs.simple_baselines import (
    BETTER,
    WORSE,
    mark_of,
    simple_note,
    simple_tables,
)
from services.runs.strata import Stratum, value_in_words

READ = ("units_read_by", "units_not_read")
"""Columns: who read units for a method, and how many could not be read."""

_NUMBERS = (
    *("run", "label", "snapshot", "stratum", "measure", "value", "low", "high", "n"),
    *("missing", "stale", "baseline", *COMPARED),
    *("searched", "gold_units_not_searched", "questions_with_gold_not_searched", "compared"),
    *READ,
    *simple_baselines.NUMBERS,
    *("questions_with_gold", "answered", "unanswered", "not_asked", "no_gold", "unsettled"),
    *("left_out", "retired", "tags", "author"),
    *("resamples", "holm_over", "gold"),
)


def exported(report: Significance, format_name: str, language: str = "en") -> str:
    """Return the runs as text of a file: CSV has every number, others the readable tables.

    Raises UserError for an unknown format.
    """
    if format_name == "csv":
        return written(number_table(report), format_name)
    others = against_simple(report, language) if report.scored else ()
    tables = (readable_table(report, language), *others)
    return "\n".join(written(table, format_name) for table in tables)


def against_simple(report: Significance, language: str = "en") -> tuple[Table, ...]:
    """Return the tables of differences to the strongest and the weakest simple baseline."""
    head = say("significance.run", language)
    return simple_tables(report.columns, report.runs, head, language)


def readable_table(report: Significance, language: str = "en") -> Table:
    """Return a row per run and a column per measure, with interval and significance mark.

    ▲ or ▼ marks a figure significantly better or worse than the baseline; the best of a column is
    highlighted. Where no question has gold there is no row, and the title says so.
    """
    if report.runs and not report.scored:
        told = unscored_text(report.stratum, None, language)
        return Table((), (), told, tuple(_reading_notes(report.runs, language)))
    title = say("significance.title", language)
    if report.stratum is not None:
        named = {"column": report.stratum[0], "value": value_in_words(report.stratum, language)}
        title = say("significance.title_stratum", language, **named)
    head = (say("significance.run", language), *report.measures, "n")
    rows = tuple(
        (_label(report, run, language), *_cells(report, run), run.n) for run in report.runs
    )
    return Table(head, rows, title, _notes(report, language))


def unscored_text(stratum: Stratum | None, questions: int | None, language: str) -> str:
    """Return the text shown in place of a table where no question has gold."""
    if stratum is None:
        return say("significance.unscored", language)
    told = {"column": stratum[0], "value": value_in_words(stratum, language)}
    if questions is None:
        return say("significance.unscored_stratum", language, **told)
    return say("significance.unscored_counted", language, **told, count=questions)


def number_table(report: Significance) -> Table:
    """Return a row per run and measure with all numbers; absent values are empty."""
    rows = tuple(row for run in report.runs for row in _number_rows(report, run))
    return Table(_NUMBERS, rows)


def score_text(score: Score) -> str:
    """Format a figure with interval and mark, e.g. ``0.713 [0.650, 0.771] ▲``."""
    return " ".join(part for part in (score.figure.text(), mark(score)) if part)


def mark(score: Score) -> str:
    """Return ▲ or ▼ where the run differs significantly from the baseline, else ""."""
    return mark_of(score.comparison)


def _label(report: Significance, run: RunScores, language: str) -> str:
    """Return a run's label, marked if it is the baseline."""
    baselines = {column.baseline for column in report.columns}
    if baselines == {run.run_id} and len(report.runs) > 1:
        return say("significance.baseline", language, label=run.label)
    return run.label


def _cells(report: Significance, run: RunScores) -> Iterator[Cell]:
    """Yield a run's figures as text, the best emphasised."""
    for column, score in zip(report.columns, run.cells, strict=True):
        text = score_text(score)
        yield Strong(text) if run.run_id in column.best else text


def _notes(report: Significance, language: str) -> tuple[str, ...]:
    """Return the footnotes: intervals, tests, gold."""
    made = report.inference
    notes = [*gold_notes(report, language)]
    notes.append(say("significance.note_interval", language, resamples=f"{made.resamples:,}"))
    if len(report.runs) > 1:
        marks: dict[str, object] = {"better": BETTER, "worse": WORSE, "level": LEVEL}
        marks["patterns"] = f"{patterns_for(corrected_tests(report)):,}"
        against = _baseline_text(report, language)
        notes.append(say("significance.note_test", language, **marks, against=against))
    if report.tested > 1:
        notes.append(family_note(report, language))
    notes += left_out_notes(report, language)
    if stale := stale_note(report, language):
        notes.append(stale)
    tested = any(run.compared for run in report.runs)
    if tested and len(report.runs) > 1 and not simple_baselines.kinds(report.columns):
        notes.append(simple_note(report.columns, report.runs, language))
    notes += filter(None, (doubt_note(report.gold, language),))
    return (*notes, *split_notes(report, language), *searched_notes(report.runs, language))


def gold_notes(report: Significance, language: str = "en") -> list[str]:
    """Return notes on the gold set and on how many of its questions runs are compared."""
    notes = [report.gold.size.say(language), *_source_notes(report.gold, language)]
    if report.without_text.pairs:
        notes.append(say("gold_sets.without_text", language, **report.without_text.as_dict()))
    if report.ground is not None:
        told = {"count": f"{report.ground:,}", "runs": report.tested}
        notes.append(say("significance.note_ground", language, **told))
    return notes


def _source_notes(gold: GoldSet, language: str) -> list[str]:
    """Return how the gold of all questions is composed."""
    sources = {name: count for name, count in gold.sources.items() if count}
    if not gold.questions:
        return []
    parts = [say(f"gold_sets.part.{n}", language, count=f"{c:,}") for n, c in sources.items()]
    all_ = f"{len(gold.questions):,}"
    return [say("gold_sets.parts", language, count=all_, parts=" + ".join(parts))]


def doubt_note(gold: GoldSet, language: str = "en") -> str:
    """Return a note on questions in doubt by amended law; "" if none has gold of a source."""
    labelled, without = gold.doubted
    if not labelled:
        return ""  # the others are told of by run
    counts = {"count": labelled + without, "labelled": labelled, "without": without}
    return say("gold_sets.doubted", language, **counts)


def stale_note(report: Significance, language: str) -> str:
    """Return a note naming stale runs; "" for none."""
    labels = ", ".join(run.label for run in report.runs if run.stale)
    return say("significance.note_stale", language, runs=labels) if labels else ""


def split_notes(report: Significance, language: str) -> list[str]:
    """Return notes on the version of the split and on runs that learn from its parts."""
    if report.split is None:
        return []
    notes = [say("split.note_version", language, number=report.split)]
    learnt = ", ".join(run.label for run in report.runs if learns_from_gold(run.line.spec))
    return [*notes, say("split.note_learnt", language, runs=learnt)] if learnt else notes


def left_out_notes(report: Significance, language: str = "en") -> list[str]:
    """Return notes on figures and runs excluded from tests or table, and why."""
    counts = report.left_out
    out = sum(not run.compared for run in report.runs)
    notes = too_deep_notes(report.measures, [run.depth for run in report.runs], language)
    if counts:
        why = ", ".join(
            say(f"significance.out.{each}", language, count=count) for each, count in counts.items()
        )
        notes.append(say("significance.note_left_out", language, count=out, why=why))
    apart = [run for run in report.runs if run.line.fewer]
    if report.unlike and apart:
        notes.append(say("significance.note_unlike", language, count=len(apart)))
    if report.retired:
        notes.append(say("significance.note_retired", language, count=report.retired))
    return notes


def untested_text(report: Significance, language: str = "en") -> str:
    """Return the text shown in place of tests where there are none, with the remedy."""
    told = {"tested": report.tested, "total": len(report.runs)}
    switch = say("run_marks.unlike", language)
    return say("significance.note_untested", language, **told, switch=switch)


def coverage_text(line: RunLine, language: str = "en") -> str:
    """Describe how many questions with gold a run answers, with the share."""
    covered = line.coverage
    share = "–" if covered.share is None else f"{100 * covered.share:.0f} %"
    told = {"answered": covered.answered, "questions": covered.questions, "share": share}
    return say("significance.covered", language, **told)


def coverage_notes(line: RunLine, language: str = "en") -> list[str]:
    """Return the counts of a run's questions that are not answered, one per outcome."""
    covered = line.coverage
    counts = {
        "unanswered": covered.unanswered,
        "not_asked": covered.not_asked,
        "no_gold": covered.no_gold,
        "unsettled": covered.unsettled,
    }
    return [say(f"significance.{why}", language, count=n) for why, n in counts.items() if n]


def family_words(family: Family, language: str) -> str:
    """Return the name of a family of comparisons for Holm's correction."""
    return say(f"significance.family.{family}", language)


def _number_rows(report: Significance, run: RunScores) -> Iterator[tuple[Cell, ...]]:
    """Yield a row of all numbers for each measure of a run."""
    stratum = "=".join(report.stratum) if report.stratum else None
    for column, score in zip(report.columns, run.cells, strict=True):
        yield (
            *(run.run_id, run.label, run.line.snapshot_id, stratum),
            *(column.measure, *score.figure.numbers()),
            *(run.missing, str(run.stale).lower(), column.baseline),
            *comparison_numbers(score.comparison),
            *(run.line.searched.code, *outside_counts(run), str(run.compared).lower()),
            *units_read(run),
            *simple_baselines.numbers(column, score),
            *[each for name, each in run.line.coverage.as_dict().items() if name != "share"],
            *(" ".join(run.line.left_out), str(run.line.marks.retired).lower()),
            *(", ".join(run.line.marks.tags), run.line.author),
            *(report.inference.resamples, report.inference.family.value, report.gold.label),
        )


def corrected_tests(report: Significance) -> int:
    """Return the number of tests against the baseline corrected together.

    All columns where Holm's correction is over the table, else the column with most tests.
    """
    counts = [count for _, count in _tests_by_measure(report)]
    return sum(counts) if report.inference.family is Family.TABLE else max(counts, default=0)


def _tests_by_measure(report: Significance) -> list[tuple[str, int]]:
    """Return the number of runs tested against the baseline, per measure."""
    found = []
    for column in report.columns:
        tried = {run.run_id for run in report.runs if run.is_tested(column.measure)}
        found.append((column.measure, len(tried) - 1 if column.baseline in tried else 0))
    return found


def family_note(report: Significance, language: str = "en") -> str:
    """Describe which tests p-values are corrected over."""
    by_measure, family = _tests_by_measure(report), report.inference.family
    runs = {count for _, count in by_measure}
    alike = len(runs) == 1
    return say(
        f"significance.note_family.{family}{'' if alike else '_by'}",
        language,
        tests=f"{corrected_tests(report):,}",
        runs=max(runs),
        measures=len(by_measure),
        counts=", ".join(f"{measure}: {count:,}" for measure, count in by_measure),
        baseline=_baseline_text(report, language),
    )


def _baseline_text(report: Significance, language: str) -> str:
    """Describe the baseline of the tests."""
    baselines = {column.baseline for column in report.columns} - {None}
    if len(baselines) == 1:
        return say("significance.note_baseline", language, run=next(iter(baselines)))
    return say("significance.note_best", language)


def outside_counts(run: RunScores) -> tuple[Cell, Cell]:
    """Return the number of gold units not searched, and of questions with such; None if unknown."""
    outside = run.not_searched
    return (None, None) if outside is None else (len(outside.units), len(outside.questions))


def units_read(run: RunScores) -> tuple[Cell, Cell]:
    """Return who read units for a run, and on how many it failed; None where nothing was read."""
    read = UnitsRead.of(run.line.spec, run.line.cost)
    return read.reader, read.unread


def searched_notes(runs: Sequence[RunScores], language: str = "en") -> list[str]:
    """Return notes on what runs searched, learnt from and had read for them.

    Empty for runs that all came from files.
    """
    about = (_waiting_notes, _levels_notes, _outside_notes, _learning_notes, _reading_notes)
    return [note for said in about for note in said(runs, language)]


def _waiting_notes(runs: Sequence[RunScores], language: str) -> list[str]:
    """Note the decided questions that are in no figure as their law changed, once or per run."""
    counts = dict.fromkeys(run.line.gold_waiting for run in runs)
    if len(counts) == 1:
        return [say("levels.waiting_note", language, count=f"{each:,}") for each in counts if each]
    return [
        say("levels.waiting_by_note", language, run=run.label, count=f"{run.line.gold_waiting:,}")
        for run in runs
        if run.line.gold_waiting
    ]


def _levels_notes(runs: Sequence[RunScores], language: str) -> list[str]:
    """Return a note of the levels searched, by run if they differ; none if no run states them."""
    known = [run for run in runs if run.line.searched.levels is not None]
    if len({run.line.searched for run in known}) == 1:
        return [say("levels.searched_note", language, levels=known[0].line.searched.say(language))]
    told = "; ".join(f"{run.label} ({run.line.searched.say(language)})" for run in known)
    return [say("levels.differ_note", language, runs=told)] if told else []


def _outside_notes(runs: Sequence[RunScores], language: str) -> list[str]:
    """Note the gold not searched, once where all runs agree, else per run."""
    outside = [(run.label, run.not_searched) for run in runs if run.not_searched is not None]
    some = [(label, each) for label, each in outside if each.units]
    if some and len(some) == len(outside) and all(each == some[0][1] for _, each in some):
        return [say("levels.missed_note", language, **some[0][1].counted(language))]
    return [
        say("levels.missed_by_note", language, run=label, **each.counted(language))
        for label, each in some
    ]


def _learning_notes(runs: Sequence[RunScores], language: str) -> list[str]:
    """Note the runs that learnt from gold."""
    labels = ", ".join(run.label for run in runs if learns_from_gold(run.line.spec))
    return [say("levels.learnt_note", language, runs=labels)] if labels else []


def _reading_notes(runs: Sequence[RunScores], language: str) -> list[str]:
    """Return the notes on readings by rules in place of a model, and on failed readings."""
    return reading_notes([(run.label, run.line.spec, run.line.cost) for run in runs], language)
