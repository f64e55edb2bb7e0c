"""Audit of a project's own gold: of the files that its export would write."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from corpus.benchmarks.reading import read_benchmark
from corpus.long_work import Progress
from services.audit.report import Audit, audit
from services.gold.export import export_gold
from storage.db.workspace import Workspace


def audit_gold(
    ws: Workspace, project_slug: str, by: int | None = None, progress: Progress | None = None
) -> Audit:
    """Audit the gold of a project as it is now.

    Raises UserError as `services.gold.export.export_gold` does: for `by` who may not export it, and
    when no question is settled.
    """
    with TemporaryDirectory(prefix="touchstone-audit-") as name:
        folder = Path(name) / project_slug
        export_gold(ws, project_slug, folder, by=by)
        return audit(read_benchmark(folder), progress)
