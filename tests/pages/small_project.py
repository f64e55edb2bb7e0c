"""A project small enough for a page test, with every outcome that an item can have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from streamlit.testing.v1 import AppTest

from annotation.batches.commands import BatchPlan
from annotation.batches.sampling import Choice
from annotation.mapping.commands import add_unit, label, set_no_provision
from annotation.people.accounts import AccountView
from annotation.people.members import PersonView, add_person
from annotation.work.commands import set_comment, set_flag, submit
from annotation.work.queue_service import open_item, queue
from corpus.model import Level, Question, Statute, Tier, Unit
from services.mapping.candidates import build_candidates, make_audit
from services.sample.loading import load_worked_sample
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from tests.projects.project_cache import kept

SLUG = "small"
ACT = "화재안전법"
# Text that would do harm or vanish if a page took it for HTML or Markdown.
HOSTILE = "<img src=x onerror=alert(1)> **bold** :material/home: $x$"
_Kept = tuple[PersonView, PersonView, PersonView, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Small:
    """The workspace, its people, and the item ids by the question's external id."""

    workspace: Workspace
    ara: PersonView
    jun: PersonView
    sora: PersonView
    items: dict[str, int]

    def unit(self, external_id: str, label_: str) -> int:
        """Return the database id of the unit of that label, as suggested for the question."""
        view = open_item(self.workspace, self.ara.id, self.items[external_id])
        return next(each.unit_id for each in view.candidates if each.label == label_)


def empty_project(workspace: Workspace) -> tuple[PersonView, PersonView]:
    """Make a project without law and questions; return an annotator and an adjudicator."""
    migrate(workspace)
    create_project(workspace, SLUG, "Small project")
    ara = add_person(workspace, SLUG, "Kim Ara", "annotator")
    return ara, add_person(workspace, SLUG, "Lee Sora", "adjudicator")


def leader(workspace: Workspace) -> PersonView:
    """Add a researcher, who may bring data in, to the project."""
    return add_person(workspace, SLUG, "Han Bora", "researcher")


def small_project(workspace: Workspace) -> Small:
    """Make the project with law, six questions and their candidates; nobody has decided yet."""
    return Small(workspace, *kept("small", workspace, lambda: _small(workspace)))


def _small(workspace: Workspace) -> _Kept:
    ara, sora = empty_project(workspace)
    jun = add_person(workspace, SLUG, "Park Jun", "annotator")
    law_and_questions(workspace)
    build_candidates(workspace, SLUG)
    items = {entry.external_id: entry.item_id for entry in queue(workspace, ara.id)}
    return ara, jun, sora, items


def worked_sample(workspace: Workspace) -> None:
    """Load the sample in the middle of its life."""

    def make() -> None:
        migrate(workspace)
        assert load_worked_sample(workspace)

    kept("the sample at work", workspace, make)


def law_and_questions(workspace: Workspace) -> None:
    """Import the project's law and questions."""
    keep_statutes(workspace, SLUG, [_act()], "law")
    keep_questions(workspace, SLUG, [_question(n) for n in range(1, 7)], "questions.jsonl")


def label_questions(small: Small) -> None:
    """Add three questions with a label of their source, on which nobody has worked."""
    labelled = [replace(_question(n), gold_ids=(f"{ACT}_{n - 6}조",)) for n in range(7, 10)]
    keep_questions(small.workspace, SLUG, labelled, "benchmark.jsonl")


def audited_project(workspace: Workspace) -> Small:
    """Make the project, and audit its labels: of q7 people say the same, of q8 no provision."""
    small = small_project(workspace)
    label_questions(small)
    people = (small.ara.id, small.jun.id)
    make_audit(workspace, SLUG, BatchPlan("Audit", people, Choice(), sample=None))
    entries = queue(workspace, small.ara.id)
    small.items.update({entry.external_id: entry.item_id for entry in entries})
    for person in (small.ara, small.jun):
        _submit(small, person, "q7", "제1조")
        _submit(small, person, "q8")
    return small


def annotated_project(workspace: Workspace) -> Small:
    """Make the project and annotate it.

    q1 agreed on 제1조; q2 differs (제1조 and 제2조 against 제1조); q3 agreed on no provision;
    q4 agrees but one side flags it; q5 has one submission; q6 none.
    """
    return Small(workspace, *kept("annotated", workspace, lambda: _annotated(workspace)))


def _annotated(workspace: Workspace) -> _Kept:
    small = small_project(workspace)
    for person in (small.ara, small.jun):
        _submit(small, person, "q1", "제1조")
    _submit(small, small.ara, "q2", "제1조", comment=HOSTILE)
    _submit(small, small.jun, "q2", "제1조", "제2조")
    for person in (small.ara, small.jun):
        _submit(small, person, "q3")
    _submit(small, small.ara, "q4", "제2조", flag="The answer cites a repealed article")
    _submit(small, small.jun, "q4", "제2조")
    _submit(small, small.ara, "q5", "제3조")
    return small.ara, small.jun, small.sora, small.items


def page(
    name: str,
    small: Small | Workspace,
    person: PersonView,
    language: str = "en",
    project: str = SLUG,
    account: AccountView | None = None,
) -> AppTest:
    """Return the page, ready to run, as the person sees it."""
    workspace = small.workspace if isinstance(small, Small) else small
    seen: dict[str, Any] = {
        "workspace": workspace,
        "project": project,
        "person": person,
        "language": language,
    }
    seen["account"] = account
    return AppTest.from_function(_script, default_timeout=100, kwargs={"name": name, "seen": seen})


def shown(at: AppTest) -> str:
    """Return every word the page shows as text, headings, notes and errors."""
    kinds: list[Any] = [at.title, at.header, at.subheader, at.markdown, at.caption, at.text]
    kinds += [at.info, at.warning, at.success, at.error]
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def _script(name, seen):
    from errors import UserError
    from pages.shell.context import Context
    from pages.shell.entry.screens import screen
    from pages.shell.guard import show

    try:
        screen(name).render(Context(**seen))
    except UserError as error:
        show(error, seen["language"])


def _submit(
    small: Small,
    person: PersonView,
    external_id: str,
    *labels: str,
    comment: str = "",
    flag: str = "",
) -> None:
    where = (small.workspace, person.id, small.items[external_id])
    view = open_item(*where)
    suggested = {candidate.label: candidate.unit_id for candidate in view.candidates}
    for each in labels:
        if each in suggested:
            label(*where, suggested[each], "accept")
        else:
            add_unit(*where, small.unit("q1", each))
    if not labels:
        set_no_provision(*where, True)
    if comment:
        set_comment(*where, comment)
    if flag:
        set_flag(*where, flag)
    submit(*where)


def _act() -> Statute:
    texts = {
        "1": ("소화기의 설치", "건물의 관계인은 층마다 소화기를 설치하여야 한다."),
        "2": ("방화문의 점검", "건물의 관계인은 방화문을 해마다 점검하여야 한다."),
        "3": (
            "피난 안내",
            "건물의 관계인은 피난 안내도에 소화기를 표시하여야 한다.",
        ),
    }
    units = tuple(
        Unit(f"{ACT}_{n}조", ACT, Level.ARTICLE, f"제{n}조", heading, text, order)
        for order, (n, (heading, text)) in enumerate(texts.items())
    )
    return Statute(ACT, ACT, "법률", Tier.ACT, "ko", units)


def _question(number: int) -> Question:
    text = f"건물의 관계인은 층마다 소화기를 설치하여야 합니까? ({number})"
    answer = f"「{ACT}」 제1조와 제2조에 따라 설치하고 점검합니다. {HOSTILE}"
    return Question(f"q{number}", text, answer, "ko")
