"""The OCR report in the reader's language: engines, confused characters, verifiers, times."""

from __future__ import annotations

from evaluation.reports.report import Chart, Kind, Report, Section, Shape, Word, Words
from services.ocr.report import EngineLine, OcrReport

SHARES = ("cer", "wer", "perfect_pages")
CELLS = ("cell_accuracy", "cell_structure")
MARKS = ("marked_of_wrong", "wrong_of_marked")
_KINDS = dict.fromkeys((*SHARES, *CELLS, *MARKS, "changed", "rewritten"), Kind.SHARE)
_FEW = 20  # pages below which the sentence notes a small sample
_CONFUSED = 12  # pairs of characters of an engine, the most frequent ones


def as_report(found: OcrReport, language: str) -> Report:
    """Return the report; pages that nobody has corrected are in its counts by state alone."""
    words = Words("ocr_report", language, "figure", kinds=_KINDS)
    sections = (
        _engines(found, words),
        _rates("cells", CELLS, found, words),
        _rates("marks", MARKS, found, words),
        _confused(found, words),
        _verifiers(found, words),
        _times(found, words),
    )
    states = ", ".join(f"{words(f'state.{state}')} {n:,}" for state, n in found.states.items())
    lead = words("pages_lead", pages=len(found.lines), states=states)
    facts = {"pages": dict(found.states), "changed": found.changed.as_json()}
    return Report("ocr", words("title"), sections, lead, facts=facts)


def _explanations(names: tuple[str, ...], words: Words) -> tuple[str, ...]:
    """Return what each of the named figures means, as a line."""
    return tuple(f"{words(f'figure.{name}')}: {words(f'means.{name}')}" for name in names)


def _engines(found: OcrReport, words: Words) -> Section:
    """Return the error rates and times of each engine."""
    rows = [
        {
            "engine": line.name,
            "pages": line.pages,
            **{name: line.figure(name) for name in SHARES},
            "characters_corrected": line.characters,
            "words_corrected": line.words,
            "seconds": line.seconds,
        }
        for line in found.engines
    ]
    chart = Chart(Shape.BARS, ("engine",), ("cer", "wer"), legend=words("wrong"))
    notes = (words("engines_help"), *_explanations(SHARES, words))
    return words.section("engines", "engines", rows, _least_wrong(found, words), chart, notes)


def _least_wrong(found: OcrReport, words: Words) -> str:
    """Return the sentence on the engine with the lowest character error rate; "" without one."""
    known = [line for line in found.engines if line.figure("cer").value is not None]
    if not known:
        return ""
    best = min(known, key=lambda line: line.figure("cer").value or 0.0)
    per = f"{1000 * (best.figure('cer').value or 0.0):,.0f}"
    told = words("reading", engine=best.name, pages=best.pages, per=per)
    several = words("fewest", count=len(known)) if len(known) > 1 else ""
    few = words("few", pages=best.pages) if best.pages < _FEW else ""
    return " ".join(filter(None, (told, several, few)))


def _rates(name: str, figures: tuple[str, ...], found: OcrReport, words: Words) -> Section:
    """Return the section of these figures by engine, led by the one highest in the first figure."""
    rows = [
        {"engine": line.name, **{each: line.figure(each) for each in figures}}
        for line in found.engines
    ]
    lead, known = "", [e for e in found.engines if e.figure(figures[0]).value is not None]
    if known:  # the engine that is highest by the first of them
        best = max(known, key=lambda line: line.figure(figures[0]).value or 0.0)
        first, second = map(best.figure, figures)
        told = {"first": first.percent(), "second": second.percent(), "n": first.n}
        lead = words(f"{name}_lead", engine=best.name, **told)
    chart = Chart(Shape.BARS, ("engine",), figures, legend=words("share"))
    return words.section(name, name, rows, lead, chart, _explanations(figures, words))


def _confused(found: OcrReport, words: Words) -> Section:
    """Return the characters most often read in place of others, of one engine as a map."""
    rows = [
        {
            "engine": line.name,
            "right": _character(right, words),
            "read": _character(read, words),
            "count": times,
        }
        for line in found.engines
        for (read, right), times in line.confused.most_common(_CONFUSED)
    ]
    drawn = max(found.engines, key=lambda line: line.confused.total(), default=None)
    only = None if drawn is None else ("engine", drawn.name)
    chart = Chart(Shape.HEAT, ("read", "right"), ("count",), only=only)
    lead = "" if drawn is None else _most_confused(drawn, words)
    note = words("confused_note", most=_CONFUSED)
    return words.section("confused", "confused", rows, lead, chart, (note,))


def _most_confused(line: EngineLine, words: Words) -> str:
    """Return the sentence on an engine's most frequent confusion; "" without any."""
    if not line.confused:
        return ""
    [((read, right), times)] = line.confused.most_common(1)
    kind = "omitted" if not read else "replaced" if right else "added"
    texts = {"read": _character(read, words).text, "right": _character(right, words).text}
    counts = {"times": times, "all": line.confused.total()}
    return words(f"{kind}_lead", engine=line.name, **counts, **texts)


def _character(each: str, words: Words) -> Word:
    """Return a character as readers see it, an empty one and white space in words."""
    return Word(each, each if each.strip() else words("space" if each else "nothing"))


def _verifiers(found: OcrReport, words: Words) -> Section:
    """Return how much each verifier changed of each corrector's pages."""
    rows = [
        {
            "corrector": corrector,
            "verifier": verifier,
            "checked": changed.n,
            "changed": changed,
            "rewritten": characters,
        }
        for (corrector, verifier), (changed, characters) in found.pairs.items()
    ]
    told = {"share": found.changed.percent(), "n": found.changed.n}
    told["changed"] = round((found.changed.value or 0.0) * found.changed.n)
    lead = words("verifiers_lead", **told) if rows else ""
    chart = Chart(Shape.BARS, ("corrector", "verifier"), ("changed",))
    notes = _explanations(("changed", "rewritten"), words)
    return words.section("verifiers", "verifiers", rows, lead, chart, notes)


def _times(found: OcrReport, words: Words) -> Section:
    """Return the times of correcting and verifying a page."""
    known = [each for each in (found.correcting, found.verifying) if each.value is not None]
    rows = [{"work": words.word(each.name), "seconds": each, "pages": each.n} for each in known]
    leads = (words(f"{e.name}_lead", seconds=f"{e.value:,.0f}", n=e.n) for e in known)
    chart = Chart(Shape.BARS, ("work",), ("seconds",))
    return words.section("times", "times", rows, " ".join(leads), chart, (words("times_help"),))
