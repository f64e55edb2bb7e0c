"""Figures about a project as reports: neighbourhoods, hit rates, runs, and data sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from corpus.graph.model import EdgeType, Origin
from evaluation.figure import LEAST, Figure, n_range
from evaluation.figures.buckets import Curve, HitRate
from evaluation.figures.datasets import BINS, PAIRS, Description, Pair
from evaluation.figures.neighbourhood_chart import neighbourhood_picture
from evaluation.reports.report import Chart, Kind, Report, Section, Shape, Sheet, Value, Word, Words
from messages import say
from services.figures.dataset_statistics import USUAL, Likening, Statistics
from services.figures.series import MOST_RUNS, HitReport, QuestionFigure, RunBars, RunCurves
from services.gold.search_coverage import levels_in_words
from services.runs.strata import value_in_words

_KINDS = dict.fromkeys(("missed", "linked", "share"), Kind.SHARE)
_Row = Mapping[str, Value]


def _words(language: str) -> Words:
    """Return the words of figures, with the kinds of their columns."""
    return Words("figure_report", language, kinds=_KINDS)


def neighbourhood_report(figure: QuestionFigure, language: str) -> Report:
    """Return the picture of a question's neighbourhood, with its points and edges."""
    words, found = _words(language), figure.found
    panels = {"cosine": found.cosine, "explicit": found.explicit}
    points: Iterator[_Row] = (
        {
            **{"unit": p.unit_id, "name": figure.names.get(p.unit_id, "")},
            **{"role": words.word(p.role), "rank": p.rank, "x": p.x, "y": p.y},
        }
        for p in found.points
    )
    edges: Iterator[_Row] = (
        {
            **{"graph": words.word(kind, "graph_"), "from_seed": each.source},
            **{"from_name": figure.names.get(each.source, ""), "to_unit": each.target},
            **{"to_name": figure.names.get(each.target, ""), "to_gold": int(each.hits)},
        }
        for kind, panel in panels.items()
        for each in panel.links
    )
    picture = neighbourhood_picture(found, figure.question, figure.names, language)
    sections = (
        Section("points", words("points"), Sheet.of(points, words), picture=picture),
        words.section("links", "links", edges),
    )
    hits = {kind: panel.hits for kind, panel in panels.items()}
    searched, count = levels_in_words(figure.levels, language), figure.not_searched
    notes = (
        words("question_searched", levels=searched, count=count),
        figure.gold.say(language),
        words("neighbourhood_note"),
    )
    facts = {"hits": hits, "searched": figure.levels, "gold_not_searched": count}
    facts |= figure.gold.as_dict()
    lead = words("neighbourhood_lead", **hits)
    return Report("neighbourhood", figure.external_id, sections, lead, notes, facts)


def hits_report(found: HitReport, language: str) -> Report:
    """Return the share of gold that lies one step from a seed, by graph."""
    words = _words(language)
    rows: Iterator[_Row] = (
        {
            **{"graph": words.word(each.graph, "graph_"), "missed": each.missed},
            **{"n_missed": each.missed.n, "linked": each.linked, "n": each.linked.n},
            "reached": each.reached,
        }
        for each in found.rates
    )
    chart = Chart(Shape.FOREST, ("graph",), ("missed", "linked"), legend=words("hit_rate"))
    about = _hit_lead(found.rates, words), chart, (words("hits_note"),)
    section = words.section("rates", "hits", rows, *about)
    walked = ", ".join(edge_words(each, language) for each in found.walked)
    searched = levels_in_words(found.levels, language)
    notes = [
        found.gold.say(language),
        words("walked", edges=walked),
        say("levels.searched_note", language, levels=searched),
    ]
    if found.outside.units:
        notes.append(say("levels.left_out_note", language, **found.outside.counted(language)))
    facts: dict[str, Any] = {"edges": found.walked, "searched": found.levels}
    facts |= {"not_searched": found.outside.as_dict(), **found.gold.as_dict()}
    lead = words("questions_with_gold", count=found.questions)
    return Report("hits", words("hits"), (section,), lead, tuple(notes), facts)


def _hit_lead(rates: Sequence[HitRate], words: Words) -> str:
    """Return a sentence on citations beside as many nearest neighbours; "" for few questions."""
    missed = {each.graph: each.missed for each in rates}
    if missed["explicit"].n < LEAST:
        return ""
    shares = {graph: figure.percent() for graph, figure in missed.items()}
    return words("hits_lead", n=missed["explicit"].n, **shares)


def edge_words(edge: EdgeType | Origin, language: str) -> str:
    """Return the display name of an edge type or edge origin."""
    of = "corpus.edge" if isinstance(edge, EdgeType) else "parameter_choice.origins"
    return say(f"{of}.{edge.value}", language)


def similarity_report(
    found: RunCurves,
    measure: str,
    language: str,
    how: Likening = USUAL,
) -> Report:
    """Return a measure of runs by the similarity of question and gold, computed as `how` says."""
    words = _words(language)
    rows: Iterator[_Row] = (
        {
            **{"run": each.name, "bucket": f"{bucket.low:.2g}–{bucket.high:.2g}"},
            **{"middle": round((bucket.low + bucket.high) / 2, 9), "score": bucket.figure},
            **{"n": bucket.figure.n, "fitted": _fitted(each, (bucket.low + bucket.high) / 2)},
        }
        for each in found.curves
        for bucket in each.buckets
    )
    slopes: Iterator[_Row] = (
        {"run": each.name, "slope": each.slope, "n": each.slope.n} for each in found.curves
    )
    title = words("similarity", measure=measure)
    sloping = ((each.name, each.slope) for each in found.curves)
    buckets = Section(
        "buckets",
        title,
        Sheet.of(rows, words, heads={"score": measure}),
        _lead_on_most(words, "slope_lead", sloping, measure=measure),
        Chart(Shape.LINE, ("middle",), ("score",), "run", fit="fitted"),
        (words("similarity_note"), how.say(language)),
    )
    chart = Chart(Shape.FOREST, ("run",), ("slope",), zero=True)
    sloped = words.section("slopes", "slopes", slopes, chart=chart)
    facts = {"how": asdict(how), **found.gold.as_dict()}
    notes = (found.gold.say(language), *found.runs.notes([measure], language))
    return Report("similarity", title, (buckets, sloped), "", notes, facts)


def _fitted(curve: Curve, similarity: float) -> float | None:
    """Return the value of the fitted line at a similarity, None where there is no fit."""
    if curve.start is None or curve.slope.value is None:
        return None
    return curve.start + curve.slope.value * similarity


def _lead_on_most(
    words: Words,
    key: str,
    figures: Iterable[tuple[str, Figure]],
    fewest: int = 1,
    **params: str,
) -> str:
    """Return a sentence on whose figure is the largest; "" below `fewest` reliable figures."""
    known = [(name, figure) for name, figure in figures if figure.n >= LEAST]
    known = [each for each in known if each[1].value is not None]
    if len(known) < fewest:
        return ""
    most, figure = max(known, key=lambda each: each[1].value or 0)
    return words(key, most=most, figure=figure.text(), n=figure.n, **params)


def bars_report(found: RunBars, language: str) -> Report:
    """Return measures of runs beside each other; more than have colours of their own in rows."""
    words = _words(language)
    shape, label, series = Shape.BARS, "measure", "run"
    if len({bar.series for bar in found.bars}) > MOST_RUNS:
        shape, label, series = Shape.FOREST, "run", "measure"
    rows: Iterator[_Row] = (
        {"measure": bar.group, "run": bar.series, "score": bar.figure, "n": bar.figure.n}
        for bar in found.bars
    )
    n = n_range(bar.figure for bar in found.bars)
    chart = Chart(shape, (label,), ("score",), series, words("score_n", n=n))
    first = found.bars[0].group
    of_first = ((bar.series, bar.figure) for bar in found.bars if bar.group == first)
    lead = _lead_on_most(words, "best_lead", of_first, 2, measure=first)
    about = lead, chart, (words("bars_note"),)
    section = words.section("scores", "bars", rows, *about)
    measures = list(dict.fromkeys(bar.group for bar in found.bars))
    gold = (each.say(language) for each in found.gold)
    notes = (*gold, *found.runs.notes(measures, language))
    return Report("bars", words("bars"), (section,), "", notes, found.gold[0].as_dict())


def statistics_report(found: Statistics, language: str) -> Report:
    """Return the data sets beside each other: means, histograms, counts, and tests between them."""
    words = _words(language)
    sections = (
        _datasets(found, words),
        *(_histogram(found.datasets, pair, words) for pair in PAIRS),
        _gold_counts(found.datasets, words),
        _lengths(found.datasets, words),
        _columns(found.datasets, words),
        _tests(found, words),
    )
    notes = (
        found.how.say(language),
        *(f"{name}: {gold.say(language)}" for name, gold in found.gold.items()),
        *(
            words("searched_in", dataset=name, levels=levels_in_words(levels, language))
            for name, levels in found.levels.items()
        ),
    )
    gold = {name: size.as_dict() for name, size in found.gold.items()}
    facts = {"how": asdict(found.how), "searched": dict(found.levels), "gold": gold}
    return Report("statistics", words("statistics"), sections, "", notes, facts)


def _datasets(found: Statistics, words: Words) -> Section:
    """Describe the data sets: sizes, gold per question, similarities."""

    def row(each: Description) -> _Row:
        """Return a data set's counts and similarities."""
        counts = ("questions", "without_gold", "not_searched", "not_searched_questions")
        cosines: dict[str, Value] = {}
        for pair, figure in each.cosines.items():
            cosines |= {pair: figure, f"n_{pair}": figure.n}
        counted = {name: getattr(each, name) for name in counts}
        return {"dataset": each.name, **counted, "gold_each": each.gold, **cosines}

    chart = Chart(Shape.FOREST, ("dataset",), PAIRS, legend=words("cosine_axis"))
    notes = (words("datasets_note"),)
    alike = ((each.name, each.cosines["query_gold"]) for each in found.datasets)
    lead = _lead_on_most(words, "alike_lead", alike)
    return words.section("datasets", "statistics", map(row, found.datasets), lead, chart, notes)


def _histogram(datasets: Sequence[Description], pair: Pair, words: Words) -> Section:
    """Return the histogram of a similarity, by data set."""
    rows: Iterator[_Row] = (
        {"dataset": each.name, "bin": f"{at / BINS:g}", "count": count}
        for each in datasets
        if each.cosines[pair].n
        for at, count in enumerate(each.histograms[pair])
    )
    chart = Chart(Shape.HISTOGRAM, ("bin",), ("count",), "dataset")
    return words.section(f"{pair}_histogram", "histogram", rows, chart=chart, pair=words(pair))


def _gold_counts(datasets: Sequence[Description], words: Words) -> Section:
    """Return the histogram of questions by number of gold units, by data set."""
    sizes = sorted({units for each in datasets for units, _ in each.counts})
    rows: Iterator[_Row] = (
        {"dataset": each.name, "gold_units": str(n), "count": dict(each.counts).get(n, 0)}
        for each in datasets
        for n in sizes
    )
    chart = Chart(Shape.HISTOGRAM, ("gold_units",), ("count",), "dataset")
    return words.section("questions_with_gold", "gold_counts", rows, chart=chart)


def _lengths(datasets: Sequence[Description], words: Words) -> Section:
    """Return the lengths of questions and provisions in characters and words."""
    rows: Iterator[_Row] = (
        {
            **{"dataset": each.name, "text": words.word(kind, "text_")},
            **{"characters": characters, "words": counted, "n": characters.n},
        }
        for each in datasets
        for kind, (characters, counted) in each.lengths.items()
        if characters.n
    )
    chart = Chart(Shape.FOREST, ("dataset", "text"), ("characters", "words"))
    notes = (words("lengths_note"),)
    return words.section("lengths", "lengths", rows, chart=chart, notes=notes)


def _columns(datasets: Sequence[Description], words: Words) -> Section:
    """Return the share of questions by column and value."""
    rows: Iterator[_Row] = (
        {
            **{"dataset": each.name, "column": column},
            "value": Word(value, value_in_words((column, value), words.language)),
            **{"share": share, "n": share.n},
        }
        for each in datasets
        for column, shares in each.columns.items()
        for value, share in shares.items()
    )
    several = ("dataset",) if len(datasets) > 1 else ()
    chart = Chart(Shape.FOREST, (*several, "column", "value"), ("share",))
    return words.section("columns", "columns", rows, chart=chart)


def _tests(found: Statistics, words: Words) -> Section:
    """Return the tests of differences between data sets."""
    rows: Iterator[_Row] = (
        {
            **{"left": each.left, "right": each.right, "pair": words.word(each.pair)},
            **{"test": words.word(each.test, "test_"), "statistic": each.statistic},
            **{"p": each.p, "p_holm": each.corrected},
            **{"n_left": each.n[0], "n_right": each.n[1]},
        }
        for each in found.differences
    )
    notes = (words("tests_note"),)
    return words.section("tests", "tests", rows, notes=notes)
