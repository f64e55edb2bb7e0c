"""Closure reports in the reader's language: what gold lacks, and misplaced references."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from annotation.closure.proposals import STATES
from annotation.work.submissions import beginning
from construction.closure.audit import Leak
from evaluation.reports.report import Chart, Kind, Report, Section, Shape, Word, Words
from messages import say
from services.closure.audit import AuditedSet, AuditReport
from services.closure.report import ClosureReport

_OPEN = ("waiting", "sent_back")


def as_report(found: ClosureReport, language: str, every: bool = False) -> Report:
    """Return the share of gold sets that lack provisions, by rule, and the provisions.

    Proposals that were dismissed or declined are listed with `every`.
    """
    facts = {
        "snapshot": found.snapshot_id,
        "rules": found.number,
        "states": {state: found.states[state] for state in STATES},
        "problems": [{"rule": key, "unit": unit} for key, unit in found.problems],
    }
    problems = (say("closure.problem", language, rule=k, unit=unit) for k, unit in found.problems)
    sections = counts_section(found, language), _missing(found, language, every)
    title = say("closure.title", language)
    return Report("closure", title, sections, notes=tuple(problems), facts=facts)


def counts_section(found: ClosureReport, language: str) -> Section:
    """Return the share of gold sets that lack a provision, by rule."""
    words = Words("closure.counts", language, kinds={"lacking": Kind.SHARE})
    rows = (
        {
            "rule": Word(each.rule or "any", each.label.get(language, each.rule) or words("any")),
            "lacking": each.lacking,
            "n": each.lacking.n,
            "provisions": each.provisions,
            "dismissed": each.dismissed,
        }
        for each in found.counts
    )
    every = found.counts[0]
    lead = say("closure.no_gold", language)
    if every.lacking.n:
        share, n = every.lacking.percent(), every.lacking.n
        lead = words("lead", share=share, n=n, provisions=every.provisions)
    chart = Chart(Shape.FOREST, ("rule",), ("lacking",))
    return words.section("counts", "title", rows, lead, chart, (words("help"),))


def _missing(found: ClosureReport, language: str, every: bool) -> Section:
    """Return the proposed provisions with the words that call for them."""
    words = Words("closure.missing", language)
    rows = (
        {
            "kind": Word(each.case.kind, say(f"closure.kind.{each.case.kind}", language)),
            "question": each.case.external_id,
            "gold": ", ".join(each.case.units),
            "unit": one.unit,
            "place": one.place,
            "state": Word(one.state, say(f"closure.state.{one.state}", language)),
            "rule": reason.rule,
            "effect": reason.how,
            "via": reason.via or None,
            "round": reason.round,
            "words": "; ".join(f"“{e.text}” ({e.unit or e.where})" for e in reason.fired),
            "decision": one.decision and one.decision.verdict,
            "at": one.decision and f"{one.decision.at:%Y-%m-%d %H:%M}",
            "by": one.decision and one.decision.person,
            "reason": one.decision and one.decision.reason,
        }
        for each in found.queue
        for one in each.proposals
        for reason in one.why
        if every or one.state in _OPEN
    )
    faults = [
        *(
            (each, say("closure.set.unknown", language, unit=unit))
            for each in found.sets
            for unit in each.unknown
        ),
        *((each, say("closure.set.bound", language)) for each in found.sets if not each.complete),
    ]
    notes = (f"{each.case.external_id}: {fault}" for each, fault in faults)
    return words.section("missing", "title", rows, notes=tuple(notes))


def audit_report(found: AuditReport, language: str) -> Report:
    """Return the shares of questions and references with a misplaced part, and each reference."""
    words = Words("closure.audit", language, kinds={"share": Kind.SHARE})
    shares = {"questions": found.leaking, "references": found.references}
    rows = (
        {"of": words.word(name, "of_"), "share": share, "n": share.n}
        for name, share in shares.items()
    )
    share, n = found.leaking.percent(), found.leaking.n
    lead = words("lead", share=share, n=n) if n else words("nothing")
    notes = (words("unknown", count=found.unknown),) if found.unknown else ()
    chart = Chart(Shape.FOREST, ("of",), ("share",))
    listed = words.section("shares", "title", rows if n else (), lead, chart)
    facts = {"snapshot": found.snapshot_id, "unknown": found.unknown}
    sections = listed, _leaks(found, words)
    return Report("closure_audit", words("title"), sections, notes=notes, facts=facts)


def leaks_of(found: AuditReport) -> Iterator[tuple[AuditedSet, Leak]]:
    """Yield every misplaced reference with its question, in the order of the report's rows."""
    yield from ((each, leak) for each in found.queue for leak in each.found.leaks)


def leak_words(found: AuditedSet, leak: Leak, language: str) -> str:
    """Explain why a reference is misplaced, and where it probably belongs."""
    of = ", ".join(found.places[unit] for unit in leak.of) or say("closure.audit.none", language)
    return say(f"closure.leak.{leak.kind}", language, of=of)


def _leaks(found: AuditReport, words: Words) -> Section:
    """Return every misplaced reference with its question."""
    rows = [
        {
            "question": each.external_id,
            "kind": Word(each.kind, say(f"closure.kind.{each.kind}", words.language)),
            "asked": beginning(each.question),
            "place": f"{each.places[leak.place.unit]} {leak.place.pinpoint}",
            "leak": Word(leak.kind, leak_words(each, leak, words.language)),
            "from": " ".join(leak.of),
            **asdict(leak.place),
        }
        for each, leak in leaks_of(found)
    ]
    lead = "" if rows or not found.leaking.n else words("clean")
    return words.section("leaks", "leaks", rows, lead, opens="question")
