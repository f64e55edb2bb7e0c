"""Scores on the benchmarks of court cases, as commands print them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from messages import say

if TYPE_CHECKING:
    from services.stricter.scoring import CaseScores


def scores_json(scored: CaseScores) -> dict[str, Any]:
    """Return the scores for ``--json``."""
    return {
        "method": scored.method,
        **({"tags_of_model": scored.model} if scored.model else {}),
        "unknown": {
            "queries": list(scored.unknown_queries),
            "cases": list(scored.unknown_cases),
        },
        "benchmarks": {
            str(kind): {
                "queries": scored.queries[kind],
                "missing": list(each.missing),
                "figures": {figure.name: figure.as_json() for figure in each.figures},
                "categories": {
                    category: {figure.name: figure.as_json() for figure in figures}
                    for category, figures in each.by_category.items()
                },
            }
            for kind, each in scored.scores.items()
        },
    }


def score_lines(scored: CaseScores) -> list[str]:
    """Return the scores as lines: each benchmark, all of it and by category."""
    lines = [say("stricter.from_model", model=scored.model)] if scored.model else []
    for kind, each in scored.scores.items():
        lines.append(f"{kind}: {scored.method}, {scored.queries[kind]:,} queries")
        for name, figures in [("all", each.figures), *each.by_category.items()]:
            told = (f"{figure.name} {figure.text()} n={figure.n}" for figure in figures)
            lines.append(f"  {name:<24} {'  '.join(told)}")
        if each.missing:
            count = f"{len(each.missing):,}"
            lines.append(f"  {say('stricter.benchmark.missing', count=count)}")
    return [*lines, *scored.blank(), *_unknown_lines(scored)]


def _unknown_lines(scored: CaseScores) -> list[str]:
    """Return what of a run the benchmarks have not, with an example each."""
    unknown = {"queries": scored.unknown_queries, "cases": scored.unknown_cases}
    return [
        say(f"stricter.benchmark.unknown_{kind}", count=f"{len(some):,}", some=some[0])
        for kind, some in unknown.items()
        if some
    ]
