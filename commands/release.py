"""The command that writes a release."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from commands.gold import Names, NoSplit, OfSnapshot, SearchableOnly, SplitVersion
from commands.shell.arguments import argument, option
from commands.shell.groups import COMMANDS
from commands.shell.reports import Language
from commands.shell.state import State
from errors import UserError, Where
from messages import say


@COMMANDS.command("release")
def release(
    state: State,
    name: Annotated[str, argument("Name of the data set: small letters and hyphens.")],
    output: Annotated[Path, option("Folder to write to: empty, or not there yet.")],
    version: Annotated[
        str, option("Version of the release, such as 1.2.0.", "--release-version")
    ] = "",
    title: Annotated[str, option("Title; else that of the project.")] = "",
    licence: Annotated[
        str, option("SPDX name, such as CC-BY-4.0; else that of the datasheet form.")
    ] = "",
    author: Annotated[
        list[str] | None, option("An author; may be repeated, in their order.")
    ] = None,
    description: Annotated[str, option("What it is, in a sentence or two.")] = "",
    url: Annotated[str, option("Address of the data set.")] = "",
    doi: Annotated[str, option("DOI of the release.")] = "",
    date: Annotated[
        str, option("Day of the release, YYYY-MM-DD; else that of the last decision.")
    ] = "",
    since: Annotated[
        Path | None,
        option(
            "Folder of the release before: its changes are listed, and what is left open here "
            "is taken from it."
        ),
    ] = None,
    names: Names = False,
    yes: Annotated[bool, option("With --names: name them without asking again.", "--yes")] = False,
    snapshot: OfSnapshot = None,
    split: SplitVersion = None,
    no_split: NoSplit = False,
    searchable_only: SearchableOnly = False,
    language: Language = "en",
) -> None:
    """Write the gold as a folder that datasets, mteb, BEIR, trec_eval and others load.

    With card, licence, citation, checksums and the figures for a paper. People are pseudonyms.
    """
    from services.gold.export import Pairs, Parts
    from services.gold.release import release as write
    from services.gold.release import who_is_named
    from storage.export.about import About

    if names and not yes:
        agreed, others = who_is_named(*state.chosen)
        said = ", ".join(agreed) or "–"
        question = say("release.names", named=said, others=others)
        if not agreed or not (sys.stdin.isatty() and typer.confirm(question, err=True)):
            raise UserError("release_names", Where(field="--names"), named=said)
    about = About(name, version, title, licence, tuple(author or ()), description, url, doi, date)
    done = write(
        *(*state.chosen, output, about, snapshot),
        names=names,
        parts=Parts(split, no_split),
        pairs=Pairs(searchable_only=searchable_only),
        since=since,
        language=language,
    )
    files = (str(Path(done.folder) / file) for file in done.files)
    state.emit(done.as_dict(), [*done.report.lines(), "", done.audit.lead, *files])
