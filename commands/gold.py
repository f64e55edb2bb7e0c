"""Commands about gold: export, train/dev/test split, datasheet."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.editions import print_versions
from commands.shell.groups import DATASHEET, EXPORT, SPLIT
from commands.shell.options import Expected, Gold, Licence, Note, OfVersion
from commands.shell.state import State
from commands.shell.tables import read_text, write_text
from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from construction.gold.splitting import Recipe
    from services.gold.export import ExportReport
    from services.gold.splits import SplitState
    from storage.gold import SplitView

Names = Annotated[
    bool, option("Name the people who agreed to it; others are pseudonyms.", "--names")
]
OfSnapshot = Annotated[
    int | None,
    option("Number of the snapshot that is the corpus; else the one in use."),
]
SplitVersion = Annotated[
    int | None, option("Version of the split; else the newest, if there is one.")
]
NoSplit = Annotated[bool, option("All questions as one test set, split or not.", "--no-split")]
SearchableOnly = Annotated[
    bool,
    option(
        "Leave units out of the qrels that are not in the corpus or have no text.",
        "--searchable-only",
    ),
]


@EXPORT.command("gold")
def gold(
    state: State,
    folder: Annotated[Path, argument("Folder to write to; made when absent.")],
    snapshot: OfSnapshot = None,
    licence: Licence = "",
    pseudonyms: Annotated[
        bool, option("As usual: annotator 1 and so on for names.", "--pseudonyms")
    ] = False,
    names: Names = False,
    split: SplitVersion = None,
    no_split: NoSplit = False,
    positives_only: Annotated[
        bool,
        option("Leave out what all rejected (grade 0).", "--positives-only"),
    ] = False,
    searchable_only: SearchableOnly = False,
    also: Annotated[
        list[str] | None,
        option("Also an exporter of an installed package, into a folder of its name."),
    ] = None,
) -> None:
    """Export the gold as BEIR, TREC qrels and JSONL with lineage, and a datasheet."""
    from services.gold.datasheet import Sheet
    from services.gold.export import Pairs, Parts, export_gold
    from services.law.activation import to_check

    sheet = Sheet(licence, names and not pseudonyms)
    parts, pairs = Parts(split, no_split), Pairs(positives_only, searchable_only)
    where = (*state.chosen, folder, snapshot)
    done = export_gold(*where, sheet=sheet, parts=parts, pairs=pairs, also=also or ())
    again = to_check(*state.chosen, snapshot_id=done.snapshot_id).counts
    lines = [
        f"Gold of {done.questions} questions ({done.pairs} pairs, {done.rejected} rejected), "
        f"{done.pending} still pending.",
        *_outdated_lines(done),
        *again.lines(),
        f"{done.corpus} units of snapshot {done.snapshot_id} ({done.snapshot}): "
        f"{', '.join(done.levels)}.",
        *_outside_lines(done),
        *([] if done.split is None else [say("split.exported", number=done.split)]),
        *(str(Path(done.folder) / file) for file in done.files),
    ]
    state.emit(asdict(done) | {"to_check": again.as_dict()}, lines)


def _outdated_lines(done: ExportReport) -> list[str]:
    """Return the lines on questions whose gold is outdated by amendments, if any."""
    lines = []
    if done.amended:
        count, named = len(done.amended), ", ".join(done.amended)
        lines.append(f"The law was amended since {count} of these were decided: {named}.")
    if done.waiting:
        count, named = len(done.waiting), ", ".join(done.waiting)
        lines.append(f"{count} of these wait for candidates from the law in use: {named}.")
    return lines


def _outside_lines(done: ExportReport) -> list[str]:
    """Return the lines on judgements of units that retrieval cannot find, or only by heading."""
    counts, lines = done.not_searched, []
    if counts["units"]:
        reasons = ", ".join(
            say(f"levels.counted.{name}", count=n) for name, n in counts["reasons"].items()
        )
        told = {"units": counts["units"], "questions": counts["questions"], "reasons": reasons}
        lines.append(say("levels.missed_note", **told))
    if done.without_text["pairs"]:
        lines.append(say("levels.no_text_note", **done.without_text))
    return [*lines, say("levels.left_out_here")] if lines and done.left_out else lines


_NAMED = 10  # questions listed on a line; --json has all


@SPLIT.command("make")
def make_split(
    state: State,
    by: Annotated[
        str, option("statute, date or near (near-duplicates); else statute.", "--by")
    ] = "",
    shares: Annotated[str, option("Per cent of train, dev and test.")] = "",
    seed: Annotated[int | None, option("What chance is drawn with; else 0.")] = None,
    near: Annotated[float | None, option("Likeness of near-duplicates, 0 to 1; else 0.5.")] = None,
    column: Annotated[
        str, option("Column of the questions with their dates, for a split by date.")
    ] = "",
    gold: Gold = "",
    again: Annotated[bool, option("Split all again; questions may move.", "--again")] = False,
    note: Note = "",
) -> None:
    """Split the gold into train, dev and test; or place what became final since the last time.

    Questions that are in a part stay there, unless all is split again.
    """
    from services.gold.splits import make_split as place

    given = by or shares or column or gold or seed is not None or near is not None
    recipe = _recipe(by, shares, seed, near, column, gold) if given else None
    made = place(*state.chosen, recipe, note, again=again)
    lines = [say("split.made", **asdict(made)), *_state_lines(_split_of(state, None))]
    state.emit(asdict(made), lines)


@SPLIT.command("show")
def show_split(
    state: State,
    number: OfVersion = None,
    above: Annotated[
        float | None, option("Likeness from which pairs count as nearly the same.")
    ] = None,
) -> None:
    """Say which questions are in which part, why others are in none, and what parts share."""
    from services.gold.leakage import leakage

    found = _split_of(state, number)
    leaks = leakage(*state.chosen, number, above)
    lines = _state_lines(found)
    for each in leaks.between if leaks else ():
        near = f"{leaks.above:g}" if leaks else ""
        lines.append(say("split.leak.line", **asdict(each), above=near))
    for pair in leaks.pairs if leaks else ():
        lines.append(f"  {pair.likeness:.3f}  {pair.one}  {pair.other}")
    told = found.as_dict() | {"leakage": leaks.as_dict() if leaks else None}
    state.emit(told, lines)


@SPLIT.command("list")
def list_splits(state: State) -> None:
    """List the versions of the split, newest first; the first of the list holds."""
    from services.gold.splits import split_as_dict, splits

    found = splits(*state.chosen)
    lines = [_version_line(each) for each in found] or [say("split.none")]
    state.emit({"splits": [split_as_dict(each) for each in found]}, lines)


def _recipe(
    by: str, shares: str, seed: int | None, near: float | None, column: str, gold: str
) -> Recipe:
    """Return the split recipe given in options. Raises UserError for an invalid one."""
    from construction.gold.splitting import Recipe, Way

    if by not in ("", *Way):
        raise UserError("split_way", Where(field="--by"), said=by, known=", ".join(Way))
    said: dict[str, Any] = {}
    if shares:
        parts = [each.strip() for each in shares.split("/")]
        if len(parts) != 3 or not all(each.isascii() and each.isdigit() for each in parts):
            raise UserError("split_shares", Where(field="--shares"), said=shares)
        said["shares"] = tuple(map(int, parts))
    said |= {} if seed is None else {"seed": seed}
    said |= {} if near is None else {"near": near}
    return Recipe(Way(by or Way.STATUTE), column=column, gold=gold, **said)


def _split_of(state: State, number: int | None) -> SplitState:
    """Return the split by that version, else the newest. Raises UserError if there is none."""
    from services.gold.splits import split_state

    found = split_state(*state.chosen, number)
    if found is None:
        raise UserError("split_none")
    return found


def _version_line(view: SplitView) -> str:
    recipe = view.recipe
    shares = "/".join(map(str, recipe.shares))
    how = f"{recipe.way} {recipe.column}".strip()
    who = view.person or say("split.operator")
    words = f"{view.number:>4}  {view.at:%Y-%m-%d %H:%M}  {who:<16}  {how}  {shares}"
    told = f"seed {recipe.seed}  gold {recipe.gold}  {view.size} questions  {view.note}"
    return f"{words}  {told}".rstrip()


def _state_lines(state: SplitState) -> list[str]:
    """Return a split version as lines: recipe, table of parts, questions outside."""
    from evaluation.tables import columns

    placed = len(state.parts)
    head = ("part", "wanted, %", "reached, %", "questions", "no provision", "judgements")
    rows: list[tuple[str, ...]] = [(*head, "statutes", "no longer final")]
    for each in state.lines:
        reached = f"{100 * each.questions / placed:.1f}" if placed else "–"
        counts = (each.questions, each.no_provision, each.pairs, each.statutes, each.gone)
        rows.append((each.part, str(each.share), reached, *(f"{n:,}" for n in counts)))
    table = columns(rows)
    lines = [_version_line(state.view), state.gold.size.say(), *table]
    if reasons := state.reasons:
        told = ", ".join(say(f"split.reason.{why}", count=n) for why, n in reasons.items())
        lines.append(f"{say('split.left_out')} {told}.")
    for why in dict.fromkeys(state.left_out.values()):
        names = [name for name, each in state.left_out.items() if each == why]
        more = f" … ({len(names)})" if len(names) > _NAMED else ""
        lines.append(f"  {why}: {', '.join(names[:_NAMED])}{more}")
    return lines


FormFile = Annotated[Path, argument("YAML file with what people say (UTF-8).")]


@DATASHEET.command("show")
def show_datasheet(
    state: State,
    number: OfVersion = None,
    output: Annotated[Path | None, option("Write it to this YAML file, to be filled in.")] = None,
) -> None:
    """Print what people say for the datasheets, field by field, and which fields are open."""
    from annotation.work.versioned_texts import DATASHEET_ANSWERS
    from construction.gold.datasheet_form import FIELDS, open_fields, parse, template

    found = DATASHEET_ANSWERS.edition(*state.chosen, number)
    said = parse(found.text)
    unsaid = [field.key for field in open_fields(said)]
    count = say("datasheet.open", count=len(unsaid), of=len(FIELDS))
    if output is not None:
        write_text(output, template(said))
        lines = [f"Wrote version {found.number} to {output}.", count]
    else:
        lines = [f"Version {found.number}. {count}"]
        for field in FIELDS:
            lines.append(f"{field.key}: {said.get(field.key) or say('datasheet.open_field')}")
    state.emit(found.as_dict() | {"answers": said, "open": unsaid}, lines)


@DATASHEET.command("set")
def set_answers(state: State, file: FormFile, note: Note = "", expected: Expected = None) -> None:
    """Save a file as a new version of the form; a field that it leaves out is open.

    `datasheet show --output FILE` writes one with every field.
    """
    from annotation.work.versioned_texts import DATASHEET_ANSWERS
    from construction.gold.datasheet_form import FIELDS, as_yaml, open_fields, parse

    ws, slug = state.chosen
    text = read_text(file, "datasheet_file")
    try:
        said = parse(text)
    except UserError as error:
        where = Where(str(file), error.where.line, error.where.field)
        raise UserError(error.code, where, **error.params) from error
    number = DATASHEET_ANSWERS.edition(ws, slug).number if expected is None else expected
    new = DATASHEET_ANSWERS.save(ws, slug, as_yaml(said), note, number)
    left = len(open_fields(said))
    count = say("datasheet.open", count=left, of=len(FIELDS))
    state.emit({"number": new, "open": left}, [f"Saved version {new}. {count}"])


@DATASHEET.command("history")
def datasheet_versions(state: State) -> None:
    """List the versions of the form, newest first; the first of the list holds."""
    from annotation.work.versioned_texts import DATASHEET_ANSWERS

    print_versions(state, DATASHEET_ANSWERS.editions(*state.chosen))
