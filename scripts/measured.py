"""Write docs/measured.md from what the benchmarks print with ``--json``, so that neither drifts.

    python -m benchmarks.NAME --json > FOLDER/RECORD.json
    python scripts/measured.py [FOLDER] [--conditions "two cores, a load of 1"]

Each record (docs/measured/RECORD.json) holds the figures of one run, the command that prints them,
the day on which they were quoted, the conditions of the run and remarks on it. With FOLDER the
figures of every RECORD.json in it take the place of the record's; what was said of the earlier run
goes with it. What is shown of the records, and in which tables, is docs/measured/page.toml; the
words before the first section and the last section are written by hand, in the page.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

TARGET = ROOT / "docs" / "measured.md"
RECORDS = ROOT / "docs" / "measured"
_LAST = "\n## Measuring anew\n"

Figure = Mapping[str, Any]
Record = dict[str, Any]


class RecordError(Exception):
    """A result that cannot be taken; the message says which and why."""


def render(folder: Path = RECORDS) -> str:
    """Return the whole page from the records and the tables described in `folder`."""
    page = tomllib.loads((folder / "page.toml").read_text(encoding="utf-8"))
    records = {path.stem: _read(path) for path in sorted(folder.glob("*.json"))}
    words = TARGET.read_text(encoding="utf-8")
    head, (_, last, foot) = words.partition("\n## ")[0], words.partition(_LAST)
    return head + "".join(_section(each, records) for each in page["section"]) + last + foot


def take(results: Path, conditions: str, today: date, folder: Path = RECORDS) -> list[str]:
    """Put the figures of every file of `results` into the record of its name; return the names.

    Raises RecordError, before anything is written, for a file that is no record's or does not hold
    what ``--json`` prints.
    """
    taken = {path.stem: _figures(path) for path in sorted(results.glob("*.json"))}
    if not taken:
        raise RecordError(f"{results} holds no .json file")
    known = [path.stem for path in sorted(folder.glob("*.json"))]
    for name in taken:
        if name not in known:
            raise RecordError(f"{name}.json: no such record; there are {', '.join(known)}")
    for name, figures in taken.items():
        path = folder / f"{name}.json"
        record = _read(path) | {"quoted": today.isoformat(), "conditions": conditions}
        path.write_text(written(record | {"remarks": [], "figures": figures}), encoding="utf-8")
    return list(taken)


def written(record: Record) -> str:
    """Return a record as its file holds it: one line for each figure."""
    head = {key: value for key, value in record.items() if key != "figures"}
    lines = [f"    {_json(name)}: {_json(each)}" for name, each in record["figures"].items()]
    figures = "{\n" + ",\n".join(lines) + "\n  }" if lines else "{}"
    text = json.dumps(head, ensure_ascii=False, indent=2).removesuffix("\n}")
    return f'{text},\n  "figures": {figures}\n}}\n'


def _json(value: object) -> str:
    """Return a value as JSON."""
    return json.dumps(value, ensure_ascii=False)


def _read(path: Path) -> Record:
    """Read a record."""
    record: Record = json.loads(path.read_text(encoding="utf-8"))
    return record


def _figures(path: Path) -> dict[str, Figure]:
    """Return the figures of a result file; RecordError unless it is as ``--json`` prints them."""
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RecordError(f"{path.name} is not JSON: {error}") from error
    if not isinstance(figures, dict) or not all(
        isinstance(each, dict) and each.keys() == {"value", "n", "ci"} for each in figures.values()
    ):
        raise RecordError(f"{path.name} does not hold figures as a benchmark's --json prints them")
    return figures


def _section(section: Mapping[str, Any], records: Mapping[str, Record]) -> str:
    """Return a section of the page."""
    shown = [records[name] for name in section["records"]]
    runs = [f"* {_run(each)}\n" for each in shown]
    remarks = [f"{remark}\n" for each in shown for remark in each["remarks"]]
    tables = ["\n".join(_table(each, records)) + "\n" for each in section["table"]]
    head = f"\n## {section['title']}\n\n{section['text'].strip()}\n\n"
    return head + "\n".join(["".join(runs), *tables, *remarks])


def _run(record: Record) -> str:
    """Return the command of a record, and when and how it was run."""
    if not record["figures"]:
        return f"`{record['command']}`: not measured yet"
    return ", ".join(
        filter(None, [f"`{record['command']}`", record["quoted"], record["conditions"]])
    )


def _table(table: Mapping[str, Any], records: Mapping[str, Record]) -> list[str]:
    """Return the lines of a table; its last column is there only if something is aimed at."""
    from evaluation.tables import markdown_lines

    columns = table["columns"]
    aimed = any({"at_most", "at_least"} & row.keys() for row in table["rows"])
    heads = ["figure", *(each.get("title", "value") for each in columns), "n"]
    heads += ["aim"] if aimed else []
    rows = []
    for row in table["rows"]:
        figures = [
            records[each["record"]]["figures"].get(row["key"] + each.get("suffix", ""), {})
            for each in columns
        ]
        cells = [_name(row), *(cell(each, row.get("digits", 0)) for each in figures)]
        cells += [_counts(figures), *([_aim(row, figures)] if aimed else [])]
        rows.append(cells)
    return markdown_lines(heads, rows, rule="|---" * len(heads) + "|")


def _name(row: Mapping[str, Any]) -> str:
    """Return the name of a row."""
    name = f"`{row.get('name', row['key'])}`"
    return f"{name}: {row['label']}" if "label" in row else name


def cell(figure: Figure, digits: int) -> str:
    """Return e.g. ``0.989 [0.972, 1.000]``; a dash for what was not measured or not scored."""
    if figure.get("value") is None:
        return "–"
    text = f"{figure['value']:,.{digits}f}"
    if figure["ci"] is None or figure["ci"][0] == figure["ci"][1]:  # as rounded: no width is left
        return text
    low, high = figure["ci"]
    return f"{text} [{low:,.{digits}f}, {high:,.{digits}f}]"


def _counts(figures: Sequence[Figure]) -> str:
    """Return the n of all columns, once if they are the same."""
    counts = dict.fromkeys(each["n"] for each in figures if each.get("n") is not None)
    return "; ".join(f"{n:,}" for n in counts)


def _aim(row: Mapping[str, Any], figures: Sequence[Figure]) -> str:
    """Return the aim of a row, and whether a column misses it; "" without an aim."""
    values = [each["value"] for each in figures if each.get("value") is not None]
    if "at_most" in row:
        text = f"≤ {row['at_most']:,}" if row["at_most"] else "0"
        missed = any(value > row["at_most"] for value in values)
    elif "at_least" in row:
        text = f"≥ {row['at_least']:,}"
        missed = any(value < row["at_least"] for value in values)
    else:
        return ""
    return f"{text}, missed" if missed else text


def main(arguments: Sequence[str] | None = None) -> int:
    """Take results, if a folder is named, and write the page; return an exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", help="what benchmarks printed with --json")
    parser.add_argument("--conditions", default="", help="of these runs: the machine and its load")
    options = parser.parse_args(arguments)
    if options.folder is not None:
        try:
            names = take(options.folder, options.conditions, date.today())
        except RecordError as error:
            print(f"measured: {error}", file=sys.stderr)  # noqa: T201
            return 3
        print(f"measured: took {', '.join(names)}")  # noqa: T201
    TARGET.write_text(render(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
