"""Report on answers in the reader's language: scores, states, judges and trust with pictures."""

from __future__ import annotations

from collections.abc import Iterator

from evaluation.answers.trust import LEAST, Trust
from evaluation.figure import Figure
from evaluation.judging.estimate import PositionBias
from evaluation.judging.judged import MAJORITY
from evaluation.ranking.compare import Family, comparison_cells
from evaluation.reports.report import (
    Chart,
    Kind,
    Marked,
    Report,
    Section,
    Shape,
    Value,
    Word,
    Words,
    shown,
)
from evaluation.scores import Column, sole_best
from evaluation.significance import LEVEL, patterns_for
from messages import say
from services.answers.report_views import (
    SHARES,
    AnswerReport,
    SystemScores,
)

BETTER, WORSE = "▲", "▼"
_WORDS = "answer_report"
_POSITIONS = ("wins", "consistent", "shown_first", "preferred")
_KINDS = dict.fromkeys((*map(str, SHARES), "judge_share", "corrected", *_POSITIONS), Kind.SHARE)
_KINDS["p_order"] = Kind.P
_AGREEMENT = ("correlation", "auc", "kappa")  # of a score with people
_Row = dict[str, Value]


def as_report(found: AnswerReport, language: str) -> Report:
    """Return the report: scores, differences, states, judges, trust, and parts of the scores."""
    words = Words(_WORDS, language, kinds=_KINDS)
    sections = (
        _scores(found, words),
        _agreement_with_people(found, words),
        _tests(found, words),
        _states(found, words),
        _judges(found, words),
        _parts(found, words),
    )
    options = found.options
    facts = {
        "questions": found.questions,
        "tokeniser": options.tokeniser,
        "bertscore": None if options.bert is None else options.bert.name(),
        "unscored": found.unscored,
        "judge": found.judge,
        "pairwise": found.pairwise,
        "stratum": None if options.stratum is None else "=".join(options.stratum),
    }
    return Report("answers", _title(found, words), sections, facts=facts)


def measure_words(measure: str, language: str) -> str:
    """Return the display name of a measure."""
    return say(f"{_WORDS}.measure.{measure}", language)


def judge_words(judge: str, language: str) -> str:
    """Return a judge's name; the majority of judges in words."""
    return say(f"{_WORDS}.majority", language) if judge == MAJORITY else judge


def _title(found: AnswerReport, words: Words) -> str:
    """Return the title, with the stratum if there is one."""
    if found.options.stratum is None:
        return words("title")
    column, value = found.options.stratum
    return words("title_stratum", column=column, value=value or words("not_stated"))


def _scores(found: AnswerReport, words: Words) -> Section:
    """Return a row per system and a column per measure: figure, mark and n.

    ▲ or ▼ marks a system significantly better or worse than the baseline; the best of a column is
    highlighted.
    """
    rows = (
        {"system": each.system}
        | {column.measure: _score_cell(each.system, column) for column in found.columns}
        for each in found.systems
    )
    measures = tuple(column.measure for column in found.columns)
    chart = Chart(Shape.FOREST, ("system",), measures, legend=words("trust_head.measure"))
    notes = tuple(_score_notes(found, words))
    lead = " ".join(_best_systems(found, words))
    return words.with_heads("measure").section(
        "scores", "page.scores", rows, lead, chart, notes, opens="system"
    )


def _score_cell(system: str, column: Column) -> Marked:
    """Return a system's figure with n, marked if clearly better or worse than its baseline."""
    test, figure = column.comparison(system), column.figures[system]
    n = "" if figure.value is None else f"(n = {figure.n:,})"
    better = {1: BETTER, -1: WORSE}.get(test.verdict if test else 0, "")
    return Marked(figure, f"{better} {n}".strip(), strong=system in column.best)


def _best_systems(found: AnswerReport, words: Words) -> Iterator[str]:
    """Yield a sentence for each system that alone is best, with the measures it is best by."""
    for system, best in sole_best(found.columns).items():
        figures = (
            f"{words(f'measure.{each.measure}')} {shown(each.figures[system], kind)}"
            f" (n = {each.figures[system].n:,})"
            for each in best
            for kind in [Kind.SHARE if each.measure in SHARES else Kind.TEXT]
        )
        yield words("best_by", system=system, figures=", ".join(figures))


def _tests(found: AnswerReport, words: Words) -> Section:
    """Return each system's difference from the baseline, with its test."""
    rows = (
        {
            "measure": words.word(column.measure, "measure."),
            "system": system,
            "against": against,
            **comparison_cells(test),
            "missing": column.missing[system],
        }
        for column in found.columns
        for system, against, test in column.pairs()
    )
    chart = Chart(Shape.FOREST, ("system",), ("difference",), "measure", zero=True)
    return words.section(
        "tests", "tests", rows, chart=chart, heads={"measure": words("trust_head.measure")}
    )


def _states(found: AnswerReport, words: Words) -> Section:
    """Count each system's answers by state."""
    rows = [
        {"system": each.system, "questions": found.questions}
        | {state.value: count for state, count in each.states.items()}
        for each in found.systems
    ]
    states = tuple(dict.fromkeys(s.value for each in found.systems for s in each.states))
    chart = Chart(Shape.STACK, ("system",), states, legend=words("questions"))
    notes = (words("states_help"),)
    return words.with_heads("state").section("states", "states", rows, chart=chart, notes=notes)


def _judges(found: AnswerReport, words: Words) -> Section:
    """Return the judges' verdicts: raw, corrected by people, and the bias of pairwise ones."""
    several = found.judge == MAJORITY
    rows = [
        {
            "system": each.system,
            **_verdict_cells(each, several, words),
            **(_position_cells(each.position) if found.pairwise else {}),
        }
        for each in found.systems
        if found.judge or found.pairwise
    ]
    drawn = (("judge_share", "corrected") if found.judge else ()) + (
        ("consistent",) if found.pairwise else ()
    )
    judges = dict.fromkeys(judge for judge in (found.judge, found.pairwise) if judge)
    named = ", ".join(judge_words(judge, words.language) for judge in judges)
    chart = Chart(Shape.FOREST, ("system",), drawn, legend=words("share"))
    notes = (words("note_majority"),) if _uneven(found) else ()
    heads = words.with_heads("judge_head")
    return heads.section("judges", "judges", rows, chart=chart, notes=notes, judges=named)


def _verdict_cells(each: SystemScores, several: bool, words: Words) -> _Row:
    """Return counts of a judge's verdicts and corrected accuracy, or why none; {} without judge."""
    counts, corrected = each.verdicts, each.corrected
    if counts is None or corrected is None:
        return {}
    between = None
    if counts.judges is not None:
        between = " – ".join(map(str, dict.fromkeys(counts.judges)))
    why = corrected.withheld
    return {
        "judge_share": counts.correct,
        "judged": counts.correct.n,
        "unread": counts.unread,
        **({"ties": counts.ties, "judges": between} if several else {}),
        "not_judged": counts.not_judged,
        "corrected": corrected.corrected
        if why is None
        else Marked(None, say(f"judge_report.withheld.{why}", words.language)),
        "rated": corrected.sampled.n,
    }


def _position_cells(bias: PositionBias | None) -> _Row:
    """Return the figures of a judge's position bias, empty cells where it has none."""
    if bias is None:
        return dict.fromkeys((*_POSITIONS, "p_order"))
    figures = {figure.name: figure for figure in bias.figures}
    return {
        **{name: figures[name] for name in _POSITIONS},
        "p_order": bias.p,
        "half_asked": bias.half_asked,
        "silent": bias.silent,
    }


def _uneven(found: AnswerReport) -> bool:
    """Return True if some majorities rest on different numbers of judges or are ties."""
    said = [each.verdicts for each in found.systems if each.verdicts and each.verdicts.judges]
    spans = {each.judges for each in said}
    return len(spans) > 1 or any(each.uneven or each.ties for each in said)


def _agreement_with_people(found: AnswerReport, words: Words) -> Section:
    """Return the correlation of each measure with people's verdicts."""
    rows = (
        {
            "measure": words.word(each.name, "measure."),
            **{
                name: _trust_cell(each, figure, words)
                for name, figure in zip(_AGREEMENT, each.figures, strict=True)
            },
            "threshold": _threshold_text(each),
            "correct": each.correct,
            "n": each.n,
        }
        for each in found.trust
    )
    known = [each for each in found.trust if each.auc.value is not None and each.n >= LEAST]
    best = max(known, key=lambda each: each.auc.value or 0, default=None)
    lead = ""
    if best is not None:
        name = words(f"measure.{best.name}")
        lead = words("trust_best", measure=name, auc=best.auc.text(), n=best.n)
    chart = Chart(Shape.FOREST, ("measure",), _AGREEMENT)
    notes = (words("trust_help"), words("trust_note", least=LEAST))
    return words.with_heads("trust_head").section("trust", "trust", rows, lead, chart, notes)


def _trust_cell(each: Trust, figure: Figure, words: Words) -> Value:
    """Return a figure of trust, or the reason for its absence once a row."""
    why = each.why or (each.why_kappa if figure is each.kappa else None)
    if why is None:
        return figure
    if each.why is not None and figure is not each.correlation:
        return None
    return Marked(None, words("not_defined", why=words(f"why.{why}", least=LEAST)))


def _threshold_text(each: Trust) -> str | None:
    """Return the lowest and the highest threshold of the folds as text, None without any."""
    if each.thresholds is None:
        return None
    low, high = each.thresholds
    return f"{low:.3f}" if low == high else f"{low:.3f} – {high:.3f}"


def _parts(found: AnswerReport, words: Words) -> Section:
    """Return precision and recall of overlap and similarity."""
    rows = (
        {
            "system": each.system,
            "part": Word(figure.name, f"{words(f'measure.{measure}')} {words(of)}"),
            "value": figure,
            "n": figure.n,
        }
        for each in found.systems
        for figure in each.parts
        for measure, _, of in [figure.name.rpartition("_")]
    )
    chart = Chart(Shape.FOREST, ("system",), ("value",), "part")
    return words.section("parts", "parts", rows, chart=chart)


def _score_notes(found: AnswerReport, words: Words) -> Iterator[str]:
    """Yield the definition of each measure, and the footnotes of the score table."""
    options = found.options
    for column in found.columns:
        yield f"{words(f'measure.{column.measure}')}: {words(f'about.{column.measure}')}"
    yield words("note_tokeniser", tokeniser=words(f"tokeniser.{options.tokeniser}"))
    if options.bert is not None:
        yield words("note_bert", setting=options.bert.name())
    if found.unscored:
        yield words("note_unscored", count=f"{found.unscored:,}")
    yield words("note_interval", resamples=f"{options.inference.resamples:,}")
    if len(found.systems) > 1:
        together = len(found.columns) if options.inference.family is Family.TABLE else 1
        yield words(
            "note_test",
            better=BETTER,
            worse=WORSE,
            level=LEVEL,
            against=options.baseline or words("best_each"),
            patterns=f"{patterns_for(together * (len(found.systems) - 1)):,}",
            family=words(f"page.holm_{options.inference.family}"),
        )
    yield words("note_missing")
