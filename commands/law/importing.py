"""Commands that import law and questions, and generate candidates."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import COMMANDS, IMPORT
from commands.shell.options import SpecFile, chosen_spec, number_of, outcome_lines
from commands.shell.state import State

if TYPE_CHECKING:
    from corpus.importers.statutes.merge import Meeting
    from corpus.importers.table import ReadingRules
    from services.law.importing import LawReport
    from services.law.preview import Preview

FORMAT_NAMES = (
    "auto",
    "legalize-kr",
    "drf",
    "html",
    "searchfiresafety",
    "regops",
    "beir",
    "table",
    "english",
    "text",
)
"""The names of `corpus.importers.registry`, written out so that --help need not load readers."""

_ADD_HINT = "To keep the other statutes in use as well, import with --add."

PreviewOnly = Annotated[bool, option("Show what would come in, and keep nothing.", "--preview")]


@IMPORT.command("statutes")
def statutes(
    state: State,
    path: Annotated[Path, argument("A file or folder of statutes, or an archive of them.")],
    source_format: Annotated[
        str, option(f"One of: {', '.join(FORMAT_NAMES)}.", "--format")
    ] = "auto",
    preview: PreviewOnly = False,
    add: Annotated[
        bool,
        option("Add to the statutes in use; those of equal id are replaced.", "--add"),
    ] = False,
    mapping: Annotated[
        Path | None,
        option("A JSON file that says which column of a table holds what."),
    ] = None,
    pattern: Annotated[
        str, option("A heading of plain text, such as: Rule {number}: {heading}")
    ] = "",
    title: Annotated[str, option("The statute's title, where the source does not say it.")] = "",
    jurisdiction: Annotated[
        str,
        option("Whose law it is (kr, us-ny), where the source does not say it."),
    ] = "",
) -> None:
    """Import statutes as a snapshot of the corpus, which is used from then on.

    It takes the place of the snapshot in use, which is kept; with --add it holds the statutes of
    that one too. Where people have begun, candidates from it are made with it, and what is to be
    checked again is counted. How to read a table or plain text is set once and remembered for the
    project.
    """
    from services.law.importing import import_statutes
    from services.law.preview import preview_statutes

    rules = _rules(state, mapping, pattern, title)
    how: dict[str, Any] = {"format": source_format, "rules": rules, "jurisdiction": jurisdiction}
    if preview:
        with state.progress("Reading statutes") as report:
            seen = preview_statutes(*state.chosen, path, progress=report, **how)
        state.emit(seen.as_dict(), preview_lines(seen, add))
        return
    with state.progress("Importing statutes") as report:
        done = import_statutes(*state.chosen, path, report, add=add, **how)
    verb = "Imported" if done.new else "Already there:"
    counts = f"{done.statutes} statutes, {done.articles} articles, {done.units} units."
    state.emit(done.as_dict(), [f"{verb} {counts}", *_import_lines(done)])


def _import_lines(done: LawReport) -> list[str]:
    """Return the lines on the snapshots before and after an import, with its effects."""
    lines = [note.render() for note in done.left_out]
    lines += [f"Snapshot {done.snapshot_id} is in use now.", *outcome_lines(done.outcome)]
    if done.before is None or done.meeting is None:
        return lines
    back = f"`touchstone.py snapshots --use {done.before}` goes back."
    lines += [_meeting_line(done.meeting, done.added)]
    return [*lines, f"The snapshot before, {done.before}, is kept; {back}"]


def _meeting_line(met: Meeting, add: bool) -> str:
    others = f"{met.others:,} {'stay' if add else 'are no longer in use'}"
    how = f"{others}, {met.common:,} are replaced, {met.new:,} are new"
    return f"Statutes in use before: {met.in_use:,}; after: {met.after(add):,} ({how})."


def _rules(state: State, mapping: Path | None, pattern: str, title: str) -> ReadingRules | None:
    """Return the rules of --mapping, else the saved ones, with the options; None without any."""
    from corpus.importers.table import read_rules
    from services.law.preview import saved_rules

    if not (mapping or pattern or title):
        return None
    base = read_rules(mapping) if mapping else saved_rules(*state.chosen)
    return replace(base, pattern=pattern or base.pattern, title=title or base.title)


def preview_lines(preview: Preview, add: bool = False) -> list[str]:
    """Return a preview as lines; `add` as the import would."""
    from services.law.activation import change_line

    levels = ", ".join(f"{count:,} {level}" for level, count in preview.levels.items())
    units = [
        f"  {unit.semantic_id}  {unit.label} {unit.heading}".rstrip()
        + f" ({unit.characters:,} characters, {unit.parts} parts)"
        for unit in preview.first
    ]
    problems = [f"  {note.render()}" for note in preview.problems]
    places = preview.jurisdictions.items()
    said = ", ".join(f"{name or 'not said'} {count:,}" for name, count in places)
    change = preview.change_if(add)
    return [
        f"Format: {preview.format}. "
        f"{preview.statutes:,} statutes, {preview.units:,} units: {levels}.",
        f"{preview.parts:,} parts, {preview.links:,} links, {preview.characters:,} characters.",
        *([f"Statutes by jurisdiction: {said}."] if any(preview.jurisdictions) else []),
        "First units:",
        *units,
        *(["To look at:", *problems] if problems else ["Nothing odd was seen."]),
        *([f"Against the law in use: {change_line(change)}"] if change is not None else []),
        *([_meeting_line(preview.meeting, add)] if preview.meeting else []),
        *([_ADD_HINT] if preview.meeting and preview.meeting.others and not add else []),
        "Nothing was kept.",
    ]


@IMPORT.command("questions")
def questions(
    state: State,
    path: Annotated[
        Path,
        argument("A JSONL file of questions with answers, a BEIR folder, or an archive of one."),
    ],
    jurisdiction: Annotated[
        str,
        option("Whose law they ask about (kr, us-ny), where the file does not say it."),
    ] = "",
    preview: PreviewOnly = False,
) -> None:
    """Import questions with their official answers."""
    from services.law.importing import import_questions
    from services.law.preview import preview_questions

    if preview:
        seen = preview_questions(*state.chosen, path)
        state.emit(seen.as_dict(), seen.lines())
        return
    with state.progress("Reading questions") as report:
        done = import_questions(*state.chosen, path, report, jurisdiction=jurisdiction)
    lines = [f"{number_of(done.new, 'new question')}, {done.unchanged:,} already there."]
    if done.completed:
        lines.append(
            f"Of those, {done.completed:,} say now whose law they ask about, or have choices, an"
            " answer or grades. Candidates that were made of them before stay as they are."
        )
    state.emit(done.as_dict(), [*lines, *(note.render() for note in done.notes)])


@IMPORT.command("benchmark")
def benchmark(
    state: State,
    path: Annotated[
        Path, argument("A published benchmark: a folder, a file, or an archive of one.")
    ],
    release: Annotated[str, option("Its version, where its files do not state it.")] = "",
    jurisdiction: Annotated[
        str,
        option("Whose law it is (kr, us-ny), where the files do not say it."),
    ] = "",
) -> None:
    """Adopt a published benchmark: documents, questions and labels, in any layout `audit` reads.

    Documents are added to the law in use. The labels are the gold set "source", with their grades;
    a question that people decide takes their gold instead (people-over-source).
    """
    from services.law.adopting import adopt

    with state.progress("Reading the benchmark") as report:
        done = adopt(*state.chosen, path, report, release=release, jurisdiction=jurisdiction)
    state.emit(asdict(done), done.lines())


@COMMANDS.command("candidates")
def candidates(
    state: State,
    method: Annotated[
        str,
        option("A preset or method that searches the texts, else BM25; see methods."),
    ] = "",
    spec: SpecFile = None,
    labels: Annotated[
        bool,
        option("Put what the source labels as gold first, to be verified.", "--labels"),
    ] = False,
) -> None:
    """Resolve every citation and propose candidate provisions for each question.

    With --labels people see what the source says, so their gold verifies it and is no blind
    judgement of it. Decisions that wait for candidates from the law in use get them too, by the
    method that they were made on.
    """
    from services.mapping.candidate_methods import LABELS
    from services.mapping.candidates import build_candidates

    chosen = chosen_spec(method, spec, {}) if method or spec else LABELS if labels else None
    with state.progress("Proposing candidates") as report:
        done = build_candidates(*state.chosen, report, spec=chosen)
    lines = [f"{done.built} items got {done.candidates} candidates; {done.kept} had current ones."]
    lines += done.lines() if done.built else []
    if done.for_decisions:
        lines.append(f"{done.for_decisions} more were made for decisions that waited for them.")
        lines += [stand_in.say() for stand_in in done.stand_ins]
    state.emit(done.as_dict(), lines)
