"""A release: gold as one folder that the tools of the field load, checked before it is there.

It holds what an export holds, as the Hugging Face hub, BEIR, trec_eval, `mteb`, `ir_datasets` and
Croissant read it, with card, licence, citation, datasheet, tables for a paper and checksums. The
same database and words give the same bytes.

Audit of a project's own gold: of the files that its export would write.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from annotation.people.members import named_people, people_in
from annotation.people.roles import Act, allow, reading_as
from annotation.work.versioned_texts import DATASHEET_ANSWERS
from corpus.benchmarks.reading import read_benchmark
from corpus.long_work import Progress
from errors import UserError, Where
from evaluation.reports.files import report_file
from evaluation.reports.report import Report
from services.audit.report import Audit, audit
from services.audit.report import as_report as audit_report
from services.bundle import releases_folder
from services.gold.datasheet import Sheet
from services.gold.export import ALL_PAIRS, NEWEST, Pairs, Parts, export_data, export_gold
from services.gold.release_files import (
    CARD,
    audit_text,
    write_data,
    write_descriptions,
    write_texts,
)
from services.gold.release_report import Earlier, release_report
from storage.db.atomic_files import published_whole
from storage.db.workspace import Workspace
from storage.export.about import About, card_text
from storage.export.datasheet import write_checksums, write_datasheet

_BROKEN = {  # checks of the audit whose findings say that files do not agree
    *("unreadable", "query_missing", "grades_contradict"),
    *("document_id_repeated", "query_id_repeated"),
}


@dataclass(frozen=True, slots=True)
class ReleaseDone:
    """Summary of a release: its folder, what it says of itself, figures, audit, and files."""

    folder: str
    about: About
    report: Report
    audit: Report
    files: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "folder": self.folder,
            "about": self.about.as_dict(),
            "report": self.report.as_json(),
            "audit": self.audit.facts,
            "files": list(self.files),
        }


def release(
    ws: Workspace,
    project_slug: str,
    folder: Path,
    about: About,
    snapshot_id: int | None = None,
    *,
    by: int | None = None,
    names: bool = False,
    parts: Parts = NEWEST,
    pairs: Pairs = ALL_PAIRS,
    since: Path | None = None,
    language: str = "en",
) -> ReleaseDone:
    """Write a release into `folder`, which is absent or empty; on any failure nothing is left.

    What `about` leaves open is that of the release in the folder `since`, whose changes are listed;
    then title and licence are those of project and datasheet, and the date is that of the last
    decision. People are pseudonyms; with `names`, those who agreed are named. Files are in English,
    the reports of the summary in `language`. The rest is as in
    `services.gold.export.export_gold`. Raises UserError as that does, for a field that is missing
    or not of its form, and for `since` without a release.
    """
    before = None if since is None else Earlier.read(since)
    with reading_as(ws, project_slug, by, Act.EXPORT_GOLD) as (session, project, _):
        _, answers = DATASHEET_ANSWERS.current(session, project.id)
    about = _filled(about, before, project.title, answers.get("licence", ""))
    sheet = Sheet(about.licence, names=names)
    data, facts = export_data(ws, project_slug, by, snapshot_id, sheet, parts, pairs)
    day = str(facts.collection.get("last decision") or "1970-01-01")[:10]
    about = replace(about, date=about.date or day)
    about.check()
    report = release_report(data, facts, before)
    with published_whole(folder) as part:
        configs = write_data(part, data)
        write_datasheet(part, facts)
        card = write_descriptions(part, about, data, facts, configs, report)
        found = _audited(part, about.title)
        audited = audit_report(found, "en")
        for ending in (".html", ".json"):
            (part / f"audit{ending}").write_bytes(report_file(audited, ending))
        card = replace(card, sections=(*card.sections, ("Audit", audit_text(audited))))
        write_texts(part, {CARD: card_text(card)})
        files = write_checksums(part)
    if language != "en":
        report = release_report(data, facts, before, language)
        audited = audit_report(found, language)
    return ReleaseDone(str(folder), about, report, audited, files)


def kept_releases(ws: Workspace, project_slug: str, by: int | None = None) -> list[str]:
    """Return the names of the releases that the app has written, the newest first.

    Raises UserError for `by` without permission to export gold.
    """
    allow(ws, project_slug, by, Act.EXPORT_GOLD)
    found = [each.parent for each in releases_folder(ws, project_slug).glob(f"*/{CARD}")]
    return [each.name for each in sorted(found, key=lambda each: -each.stat().st_mtime_ns)]


def keep_release(
    ws: Workspace,
    project_slug: str,
    about: About,
    *,
    by: int | None = None,
    names: bool = False,
    pairs: Pairs = ALL_PAIRS,
    since: str = "",
    language: str = "en",
) -> ReleaseDone:
    """Write a release into the workspace, as `release` does; `since` is one of `kept_releases`.

    Any other `since` is ignored. Raises UserError also for a version of that name that exists.
    """
    home = releases_folder(ws, project_slug)
    about.check_name()
    folder = home / f"{about.name}-{about.version}"
    if folder.exists():
        raise UserError("release_exists", Where(field="version"), name=folder.name)
    before = home / since if since in kept_releases(ws, project_slug, by) else None
    return release(
        ws,
        project_slug,
        folder,
        about,
        by=by,
        names=names,
        pairs=pairs,
        since=before,
        language=language,
    )


def who_is_named(
    ws: Workspace, project_slug: str, by: int | None = None
) -> tuple[tuple[str, ...], int]:
    """Return the names of the people who agreed to be named, and how many others there are.

    Raises UserError for `by` without permission to export gold.
    """
    with reading_as(ws, project_slug, by, Act.EXPORT_GOLD) as (session, project, _):
        people, named = people_in(session, project.id), named_people(session, project.id)
    return tuple(each.name for each in people if each.id in named), len(people) - len(named)


def _filled(about: About, before: Earlier | None, title: str, licence: str) -> About:
    """Return `about` with the fields left open taken from the earlier release and the project."""
    earlier = {} if before is None else {**before.about, "version": "", "date": ""}
    usual = {"title": title, "licence": licence}
    said = about.as_dict()
    found = {name: said[name] or earlier.get(name) or usual.get(name, "") for name in said}
    return About(**found | {"authors": tuple(found["authors"])})


def _audited(folder: Path, title: str) -> Audit:
    """Return the audit of the release. Raises UserError where its files do not agree."""
    found = audit(replace(read_benchmark(folder), name=title))
    for finding in found.findings:
        if finding.check.name in _BROKEN and finding.count:
            case = finding.cases[0]
            raise UserError("release_check", Where(case.place), id=case.id, count=finding.count)
    return found


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
