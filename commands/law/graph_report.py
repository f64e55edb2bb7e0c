"""The command that prints what the citation graph looks like in figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commands.state import State
from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from corpus.graph.communities import Communities
    from corpus.graph.report import Components, FormCount, GraphReport, Hub, Spread


def report(
    context: typer.Context,
    output: Annotated[
        Path | None, typer.Option(help="Write the tables to this file too: .csv or .md.")
    ] = None,
) -> None:
    """Describe the citation graph: counts, lengths, components, communities, hubs, references."""
    from services.law.graph.report import graph_report

    state: State = context.obj
    if output is not None and output.suffix.lower() not in (".csv", ".md"):
        raise UserError("report_ending", Where(file=str(output)))
    done = graph_report(state.workspace, state.project_slug())
    if output is not None:
        _write(output, done)
    state.emit(asdict(done), list(_lines(done)))


def _write(output: Path, done: GraphReport) -> None:
    from services.law.graph.report_tables import as_csv, as_markdown

    text = as_csv(done) if output.suffix.lower() == ".csv" else as_markdown(done)
    try:
        output.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError("report_unwritable", Where(file=str(output))) from error


def _lines(done: GraphReport) -> Iterator[str]:
    from corpus.model import Tier

    yield f"{done.statutes:,} statutes, {done.units:,} units."
    yield "Nodes by kind: " + _counts(done.nodes)
    yield "Units by authority tier: " + _counts(
        {f"{Tier(t).name.lower()} (tier {t})": n for t, n in done.tiers.items()}
    )
    yield "Edges by type and origin:"
    yield from (f"  {kind:<14}{_origins(origins)}" for kind, origins in done.edges.items())
    yield "Lengths of units with text (tokens: cut at white space):"
    yield _length("characters", done.characters)
    yield _length("tokens", done.tokens)
    yield _components("Components with PART_OF", done.with_part_of)
    yield _components("Components without PART_OF", done.without_part_of)
    yield "Orphans (units that only PART_OF joins to anything): " + _counts(done.orphans)
    yield f"  of these deleted by the law: {done.orphans_deleted:,}"
    yield _communities(done.communities)
    yield from _hubs("Most cited", done.cited)
    yield from _hubs("Citing most", done.citing)
    yield "References by form:"
    yield f"  {'':<14}{'resolved':>10}{'ambiguous':>11}{'unresolved':>12}"
    yield from map(_form, done.references)
    if done.reasons:
        yield "Not resolved, by reason:"
        why = {reason: say(f"graph_report.why.{reason}") for reason in done.reasons}
        yield from (f"  {count:>9,}  {why[reason]}" for reason, count in done.reasons.items())


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def _origins(origins: dict[str, int]) -> str:
    named = f" ({_counts(origins)})" if origins else ""
    return f"{sum(origins.values()):>9,}{named}"


def _length(name: str, spread: Spread | None) -> str:
    if spread is None:
        return f"  {name}: –"
    return (
        f"  {name}: mean {spread.mean:,.1f}, p50 {spread.p50:,.0f}, p75 {spread.p75:,.0f}, "
        f"p95 {spread.p95:,.0f}, max {spread.largest:,} (n={spread.n:,})"
    )


def _components(name: str, found: Components) -> str:
    return (
        f"{name}: {found.count:,}, of which {found.single:,} single nodes; the largest has "
        f"{found.largest:,} nodes of {found.statutes:,} statutes."
    )


def _communities(found: Communities) -> str:
    if found.modularity is None:
        return "Communities: none, there are no citations."
    sizes = ", ".join(f"{size:,}" for size in found.sizes)
    return (
        f"Communities ({found.method}): {found.count:,}, modularity {found.modularity:.3f}; "
        f"the largest have {sizes} nodes."
    )


def _hubs(name: str, hubs: tuple[Hub, ...]) -> Iterator[str]:
    yield f"{name} (distinct units joined):"
    yield from (f"  {hub.degree:>6,}  {hub.unit_id}" for hub in hubs)


def _form(row: FormCount) -> str:
    return f"  {row.form:<14}{row.resolved:>10,}{row.ambiguous:>11,}{row.unresolved:>12,}"
