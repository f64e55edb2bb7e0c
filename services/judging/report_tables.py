"""Judge report as rows of figures, for CSV, Markdown, JSON and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from evaluation.figure import Figure
from evaluation.judging.accuracy import Accuracy, HumanSample, Withheld
from evaluation.judging.estimate import Between
from evaluation.judging.judged import MAJORITY, Cell, Group
from evaluation.tables import csv_text, markdown_lines
from messages import say
from services.judging.report import JudgeLine, JudgeReport, PairLine

_HEAD = ("part", "judge", "of", "statistic", "value", "low", "high", "n", "note")
_PARTS = ("people", "judge", "rater", "accuracy", "sample", "kind", "length", "position")


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A figure with its part of the report, judge and subject.

    Without a judge it is of people alone, or, in the judges' part, of all judges together.
    `withheld` is why it has no value where its assumptions fail.
    """

    part: str
    judge: str
    of: str
    figure: Figure
    withheld: Withheld | None = None

    def note(self, language: str = "en") -> str:
        """Return why the figure is withheld, in words; "" if it is not."""
        return withheld_words(self.withheld, language)

    def text(self, language: str = "en") -> str:
        """Return the figure with its interval, or why it is withheld."""
        if self.withheld:
            return f"– ({self.note(language)})"
        n = "" if self.figure.value is None else f" (n = {self.figure.n:,})"
        return f"{self.figure.text()}{n}"


def lines(report: JudgeReport) -> list[ReportRow]:
    """Return every figure of the report, part by part."""
    found = list(_between("people", "", "", report.people))
    for each in report.people_pairs:
        found += _between("people", "", f"{each.first} – {each.second}", each)
    for system, alone in report.people_alone:
        found += _people_alone(system, alone)
    for judge in report.judges:
        found += _judge(judge)
    if len(report.judges) > 1:
        common = report.common
        found += [ReportRow("judge", "", "", each) for each in (common.ties, common.ties_correct)]
    for pair in report.positions:
        found += _pair(pair)
    return sorted(found, key=lambda row: _PARTS.index(row.part))


def withheld_words(withheld: Withheld | None, language: str) -> str:
    """Return the short reason for withholding a figure, "" for none."""
    return "" if withheld is None else say(f"judge_report.withheld.{withheld}", language)


def as_csv(report: JudgeReport, language: str = "en") -> str:
    """Return one CSV with a line per figure; `language` is that of the notes."""
    rows = ((*_csv_row(line), line.note(language)) for line in lines(report))
    return csv_text((_HEAD, *rows))


def _csv_row(line: ReportRow) -> tuple[object, ...]:
    each = line.figure
    return line.part, line.judge, line.of, each.name, each.value, each.low, each.high, each.n


def as_markdown(report: JudgeReport, language: str = "en") -> str:
    """Return the figures as tables under headings, with each judge's confusion matrix."""
    said = [f"# {say('judge_report.title', language)}", "", _summary_text(report, language), ""]
    for judge in report.judges:
        said += _matrix_lines(judge, language)
    found = lines(report)
    for part in dict.fromkeys(line.part for line in found):
        said += ["", f"## {say(f'judge_report.part.{part}', language)}", ""]
        said += _figure_table([line for line in found if line.part == part], language)
    return "\n".join(said) + "\n"


def _figure_table(found: Sequence[ReportRow], language: str) -> list[str]:
    """Return a table with a column per kind of figure."""
    names = list(dict.fromkeys(line.figure.name for line in found))
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for line in found:
        named = (row_words(line, language), of_words(line.part, line.of, language))
        rows.setdefault(named, {})[line.figure.name] = line.text(language)
    head = [say(f"judge_report.head.{each}", language) for each in ("judge", "of")]
    head += [say(f"judge_report.figure.{name}", language) for name in names]
    cells = [[*named, *(row.get(name, "") for name in names)] for named, row in rows.items()]
    return markdown_lines(head, cells)


def as_json(report: JudgeReport) -> dict[str, object]:
    """Return the whole report as JSON values."""
    progress = report.progress
    return {
        "system": report.system,
        "systems": list(report.systems),
        "cases": progress.cases,
        "rated": progress.rated,
        "differ": progress.differ,
        "settled": progress.settled,
        "reviewed": progress.reviewed,
        "common": {"answers": report.common.answers, "found": report.common.found},
        "judges": [_judge_json(each) for each in report.judges],
        "people_alone": [
            {"system": system} | _sample_json(alone) for system, alone in report.people_alone
        ],
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
    """Return a judge's name; the majority of judges in words."""
    return say("judge_report.majority", language) if judge == MAJORITY else judge


def row_words(line: ReportRow, language: str) -> str:
    """Return the judge's display name, or that of all judges tied."""
    tied = line.part == "judge" and not line.judge
    return say("judge_report.tied", language) if tied else judge_words(line.judge, language)


def of_words(part: str, of: str, language: str) -> str:
    """Return the display text of a figure's subject."""
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
    for figure in (found.naive, found.corrected, found.tuned):
        yield ReportRow("accuracy", judge, system, figure, found.why(figure.name))
    for figure in (found.sampled, found.unsampled):
        yield ReportRow("sample", judge, system, figure)


def _people_alone(system: str, found: HumanSample) -> Iterator[ReportRow]:
    yield ReportRow("accuracy", "", system, found.people, found.withheld)
    for figure in (found.disputed, found.found):
        yield ReportRow("sample", "", system, figure)


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
        "ties": line.ties,
        "matrix": counts,
        "accuracy": [
            {
                "system": system,
                "power": found.power,
                "differing": found.differing,
                "few": found.few,
                "p_random": found.p_random,
                **_sample_json(found.human),
                "withheld": None if found.withheld is None else found.withheld.value,
            }
            for system, found in line.accuracies
        ],
    }


def _sample_json(found: HumanSample) -> dict[str, object]:
    return {
        "disputed": found.found.n + found.waiting,
        "waiting": found.waiting,
        "bounds": None if found.bounds is None else list(found.bounds),
        "withheld": None if found.withheld is None else found.withheld.value,
    }


def _matrix_lines(line: JudgeLine, language: str) -> list[str]:
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
    if line.matrix.tied:
        rows.append([words("tied"), str(line.matrix.tied), ""])
    table = markdown_lines(heads, rows, rule="| --- | ---: | ---: |")
    return [f"## {judge_words(line.judge, language)}", "", *table, ""]


def _summary_text(report: JudgeReport, language: str) -> str:
    progress = say("judge_report.progress", language, **asdict(report.progress))
    return f"{progress} {common_words(report, language)}".strip()


def common_words(report: JudgeReport, language: str) -> str:
    """Describe the number of answers the judges are compared on; "" for one judge."""
    if len(report.judges) < 2:
        return ""
    common = report.common
    counts = {"answers": f"{common.answers:,}", "found": f"{common.found:,}"}
    return say("judge_report.common", language, **counts)
