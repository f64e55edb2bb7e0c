"""Commands about court cases: preview and import a file of judgments, list, read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import CASES
from commands.shell.state import State
from commands.shell.tables import write_text
from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from corpus.cases.model import CaseRules
    from corpus.cases.reading import Survey

File = Annotated[Path, argument("JSONL, JSON or CSV file of judgments, or an archive with one.")]
Column = Annotated[
    list[str] | None,
    option("A field and its column, e.g. text=full_text; may be repeated."),
]
Mapping = Annotated[Path | None, option("Mapping file, as --save-mapping of a preview writes it.")]
PatternFile = Annotated[
    Path | None, option("TOML file with patterns of your own, see docs/court-cases.md.")
]
Language = Annotated[str, option("Language of all judgments; else the script of each text tells.")]


@CASES.command("preview")
def preview(
    state: State,
    file: File,
    column: Column = None,
    mapping: Mapping = None,
    patterns: PatternFile = None,
    language: Language = "",
    limit: Annotated[int | None, option("Read only so many judgments; else all.", min=1)] = None,
    save_mapping: Annotated[
        Path | None, option("Write the mapping that was used to this file.")
    ] = None,
) -> None:
    """Show what each column would become and what is found in the texts; keep nothing."""
    from services.cases.importing import judgments_at, preview_court_cases

    with judgments_at(file) as path:
        rules = _rules(path, column, mapping, patterns, language)
        seen = preview_court_cases(*state.chosen, path, rules, limit)
    if save_mapping is not None:
        mapped = json.dumps(seen.rules.as_dict(), ensure_ascii=False, indent=2)
        write_text(save_mapping, mapped + "\n")
    lines = [
        f"{name:<24} {say(f'court_cases.field.{field}') if field else '(not read)'}"
        for name, field in seen.became.items()
    ]
    lines += ["", *_counts(seen.survey)]
    if not seen.whole:
        lines.append(f"Only the first {limit:,} judgments were read.")
    state.emit(seen.as_dict(), lines)


@CASES.command("import")
def bring_in(
    state: State,
    file: File,
    column: Column = None,
    mapping: Mapping = None,
    patterns: PatternFile = None,
    language: Language = "",
) -> None:
    """Import judgments as court cases: all of the file or nothing.

    Without --column and --mapping, the columns of the last import or of their names are used.
    """
    from services.cases.importing import import_court_cases, judgments_at

    with judgments_at(file) as path, state.progress("Reading") as report:
        rules = _rules(path, column, mapping, patterns, language)
        done = import_court_cases(*state.chosen, path, rules, report)
    head = f"{done.new:,} new court cases, {done.unchanged:,} already here."
    unread = [f"Columns not read: {', '.join(done.unread)}."] if done.unread else []
    state.emit(asdict(done), [head, *_counts(done.survey), *unread])


@CASES.command("list")
def listing(
    state: State,
    words: Annotated[str, option("With these words in text, title, court or id.")] = "",
    charge: Annotated[str, option("With this charge, as written.")] = "",
    court: Annotated[str, option("Of this court.")] = "",
    language: Annotated[str, option("In this language, e.g. ko.")] = "",
) -> None:
    """List court cases."""
    from services.cases.views import CaseFilter, list_court_cases

    wanted = CaseFilter(words, charge, court, language)
    found = list_court_cases(*state.chosen, wanted)
    lines = [
        f"{line.external_id:<16} {line.language:<3} {line.date or '–':<11} "
        f"{line.characters:>7,}  {', '.join(line.charges) or '–'}  {line.court}"
        for line in found.lines
    ]
    names = ("number", "court", "date", "title", "charges", "provisions", "language")
    said = [
        {"id": line.external_id} | {name: getattr(line, name) for name in (*names, "characters")}
        for line in found.lines
    ]
    lines.append(f"{len(found.lines):,} of {found.total:,} court cases.")
    state.emit({"cases": said, "total": found.total}, lines)


@CASES.command("show")
def show(
    state: State,
    case: Annotated[str, argument("Id of the court case, as in its file.")],
    section: Annotated[str, option("Only this section, e.g. facts.")] = "",
) -> None:
    """Print a court case in its sections."""
    from corpus.cases.model import Section
    from services.cases.views import read_court_case

    if section and section not in set(Section):
        raise UserError("patterns_key", Where(field="section"), known=", ".join(Section))
    found = read_court_case(*state.chosen, case)
    names = ("number", "court", "date", "title", "language")
    said = {"id": found.external_id} | {name: getattr(found, name) for name in names}
    lists = {"charges": list(found.charges), "provisions": list(found.provisions)}
    sections: list[dict[str, Any]] = [
        {
            "section": str(part.section),
            "start": part.start,
            "text": found.text[part.start : part.end],
        }
        for part in found.parts
        if section in ("", part.section)
    ]
    lines = [f"{name}: {value}" for name, value in said.items() if value]
    lines += [f"{name}: {', '.join(value)}" for name, value in lists.items() if value]
    for each in sections:
        heading = say(f"court_cases.section.{each['section']}")
        lines += ["", f"[{heading}]", each["text"].strip()]
    state.emit(said | lists | {"sections": sections}, lines)


@CASES.command("patterns")
def patterns(
    state: State,
    language: Annotated[str, argument("ko, en or zh.")],
) -> None:
    """Print the packaged patterns of a language, to write your own by."""
    from corpus.cases.patterns import packaged_text

    text = packaged_text(language)
    state.emit({"language": language, "patterns": text}, [text.rstrip()])


def _rules(
    file: Path,
    columns: list[str] | None,
    mapping: Path | None,
    patterns: Path | None,
    language: str,
) -> CaseRules | None:
    """Return the reading rules given in options, None if there are none."""
    from corpus.cases.model import CaseRules, read_case_rules, suggested, with_choices
    from corpus.cases.reading import judgment_columns

    if not (columns or mapping or patterns or language):
        return None
    base = read_case_rules(mapping) if mapping else CaseRules(suggested(judgment_columns(file)))
    said = dict(_pair(column) for column in columns or ())
    own = _own_patterns(patterns) if patterns else base.patterns
    return CaseRules(with_choices(base.columns, said), language or base.language, own)


def _own_patterns(file: Path) -> str:
    """Return the text of a file of patterns. Raises UserError for invalid ones."""
    from corpus.cases.patterns import TEXT_CHARACTERS, patterns_with
    from corpus.files.rows import printable, read_text

    name = printable(file.name)
    own = read_text(file, name, 4 * TEXT_CHARACTERS)
    patterns_with(own, name)  # so that an error names this file
    return own


def _pair(text: str) -> tuple[str, str]:
    """Parse ``field=column``. Raises UserError for an unknown field."""
    from corpus.cases.model import FIELDS

    field, equals, column = text.partition("=")
    if not equals or field.strip() not in FIELDS:
        raise UserError("court_case_field", Where(field="--column"), known=", ".join(FIELDS))
    return field.strip(), column.strip()


def _counts(survey: Survey) -> Iterator[str]:
    """Yield the counts of a survey, line by line."""
    n = survey.judgments
    languages = ", ".join(f"{name} {count:,}" for name, count in survey.languages.items())
    yield f"{n:,} judgments ({languages}), the longest of {survey.longest:,} characters."
    for field in survey.fields:
        have = field.column + field.pattern
        name = say(f"court_cases.field.{field.name}")
        told = f"{field.column:,} by column, {field.pattern:,} found in the text"
        yield f"  {name:<20} {have:>7,} of {n:,}  ({told})"
    for part in survey.sections:
        name = say(f"court_cases.section.{part.name}")
        blank = f", {part.empty:,} blank" if part.empty else ""
        yield f"  {name:<20} {part.judgments:>7,} of {n:,}  ({part.characters:,} characters{blank})"
    if survey.uncut:
        yield f"  {survey.uncut:,} judgments are not cut into sections: no pattern fits."
