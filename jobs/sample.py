"""Loading the sample project: fictional law, questions, court cases, four people to try it as."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from annotation.people import add_person, list_people
from jobs.candidates import build_candidates
from jobs.court_case_import import import_court_cases
from jobs.factor_items import make_items
from jobs.imports import import_questions, import_statutes
from jobs.judge_import import import_cases, import_verdicts
from jobs.judge_ratings import import_ratings
from jobs.mcq_import import import_mcqs
from jobs.sample_pages import bring_sample_pages
from jobs.sample_tags import tag_sample_cases
from storage.projects import create_project, list_projects
from storage.workspace import Workspace

SAMPLE = Path(__file__).resolve().parent.parent / "sample"
SLUG = "sample"
TITLE = "Sample: Gaon fire safety"
PEOPLE = (
    ("Kim Ara", "annotator"),
    ("Park Jun", "annotator"),
    ("Choi Yuna", "administrator"),
    ("Lee Sora", "adjudicator"),
)


def load_sample(workspace: Workspace, progress: Callable[[int, int], None] | None = None) -> bool:
    """Load the sample project into a workspace that has no project; return whether it was loaded.

    Adding the last person ends a load, so one that was interrupted is finished by the next call;
    every step before it changes nothing when its work is done already.
    """
    slugs = [project.slug for project in list_projects(workspace)]
    if slugs and SLUG not in slugs:
        return False
    if not slugs:
        create_project(workspace, SLUG, TITLE)
    present = {person.name for person in list_people(workspace, SLUG)}
    if PEOPLE[-1][0] in present:
        return False
    import_statutes(workspace, SLUG, SAMPLE / "statutes")
    import_questions(workspace, SLUG, SAMPLE / "questions.jsonl")
    import_mcqs(workspace, SLUG, SAMPLE / "mcqs.jsonl")
    import_court_cases(workspace, SLUG, SAMPLE / "court_cases.jsonl")
    make_items(workspace, SLUG)
    bring_sample_pages(workspace, SLUG, SAMPLE / "pages")
    build_candidates(workspace, SLUG, progress)
    *first, last = PEOPLE
    for name, role in first:
        if name not in present:
            add_person(workspace, SLUG, name, role)
    _judging(workspace)
    tag_sample_cases(workspace, SLUG, SAMPLE / "factor_tags.jsonl")
    add_person(workspace, SLUG, *last)
    return True


def _judging(workspace: Workspace) -> None:
    """Bring in answers of models, what judges say of them, and ratings of some by the people."""
    folder = SAMPLE / "judging"
    import_cases(workspace, SLUG, folder / "answers.jsonl")
    import_verdicts(workspace, SLUG, folder / "verdicts.jsonl")
    import_ratings(workspace, SLUG, folder / "ratings.jsonl")
