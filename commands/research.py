"""Commands of research: boolean search, items, export, disputes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import RESEARCH, SEARCH
from commands.shell.options import number_of, working_time
from commands.shell.state import State
from errors import UserError, Where, require_known

if TYPE_CHECKING:
    from annotation.forms.disputes import FormDisputeView
    from annotation.work.submissions import Submission
    from services.research.search import AuthorityHit, CollectionFound

_WIDTH = 160  # characters of a text shown around its matches


@SEARCH.command("tc")
def tc(
    state: State,
    query: Annotated[
        str,
        argument('Terms and connectors, such as: controvers! /p "declaratory judgment".'),
    ],
    within: Annotated[str, option("What is searched: statutes, cases or both.", "--in")] = "both",
    limit: Annotated[int, option("How many texts of each to show at most.", min=1, max=500)] = 20,
    order: Annotated[
        str, option("matches: most matches first; collection: as the law stands.")
    ] = "matches",
) -> None:
    """Search the law in use and the court cases of the project by terms and connectors.

    Connectors, strongest first: "a phrase", a space (either), +n (before, within n words), /n,
    +s (before, in one sentence), /s, +p (paragraph), /p, & (in one text), % (but not). A root ends
    in !, * is one character, # takes a word exactly as it is written.
    """
    from retrieval.connectors.search import Order
    from services.research.search import Collection, search_authorities

    known = {"both": tuple(Collection), **{str(each): (each,) for each in Collection}}
    require_known("research_collection", known, Where(field="in"), collection=within)
    require_known("research_order", Order, Where(field="order"), order=order)
    with state.progress("Indexing") as progress:
        done = search_authorities(
            *state.chosen, query, known[within], limit, Order(order), progress=progress
        )
    told = {
        "query": done.query,
        "snapshot": done.snapshot_id,
        "collections": [_collection_json(each) for each in done.found],
    }
    lines = [f"Read as: {done.query}"]
    for each in done.found:
        lines += _collection_lines(each)
    if not done.found:
        lines.append("There is nothing to search: import statutes or court cases first.")
    state.emit(told, lines)


def _collection_json(collection: CollectionFound) -> dict[str, Any]:
    return {
        "collection": str(collection.collection),
        "searched": collection.searched,
        "texts": collection.texts,
        "matches": collection.matches,
        "parts": [
            {"part": each.text, "depth": each.depth, "matches": each.matches, "texts": each.texts}
            for each in collection.counts
        ],
        "hits": [
            {
                "id": hit.authority.id,
                "title": hit.authority.title,
                "matches": hit.matches,
                "in_title": [list(span) for span in hit.in_title],
                "spans": [
                    {"start": start, "end": end, "text": hit.authority.text[start:end]}
                    for start, end in hit.in_text
                ],
            }
            for hit in collection.hits
        ],
    }


def _collection_lines(collection: CollectionFound) -> Iterator[str]:
    yield ""
    yield (
        f"{collection.collection}: {collection.texts:,} of {collection.searched:,} texts, "
        f"{collection.matches:,} matches"
    )
    for part in collection.counts[1:]:
        indent = "  " * part.depth
        yield f"{indent}{part.text}  – {part.matches:,} in {part.texts:,} texts"
    for place, hit in enumerate(collection.hits, 1):
        yield f"{place:>3}  {hit.authority.title}  [{hit.authority.id}, {hit.matches}]"
        if hit.in_text:
            yield f"     {_excerpt(hit)}"


def _excerpt(hit: AuthorityHit) -> str:
    """Return the part of a text with the most matches, which are between « and »."""
    from services.research.search import excerpt

    pieces = (f"«{text}»" if matches else text for text, matches in excerpt(hit, _WIDTH))
    return " ".join("".join(pieces).split())


@RESEARCH.command("items")
def items(
    state: State,
    limit: Annotated[
        int | None, option("Draw so many of the questions without an item.", min=1)
    ] = None,
    seed: Annotated[int, option("By which they are drawn.")] = 0,
) -> None:
    """Make an item to research of every question that has none, or of some of them."""
    from services.research.search import make_research_items

    made = make_research_items(*state.chosen, limit, seed)
    told = {"items": made.items, "waiting": made.waiting}
    state.emit(
        told,
        [f"{number_of(made.items, 'question')} to research; without an item: {made.waiting:,}."],
    )


@RESEARCH.command("export")
def export(
    state: State,
    folder: Annotated[Path, argument("Folder to write into.")],
) -> None:
    """Export gold passages with their offsets, and every trail of queries that led to one."""
    from services.research.export import export_research

    done = export_research(*state.chosen, folder)
    lines = [
        f"{number_of(done.gold, 'question')} settled of {done.complete:,} complete, "
        f"{done.disputed:,} disputed.",
        f"Wrote {', '.join(done.files)} into {done.folder}.",
    ]
    state.emit(asdict(done), lines)


def case_output(case: FormDisputeView) -> tuple[dict[str, Any], list[str]]:
    """Return a disputed question as JSON values and as lines, with each researcher's answers."""
    asked = case.question
    choices = [f"{number}. {choice}" for number, choice in enumerate(asked.choices, 1)]
    lines = [asked.text, *choices, "", asked.answer, ""]
    for side in case.sides:
        lines += _side_lines(side)
    return {"case": asdict(case)}, lines


def _side_lines(side: Submission) -> Iterator[str]:
    said = side.answers
    notes = "".join(f"; {text}" for text in (side.flag, side.comment) if text)
    yield f"{side.person} ({working_time(side.seconds)}): {said.get('outcome')}{notes}"
    if said.get("rule"):
        yield f"  rule: {said['rule']}"
    for each in said.get("passages", ()):
        place = f"{each['collection']}: {each['id']} [{each['start']}–{each['end']}]"
        yield f"  {place} “{each['quote']}”"
    for step in said.get("trail", ()):
        if step["step"] == "query":
            counts = ", ".join(f"{texts} {name}" for name, (texts, _) in step["found"].items())
            yield f"  asked {step['query']}  ({counts})"
        else:
            yield f"  opened {step['collection']}: {step['id']}"


def decided(case: FormDisputeView, parts: dict[str, Any], take: str) -> dict[str, Any]:
    """Return an adjudicator's decision: the answers of person `take`, overridden by `parts`.

    Raises UserError if nobody of that name answered.
    """
    if not take:
        return parts
    side = next((each for each in case.sides if each.person == take), None)
    if side is None:
        known = ", ".join(each.person for each in case.sides)
        raise UserError("research_side", Where(field="take"), person=take, known=known)
    return {name: said for name, said in side.answers.items() if name != "trail"} | parts
