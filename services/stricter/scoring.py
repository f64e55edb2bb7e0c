"""Scoring on the court case benchmarks, of any TREC run or a built-in method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from annotation.people.roles import Act, allow
from construction.stricter.benchmark import BenchmarkKind, CaseSet
from corpus.long_work import Progress
from corpus.run import deepest
from errors import UserError
from evaluation.ranking.scoring import GroupedQuery, Measure, Scores, score, too_deep_notes
from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Document, Query, Spec
from retrieval.core.registry import complete, make
from retrieval.text.tokenise import DEFAULT
from services.models.llm_adapter import ProjectAsker, WorkspaceEmbedder
from services.runs.methods.preparation import ready
from services.stricter.groups import Benchmark, Drawing, benchmark, query_text
from storage.cases import texts
from storage.db.atomic_files import published_file
from storage.db.workspace import Workspace
from storage.export.trec import as_field, read_run, write_run
from storage.projects import find_project

MEASURES = (Measure("P", 5), Measure("nDCG", 5), Measure("nDCG", 10), Measure("Recall", 100))
DEPTH = 100  # cases kept per ranking, without the query itself


@dataclass(frozen=True, slots=True)
class CaseScores:
    """Scores of one run on each benchmark with queries; `method` names the run.

    `labels` are the categories' display names, by key and language. `unknown_queries` are those of
    the run in neither benchmark, which are ignored; `unknown_cases` are ranked for known queries
    but no court cases of the project: they take a rank and are no target. Both ascending: they
    indicate a run on another export. `model` is the model whose tags form the stricter groups; ""
    for people's. `depth` is the run's depth.
    """

    method: str
    queries: Mapping[BenchmarkKind, int]
    scores: Mapping[BenchmarkKind, Scores]
    labels: Mapping[str, Mapping[str, str]]
    unknown_queries: tuple[str, ...]
    unknown_cases: tuple[str, ...]
    model: str
    depth: int | None

    def blank(self, language: str = "en") -> list[str]:
        """Return notes on figures without value, as they look deeper than the run."""
        figures = next((each.figures for each in self.scores.values()), ())
        return too_deep_notes([figure.name for figure in figures], [self.depth], language)


def score_file(
    ws: Workspace,
    project_slug: str,
    run: Path,
    measures: Sequence[Measure] = MEASURES,
    drawing: Drawing = Drawing(),  # noqa: B008 (frozen)
    by: int | None = None,
) -> CaseScores:
    """Score a TREC run on the queries of an export with the same drawing.

    A query's own case is removed from its ranking first. `by` is the requester, None for the
    operator. Raises UserError for `by` without permission, for a run that cannot be read, and for
    one that answers none of the queries.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    found = _benchmark(ws, project_slug, drawing)
    rankings = read_run(run)
    depth = deepest(rankings) or 0
    whole = depth >= len(found.cases) - 1  # all cases but the query: there is nothing below
    scored = _score_run(run.name, found, rankings, measures, None if whole else depth)
    if all(set(scores.table) == set(scores.missing) for scores in scored.scores.values()):
        raise UserError("case_run_foreign", name=run.name)
    return scored


def score_bm25(
    ws: Workspace,
    project_slug: str,
    tokeniser: str = DEFAULT,
    measures: Sequence[Measure] = MEASURES,
    drawing: Drawing = Drawing(),  # noqa: B008 (frozen)
    keep: Path | None = None,
    progress: Progress | None = None,
    by: int | None = None,
) -> CaseScores:
    """Score BM25 as `score_method` does; its run is also written to the file `keep`."""
    spec = {"method": "bm25", "tokeniser": tokeniser}
    scored = score_method(ws, project_slug, spec, measures, drawing, progress, by, keep)
    return replace(scored, method=f"bm25-{tokeniser}")


def score_method(
    ws: Workspace,
    project_slug: str,
    spec: Spec,
    measures: Sequence[Measure] = MEASURES,
    drawing: Drawing = Drawing(),  # noqa: B008 (frozen)
    progress: Progress | None = None,
    by: int | None = None,
    keep: Path | None = None,
) -> CaseScores:
    """Rank all court cases for every query with a retrieval method, and score that.

    The corpus is the cases, each a document of its full text without title or citations; a query is
    the facts of its case (`query_text`). Fitted state is cached like any index, and the run is also
    written to the file `keep`. `progress` is called with (queries done, queries), and by slow
    fitting before that. Raises UserError for `by` without permission, for an invalid spec, and for
    a method that needs the citation graph or gold, which cases do not have.
    """
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    spec = complete(spec)
    asker = ProjectAsker(ws, project_slug)
    using = Resources(None, ws.cache, asker, lambda name: WorkspaceEmbedder(ws, name))
    if make(spec, using).calls_models:
        allow(ws, project_slug, by, Act.MAKE_ITEMS)
    found = _benchmark(ws, project_slug, drawing)
    by_name = {case.external_id: case for case in found.cases}
    with ws.reading() as session:
        project = find_project(session, project_slug).id
        said = texts(session, project, (case.id for case in found.cases))
    corpus = Corpus.of(Document(name, body=said[case.id]) for name, case in by_name.items())
    method = ready(ws, spec, corpus, replace(using, progress=progress))
    asked = {query.id: query.case for each in found.sets.values() for query in each.queries}
    ranked: dict[str, list[tuple[str, float]]] = {}
    for number, name in asked.items():
        query = Query(number, query_text(by_name[name], said[by_name[name].id]))
        hits = method.search([query], DEPTH + 1)[number]
        others = [(hit.unit_id, hit.score) for hit in hits if hit.unit_id != name]
        ranked[number] = others[:DEPTH]
        if progress:
            progress(len(ranked), len(asked))
    if keep is not None:
        named = "-".join(filter(None, (spec["method"], spec.get("tokeniser"))))
        with published_file(keep) as part:
            write_run(part, ranked, f"touchstone-{named}")
    run = {as_field(query): [as_field(case) for case, _ in hits] for query, hits in ranked.items()}
    return _score_run(spec["method"], found, run, measures)


def _benchmark(ws: Workspace, project_slug: str, drawing: Drawing) -> Benchmark:
    """Return the project's benchmark as drawn: its queries and their relevant cases."""
    with ws.reading() as session:
        return benchmark(session, find_project(session, project_slug).id, drawing)


def _score_run(
    name: str,
    benchmark: Benchmark,
    run: Mapping[str, Sequence[str]],
    measures: Sequence[Measure],
    depth: int | None = DEPTH,
) -> CaseScores:
    """Score a run on both benchmarks, and list its unknown queries and cases."""
    asked = [each for each in benchmark.sets.values() if each.queries]
    known = {as_field(query.id) for each in asked for query in each.queries}
    cases = {as_field(case.external_id) for case in benchmark.cases}
    ranked = {case for query in known & run.keys() for case in run[query]}
    return CaseScores(
        method=name,
        queries={each.kind: len(each.queries) for each in asked},
        scores={each.kind: _score(each, run, known, measures, depth) for each in asked},
        labels={
            each.place.category.key: each.place.category.label for each in benchmark.stricter.groups
        },
        unknown_queries=tuple(sorted(run.keys() - known)),
        unknown_cases=tuple(sorted(ranked - cases)),
        model=benchmark.stricter.model,
        depth=depth,
    )


def _score(
    case_set: CaseSet,
    run: Mapping[str, Sequence[str]],
    known: set[str],
    measures: Sequence[Measure],
    depth: int | None,
) -> Scores:
    """Score a run on one benchmark with trec_eval's ids, without queries of the other alone."""
    queries = [
        GroupedQuery(as_field(each.id), as_field(each.case), each.group, each.category)
        for each in case_set.queries
    ]
    here = {as_field(query.id) for query in case_set.queries}
    own = {query: found for query, found in run.items() if query in here or query not in known}
    qrels = {
        as_field(query): {as_field(case): grade for case, grade in targets.items()}
        for query, targets in case_set.qrels.items()
    }
    return score(own, queries, qrels, measures, case_set.kind.least, depth)
