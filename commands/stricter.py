"""Commands about stricter groups of court cases and the benchmarks built from them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import STRICTER
from commands.shell.options import Licence, TagsOf
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State
from commands.shell.tables import read_text
from errors import UserError

if TYPE_CHECKING:
    from services.stricter.groups import GroupFound, Stricter

_PER_GROUP = Annotated[int, option("Queries per group, the chosen one first.")]
_SEED = Annotated[int, option("Draws the queries that nobody chose.")]


@STRICTER.command("list")
def listing(state: State, tags_of: TagsOf = "") -> None:
    """List the standard groups with cases, and how far the cases of each are alike."""
    from services.stricter.groups import model_fact, model_note, sizes, stricter

    found = stricter(*state.chosen, model=tags_of)
    told = [_group_json(group) for group in found.groups]
    lines = [
        f"{each['group']:<48} {each['cases']:>6,} cases {each['counted']:>6,} counted  "
        f"{_depth_text(each):<14} {each['in_the_group']:>5,} in the group"
        for each in told
    ]
    lines = lines or ["No court case is in a standard group yet."]
    counts = tuple(sizes(found))
    lines += [
        f"All {each.kind} groups with a target: {each.groups:,} of {each.cases:,} cases, "
        f"{each.per_group:.2f} in each"
        for each in counts
        if each.category == "all" and each.per_group
    ]
    said = {"groups": told, "sizes": list(map(asdict, counts))} | model_fact(tags_of)
    state.emit(said, [*model_note(tags_of), *lines])


@STRICTER.command("show")
def show(
    state: State,
    group: Annotated[str, argument("Key of a standard group.")],
    tags_of: TagsOf = "",
) -> None:
    """Show the stricter groups of a standard group, its back-off, and what one tag would move."""
    from services.stricter.group_detail import moves_of, steps
    from services.stricter.groups import model_fact, model_note, stricter

    found = stricter(*state.chosen, model=tags_of)
    each = found.group(group)
    moves = [
        asdict(move) | {"case": _name(found, move.case), "beside": _names(found, move.beside)}
        for move in moves_of(found, each)
    ]
    missing = {
        _name(found, case): {key: str(gap) for key, gap in gaps.items()}
        for case, gaps in each.table.gaps.items()
    }
    told = _group_json(each) | model_fact(tags_of)
    told |= {
        "groups": _stricter_groups_json(found, each),
        "steps": [asdict(level) for level in steps(each)],
        "moves": moves,
        "missing": missing,
        "untagged": _names(found, each.untagged),
    }
    state.emit(told, [*model_note(tags_of), *_group_lines(told), *_more_lines(told)])


@STRICTER.command("export")
def export(
    state: State,
    folder: Annotated[Path, argument("Folder to write to; made when absent.")],
    per_group: _PER_GROUP = 1,
    seed: _SEED = 0,
    licence: Licence = "",
    tags_of: TagsOf = "",
) -> None:
    """Export the standard and the stricter benchmark with lineage, datasheet and checksums."""
    from services.stricter.benchmark_export import export_benchmark
    from services.stricter.groups import Drawing, model_note

    where = *state.chosen, folder
    done = export_benchmark(*where, Drawing(per_group, seed, tags_of), licence)
    lines = [*model_note(tags_of), f"{done.corpus:,} court cases."]
    lines += [
        f"{kind:<10} {count:>7,} queries {done.pairs[kind]:>9,} judgements"
        for kind, count in done.queries.items()
    ]
    lines += [f"Of the stricter ones {done.targets:,} are of grade 2."]
    state.emit(asdict(done), [*lines, *(str(folder / file) for file in done.files)])


@STRICTER.command("evaluate")
def evaluate(
    state: State,
    run_file: Annotated[
        Path | None, option("TREC run on the queries of an export; else BM25 is run.")
    ] = None,
    tokeniser: Annotated[
        str, option("Of BM25: how text is cut, such as bigram, stemmed or morphemes.")
    ] = "bigram",
    measure: Annotated[
        list[str] | None, option("Such as P@5, nDCG@10, Recall@100; may be repeated.")
    ] = None,
    keep: Annotated[
        Path | None, option("File to write the run of BM25 to, in TREC format.")
    ] = None,
    per_group: _PER_GROUP = 1,
    seed: _SEED = 0,
    tags_of: TagsOf = "",
    output: Output = None,
    language: Language = "en",
) -> None:
    """Score a run of your own, or BM25, on both benchmarks, by category."""
    from evaluation.ranking.scoring import parse_measure
    from services.stricter.groups import Drawing
    from services.stricter.report_tables import scores_report
    from services.stricter.scoring import MEASURES, score_bm25, score_file

    check_output(output)
    if run_file is not None and keep is not None:
        raise UserError("evaluate_keep")
    measures = tuple(map(parse_measure, measure)) if measure else MEASURES
    where, drawing = state.chosen, Drawing(per_group, seed, tags_of)
    if run_file is not None:
        scored = score_file(*where, run_file, measures, drawing)
    else:
        with state.progress("Ranking") as report:
            scored = score_bm25(*where, tokeniser, measures, drawing, keep, report)
    emit_report(state, scores_report(scored, language), output)


@STRICTER.command("table")
def table(
    state: State,
    file: Annotated[Path, argument("YAML file of an experiment.")],
    output: Output = None,
    language: Language = "en",
    per_group: _PER_GROUP = 1,
    seed: _SEED = 0,
    tags_of: TagsOf = "",
) -> None:
    """Score each method of an experiment's file on the court cases: P@5 and recall over groups."""
    from services.stricter.groups import Drawing
    from services.stricter.report_tables import score_experiment, table_report

    check_output(output)
    where, drawing = state.chosen, Drawing(per_group, seed, tags_of)
    with state.progress("Ranking") as report:

        def told(at: int, lines: int, label: str, done: int, queries: int) -> None:
            """Print the progress of a line."""
            report(done, queries, f"line {at + 1} of {lines} ({label})")

        found = score_experiment(*where, read_text(file), str(file), drawing, told)
    emit_report(state, table_report(found, language), output)


def _group_json(each: GroupFound) -> dict[str, Any]:
    return {
        "group": each.key,
        "category": each.place.category.key,
        "cases": len(each.cases),
        "counted": len(each.table.rows),
        "sub_factors": len(each.table.columns),
        "depth": each.found.depth,
        "backed_off": each.backed_off,
        "stricter_groups": len(each.groups),
        "in_the_group": len(each.groups[0]) if each.groups else 0,
    }


def _depth_text(values: dict[str, Any]) -> str:
    """Return how many leading sub-factors the cases of a group share, as text."""
    if values["depth"] is None:
        return "no group"
    return f"alike in {values['depth']}/{values['sub_factors']}"


def _stricter_groups_json(stricter: Stricter, each: GroupFound) -> list[dict[str, Any]]:
    from services.stricter.group_detail import key_of, splits_of

    found = []
    for number, cases in enumerate(each.groups):
        splits = [asdict(split) for split in splits_of(each, number)]
        for part in (part for split in splits for part in split["parts"]):
            part["cases"] = _names(stricter, part["cases"])
        alike = {key: list(answer) for key, answer in key_of(each, number)}
        found.append({"cases": _names(stricter, cases), "alike": alike, "splits": splits})
    return found


def _name(stricter: Stricter, case: int) -> str:
    """Return the external id of a case."""
    return stricter.cases[case].external_id


def _names(stricter: Stricter, cases: tuple[int, ...]) -> list[str]:
    """Return the external ids of cases."""
    return [_name(stricter, case) for case in cases]


def _group_lines(row: dict[str, Any]) -> list[str]:
    lines = [f"{row['group']}: {row['counted']} of {row['cases']} cases count, {_depth_text(row)}."]
    for number, group in enumerate(row["groups"], 1):
        lines.append(f"Group {number}: {', '.join(group['cases'])}")
        lines += [f"  {key}: {', '.join(answer)}" for key, answer in group["alike"].items()]
        for split in group["splits"]:
            parts = (
                f"{', '.join(part['answer'] or ('no answer',))} ({', '.join(part['cases'])})"
                for part in split["parts"]
            )
            optional = " (optional)" if split["optional"] else ""
            lines.append(f"  with {split['sub_factor']}{optional}: {'; '.join(parts)}")
    return lines


def _more_lines(values: dict[str, Any]) -> list[str]:
    """Return a group's shorter keys, near misses and missing answers as text."""
    lines = [
        f"The first {step['depth']} alike: {step['groups']} groups, {step['rows']} cases."
        for step in values["steps"]
    ]
    for move in values["moves"]:
        now, then, beside = (", ".join(move[name]) for name in ("now", "then", "beside"))
        effect = f"alike in {move['depth']} with {beside}"
        lines.append(f"{move['case']}: were {move['sub_factor']} {then}, not {now}: {effect}")
    for case, gaps in values["missing"].items():
        lines.append(f"{case} lacks {', '.join(f'{key} ({gap})' for key, gap in gaps.items())}")
    if values["untagged"]:
        lines.append(f"Not tagged: {', '.join(values['untagged'])}")
    return lines
