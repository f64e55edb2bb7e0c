"""Loading the sample project: fictional law, questions, court cases, four people to try it as."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from annotation.people.members import add_person, list_people
from services.cases.importing import import_court_cases
from services.judging.importing import import_cases, import_verdicts
from services.judging.rating_import import import_ratings
from services.law.importing import import_questions, import_statutes
from services.mapping.candidates import build_candidates
from services.mcq.importing import import_mcqs
from services.sample.pages import bring_sample_pages
from services.sample.tags import tag_sample_cases
from services.tagging.items import make_items
from storage.db.workspace import Workspace
from storage.projects import create_project, list_projects

SAMPLE = Path(__file__).resolve().parents[2] / "sample"
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
