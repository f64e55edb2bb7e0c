"""Attribution report in the reader's language: scores, mistakes, tests and states with pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from annotation.attribution.form import ClaimCites
from evaluation.attribution import KINDS, MEASURES
from evaluation.figure import LEAST
from evaluation.ranking.compare import CROSSED, comparison_cells, crossed
from evaluation.reports.report import Chart, Report, Section, Shape, Value, Word, Words
from services.attribution.answer_claims import AnswerCitations, AnswerClaimsView
from services.attribution.report import AttributionReport
from services.attribution.scored_answers import SystemLine
from storage.attribution.claims import MATCH, SAID

_WORDS = "attribution_report"
_MAIN = {"claim": "greedy", "citation": "article"}  # kinds of score by the prefix of their heads
_F1 = ("claim_f1", "citation_f1")
_ORDER = ("pure_oracle", "gold", "oracle", "run", "rollout", "pseudo", "none")
_Row = dict[str, Value]


def as_report(found: AttributionReport, language: str, all_pairs: bool = False) -> Report:
    """Return the report; of the tests of pairs those that differ, unless `all_pairs`."""
    words = Words(_WORDS, language)
    sections = (
        _scores(found, words),
        _by_context(found, words, "citations", "article"),
        _by_context(found, words, "claims", "greedy"),
        _mistakes(found, words),
        _strata(found, words),
        _tests(found, words, all_pairs),
        _variants(found, words),
        _states(found, words),
    )
    lead = words("labels_of", judge=found.judge) if found.judge else words("no_labels")
    notes = () if found.gold is None else (found.gold.say(language),)
    return Report("attribution", words("title"), sections, lead, notes)


def _system(line: SystemLine, words: Words) -> _Row:
    """Return the cells that name a system and its setting."""
    of_run = line.setting.context == "run"
    known = line.setting.context if not of_run and line.setting.context else "unknown"
    return {
        "system": line.system,
        "format": words.word(line.setting.format, "format_"),
        "context": line.setting.label if of_run else words.word(known, "context_"),
    }


def _main_scores(line: SystemLine, *measures: str) -> _Row:
    """Return the scores of claims (greedy pairing) and citations (by article), and their n."""
    scores = {
        f"{prefix}_{name}": line.figures[f"{kind}_{name}"]
        for prefix, kind in _MAIN.items()
        for name in measures
    }
    return scores | {f"n_{p}s": line.figures[f"{kind}_f1"].n for p, kind in _MAIN.items()}


def _scores(found: AttributionReport, words: Words) -> Section:
    """Return precision, recall and F1 of each system, and how many systems it beats."""
    rows = (
        {
            **_system(line, words),
            **_main_scores(line, "precision", "recall", "f1"),
            "better": " / ".join(
                str(found.tests[f"{kind}_f1"].beaten(line.system)) for kind in _MAIN.values()
            ),
        }
        for line in found.lines
    )
    chart = Chart(Shape.FOREST, ("system", "context"), _F1, legend=words("f1"))
    notes = (words("overview_note", judge=found.judge or "–"),)
    lead = " ".join(_best_systems(found, words))
    return words.section("scores", "scores_title", rows, lead, chart, notes)


def _best_systems(found: AttributionReport, words: Words) -> Iterator[str]:
    """Yield a sentence on the system of highest F1, by claims and by citations, if n is enough."""
    for prefix, kind in _MAIN.items():
        known = {line.system: line.figures[f"{kind}_f1"] for line in found.lines}
        known = {system: f1 for system, f1 in known.items() if f1.n >= LEAST}
        if known:
            system, f1 = max(known.items(), key=lambda each: each[1].value or 0)
            yield words(f"best_{prefix}", system=system, figure=f1.text(), n=f1.n)


def _by_context(found: AttributionReport, words: Words, part: str, kind: str) -> Section:
    """Return precision by context, gold alone first, retrieved last; unknown contexts are left out.

    The bars show the cost of distractors and of retrieval. Imported answers, of unknown context,
    are left out. Two systems of one model, format and context keep their own names.
    """
    known = [line for line in found.lines if line.setting.context]
    known.sort(key=lambda line: (_context_order(line), line.setting.label, line.system))
    names = Counter((_model_and_format(line, words), line.setting.label) for line in known)
    rows = (
        {
            "context": _system(line, words)["context"],
            "series": name if names[name, line.setting.label] == 1 else line.system,
            "precision": line.figures[f"{kind}_precision"],
        }
        for line in known
        for name in [_model_and_format(line, words)]
    )
    chart = Chart(Shape.BARS, ("context",), ("precision",), "series", words("precision_axis"))
    notes = (words("figure_note"),)
    return words.section(f"precision_{part}", f"precision_{part}", rows, chart=chart, notes=notes)


def _context_order(line: SystemLine) -> int:
    """Return the sort key of a context."""
    context = line.setting.context
    return _ORDER.index(context) if context in _ORDER else len(_ORDER)


def _model_and_format(line: SystemLine, words: Words) -> str:
    form = words(f"format_{line.setting.format}")
    return " · ".join(part for part in (line.setting.model, form) if part)


def _mistakes(found: AttributionReport, words: Words) -> Section:
    """Count each system's false and missing citations by kind."""
    counts = ("inside", "outside", "unused", "known", "invalid")
    rows = (
        {
            **_system(line, words),
            **{name: getattr(line.counts, name) for name in counts},
            "read_from": ", ".join(
                f"{words(f'source_{name}')} {n}" for name, n in line.counts.sources.items()
            ),
        }
        for line in found.lines
    )
    chart = Chart(Shape.STACK, ("system", "context"), ("inside", "outside", "invalid"))
    notes = (words("mistakes_note"),)
    return words.section("mistakes", "mistakes_title", rows, chart=chart, notes=notes)


def _strata(found: AttributionReport, words: Words) -> Section:
    """Return F1 of each system by stratum."""
    unsaid = words("not_stated")
    heads = {f"by_{name}": name for name in found.split.split(CROSSED)}
    rows = (
        {
            "stratum": CROSSED.join(each or unsaid for each in value.split(CROSSED)),
            **{f"by_{name}": each for name, each in crossed(found.split, value, unsaid).items()},
            **_system(line, words),
            **_main_scores(line, "f1"),
        }
        for value, lines in found.parts.items()
        for line in lines
    )
    chart = Chart(Shape.FOREST, ("stratum", "system"), _F1, legend=words("f1"))
    return words.section(
        "strata", "strata_title", rows, chart=chart, heads=heads, column=found.split
    )


def _tests(found: AttributionReport, words: Words, all_pairs: bool) -> Section:
    """Return the pairwise tests between systems, by default those that differ."""
    tests = [(column, *pair) for column in found.tests.values() for pair in column.pairs()]
    different = [each for each in tests if each[-1].verdict]
    rows = (
        {
            "measure": measure_word(column.measure, words.language),
            "system": system,
            "against": against,
            **comparison_cells(test),
        }
        for column, system, against, test in (tests if all_pairs else different)
    )
    chart = Chart(Shape.FOREST, ("measure", "system", "against"), ("difference",), zero=True)
    notes = (words("tests_note"),)
    lead = words("tests_differ", count=len(different), all=len(tests)) if tests else ""
    return words.section("tests", "tests_title", rows, lead, chart, notes)


def measure_word(measure: str, language: str) -> Word:
    """Return a measure of claims or citations with its display name."""
    (kind, part), words = measure.split("_"), Words(_WORDS, language)
    return Word(measure, f"{words(f'of_{kind}')} {words(part)}")


def _variants(found: AttributionReport, words: Words) -> Section:
    """Return precision, recall and F1 by every kind of score, the usual two among them."""
    rows = (
        {
            "of": words.word(kind, "of_"),
            "system": line.system,
            **{part: line.figures[f"{kind}_{part}"] for part in MEASURES},
            "n": line.figures[f"{kind}_f1"].n,
        }
        for kind in KINDS
        for line in found.lines
    )
    chart = Chart(Shape.FOREST, ("system",), ("f1",), "of")
    return words.section("variants", "intervals", rows, chart=chart)


def _states(found: AttributionReport, words: Words) -> Section:
    """Count the answers, claims and labels of each system by outcome."""
    rows = (
        {
            "system": line.system,
            "what": words.word(part, "part_"),
            "outcome": words.word(state, "state."),
            "count": count,
        }
        for line in found.lines
        for part, states in {"answers": line.answers, **line.counts.states}.items()
        for state, count in states.items()
    )
    chart = Chart(Shape.STACK, ("system", "what"), ("count",), "outcome")
    return words.section("states", "states_title", rows, chart=chart, notes=(words("states_note"),))


def answer_report(
    view: AnswerClaimsView, cited: Sequence[AnswerCitations], language: str
) -> Report:
    """Return the claims and citations of an answer beside those of the official one."""
    words, case = Words(_WORDS, language), view.case
    sections = (*claim_sections(view, language), citation_section(cited, language))
    lead = words("labels_of", judge=view.judge) if view.judge else words("state.not_labelled")
    notes = [case.question]
    if view.state not in ("", SAID):
        notes.append(words(f"state.labels_{view.state}"))
    facts = {
        "question": case.external_id,
        "system": case.system,
        "judge": view.judge or None,
        "state": view.state or None,
    }
    return Report("answer", case.external_id, sections, lead, tuple(notes), facts)


def claim_sections(view: AnswerClaimsView, language: str) -> tuple[Section, Section]:
    """Return the claims of an answer with labels, and the numbered official ones."""
    words = Words(_WORDS, language)
    claims = (
        {
            "claim": claim.text,
            "label": words.word(view.labels[at].label, "label_") if view.labels else None,
            "matches": _matched_claims(view, at),
            "cites": _cited_provisions(cites, words),
        }
        for at, (claim, cites) in enumerate(zip(view.claims, view.cites, strict=True))
    )
    official = ({"number": n, "official_claim": claim.text} for n, claim in enumerate(view.gold, 1))
    return (
        words.section("claims", "claims_of_answer", claims),
        words.section("official", "official_claims", official),
    )


def citation_section(answers: Sequence[AnswerCitations], language: str) -> Section:
    """Return a row per answer: its citations, the gold, and errors, by article."""
    words = Words(_WORDS, language)
    parts = ("cited", "gold", "inside", "outside", "unplaced", "missed", "invalid")
    shown = [name for name in parts if name != "unplaced" or any(e.unplaced for e in answers)]
    rows = [
        {
            "question": answer.question,
            "system": answer.system,
            **{f"answer_{name}": _joined(getattr(answer, name)) for name in shown},
        }
        for answer in answers
    ]
    note = words("citations_note")
    return words.section("citations", "citations_title", rows, notes=(note,))


def _matched_claims(view: AnswerClaimsView, at: int) -> str:
    """Return the numbers of the official claims matched, partial ones marked with ½."""
    relations = view.labels[at].relations if view.labels else ()
    return ", ".join(f"{gold + 1}" if of == MATCH else f"{gold + 1} (½)" for gold, of in relations)


def _cited_provisions(cites: ClaimCites, words: Words) -> str:
    """Return what a claim cites, as written; marked where only the whole answer cites it."""
    named = ", ".join(cites.written)
    return named if cites.own else words("cites_by_answer", cites=named)


def _joined(units: Sequence[str] | None) -> str | None:
    """Return units as a list in text, None for none."""
    return None if units is None else ", ".join(units)
