"""Judge report in the reader's language: agreement, errors, corrected accuracy, with pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from evaluation.figure import Figure
from evaluation.judging.accuracy import (
    LEAST_OTHERS,
    LEAST_RATED,
    LEAST_SETTLED,
    Accuracy,
    HumanSample,
    Withheld,
)
from evaluation.judging.estimate import Between
from evaluation.judging.judged import MAJORITY, Cell, Group
from evaluation.reports.report import (
    Chart,
    Kind,
    Marked,
    Report,
    Section,
    Shape,
    Sheet,
    Value,
    Word,
    Words,
    shown,
)
from messages import say
from services.judging.report import ESTIMATES, JudgeLine, JudgeReport

_SHARES = ("agreement", "sensitivity", "specificity", "over", "under")
_EXPLAINED = ("agreement", "sensitivity", "specificity", "cohen_kappa", "ac1")
_ESTIMATES = ("naive", "corrected", "tuned")
_PERCENT = (
    *(*_SHARES, *_ESTIMATES, "raw", "share", "people", "disputed", "found", "sampled"),
    *("unsampled", "wins", "consistent", "shown_first", "preferred", "ties", "ties_correct"),
)
_KINDS = dict.fromkeys(_PERCENT, Kind.SHARE)
_CELLS = {  # of the confusion matrix: what the judge and what people say
    Cell.TRUE_POSITIVE: ("judge_correct", "people_correct"),
    Cell.FALSE_POSITIVE: ("judge_correct", "people_incorrect"),
    Cell.FALSE_NEGATIVE: ("judge_incorrect", "people_correct"),
    Cell.TRUE_NEGATIVE: ("judge_incorrect", "people_incorrect"),
}
_ENOUGH = 10  # minimum answers of a group that a sentence names
_Row = dict[str, Value]


def as_report(
    found: JudgeReport,
    language: str,
    judge: str | None = None,
    categories: Mapping[str, str] | None = None,
) -> Report:
    """Return the report; of `judge` alone what belongs to a single judge, if one is named.

    `categories` are the names of the codebook's error categories by key.
    """
    words = Words("judge_report", language, "figure", kinds=_KINDS)
    lines = [line for line in found.judges if judge in (None, line.judge)]
    sections = (
        _agreement(found, words),
        _matrix(lines, words),
        _judges(found, words),
        _accuracy(lines, words),
        _people_alone(found, words),
        _drift("kind", lines, words),
        _drift("length", lines, words),
        _positions(found, words),
        _categories(found, words, categories or {}),
    )
    facts: dict[str, Any] = {"system": found.system, "systems": list(found.systems)}
    facts |= found.progress
    facts["common"] = {"answers": found.common.answers, "found": found.common.found}
    facts["estimates"] = dict(found.estimates)
    lead = words("progress", **found.progress) if judge is None else ""
    return Report("judging", words("title"), sections, lead, facts=facts)


def judge_words(judge: str, language: str) -> str:
    """Return a judge's name; the majority of judges in words."""
    return say("judge_report.majority", language) if judge == MAJORITY else judge


def _judge_cell(judge: str, words: Words) -> Word:
    return Word(judge, judge_words(judge, words.language))


def _agreement(found: JudgeReport, words: Words) -> Section:
    """Return agreement of people with each other, and of judges with them."""
    rows = [
        {
            "sides": words.word(part, "part."),
            "between": between,
            "raw": figures.raw.figure,
            "kappa": figures.kappa.figure,
            "ac1": figures.ac1.figure,
            "n": figures.raw.figure.n,
        }
        for part, between, figures in _sides(found, words)
        if figures.raw.figure.n
    ]
    chart = Chart(Shape.FOREST, ("between",), ("kappa",), "sides")
    notes = (words("page.people_help"),)
    lead = _kappa_sentence(found, words)
    return words.section("agreement", "page.people", rows, lead, chart, notes)


def _sides(found: JudgeReport, words: Words) -> Iterator[tuple[str, str, Between]]:
    """Yield each agreement with the part of the report it is in and the two sides."""
    for line in found.judges:
        name = judge_words(line.judge, words.language)
        yield "judge", f"{name} – {words('consensus')}", line.between
    yield "people", words("everybody"), found.people
    for pair in found.people_pairs:
        yield "people", f"{pair.first} – {pair.second}", pair
    for line in found.judges:
        name = judge_words(line.judge, words.language)
        for person, between in line.raters:
            yield "rater", f"{name} – {person}", between


def _kappa_sentence(found: JudgeReport, words: Words) -> str:
    """Return a sentence on the main judge's κ, with people's own beside it; "" without a κ."""
    if not found.judges:
        return ""
    line = _main_judge(found.judges)
    kappa, people = line.between.kappa.figure, found.people.kappa.figure
    if kappa.value is None:
        return ""
    name = judge_words(line.judge, words.language)
    sentence = words("kappa_lead", judge=name, kappa=kappa.text(), n=kappa.n)
    if people.value is None:
        return sentence
    return f"{sentence} {words('kappa_people', kappa=people.text(), n=people.n)}"


def _main_judge(lines: Iterable[JudgeLine]) -> JudgeLine:
    """Return the majority of judges, or else the judge with the most verdicts."""
    by_name = {line.judge: line for line in lines}
    return by_name.get(MAJORITY) or max(by_name.values(), key=lambda each: each.said)


def _matrix_sentence(line: JudgeLine, words: Words) -> str:
    """Say on how many answers judge and people agree, and how many ties are not in the matrix."""
    same = line.matrix.count(Cell.TRUE_POSITIVE) + line.matrix.count(Cell.TRUE_NEGATIVE)
    name = judge_words(line.judge, words.language)
    sentence = words("matrix_lead", judge=name, same=same, n=line.matrix.n - line.matrix.tied)
    if not line.matrix.tied:
        return sentence
    return f"{sentence} {words('matrix_ties', count=line.matrix.tied)}"


def _matrix(lines: Sequence[JudgeLine], words: Words) -> Section:
    """Return the confusion matrix of each judge against people."""
    rows = [
        {
            "judge": _judge_cell(line.judge, words),
            "verdict": words.word(verdict),
            "finding": words.word(finding),
            "cell": words.word(cell.value, "page."),
            "count": line.matrix.count(cell),
            "share": line.matrix.share(cell),
        }
        for line in lines
        for cell, (verdict, finding) in _CELLS.items()
    ]
    tied = [line for line in lines if line.matrix.tied]
    notes = tuple(
        f"{judge_words(line.judge, words.language)}: {words('tied')}: {line.matrix.tied:,}"
        for line in tied
    )
    down = ("verdict",) if len({row["judge"] for row in rows}) == 1 else ("judge", "verdict")
    chart = Chart(Shape.HEAT, ("finding", *down), ("count",))
    lead = " ".join(_matrix_sentence(line, words) for line in lines[:1])
    return words.section("matrix", "page.matrix", rows, lead, chart, notes, opens="cell")


def _judges(found: JudgeReport, words: Words) -> Section:
    """Return each judge's shares, agreement and errors."""
    rows: list[_Row] = [
        {
            "judge": _judge_cell(line.judge, words),
            "n": line.matrix.n,
            **{name: getattr(line.shares, name) for name in _SHARES},
            "cohen_kappa": line.between.kappa.figure,
            "ac1": line.between.ac1.figure,
            "said": line.said,
            "silent": line.silent,
            "tied_answers": line.ties,
        }
        for line in found.judges
    ]
    common = found.common
    if len(found.judges) > 1:
        tied = {"ties": common.ties, "ties_correct": common.ties_correct}
        rows.append({"judge": words("tied"), "n": common.ties_correct.n, **tied})
    notes = [f"{words(f'figure.{name}')}: {words(f'about.{name}')}" for name in _EXPLAINED]
    notes = [words("page.judges_help"), *notes]
    if len(found.judges) > 1:
        counts = {"answers": f"{common.answers:,}", "found": f"{common.found:,}"}
        shares = {"ties": common.ties.percent(), "correct": common.ties_correct.percent()}
        notes = [words("common", **counts), *notes, words("page.ties", **shares)]
    chart = Chart(Shape.FOREST, ("judge",), ("agreement", "sensitivity", "specificity"))
    return words.section("judges", "page.judges", rows, chart=chart, notes=tuple(notes))


def _accuracy(lines: Iterable[JudgeLine], words: Words) -> Section:
    """Return each system's accuracy by each judge: naive, human, corrected."""
    pairs = [(line.judge, system, acc) for line in lines for system, acc in line.accuracies]
    rows = [
        {
            "judge": _judge_cell(judge, words),
            "system": system,
            **{name: _or_reason(getattr(acc, name), acc.why(name), words) for name in _ESTIMATES},
            "judged": acc.naive.n,
            "rated": acc.sampled.n,
            "sampled": acc.sampled,
            "unsampled": acc.unsampled,
            "differing": acc.differing,
            "power": acc.power,
        }
        for judge, system, acc in pairs
    ]
    chart = Chart(Shape.FOREST, ("judge", "system"), _ESTIMATES, legend=words("correct_answers"))
    notes = (words("page.accuracy_help"), *_caveats(pairs, words))
    lead = _corrected_sentence(pairs, words)
    return words.section("accuracy", "page.accuracy", rows, lead, chart, notes)


def _corrected_sentence(pairs: Sequence[tuple[str, str, Accuracy]], words: Words) -> str:
    """Describe the correction that moves a system's accuracy most."""
    known = [
        (abs((acc.corrected.value or 0.0) - acc.naive.value), judge, system, acc)
        for judge, system, acc in pairs
        if acc.corrected.low is not None and acc.naive.value is not None
    ]
    if not known:
        return words("corrected_none") if pairs else ""
    _, judge, system, acc = max(known, key=lambda each: each[0])
    return words(
        "corrected_lead",
        judge=judge_words(judge, words.language),
        system=system,
        naive=acc.naive.percent(),
        corrected=acc.corrected.percent(),
    )


def _caveats(pairs: Iterable[tuple[str, str, Accuracy]], words: Words) -> Iterator[str]:
    """Yield why corrected figures are withheld or lack an interval, each reason once for a judge.

    That people have not settled enough is said once, not for each judge (`_open_disputes`).
    """
    reasons: dict[tuple[str, str, int], list[tuple[str, Accuracy]]] = {}
    for at, (judge, system, acc) in enumerate(pairs):
        why = acc.withheld or ("few" if acc.few else None)
        if why is not None and why not in (Withheld.UNSETTLED, Withheld.SETTLED_BY_CHOICE):
            own = at if why is Withheld.NOT_RANDOM else -1  # with figures of its own
            reasons.setdefault((judge, why, own), []).append((system, acc))
    for (judge, why, _), held in reasons.items():
        acc = held[0][1]
        reason = words(
            f"page.{why}",
            system=", ".join(system for system, _ in held),
            count=", ".join(f"{acc.differing:,}" for _, acc in held),
            inside=shown(acc.sampled.value, Kind.SHARE),
            outside=shown(acc.unsampled.value, Kind.SHARE),
            p=f"{acc.p_random or 0:.2g}",
            least=LEAST_RATED,
            others=LEAST_OTHERS,
        )
        yield f"{judge_words(judge, words.language)}: {reason}"


def _open_disputes(system: str, alone: HumanSample, words: Words) -> str:
    """Explain why the figure of people is withheld."""
    low, high = alone.bounds or (0.0, 1.0)
    return words(
        f"page.{alone.withheld}",
        system=system,
        disputed=f"{alone.found.n + alone.waiting:,}",
        rated=f"{alone.disputed.n:,}",
        settled=f"{alone.found.n:,}",
        low=shown(low, Kind.SHARE),
        high=shown(high, Kind.SHARE),
        least=LEAST_SETTLED,
    )


def _or_reason(figure: Figure, why: Withheld | None, words: Words) -> Value:
    """Return a figure, or in words the reason why it is withheld."""
    return figure if why is None else Marked(None, words(f"withheld.{why}"))


def _people_alone(found: JudgeReport, words: Words) -> Section:
    """Return each system's accuracy according to people, whichever judge is chosen."""
    rows = [
        {
            "system": system,
            "people": _or_reason(alone.people, alone.withheld, words),
            "n": alone.people.n,
            "rated": alone.disputed.n,
            "disputed": alone.disputed,
            "found": alone.found,
            "waiting": alone.waiting,
            "bounds": None if alone.bounds is None else "{:.3f} – {:.3f}".format(*alone.bounds),
        }
        for system, alone in found.people_alone
        if alone.disputed.n
    ]
    caveats = (_open_disputes(*each, words) for each in found.people_alone if each[1].withheld)
    chart = Chart(Shape.FOREST, ("system",), ("people",))
    notes = (words("page.alone_help"), *caveats)
    return words.section("people_alone", "page.alone", rows, chart=chart, notes=notes)


def _drift(by: str, lines: Sequence[JudgeLine], words: Words) -> Section:
    """Return over- and underestimated answers as shares of each group."""
    groups = {line.judge: line.kinds if by == "kind" else line.lengths for line in lines}
    rows = [
        {
            "judge": _judge_cell(line.judge, words),
            "group": _group_words(by, group, words),
            **{name: getattr(group.shares, name) for name in ("over", "under", "agreement")},
            "n": group.matrix.n,
        }
        for line in lines
        for group in groups[line.judge]
        if line.matrix.n
    ]
    labels = ("group",) if len({row["judge"] for row in rows}) == 1 else ("judge", "group")
    title = f"{words('page.drift')}: {words(f'page.by_{by}')}"
    lead = _drift_sentence(by, lines, words) if rows else ""
    chart = Chart(Shape.FOREST, labels, ("over", "under"), legend=words("share"))
    sheet = Sheet.of(rows, words, _KINDS)
    return Section(f"by_{by}", title, sheet, lead, chart, (words("page.drift_help"),))


def _drift_sentence(by: str, lines: Sequence[JudgeLine], words: Words) -> str:
    """Describe how often the main judge errs, and in which group most."""
    line = _main_judge(lines)
    shares = {name: getattr(line.shares, name).percent() for name in ("over", "under")}
    name = judge_words(line.judge, words.language)
    sentence = words("drift_lead", judge=name, n=line.matrix.n, **shares)
    if line.matrix.tied:
        sentence = f"{sentence} {words('drift_tied', count=line.matrix.tied)}"
    groups = line.kinds if by == "kind" else line.lengths
    known = [each for each in groups if each.matrix.n >= _ENOUGH]
    if len(known) < 2:
        return sentence
    worst = min(known, key=lambda each: each.shares.agreement.value or 0.0)
    where = {"group": _group_words(by, worst, words), "share": worst.shares.agreement.percent()}
    return f"{sentence} {words('drift_worst', **where, n=worst.matrix.n)}"


def _group_words(by: str, group: Group, words: Words) -> str:
    """Return the name of a type of question, or of a range of lengths."""
    if by == "kind":
        return group.name or words("no_kind")
    low, high = f"{group.shortest:,}", f"{group.longest:,}"
    if low == high:
        return words("page.length", length=low)
    return words("page.lengths", low=low, high=high)


def _positions(found: JudgeReport, words: Words) -> Section:
    """Return the position bias of each pairwise judge."""
    rows = [
        {
            "judge": judge,
            "compared": f"{system} – {against or words('page.official')}",
            **{figure.name: figure for figure in bias.figures},
            "p": bias.p,
            "pairs": bias.pairs,
            "half": bias.half_asked,
            "silent": bias.silent,
        }
        for (judge, system, against), bias in found.positions.items()
    ]
    chart = Chart(Shape.FOREST, ("judge", "compared"), ("consistent", "shown_first"))
    notes = (words("page.position_help"),)
    return words.section("positions", "page.position", rows, chart=chart, notes=notes)


def _categories(found: JudgeReport, words: Words, names: Mapping[str, str]) -> Section:
    """Count the error categories of reviews, with over- and underestimation."""
    rows = [
        {"category": Word(key, names.get(key, key)), **counts}
        for key, counts in found.categories.items()
    ]
    counts = {name: found.estimates.get(name, 0) for name in ESTIMATES}
    counts["reviewed"] = found.progress["reviewed"]
    chart = Chart(Shape.STACK, ("category",), ESTIMATES, legend=words("reviews"))
    notes = (words("page.categories_help"),)
    lead = words("categories_lead", **counts, n=found.common.found) if rows else ""
    return words.section("categories", "page.categories", rows, lead, chart, notes)
