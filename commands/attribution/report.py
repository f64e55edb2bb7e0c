"""Command that reports claims and citations per system."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from commands.shell.groups import ATTRIBUTION
from commands.shell.options import Resamples
from commands.shell.state import State
from commands.shell.tables import left_table_lines, write_text

if TYPE_CHECKING:
    from services.attribution.report import AttributionReport

Tongue = Literal["en", "ko"]
_TEXTS = {".csv": "csv", ".md": "markdown", ".tex": "latex"}
_FIGURES = (".svg", ".png", ".csv")


@ATTRIBUTION.command("report")
def report(
    state: State,
    judge: Annotated[
        str | None, typer.Option(help="Whose labels of claims; else those of who gave most.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write all figures to this file too: .csv, .md or .tex.")
    ] = None,
    figure: Annotated[
        Path | None,
        typer.Option(help="Draw precision by context: .svg or .png; .csv for its data."),
    ] = None,
    of: Annotated[str, typer.Option(help="Whose precision is drawn: citations or claims.")] = (
        "citations"
    ),
    language: Annotated[Tongue, typer.Option(help="Of the words in files: en or ko.")] = "en",
    resamples: Resamples = 1000,
    split: Annotated[
        str,
        typer.Option(help="Column of the questions whose values have figures of their own."),
    ] = "",
    all_pairs: Annotated[
        bool,
        typer.Option("--all-pairs", help="Compare every two systems, not only those that differ."),
    ] = False,
) -> None:
    """Print precision, recall and F1 of claims and citations, and what was cited wrongly."""
    from services.attribution.report import report as made
    from services.attribution.report_tables import as_json

    _check_endings(output, figure)
    found = made(*state.chosen, judge, resamples, split=split)
    lines = _lines(found, all_pairs)
    if output is not None:
        from services.attribution.report_tables import as_text

        write_text(output, as_text(found, _TEXTS[output.suffix.lower()], language))
        lines.append(f"Wrote {output}.")
    if figure is not None:
        _draw(figure, found, of, language)
        lines.append(f"Wrote {figure}.")
    state.emit(as_json(found), lines)


def _check_endings(output: Path | None, figure: Path | None) -> None:
    """Raise UserError for an unsupported file extension, before any computation."""
    from errors import UserError

    for path, endings in ((output, tuple(_TEXTS)), (figure, _FIGURES)):
        if path is not None and path.suffix.lower() not in endings:
            known = ", ".join(endings)
            raise UserError("figure_ending", ending=path.suffix, known=known)


def _draw(path: Path, found: AttributionReport, of: str, language: str) -> None:
    from services.attribution.report_tables import drawing
    from storage.db.atomic_files import published_file

    content = drawing(found, of, path.suffix.lower()[1:], "light", language)
    with published_file(path) as part:
        part.write_bytes(content)


def _lines(found: AttributionReport, all_pairs: bool) -> list[str]:
    from messages import say
    from services.attribution.report_tables import gold_notes, strata_table

    if not found.lines:
        return ["There are no answers yet."]
    said = [f"Labels of {found.judge or 'nobody'}.", *gold_notes(found, "en")]
    for each in found.lines:
        form = say(f"attribution_report.format_{each.setting.format}")
        said.append(f"{each.system} ({form}, {each.setting.label or 'unknown'}):")
        for (part, of), mean in each.scores.means.items():
            figures = "  ".join(f"{figure.name} {figure.text()}" for figure in mean)
            said.append(f"  {part}, {of}: {figures} (n={mean.f1.n})")
        scores = each.scores
        if scores.known:
            said.append(
                f"  false in context {scores.inside}, outside {scores.outside}, "
                f"gold shown and not cited {scores.unused} ({scores.known} answers)"
            )
        said.append(f"  invalid references {scores.invalid}")
        for part, states in {"answers": each.answers, **scores.states}.items():
            told = (f"{n} {say(f'attribution_report.state.{name}')}" for name, n in states.items())
            said.append(f"  {part}: {', '.join(told)}")
    if found.parts:
        said += left_table_lines(strata_table(found, "en"))
    return [*said, *_test_lines(found, all_pairs)]


def _test_lines(found: AttributionReport, all_pairs: bool) -> Iterator[str]:
    from services.attribution.report_tables import significant

    told = [each for each in found.tests if all_pairs or significant(each)]
    if found.tests and not all_pairs:
        yield (
            f"{len(told):,} of {len(found.tests):,} comparisons of two systems differ "
            "significantly (Holm, p < 0.05); --all-pairs prints every one."
        )
    for test in told:
        p = "–" if test.result.p_holm is None else f"{test.result.p_holm:.3f}"
        yield (
            f"{test.kind[0]} {test.kind[1]} {test.measure}: {test.system} − {test.against} "
            f"{test.result.difference.text()}, p (Holm) {p}, n={test.result.n}"
        )
