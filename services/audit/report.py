"""The report of an audit: findings by severity, grades, what methods reach, and the cases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corpus.benchmarks.model import Benchmark
from corpus.benchmarks.reading import read_benchmark
from corpus.long_work import Progress
from evaluation.figure import share_figure
from evaluation.reports.report import Chart, Kind, Report, Section, Shape, Sheet, Word, Words
from services.audit import citations, labels, rankings, texts
from services.audit.material import Case, Check, Material

SEVERITIES = ("error", "warning", "info")
CHECKS: tuple[Check, ...] = tuple(
    sorted(
        (*texts.CHECKS, *labels.CHECKS, *citations.CHECKS, *rankings.CHECKS),
        key=lambda each: SEVERITIES.index(each.severity),
    )
)
FIGURES = ("findings", "grades", "reached")  # the sections that list no cases
MOST_CASES = 200
"""The most cases of a check that a report lists; it counts all."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: the number of cases and the first of them, among `n` looked at."""

    check: Check
    count: int
    cases: tuple[Case, ...]
    n: int


@dataclass(frozen=True, slots=True)
class Audit:
    """The findings of the checks that were run, gravest first, and of others what they lacked."""

    material: Material
    findings: tuple[Finding, ...]
    not_run: dict[str, tuple[str, ...]]


def audit_folder(path: Path, language: str = "en", progress: Progress | None = None) -> Report:
    """Return the report on the benchmark in a folder or file.

    Raises UserError for a path that is no benchmark.
    """
    return as_report(audit(read_benchmark(path), progress), language)


def audit(benchmark: Benchmark, progress: Progress | None = None) -> Audit:
    """Run the checks on a benchmark."""
    material = Material.of(benchmark, progress)
    findings, not_run = [], defaultdict[str, list[str]](list)
    for check in CHECKS:
        lacking = [part for part in check.needs if not material.count(part)]
        if lacking:
            not_run[lacking[0]].append(check.name)
        else:
            findings.append(_finding(check, material))
    findings.sort(key=lambda e: (not e.count, SEVERITIES.index(e.check.severity), -e.count))
    return Audit(material, tuple(findings), {part: tuple(names) for part, names in not_run.items()})


def _finding(check: Check, material: Material) -> Finding:
    """Run a check and keep its first cases."""
    count, cases = 0, list[Case]()
    for count, case in enumerate(check.find(material), 1):
        if count <= MOST_CASES:
            cases.append(case)
    return Finding(check, count, tuple(cases), material.count(check.of))


def as_report(done: Audit, language: str) -> Report:
    """Return an audit as a report: findings first, then grades, reach and the cases of each."""
    words, material = Words("audit", language, kinds={"share": Kind.SHARE}), done.material
    counts = Counter(dict.fromkeys(SEVERITIES, 0))
    for finding in done.findings:
        counts[finding.check.severity] += finding.count
    sizes = {part: material.count(part) for part in ("documents", "queries", "judgments")}
    said = {f"{name}s": f"{counts[name]:,}" for name in SEVERITIES}
    shown = {part: f"{size:,}" for part, size in sizes.items()}
    found = any(counts.values())
    return Report(
        "audit",
        words("title", name=material.benchmark.name),
        (
            replace(_findings(done.findings, words), notes=tuple(_not_run(done, words))),
            *_grades(material, words),
            *_reached(done, words),
            *(_cases(each, words) for each in done.findings if each.count),
        ),
        words(
            "lead_found" if found else "lead_none",
            layout=material.benchmark.layout,
            **shown,
            **said,
        ),
        facts={"layout": material.benchmark.layout, **sizes, "found": dict(counts)},
    )


def _findings(findings: Sequence[Finding], words: Words) -> Section:
    """Return the number of findings of each check."""
    rows = [
        {
            "severity": words.word(each.check.severity, "severity_"),
            "check": Word(each.check.name, words(f"{each.check.name}.title")),
            "found": each.count,
            "looked_at": each.n,
            "of": words.word(each.check.of, "of_"),
        }
        for each in findings
    ]
    with_cases = [each for each in findings if each.count]
    most = max(with_cases, key=lambda each: each.count, default=None)
    lead = words("findings_none", run=len(findings))
    if most is not None:
        lead = words(
            "findings_lead",
            found=len(with_cases),
            run=len(findings),
            check=words(f"{most.check.name}.title"),
            count=f"{most.count:,}",
        )
    chart = Chart(Shape.STACK, ("check",), ("found",), "severity", words("found"))
    return words.section("findings", "findings", rows, lead, chart, opens="check")


def _grades(material: Material, words: Words) -> Iterator[Section]:
    """Yield the distribution of grades by split, if there are judgments."""
    if not material.judgments:
        return
    counts = Counter((each.split, each.grade) for each in material.judgments)
    rows = [
        {"split": split or "–", "grade": f"{grade:g}", "judgments": count}
        for (split, grade), count in sorted(counts.items())
    ]
    gold = material.gold
    lead = words(
        "grades_lead",
        judgments=f"{len(material.judgments):,}",
        queries=f"{len(material.grades):,}",
        gold=f"{len(gold):,}",
        mean=f"{sum(map(len, gold.values())) / max(1, len(gold)):.1f}",
    )
    chart = Chart(Shape.STACK, ("split",), ("judgments",), "grade", words("judgments"))
    yield words.section("grades", "grades", rows, lead, chart)


def _reached(done: Audit, words: Words) -> Iterator[Section]:
    """Yield the share of gold that each method reaches, if methods were run."""
    if any(each.check in rankings.CHECKS for each in done.findings):
        shares = rankings.reached(done.material)
        figures = {name: share_figure(name, *counts) for name, counts in shares.items()}
        best = max(figures.values(), key=lambda each: each.value or 0)
        lead = words("reached_lead", best=best.name, share=best.percent(), depth=rankings.DEPTH)
        rows = [{"method": name, "share": each} for name, each in figures.items()]
        chart = Chart(Shape.FOREST, ("method",), ("share",))
        yield words.section("reached", "reached", rows, lead, chart)


def _cases(found: Finding, words: Words) -> Section:
    """Return the cases of a check, with what they mean and what to do."""
    name, faults = found.check.name, Words("fault", words.language)
    unreadable = name == "unreadable"
    rows = [
        {
            "place": case.place,
            "id": case.id,
            "other": case.other or None,
            "detail": faults.word(case.detail) if unreadable else case.detail or None,
        }
        for case in found.cases
    ]
    shown = words("first_cases", shown=len(rows), count=f"{found.count:,}")
    return Section(
        name,
        f"{words(f'{name}.title')} ({found.count:,})",
        Sheet.of(rows, words, {} if unreadable else {"detail": Kind.NOTE}),
        f"{words(f'{name}.meaning')} {words(f'{name}.remedy')}",
        notes=(shown,) if len(rows) < found.count else (),
    )


def _not_run(done: Audit, words: Words) -> Iterator[str]:
    """Yield a note per missing part of the data on the checks that could not run."""
    for part, names in done.not_run.items():
        checks = "; ".join(words(f"{name}.title") for name in names)
        yield words("not_run", lacks=words(f"of_{part}"), checks=checks)
