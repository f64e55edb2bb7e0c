"""Commands for the factor codebook: read, check, import, export, compare versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commands.shell.groups import CODEBOOK
from commands.shell.options import Expected, Note
from commands.shell.state import State
from commands.shell.tables import read_text
from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from construction.tagging.codebook import Codebook, Factor, SubFactor
    from services.tagging.codebook import Outlook

File = Annotated[Path, typer.Argument(help="YAML file of a codebook, as export writes it.")]
Number = Annotated[int | None, typer.Option("--number", help="Of this version; else of now.")]
Language = Annotated[str, typer.Option(help="Of labels and helps: en or ko.")]


@CODEBOOK.command("show")
def show(
    state: State,
    sub_factor: Annotated[str | None, typer.Argument(help="Only this one, with its help.")] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(help="Only what a case of this standard group is asked. Repeat it."),
    ] = None,
    number: Number = None,
    language: Language = "en",
) -> None:
    """Print what is asked: factors with their scope, sub-factors with options and conditions."""
    from construction.tagging.codebook import in_scope
    from services.tagging.codebook import find_codebook

    found = find_codebook(*state.chosen, number)
    asked = {each.key for each in in_scope(found.book, group)} if group else set(found.book.order)
    if sub_factor is not None:
        if sub_factor not in found.book.order:
            raise UserError("factors_none", Where(field="sub_factor"), key=sub_factor)
        factor, each = found.book.places[sub_factor]
        lines = list(_detail_lines(found.book, factor, each, language))
        asked = {sub_factor}
    else:
        lines = [f"version {found.text.version}, {_counts_text(found.book)}"]
        lines += _tree(found.book, asked, language)
    kept = [_sub_factor_json(found.book, each) for each in found.book.order if each in asked]
    counts = {"asked": len(kept), "claims": sum(bool(each["claim"]) for each in kept)}
    state.emit({"version": found.text.version, **counts, "sub_factors": kept}, lines)


@CODEBOOK.command("check")
def check(state: State, file: File) -> None:
    """Say whether a file can be worked with, and what it would change; save nothing."""
    from services.tagging.codebook import outlook

    seen = outlook(*state.chosen, read_text(file))
    lines = [f"{file}: {_counts_text(seen.book)}", *_outlook_lines(seen)]
    state.emit(seen.as_dict(), lines)


@CODEBOOK.command("import")
def bring_in(
    state: State,
    file: File,
    note: Note,
    expected: Expected = None,
) -> None:
    """Save a file as the next version of the codebook."""
    from services.tagging.codebook import outlook, save_codebook

    ws, slug, text = *state.chosen, read_text(file)
    seen = outlook(ws, slug, text)
    version = save_codebook(ws, slug, text, note, expected)
    state.emit(
        {"version": version} | seen.as_dict(),
        [f"Saved version {version}: {_counts_text(seen.book)}.", *_outlook_lines(seen)],
    )


@CODEBOOK.command("export")
def export(
    state: State,
    file: Annotated[Path | None, typer.Argument(help="File to write; else it is printed.")] = None,
    number: Number = None,
) -> None:
    """Write a version of the codebook as YAML, as it was saved."""
    from services.tagging.codebook import find_codebook

    found = find_codebook(*state.chosen, number)
    if file is None:
        state.emit({"version": found.text.version, "text": found.text.text}, [found.text.text])
        return
    try:
        file.write_text(found.text.text, encoding="utf-8")
    except OSError as error:
        raise UserError("factors_write", Where(file=str(file))) from error
    said = f"{file}: version {found.text.version}, {_counts_text(found.book)}"
    state.emit({"version": found.text.version, "file": str(file)}, [said])


@CODEBOOK.command("diff")
def difference(
    state: State,
    old: Annotated[int, typer.Argument(help="Number of the earlier version.")],
    new: Annotated[int | None, typer.Argument(help="Of the later one; else what holds.")] = None,
) -> None:
    """Say what a version changed in another, and which answers name what is no more."""
    from services.tagging.codebook import find_codebook, outlook

    ws, slug = state.chosen
    after = find_codebook(ws, slug, new)
    seen = outlook(ws, slug, after.text.text, old)
    state.emit({"version": after.text.version} | seen.as_dict(), _outlook_lines(seen))


def _counts_text(book: Codebook) -> str:
    """Return how many factors, sub-factors and options a codebook has, as text."""
    found = [each for _, each in book.places.values()]
    options = sum(len(each.options) for each in found)
    claims = sum(each.claim for each in found)
    return (
        f"{len(book.factors):,} factors, {len(found):,} sub-factors ({claims:,} claims), "
        f"{options:,} options"
    )


def _outlook_lines(outlook: Outlook) -> list[str]:
    """Return what saving a codebook would change and make stale, as text."""
    lines = [f"Changes beside version {outlook.against}: {len(outlook.changes):,}"]
    for change in outlook.changes:
        names = ("factor", "sub_factor", "option", "old", "new")
        params = {name: getattr(change, name) or "–" for name in names}
        lines.append(f"  {say(f'factor_book.change.{change.kind}', **params)}")
    for change, count in outlook.touched or ():
        named = ".".join(part for part in (change.sub_factor, change.option) if part)
        lines.append(f"  submissions that answer {named}, to be answered again: {count:,}")
    lines += [
        f"  the typology of this project has no {part}, the scope of {factor}"
        for factor, part in outlook.unknown
    ]
    return lines


def _tree(book: Codebook, keys: set[str], language: str) -> Iterator[str]:
    """Yield factors and sub-factors as an indented list."""
    for factor in book.factors:
        inner = [each for each in factor.sub_factors if each.key in keys]
        if inner:
            yield f"{factor.key}  {factor.label[language]}  [{_scope_text(factor.scope)}]"
        yield from (f"  {_sub_factor_line(each, language)}" for each in inner)


def _sub_factor_line(each: SubFactor, language: str) -> str:
    flags = {"claim": each.claim, "several": not each.exclusive}
    flags |= {"ordered": each.ordered, "optional": not each.required}
    marks = ", ".join(word for word, holds in flags.items() if holds)
    when = " and ".join(f"{key} = {' or '.join(options)}" for key, options in each.when.items())
    said = f"{each.key}  {each.label[language]} ({len(each.options)})"
    said += f"  {marks}" if marks else ""
    return said + (f"  only if {when}" if when else "")


def _detail_lines(book: Codebook, factor: Factor, each: SubFactor, language: str) -> Iterator[str]:
    yield _sub_factor_line(each, language)
    yield f"  {each.help[language]}"
    yield f"  factor {factor.key}, scope {_scope_text(factor.scope)}"
    yield f"  {book.order.index(each.key) + 1} of {len(book.order)} in the order"
    yield f"  question: {each.source}, options: {each.options_source}"
    for option in each.options:
        yield f"  - {option.key}  {option.label[language]}: {option.help[language]}"


def _scope_text(scope: Iterable[str]) -> str:
    parts = list(scope)
    return ", ".join(parts) if len(parts) <= 4 else f"{', '.join(parts[:3])} and {len(parts) - 3:,}"


def _sub_factor_json(book: Codebook, key: str) -> dict[str, object]:
    factor, each = book.places[key]
    about = {"factor": factor.key, "scope": factor.scope, "choices": len(each.options)}
    return asdict(each) | about
