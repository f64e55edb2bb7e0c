"""The report on judges as lines of figures: what CSV, Markdown, JSON and the tables are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.figure import Figure
from evaluation.judging.accuracy import Accuracy, Withheld
from evaluation.judging.estimate import Between
from evaluation.judging.judged import Cell, Group
from evaluation.tables import csv_text, markdown_lines, markdown_row
from messages import say
from services.judging.report import JudgeLine, JudgeReport, PairLine

_HEAD = ("part", "judge", "of", "statistic", "value", "low", "high", "n", "note")


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A figure: in which part of the report, of which judge ("" for people alone), of what.

    `withheld` says why it has no value where what it assumes does not hold.
    """

    part: str
    judge: str
    of: str
    figure: Figure
    withheld: Withheld | None = None

    def note(self, language: str = "en") -> str:
        """Return in words why the figure is withheld; "" where it is not."""
        return withheld_words(self.withheld, language)

    def text(self, language: str = "en") -> str:
        """Return the figure with its interval, or in its place why it is withheld."""
        return f"– ({self.note(language)})" if self.withheld else self.figure.text()


def lines(report: JudgeReport) -> list[ReportRow]:
    """Return every figure of the report, in its order."""
    found = list(_between("people", "", "", report.people))
    for each in report.people_pairs:
        found += _between("people", "", f"{each.first} – {each.second}", each)
    for judge in report.judges:
        found += _judge(judge)
    for pair in report.positions:
        found += _pair(pair)
    return found


def withheld_words(withheld: Withheld | None, language: str) -> str:
    """Return why a figure is withheld, short enough to stand in its place; "" where it is not."""
    return "" if withheld is None else say(f"judge_report.withheld.{withheld}", language)


def as_csv(report: JudgeReport, language: str = "en") -> str:
    """Return one CSV with a line per figure; `language` is that of the notes."""
    rows = ((*_csv_row(line), line.note(language)) for line in lines(report))
    return csv_text((_HEAD, *rows))


def _csv_row(line: ReportRow) -> tuple[object, ...]:
    each = line.figure
    return line.part, line.judge, line.of, each.name, each.value, each.low, each.high, each.n


def as_markdown(report: JudgeReport, language: str = "en") -> str:
    """Return the figures as tables under headings, and the matrix of each judge in counts."""
    said = [f"# {say('judge_report.title', language)}", "", _told(report, language), ""]
    for judge in report.judges:
        said += _matrix(judge, language)
    part = ""
    for line in lines(report):
        if line.part != part:
            part = line.part
            said += ["", f"## {say(f'judge_report.part.{part}', language)}", ""]
            heads = ("judge", "of", "figure", "value", "n")
            named = [say(f"judge_report.head.{head}", language) for head in heads]
            said += markdown_lines(named, [])
        name = say(f"judge_report.figure.{line.figure.name}", language)
        of = of_words(line.part, line.of, language)
        cells = (judge_words(line.judge, language), of, name, line.text(language))
        said.append(markdown_row((*cells, str(line.figure.n))))
    return "\n".join(said) + "\n"


def as_json(report: JudgeReport) -> dict[str, object]:
    """Return everything as plain values."""
    progress = report.progress
    return {
        "system": report.system,
        "systems": list(report.systems),
        "cases": progress.cases,
        "rated": progress.rated,
        "differ": progress.differ,
        "settled": progress.settled,
        "reviewed": progress.reviewed,
        "judges": [_judge_json(each) for each in report.judges],
        "estimates": dict(report.estimates),
        "categories": [
            {"key": each.key, "over": each.over, "under": each.under, "fair": each.fair}
            for each in report.categories
        ],
        "figures": [
            {"part": each.part, "judge": each.judge, "of": each.of, "statistic": each.figure.name}
            | each.figure.as_json()
            | ({"withheld": each.withheld.value, "note": each.note()} if each.withheld else {})
            for each in lines(report)
        ],
    }


def judge_words(judge: str, language: str) -> str:
    """Return a judge's name, and in words what several judges together are called."""
    return say("judge_report.majority", language) if judge == "majority" else judge


def of_words(part: str, of: str, language: str) -> str:
    """Return in words what a figure is of."""
    if part == "people" and not of:
        return say("judge_report.everybody", language)
    if part == "kind" and not of:
        return say("judge_report.no_kind", language)
    return of


def _judge(line: JudgeLine) -> Iterator[ReportRow]:
    shares = line.shares
    for figure in (shares.agreement, shares.sensitivity, shares.specificity):
        yield ReportRow("judge", line.judge, "", figure)
    for figure in (shares.over, shares.under):
        yield ReportRow("judge", line.judge, "", figure)
    yield from _between("judge", line.judge, "", line.between, raw=False)
    for person, between in line.raters:
        yield from _between("rater", line.judge, person, between)
    for system, found in line.accuracies:
        yield from _accuracy(line.judge, system, found)
    for group in line.kinds:
        yield from _group("kind", line.judge, group.name, group)
    for group in line.lengths:
        yield from _group("length", line.judge, f"{group.shortest}–{group.longest}", group)


def _between(
    part: str, judge: str, of: str, found: Between, raw: bool = True
) -> Iterator[ReportRow]:
    for each in (*([found.raw] if raw else []), found.kappa, found.ac1):
        yield ReportRow(part, judge, of, each.figure)


def _accuracy(judge: str, system: str, found: Accuracy) -> Iterator[ReportRow]:
    for figure in (found.naive, found.people, found.corrected, found.tuned):
        yield ReportRow("accuracy", judge, system, figure, found.why(figure.name))
    for figure in (found.disputed, found.found, found.sampled, found.unsampled):
        yield ReportRow("sample", judge, system, figure)


def _group(part: str, judge: str, of: str, group: Group) -> Iterator[ReportRow]:
    for figure in (group.shares.agreement, group.shares.over, group.shares.under):
        yield ReportRow(part, judge, of, figure)


def _pair(line: PairLine) -> Iterator[ReportRow]:
    of = f"{line.system} : {line.against}" if line.against else line.system
    for figure in line.bias.figures:
        yield ReportRow("position", line.judge, of, figure)


def _judge_json(line: JudgeLine) -> dict[str, object]:
    counts = {cell.value: line.matrix.count(cell) for cell in Cell}
    return {
        "judge": line.judge,
        "said": line.said,
        "silent": line.silent,
        "matrix": counts,
        "accuracy": [
            {
                "system": system,
                "power": found.power,
                "differing": found.differing,
                "few": found.few,
                "p_random": found.p_random,
                "withheld": None if found.withheld is None else found.withheld.value,
                "disputed": found.found.n + found.waiting,
                "waiting": found.waiting,
                "bounds": None if found.bounds is None else list(found.bounds),
            }
            for system, found in line.accuracies
        ],
    }


def _matrix(line: JudgeLine, language: str) -> list[str]:
    def words(key: str) -> str:
        return say(f"judge_report.{key}", language)

    def cell(which: Cell) -> str:
        value = line.matrix.share(which).value
        share = "–" if value is None else f"{100 * value:.2f} %"
        return f"{line.matrix.count(which)} ({share})"

    heads = ["", words("people_correct"), words("people_incorrect")]
    sides = {
        "judge_correct": (Cell.TRUE_POSITIVE, Cell.FALSE_POSITIVE),
        "judge_incorrect": (Cell.FALSE_NEGATIVE, Cell.TRUE_NEGATIVE),
    }
    rows = [[words(name), *(cell(each) for each in cells)] for name, cells in sides.items()]
    table = markdown_lines(heads, rows, rule="| --- | ---: | ---: |")
    return [f"## {judge_words(line.judge, language)}", "", *table, ""]


def _told(report: JudgeReport, language: str) -> str:
    progress = report.progress
    return say(
        "judge_report.progress",
        language,
        cases=progress.cases,
        rated=progress.rated,
        differ=progress.differ,
        reviewed=progress.reviewed,
    )
