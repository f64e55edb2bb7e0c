"""The multiple-choice report in the reader's language: safety, replies, changes, the funnel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from annotation.mcq.state import CAUSES
from evaluation.figure import Figure
from evaluation.mcq.safety import EVERYWHERE, JOINT, WITH_A, Constant, Difference, SafetyRow
from evaluation.mcq.votes import Of, Setting
from evaluation.replies.outcomes import Outcome
from evaluation.reports.report import Chart, Kind, Report, Section, Shape, Word, Words, shown
from services.mcq.report import READINGS, McqReport

JOINT_SETTINGS = "a, ab"
"""Name in files of measures over both of these settings."""

_MEASURES = (*WITH_A, *EVERYWHERE)
_SHARES = (*_MEASURES, JOINT, "need_both", "able", "safe", "same", "was", "became")
_KINDS = dict.fromkeys(_SHARES, Kind.SHARE)
_Row = dict[str, Any]


def as_report(found: McqReport, language: str, of: Of = Of.ALL) -> Report:
    """Return the report; its pictures and sentences are of one denominator, its tables of both."""
    words = Words("mcq_report", language, "column", kinds=_KINDS)
    sections = (
        _need(found, of, words),
        _safety(found, of, words),
        _changes(found, of, words),
        _shares(found, of, words),
        _gains(found, of, words),
        _funnel(found, words),
        _fates(found, words),
        _readings(found, words),
        _counts(found, words),
    )
    counted = ("scope", "questions", "reader", "reading", "untold", "stale")
    facts = {name: getattr(found, name) for name in counted}
    facts["unfiltered"] = dict(found.funnel.unfiltered)
    counts = {"count": found.questions, "scope": words(f"scope.{found.scope}")}
    lead = f"{_need_sentence(found, words)} {words('questions_lead', **counts)}".strip()
    return Report("mcq", words("title"), sections, lead, tuple(_notes(found, words)), facts)


def _need_sentence(found: McqReport, words: Words) -> str:
    """Say how many questions need both provisions, by people's decisions; "" without drafts."""
    need, funnel = found.funnel.need_both, found.funnel
    if not funnel.start:
        return ""
    if need.value is None:
        return words("need_none", count=funnel.left)
    kept = round(need.value * need.n)
    waiting = funnel.left - kept
    return words("need_people", kept=kept, n=need.n, share=need.percent(), waiting=waiting)


def _need(found: McqReport, of: Of, words: Words) -> Section:
    """Return the share of questions that need both provisions, by people and by models."""
    models = [(line.model, line.needs_both) for line in found.models if line.of is of]
    need = found.funnel.need_both
    by = [(Word("people", words("part_people")), need)] if need.n else []
    rows = [
        {"by": name, "need_both": figure, "n": figure.n}
        for name, figure in [*by, *models]
        if figure.n
    ]
    chart = Chart(Shape.FOREST, ("by",), ("need_both",))
    notes = (words("need_note"),)
    return words.section("need", "need", rows, _models_need(models, words), chart, notes)


def _models_need(models: Sequence[tuple[str, Figure]], words: Words) -> str:
    """Return the sentence on how often models need both provisions; "" without figures."""
    known = [figure for _, figure in models if figure.value is not None]
    if known and not any(figure.value for figure in known):
        return words("need_lead_never", share=known[0].percent(), n=known[0].n, models=len(known))
    return _lead_of_most("need", models, words)


def _notes(found: McqReport, words: Words) -> Iterator[str]:
    """Yield the notes on the kind of reading, and on replies that do not count."""
    if found.reading != READINGS[0]:
        yield words("reading_note")
        if found.untold:
            yield words("untold", count=found.untold)
    if found.stale:
        yield words("stale", count=f"{found.stale:,}")


def cause_words(cause: str, words: Words) -> Word:
    """Return a rejection cause with its name; custom causes unchanged."""
    return words.word(cause, "cause.") if cause in CAUSES else Word(cause, cause)


def constant_words(constant: Constant, words: Words) -> Word:
    """Return a constant answer with its name."""
    if constant.option is None:
        return Word("(always abstain)", words("always_abstain"))
    option = constant.option + 1
    return Word(f"(always {option})", words("always", option=option))


def _lines(
    found: McqReport, words: Words
) -> Iterator[tuple[str | Word, str, Of, list[SafetyRow], Figure]]:
    """Yield rows of models and constant answers: name, kind, denominator, shares, able and safe.

    Constant answers stand beside models only: alone they say nothing.
    """
    for line in found.models:
        own = [row for row in found.rows if row.model == line.model and row.of is line.of]
        yield line.model, "model", line.of, own, line.able_and_safe
    for each in found.constants if found.models else ():
        name = constant_words(each.constant, words)
        for of in Of:
            own = [row for row in each.rows if row.of is of]
            yield name, "constant", of, own, each.able_and_safe


def _denominator_word(of: Of, words: Words) -> Word:
    return words.word(of.value, "of_name.")


def _setting(setting: Setting | None, words: Words) -> Word:
    """Return the display name of a setting, None being that of figures on two settings."""
    if setting is not None:
        return words.word(setting.value, "setting.")
    return Word(JOINT_SETTINGS, f"{words('setting.a')}; {words('setting.ab')}")


def _safety(found: McqReport, of: Of, words: Words) -> Section:
    """Return the share of questions on which a model is able with both and safe with A alone."""
    rows: list[_Row] = []
    for name, answers, each, shares, joint in _lines(found, words):
        at = {row.setting: row for row in shares}
        both, alone = at.get(Setting.BOTH), at.get(Setting.A)
        rows.append(
            {
                "model": name,
                "answers": words.word(answers, "column."),
                "of": _denominator_word(each, words),
                "able": both and both.figures["right"],
                "safe": alone and alone.figures["not_answered"],
                JOINT: joint,
                "n": joint.n,
            }
        )
    models = [(line.model, line.able_and_safe) for line in found.models if line.of is of]
    chart = Chart(Shape.SCATTER, ("model",), ("able", "safe"), "answers", only=("of", of))
    notes = (words("safety_note"),)
    lead = _lead_of_most("safety", models, words)
    return words.section("safety", "safety", rows, lead, chart, notes)


def _lead_of_most(name: str, models: Iterable[tuple[str, Figure]], words: Words) -> str:
    """Return the sentence on the model with the highest share, or the only one; "" for none."""
    known = [(model, figure) for model, figure in models if figure.value is not None]
    if not known:
        return ""
    model, figure = max(known, key=lambda each: each[1].value or 0.0)
    several = "_most" if len(known) > 1 else ""
    params = {"model": model, "share": figure.percent(), "n": figure.n, "models": len(known)}
    return words(f"{name}_lead{several}", **params)


def _changes(found: McqReport, of: Of, words: Words) -> Section:
    """Return the changes between the models of each pair, and their means before and after."""
    known = [each for each in found.changes if each.difference.figure.value is not None]
    rows = [
        {
            "pair": each.pair.shown,
            "before": each.pair.before,
            "after": each.pair.after,
            "setting": _setting(each.setting, words),
            "of": _denominator_word(each.of, words),
            "measure": words.word(each.measure, "column."),
            "n": each.difference.figure.n,
            "was": each.was,
            "became": each.became,
            **_difference("difference", each.difference, ""),
        }
        for each in known
    ]
    sentences = (
        words(
            "changes_lead",
            pair=each.pair.shown,
            was=shown(each.was, Kind.SHARE),
            became=shown(each.became, Kind.SHARE),
            difference=_signed(each.difference.figure),
            n=each.difference.figure.n,
        )
        for each in known
        if each.measure == JOINT and each.of is of
    )
    pairs = ("pair",) if len({row["pair"] for row in rows}) > 1 else ()
    chart = Chart(
        Shape.FOREST,
        (*pairs, "measure"),
        ("difference",),
        "setting",
        only=("of", of),
        zero=True,
    )
    notes = (words("changes_note"),)
    return words.section("changes", "changes", rows, " ".join(sentences), chart, notes)


def _difference(name: str, found: Difference, prefix: str) -> _Row:
    """Return the cells of a difference."""
    sides = {f"{prefix}higher": found.higher, f"{prefix}lower": found.lower}
    return {name: found.figure, **sides}


def _signed(figure: Figure) -> str:
    """Return a figure with its sign and interval."""
    return f"{figure.value:+.3f} {figure.interval(sign='+')}"


def _shares(found: McqReport, of: Of, words: Words) -> Section:
    """Return the outcomes of replies under each setting, as shares of questions."""
    rows = [
        {
            "model": name,
            "setting": _setting(row.setting, words),
            "of": _denominator_word(each, words),
            "n": row.figures["right"].n,
            **{measure: row.figures[measure] for measure in _MEASURES},
        }
        for name, _, each, shares, _ in _lines(found, words)
        for row in shares
    ]
    anyway = [(row.model, row.figures["answered_anyway"]) for row in found.rows if row.of is of]
    chart = Chart(Shape.FOREST, ("setting",), ("accuracy",), "model", only=("of", of))
    notes = (words("shares_note"),)
    lead = _lead_of_most("anyway", anyway, words)
    return words.section("rows", "shares", rows, lead, chart, notes)


def _gains(found: McqReport, of: Of, words: Words) -> Section:
    """Return the gain in right answers from showing both provisions."""
    rows = [
        {
            "model": line.model,
            "of": _denominator_word(line.of, words),
            **_difference("helped", line.helped, "helped_"),
            **_difference("needs_b", line.needs_b, "needs_b_"),
        }
        for line in found.models
    ]
    moved = [
        (line.model, line.helped.figure)
        for line in found.models
        if line.of is of and line.helped.figure.value is not None
    ]
    lead = ""
    if moved:
        model, figure = max(moved, key=lambda each: abs(each[1].value or 0.0))
        lead = words("helped_lead", model=model, difference=_signed(figure), n=figure.n)
    chart = Chart(
        Shape.FOREST,
        ("model",),
        ("helped", "needs_b"),
        legend=words("gain"),
        only=("of", of),
        zero=True,
    )
    return words.section("models", "helped_title", rows, lead, chart, (words("helped_note"),))


def _funnel(found: McqReport, words: Words) -> Section:
    """Count the drafts that filters and people removed, and the state of the others."""
    funnel = found.funnel
    fates = {words.word(fate, "fate."): count for fate, count in funnel.fates.items()}
    steps: list[tuple[str, Word, int | None, int]] = [
        ("drafts", words.word("drafts"), None, funnel.start),
        *(("filter", words.word(e.reason, "filter."), e.out, e.left) for e in funnel.filtered),
        *(("people", cause_words(e.reason, words), e.out, e.left) for e in funnel.dropped),
        *(("state", fate, None, count) for fate, count in fates.items()),
    ]
    rows = (
        {"part": words.word(part, "part_"), "step": step, "out": out, "left": left}
        for part, step, out, left in steps
    )
    states = ", ".join(f"{fate.text} {count:,}" for fate, count in fates.items())
    notes = [words("funnel_note")]
    for reason, count in funnel.unfiltered.items():
        name, drafts = words(f"filter.{reason}"), f"{funnel.start:,}"
        notes.append(words("unfiltered", name=name, count=f"{count:,}", drafts=drafts))
    chart = Chart(
        Shape.STACK,
        ("step",),
        ("left", "out"),
        legend=words("questions"),
        first=len(steps) - len(fates),  # the state of those left is a picture of its own
    )
    if not funnel.start:
        return words.section("funnel", "funnel", (), notes=tuple(notes))
    lead = words("funnel_lead", left=funnel.left, start=funnel.start, states=states)
    return words.section("funnel", "funnel", rows, lead, chart, tuple(notes))


def _fates(found: McqReport, words: Words) -> Section:
    """Return the state of the questions that neither filters nor people took out."""
    counts = found.funnel.fates if found.funnel.left else {}
    row = {"step": words("part_state"), **counts}
    heads = {fate: words(f"fate.{fate}") for fate in counts}
    rows = [row] if counts else []
    chart = Chart(Shape.STACK, ("step",), tuple(counts), legend=words("questions"))
    return words.section("fates", "part_state", rows, chart=chart, heads=heads)


def _readings(found: McqReport, words: Words) -> Section:
    """Return the share of replies that both readings read alike."""
    rows = [{"model": name, "same": e, "n": e.n} for name, e in found.readings.items()]
    chart = Chart(Shape.FOREST, ("model",), ("same",))
    return words.section("readings", "readings", rows, chart=chart)


def _counts(found: McqReport, words: Words) -> Section:
    """Return the number of replies by outcome; a row leads to the replies it counts."""
    rows: list[_Row] = [
        {
            "model": each.model,
            "setting": _setting(each.setting, words),
            "replies": each.outcomes.total(),
            **{outcome.value: each.outcomes[outcome] for outcome in Outcome},
            "missing": each.missing,
        }
        for each in found.counts
    ]
    sums = {name: sum(each[name] for each in rows) for name in ("replies", "unreadable", "refused")}
    chart = Chart(Shape.STACK, ("model", "setting"), tuple(Outcome), legend=words("column.replies"))
    lead = words("counts_lead", **sums) if rows else ""
    about = rows, lead, chart
    if found.reading != READINGS[0]:
        return words.section("counts", "replies.title", *about)
    notes = (words("replies.note", reader=found.reader),)
    return words.section("counts", "replies.title", *about, notes, opens="model")
