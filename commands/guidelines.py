"""Commands for guidelines and codebooks: versions, and decisions under each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from commands.shell.arguments import argument, option
from commands.shell.groups import GUIDELINE
from commands.shell.options import Expected, Note, OfVersion
from commands.shell.state import State
from commands.shell.tables import read_text

if TYPE_CHECKING:
    from annotation.work.rules import Why
    from corpus.compare.diff import Piece

Kind = Annotated[str, option("guideline or codebook.")]
Task = Annotated[str, option("Whose: the task.")]
Language = Annotated[str, option("en or ko; a codebook holds both in one text.")]
_GUIDELINE, _TASK = "guideline", "citation_mapping"


@GUIDELINE.command("list")
def listing(state: State, kind: Kind = _GUIDELINE, task: Task = _TASK) -> None:
    """List the versions, newest first, with the number of current decisions made under each."""
    from annotation.guidelines.versions import list_versions

    views = list_versions(*state.chosen, kind, task)
    lines = [
        f"{'*' if view.current else ' '} {view.version:<18} "
        f"{f'{view.at:%Y-%m-%d %H:%M}' if view.at and not view.packaged else '':<16}  "
        f"{'packaged' if view.packaged else view.person or 'operator':<16}  "
        f"{view.submissions:,} submissions, {view.adjudications:,} adjudications  {view.note}"
        for view in views
    ]
    state.emit({"versions": [view.as_dict() for view in views]}, lines)


@GUIDELINE.command("show")
def show(
    state: State,
    number: OfVersion = None,
    kind: Kind = _GUIDELINE,
    task: Task = _TASK,
    language: Language = "en",
) -> None:
    """Print the text of a version."""
    from annotation.guidelines.documents import read_document

    found = read_document(*state.chosen, kind, task, language, number)
    said = {"version": found.version, "language": found.language, "text": found.text}
    state.emit(said | {"note": found.note}, [found.text.rstrip()])


@GUIDELINE.command("edit")
def edit(
    state: State,
    file: Annotated[Path, argument("File with the whole new text (UTF-8).")],
    note: Note,
    kind: Kind = _GUIDELINE,
    task: Task = _TASK,
    language: Language = "en",
    expected: Expected = None,
) -> None:
    """Save a new version; the other language keeps its text."""
    from annotation.guidelines.documents import read_document
    from annotation.guidelines.editing import new_version

    ws, slug = state.chosen
    now = read_document(ws, slug, kind, task, language)
    texts = {now.language if kind == "codebook" else language: read_text(file)}
    number = now.number if expected is None else expected
    version = new_version(ws, slug, kind, task, texts, note, number)
    state.emit({"version": version}, [f"Saved version {version}."])


@GUIDELINE.command("builtin")
def builtin(
    state: State,
    note: Annotated[str, option("Why it is taken over.")] = "",
    do: Annotated[bool, option("Save it; else only print what changes.", "--do")] = (False),
    kind: Kind = _GUIDELINE,
    task: Task = _TASK,
    expected: Expected = None,
) -> None:
    """Take over the text that Touchstone comes with now; without --do, only print what changes."""
    from annotation.guidelines.editing import builtin_offer, take_builtin
    from corpus.compare.diff import diff
    from messages import say

    where = (*state.chosen, kind, task)
    offer = builtin_offer(*where)
    if do:
        number = expected if expected is not None else offer.number if offer else 0
        version = take_builtin(*where, note or say("guidelines.builtin_note"), number)
        state.emit({"version": version}, [f"Saved version {version}."])
        return
    if offer is None:
        state.emit({"offered": False}, [say("guidelines.builtin_none")])
        return
    pieces = {each: diff(offer.now.get(each, ""), offer.texts[each]) for each in offer.changed}
    lines = [f"[{each}]\n{_diff_text(found).rstrip()}" for each, found in pieces.items()]
    told = {each: _diff_json(found) for each, found in pieces.items()}
    head = f"Would be version {offer.number + 1} (nothing is changed without --do)."
    state.emit({"offered": True, "number": offer.number, "pieces": told}, [*lines, head])


@GUIDELINE.command("diff")
def difference(
    state: State,
    old: Annotated[int, argument("Number of the earlier version.")],
    new: Annotated[int | None, argument("Of the later one; else what holds.")] = None,
    kind: Kind = _GUIDELINE,
    task: Task = _TASK,
    language: Language = "en",
) -> None:
    """Print what changed, word by word: [-removed-] and {+inserted+}."""
    from annotation.guidelines.documents import read_document
    from corpus.compare.diff import diff

    where = (*state.chosen, kind, task, language)
    pieces = diff(read_document(*where, old).text, read_document(*where, new).text)
    state.emit({"pieces": _diff_json(pieces)}, [_diff_text(pieces).rstrip()])


def _diff_text(pieces: Sequence[Piece]) -> str:
    marks = {"same": "{}", "removed": "[-{}-]", "inserted": "{{+{}+}}"}
    return "".join(marks[piece.kind].format(piece.text) for piece in pieces)


def _diff_json(pieces: Sequence[Piece]) -> list[dict[str, str]]:
    return [{"kind": str(piece.kind), "text": piece.text} for piece in pieces]


@GUIDELINE.command("decisions")
def made_under(
    state: State,
    number: Annotated[int, argument("Number of the version.")],
    kind: Kind = _GUIDELINE,
    task: Task = _TASK,
) -> None:
    """List the current decisions that were made under a version."""
    from annotation.guidelines.versions import decisions

    found = decisions(*state.chosen, kind, task, number)
    lines = [
        f"{each.external_id:<16} {each.kind:<12} {each.person:<20} {each.at:%Y-%m-%d %H:%M}"
        for each in found
    ]
    state.emit(
        {"decisions": [each.as_dict() for each in found]},
        [*lines, f"{len(found):,} decisions stand made under version {number}."],
    )


@GUIDELINE.command("migrate")
def migrate(
    state: State,
    old: Annotated[int, argument("Number of the version they were made under.")],
    new: Annotated[int, argument("Number of the version to take them over to.")],
    answer: Annotated[
        list[str] | None,
        option(
            "What becomes of an answer: unsure=again, unsure=reject, …; of a form's, "
            "verdict=again, cause.unclear=outdated, …; else the same, or what the codebook made "
            "of it. Repeat it."
        ),
    ] = None,
    item: Annotated[
        list[str] | None,
        option("To be answered again whatever was said of it. Repeat it."),
    ] = None,
    reason: Annotated[str, option("Why; needed with --do.")] = "",
    do: Annotated[bool, option("Do it; else only say what it would do.", "--do")] = (False),
    kind: Kind = _GUIDELINE,
    task: Task = _TASK,
) -> None:
    """Take answers over to a later version; without --do, a preview that changes nothing."""
    from annotation.guidelines.migration import migrate_answers, preview

    where = (*state.chosen, kind, task, old, new)
    pairs = [each.partition("=") for each in answer or ()]
    answers = {old.strip(): new.strip() for old, _, new in pairs}
    names = tuple(item or ())
    if do:
        made = migrate_answers(*where, answers, reason, items=names)
    else:
        made = preview(*where, answers, items=names)
    lines = [
        f"{line.external_id:<16} {line.person:<20} {line.fate or 'hidden until all have submitted'}"
        + "".join(f"; {_reason_text(why)}" for why in line.why)
        for line in made.lines
    ]
    counts = ", ".join(f"{count:,} {fate}" for fate, count in made.counts.items() if count)
    head = "Done" if do else "Would do (nothing is changed without --do)"
    state.emit({"done": do} | made.as_dict(), [*lines, f"{head}: {counts or 'nothing'}."])


def _reason_text(why: Why) -> str:
    from messages import say

    what = f"{why.field}.{why.option}" if why.option else why.field
    return say(f"guidelines.why.{why.code}", what=what)
