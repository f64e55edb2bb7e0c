"""Attribution report as tables, JSON, CSV of figures, and a drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from annotation.attribution.claim_cites import ClaimCites
from errors import UserError
from evaluation.attribution.systems import KINDS, Kind, PairTest
from evaluation.figure import Figure
from evaluation.figures.buckets import Bar
from evaluation.figures.sheets import bar_sheet
from evaluation.tables import Cell, Table, csv_text, p_text, written
from messages import say
from services.attribution.answer_citations import AnswerCitations
from services.attribution.answer_claims import AnswerClaimsView
from services.attribution.report import (
    AttributionReport,
    Setting,
    SystemLine,
    citation_bars,
    claim_bars,
)
from storage.attribution.claims import MATCH

if TYPE_CHECKING:
    from evaluation.drawing.canvas import Look

_HEAD = ("system", "format", "model", "context", "part", "of", "statistic", "value", "low", "high")
_WORDS = "attribution_report"
DRAWN = ("svg", "png")
PARTS = ("citations", "claims")  # parts with a drawing of precision
_MEANS = tuple(
    f"{of}_{name}" for of in ("claim", "citation") for name in ("precision", "recall", "f1")
)
_UNLIKELY = 0.05  # p-value below which two systems differ


def score_table(found: AttributionReport, language: str) -> Table:
    """Return precision, recall and F1 per system, for claims and citations."""
    head = (_say("system", language), _say("format", language), _say("context", language))
    columns = tuple(
        f"{kind_words(of, language)} {_say(name, language)}"
        for of in KINDS
        for name in ("precision", "recall", "f1")
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            *_system_cells(each, language),
            *(figure.text() for of in KINDS for figure in each.scores.means[of]),
            each.scores.means[KINDS[0]].f1.n,
            each.scores.means[KINDS[-1]].f1.n,
        )
        for each in found.lines
    )
    counts = _say("n_claims", language), _say("n_citations", language)
    judge = found.judge or "–"
    notes = [_say("scores_note", language, judge=judge), *gold_notes(found, language)]
    return Table((*head, *columns, *counts), rows, _say("scores_title", language), tuple(notes))


def gold_notes(found: AttributionReport, language: str) -> list[str]:
    """Return a note on the gold set of citations; empty without law."""
    return [] if found.gold is None else [found.gold.say(language)]


def overview_table(found: AttributionReport, language: str) -> Table:
    """Return one row per system: F1 with intervals, and the number of systems it beats."""
    greedy, _, article, _ = KINDS
    columns = (("claim", greedy), ("citation", article))
    head = ("system", "setting", *_MEANS, "better", "n_both")
    rows = tuple(
        (
            each.system,
            ", ".join(_system_cells(each, language)[1:]),
            *(
                figure.text() if figure.name == "f1" else _value_text(figure)
                for _, kind in columns
                for figure in each.scores.means[kind]
            ),
            " / ".join(str(_count_beaten(found, each.system, kind)) for _, kind in columns),
            f"{each.scores.means[greedy].f1.n} / {each.scores.means[article].f1.n}",
        )
        for each in found.lines
    )
    heads = tuple(_say(name, language) for name in head)
    judge = found.judge or "–"
    note = _say("overview_note", language, judge=judge)
    return Table(heads, rows, _say("scores_title", language), (note,))


def significant(each: PairTest) -> bool:
    """Return True if two systems differ after Holm's correction."""
    return each.result.p_holm is not None and each.result.p_holm < _UNLIKELY


def _count_beaten(found: AttributionReport, system: str, kind: Kind) -> int:
    """Return the number of systems with a significantly lower F1."""
    count = 0
    for each in found.tests:
        value = each.result.difference.value
        if each.kind == kind and each.measure == "f1" and value is not None and significant(each):
            count += (each.system if value > 0 else each.against) == system
    return count


def kind_table(found: AttributionReport, kind: Kind, language: str) -> Table:
    """Return precision, recall and F1 per system for one kind of score."""
    head = (
        *(_say(name, language) for name in ("system", "format", "context")),
        *(_say(name, language) for name in ("precision", "recall", "f1")),
        "n",
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (*_system_cells(each, language), *(f.text() for f in mean), mean.f1.n)
        for each in found.lines
        for mean in [each.scores.means[kind]]
    )
    return Table(head, rows, kind_words(kind, language))


def strata_table(found: AttributionReport, language: str) -> Table:
    """Return F1 of claims and citations per stratum and system, with intervals."""
    greedy, _, article, _ = KINDS
    head = ("stratum", "system", "setting", "claim_f1", "citation_f1", "n_both")
    rows = tuple(
        (
            value or _say("not_stated", language),
            each.system,
            ", ".join(_system_cells(each, language)[1:]),
            *(each.scores.means[kind].f1.text() for kind in (greedy, article)),
            f"{each.scores.means[greedy].f1.n} / {each.scores.means[article].f1.n}",
        )
        for value, lines in found.parts.items()
        for each in lines
    )
    title = _say("strata_title", language, column=found.split)
    return Table(tuple(_say(name, language) for name in head), rows, title)


def mistake_table(found: AttributionReport, language: str) -> Table:
    """Return the numbers of false, unused and invalid citations per system."""
    names = ("inside", "outside", "unused", "known", "invalid", "read_from")
    head = tuple(_say(name, language) for name in ("system", "format", "context", *names))
    rows = tuple(
        (
            *_system_cells(each, language),
            each.scores.inside,
            each.scores.outside,
            each.scores.unused,
            each.scores.known,
            each.scores.invalid,
            _counts_text(each.scores.sources, "source", language),
        )
        for each in found.lines
    )
    title, note = _say("mistakes_title", language), _say("mistakes_note", language)
    return Table(head, rows, title, (note,))


def state_table(found: AttributionReport, language: str) -> Table:
    """Return counts of questions, answers and scores per state."""
    head = tuple(_say(name, language) for name in ("system", "what", "outcome", "count"))
    rows = tuple(
        (each.system, _say(f"part_{part}", language), _say(f"state.{state}", language), count)
        for each in found.lines
        for part, states in _states(each).items()
        for state, count in states.items()
    )
    title, note = _say("states_title", language), _say("states_note", language)
    return Table(head, rows, title, (note,))


def comparison_table(
    found: AttributionReport, language: str, only_significant: bool = False
) -> Table:
    """Return the pairwise tests of systems, all or the significant ones."""
    names = ("measure", "system", "against", "difference", "p", "p_holm", "wins", "n")
    head = tuple(_say(name, language) for name in names)
    told = [each for each in found.tests if significant(each) or not only_significant]
    rows = tuple(_test_row(each, language) for each in told)
    title, note = _say("tests_title", language), _say("tests_note", language)
    return Table(head, rows, title, (note,))


def claim_tables(view: AnswerClaimsView, language: str) -> tuple[Table, Table]:
    """Return the claims of an answer with labels, and the numbered official ones."""
    head = tuple(_say(name, language) for name in ("claim", "label", "matches", "cites"))
    rows = tuple(
        (
            claim.text,
            _say(f"label_{view.labels[at].label}", language) if view.labels else "–",
            _matches(view, at),
            _cites(cites, language),
        )
        for at, (claim, cites) in enumerate(zip(view.claims, view.cites, strict=True))
    )
    official = tuple((str(number), each.text) for number, each in enumerate(view.gold, 1))
    numbered = _say("number", language), _say("official_claim", language)
    title = _say("claims_of_answer", language)
    return Table(head, rows, title), Table(numbered, official, _say("official_claims", language))


def citation_table(answers: Sequence[AnswerCitations], language: str) -> Table:
    """Return a row per answer: its citations, the gold, and errors, by article."""
    parts = ("cited", "gold", "inside", "outside", "unplaced", "missed", "invalid")
    told = [name for name in parts if name != "unplaced" or any(e.unplaced for e in answers)]
    head = ("question", "system", *(f"answer_{name}" for name in told))
    rows = tuple(
        (each.question, each.system, *(_units(getattr(each, name)) for name in told))
        for each in answers
    )
    heads = tuple(_say(name, language) for name in head)
    note = _say("citations_note", language)
    return Table(heads, rows, _say("citations_title", language), (note,))


def tables(found: AttributionReport, language: str) -> tuple[Table, ...]:
    """Return all tables of the report in print order."""
    made = (
        score_table(found, language),
        strata_table(found, language),
        mistake_table(found, language),
        comparison_table(found, language),
        state_table(found, language),
    )
    return tuple(each for each in made if each.rows)


def as_text(found: AttributionReport, format_name: str, language: str = "en") -> str:
    """Return the report as Markdown or LaTeX tables, or as one CSV of all figures."""
    if format_name == "csv":
        return as_csv(found)
    return "\n".join(written(each, format_name) for each in tables(found, language))


def as_csv(found: AttributionReport) -> str:
    """Return one CSV with a line per figure and per count.

    With a split, the last cell is the value of the column, empty for all questions.
    """
    if not found.split:
        return csv_text([(*_HEAD, "n"), *_rows(found.lines)])
    rows = [(*row, None) for row in _rows(found.lines)]
    for value, lines in found.parts.items():
        rows += [(*row, value or _say("not_stated", "en")) for row in _rows(lines)]
    return csv_text([(*_HEAD, "n", found.split), *rows])


def _rows(lines: Sequence[SystemLine]) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for each in lines:
        setting = each.system, each.setting.format, each.setting.model, each.setting.label
        for (part, of), mean in each.scores.means.items():
            rows += [(*setting, part, of, *_cells(figure)) for figure in mean]
        for name, count in _counts(each).items():
            rows.append((*setting, "citations", "article", name, count, None, None, None))
        for part, states in _states(each).items():
            rows += [
                (*setting, part, "state", state, count, None, None, None)
                for state, count in states.items()
            ]
    return rows


def as_json(found: AttributionReport) -> dict[str, object]:
    """Return the whole report as JSON values."""
    return {
        "judge": found.judge,
        "judges": list(found.judges),
        **({} if found.gold is None else found.gold.as_dict()),
        "systems": [_system_json(each) for each in found.lines],
        **(
            {
                "split": found.split,
                "strata": {
                    value: [_system_json(each) for each in lines]
                    for value, lines in found.parts.items()
                },
            }
            if found.split
            else {}
        ),
        "tests": [
            {
                "kind": each.kind[0],
                "of": each.kind[1],
                "measure": each.measure,
                "system": each.system,
                "against": each.against,
                "difference": each.result.difference.as_json(),
                "p": each.result.p,
                "p_holm": each.result.p_holm,
                "wins": each.result.tally.wins,
                "ties": each.result.tally.ties,
                "losses": each.result.tally.losses,
            }
            for each in found.tests
        ],
    }


def bars(found: AttributionReport, part: str, language: str = "en") -> list[Bar]:
    """Return the precision of ``citations`` or ``claims`` by context, with display names.

    Raises UserError for another part.
    """
    if part not in PARTS:
        raise UserError("attribution_part", part=part[:80], known=", ".join(PARTS))
    raw = citation_bars(found) if part == "citations" else claim_bars(found)
    contexts = {each.setting.label: each.setting for each in found.lines}
    formats = {each: _say(f"format_{each}", language) for each in ("free", "per_provision")}
    return [
        Bar(
            context_words(contexts[bar.group], language),
            _series_text(bar.series, formats),
            bar.figure,
        )
        for bar in raw
    ]


def drawing(
    found: AttributionReport, part: str, ending: str, mode: str = "light", language: str = "en"
) -> bytes:
    """Return the figure of precision by context as ``svg``, ``png`` or, its data, ``csv``.

    Raises UserError for another ending or part.
    """
    drawn = bars(found, part, language)
    if ending == "csv":
        return written(bar_sheet(drawn), "csv").encode()
    if ending not in DRAWN:
        raise UserError("figure_ending", ending=f".{ending}", known=".svg, .png, .csv")
    from evaluation.drawing.bars import bar_chart

    return bar_chart(drawn, _look(mode, ending, language))


def kind_words(kind: Kind, language: str) -> str:
    """Return the display name of a kind of score."""
    return _say(f"of_{kind[1]}", language)


def context_words(setting: Setting, language: str) -> str:
    """Return the display name of a context; run names unchanged."""
    if setting.context == "run":
        return setting.label
    return _say(f"context_{setting.context or 'unknown'}", language)


def _look(mode: str, ending: str, language: str) -> Look:
    from evaluation.drawing.canvas import Look

    return Look(
        "dark" if mode == "dark" else "light", "png" if ending == "png" else "svg", language
    )


def _series_text(series: str, formats: Mapping[str, str]) -> str:
    model, apart, form = series.rpartition(" · ")
    return f"{model}{apart}{formats[form]}" if form in formats else series


def _matches(view: AnswerClaimsView, at: int) -> str:
    """Return the numbers of the official claims matched, partial ones marked with ½."""
    relations = view.labels[at].relations if view.labels else ()
    return ", ".join(f"{gold + 1}" if of == MATCH else f"{gold + 1} (½)" for gold, of in relations)


def _system_cells(line: SystemLine, language: str) -> tuple[str, str, str]:
    form = _say(f"format_{line.setting.format}", language)
    return line.system, form, context_words(line.setting, language)


def _test_row(each: PairTest, language: str) -> tuple[Cell, ...]:
    result, tally = each.result, each.result.tally
    return (
        f"{kind_words(each.kind, language)} {_say(each.measure, language)}",
        each.system,
        each.against,
        result.difference.text(),
        p_text(result.p),
        p_text(result.p_holm),
        f"{tally.wins} / {tally.ties} / {tally.losses}",
        result.n,
    )


def _states(line: SystemLine) -> dict[str, Mapping[str, int]]:
    return {"answers": line.answers, **line.scores.states}


def _counts(line: SystemLine) -> dict[str, int | None]:
    scores = line.scores
    return {
        "inside": scores.inside,
        "outside": scores.outside,
        "unused": scores.unused,
        "known": scores.known,
        "invalid": scores.invalid,
    }


def _system_json(line: SystemLine) -> dict[str, object]:
    setting = line.setting
    return {
        "system": line.system,
        "format": setting.format,
        "model": setting.model,
        "context": setting.context,
        "context_name": setting.label,
        "scores": {
            part: {
                of: {figure.name: figure.as_json() for figure in line.scores.means[part, of]}
                for each, of in KINDS
                if each == part
            }
            for part in ("claims", "citations")
        },
        "citations": _counts(line) | {"sources": dict(line.scores.sources)},
        "states": {part: dict(states) for part, states in _states(line).items()},
    }


def _cites(cites: ClaimCites, language: str) -> str:
    named = ", ".join(cites.written)
    return named if cites.own else _say("cites_by_answer", language, cites=named)


def _units(units: Sequence[str] | None) -> str:
    return "–" if units is None else ", ".join(units)


def _value_text(figure: Figure) -> str:
    return "–" if figure.value is None else f"{figure.value:.3f}"


def _cells(figure: Figure) -> tuple[Cell, ...]:
    return figure.name, figure.value, figure.low, figure.high, figure.n


def _counts_text(counts: Mapping[str, int], words: str, language: str) -> str:
    return ", ".join(f"{_say(f'{words}_{name}', language)} {n}" for name, n in counts.items())


def _say(name: str, language: str, **values: object) -> str:
    return say(f"{_WORDS}.{name}", language, **values)
