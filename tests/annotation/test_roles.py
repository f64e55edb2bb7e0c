"""Every role tries every command: the table decides, and nothing else does."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import annotation
import jobs
from annotation import people
from annotation.batch_making import Plan
from annotation.quality_views import Part
from annotation.roles import MAY, Act, Role, may, who_may
from annotation.standing import NotAllowedError
from errors import UserError
from storage.workspace import Workspace
from tests.annotation.house import SLUG, House
from words import say


@dataclass
class Scene:
    """A house in which `who` acts."""

    house: House
    who: int
    folder: Path

    @property
    def ws(self) -> Workspace:
        return self.house.ws


Call = Callable[[Scene, Any], Any]


def mine(*rest: Callable[[Scene], Any]) -> Call:
    """Call with the workspace and the person first."""
    return lambda s, f: f(s.ws, s.who, *(each(s) for each in rest))


def of_project(*rest: Callable[[Scene], Any]) -> Call:
    """Call with the workspace and the project, `by` the person."""
    return lambda s, f: f(s.ws, SLUG, *(each(s) for each in rest), by=s.who)


def item(s: Scene) -> int:
    return s.house.items[0]


def value(it: Any) -> Callable[[Scene], Any]:
    return lambda _: it


def ben(s: Scene) -> int:
    return s.house.ben


def known_answers(s: Scene) -> Path:
    """Write a file of one known answer."""
    file = s.folder / "known.jsonl"
    file.write_text('{"question_id": "q1", "no_provision": true}\n', "utf-8")
    return file


REGISTRY: dict[str, tuple[Act, Call]] = {
    "annotation.commands.label": (
        Act.ANNOTATE,
        mine(item, lambda s: s.house.units[1], value("accept")),
    ),
    "annotation.commands.add_unit": (Act.ANNOTATE, mine(item, lambda s: s.house.units[4])),
    "annotation.commands.set_no_provision": (Act.ANNOTATE, mine(item, value(True))),
    "annotation.commands.set_comment": (Act.ANNOTATE, mine(item, value("words"))),
    "annotation.commands.set_flag": (Act.ANNOTATE, mine(item, value("words"))),
    "annotation.commands.skip": (Act.ANNOTATE, mine(item)),
    "annotation.commands.recheck": (Act.ANNOTATE, mine(item)),
    "annotation.commands.submit": (Act.ANNOTATE, mine(item)),
    "annotation.commands.undo": (Act.ANNOTATE, mine(item)),
    "annotation.threads.say": (Act.COMMENT, mine(item, value("words"))),
    "annotation.threads.thread": (Act.COMMENT, mine(item)),
    "annotation.desk.queue": (Act.ANNOTATE, mine()),
    "annotation.desk.next_item": (Act.ANNOTATE, mine()),
    "annotation.desk.open_item": (Act.ANNOTATE, mine(item)),
    "annotation.desk.last_submitted": (Act.ANNOTATE, mine()),
    "annotation.desk.last_left": (Act.ANNOTATE, mine()),
    "annotation.adjudication.queue": (Act.ADJUDICATE, mine()),
    "annotation.adjudication.open_case": (Act.ADJUDICATE, mine(item)),
    "annotation.adjudication.decide": (
        Act.ADJUDICATE,
        mine(item, value([1]), value(False), value("reason"), value(1.0)),
    ),
    "annotation.reverify.rechecks": (Act.READ_LAW, mine(value({}), value(1), value(1))),
    "annotation.people.add_person": (
        Act.MANAGE_PEOPLE,
        of_project(value("New"), value("annotator")),
    ),
    "annotation.referring.refer": (Act.ADJUDICATE, mine(item, value("reason"), value([1]))),
    "annotation.referring.recall": (Act.ADJUDICATE, mine(item)),
    "annotation.discussing.open_discussion": (Act.ANNOTATE, mine(item)),
    "annotation.discussing.keep": (Act.ANNOTATE, mine(item)),
    "annotation.people.change_role": (
        Act.MANAGE_PEOPLE,
        lambda s, f: f(s.ws, ben(s), "lawyer", by=s.who),
    ),
    "annotation.people.rename": (Act.MANAGE_PEOPLE, lambda s, f: f(s.ws, ben(s), "B", by=s.who)),
    "annotation.people.deactivate": (Act.MANAGE_PEOPLE, lambda s, f: f(s.ws, ben(s), by=s.who)),
    "annotation.people.reactivate": (Act.MANAGE_PEOPLE, lambda s, f: f(s.ws, ben(s), by=s.who)),
    "annotation.history.read": (Act.READ_LAW, of_project()),
    "annotation.history.everything": (
        Act.EXPORT_HISTORY,
        lambda s, f: list(f(s.ws, SLUG, by=s.who)),
    ),
    "jobs.import_labels.import_labels": (
        Act.IMPORT_LABELS,
        of_project(lambda s: s.folder / "none", value("argilla"), lambda s: s.folder / "none"),
    ),
    "jobs.history_file.history_bytes": (Act.EXPORT_HISTORY, of_project(value(".csv"))),
    "jobs.history_file.export_history": (
        Act.EXPORT_HISTORY,
        of_project(lambda s: s.folder / "history.jsonl"),
    ),
    "annotation.documents.text_of": (
        Act.READ_LAW,
        mine(value("guideline"), value("citation_mapping"), value("en")),
    ),
    "annotation.documents.read": (
        Act.READ_LAW,
        of_project(value("guideline"), value("citation_mapping"), value("en")),
    ),
    "annotation.documents_editing.new_version": (
        Act.EDIT_GUIDELINES,
        of_project(*map(value, ("guideline", "citation_mapping", {"en": "x"}, "why", 1))),
    ),
    "annotation.documents_views.list_versions": (
        Act.READ_LAW,
        of_project(value("guideline"), value("citation_mapping")),
    ),
    "annotation.documents_views.decisions": (
        Act.READ_LAW,
        of_project(value("guideline"), value("citation_mapping"), value(1)),
    ),
    "annotation.people.history": (Act.MANAGE_PEOPLE, of_project()),
    "annotation.invitations.invite": (Act.MANAGE_PEOPLE, of_project(value("annotator"))),
    "annotation.invitations.list_invitations": (Act.MANAGE_PEOPLE, of_project()),
    "annotation.batch_making.make_batch": (
        Act.ASSIGN,
        of_project(lambda s: Plan(name="Batch", people=(s.house.ann,))),
    ),
    "annotation.batch_views.batch_of": (Act.ANNOTATE, mine(item)),
    "annotation.batch_views.last_batch": (Act.ANNOTATE, mine()),
    "annotation.batch_views.list_batches": (Act.READ_OTHERS_LABELS, of_project()),
    "annotation.batch_views.open_batch": (Act.READ_OTHERS_LABELS, of_project(value(1))),
    "annotation.batches.add_people": (Act.ASSIGN, of_project(value(1), value([]))),
    "annotation.batches.close": (Act.ASSIGN, of_project(value(1))),
    "annotation.batches.move_out": (Act.ASSIGN, of_project(value(1), value([]))),
    "annotation.batches.remove_person": (Act.ASSIGN, of_project(value(1), ben)),
    "annotation.batches.reopen": (Act.ASSIGN, of_project(value(1))),
    "annotation.batches.set_deadline": (Act.ASSIGN, of_project(value(1), value(None))),
    "annotation.batches.set_overlap": (Act.ASSIGN, of_project(value(1), value(2))),
    "annotation.calibration.accuracy": (Act.READ_OTHERS_LABELS, of_project()),
    "annotation.calibration.set_known_answers": (Act.ASSIGN, of_project(value([]))),
    "annotation.quality.headline": (Act.SEE_AGREEMENT, of_project()),
    "annotation.quality_times.odd_times": (Act.READ_OTHERS_LABELS, of_project()),
    "annotation.quality_work.work_of": (Act.READ_OTHERS_LABELS, of_project(value(1))),
    "annotation.quality.part": (Act.READ_OTHERS_LABELS, of_project(value(Part.PAIRS))),
    "annotation.quality.report": (Act.SEE_AGREEMENT, of_project()),
    "annotation.quality.totals": (Act.SEE_AGREEMENT, of_project()),
    "annotation.practice.feedback": (Act.ANNOTATE, mine(item)),
    "annotation.practice.latest_feedback": (Act.ANNOTATE, mine()),
    "jobs.assign.import_known_answers": (Act.ASSIGN, of_project(known_answers)),
    "jobs.assign.take_known_answers": (Act.ASSIGN, of_project()),
    "jobs.imports.import_statutes": (Act.IMPORT_LAW, of_project(lambda s: s.folder / "none")),
    "jobs.imports.import_questions": (
        Act.IMPORT_QUESTIONS,
        of_project(lambda s: s.folder / "none"),
    ),
    "jobs.graph.build": (Act.IMPORT_LAW, of_project()),
    "jobs.candidates.build_candidates": (Act.BUILD_CANDIDATES, of_project()),
    "jobs.retrieve.retrieve": (Act.RUN_RETRIEVAL, of_project()),
    "jobs.export_gold.export_gold": (Act.EXPORT_GOLD, of_project(lambda s: s.folder / "gold")),
}
"""Every public function that a person calls: what it does, and a call of it by that person."""

TESTED_ELSEWHERE = {
    "annotation.batch_desk.leading": "what every command of annotation.batches begins with",
    "annotation.invitations.revoke": "tests/annotation/test_invitations.py",
    "jobs.compare.rechecks_for": "is annotation.reverify.rechecks of a report",
}
ASKED_FOR = {"person_id", "adjudicator_id", "by"}


def commands(package: Any) -> Iterator[str]:
    """Yield every public function of the package that takes a workspace and a person."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        for name, function in inspect.getmembers(import_module(module.name), inspect.isfunction):
            if function.__module__ != module.name or name.startswith("_"):
                continue
            takes = list(inspect.signature(function).parameters)
            if takes[:1] == ["ws"] and ASKED_FOR & set(takes):
                yield f"{module.name}.{name}"


def function(name: str) -> Any:
    module, _, short = name.rpartition(".")
    return getattr(import_module(module), short)


BY_ACCOUNT = {"annotation.accounts", "annotation.standing"}  # `by` is an account, or it is asked
BY_STEWARD = {"annotation.invitations.offer_reset"}


def test_every_public_command_is_in_the_registry() -> None:
    found = {*commands(annotation), *commands(jobs)} - BY_STEWARD
    found = {name for name in found if name.rpartition(".")[0] not in BY_ACCOUNT}
    known = {*REGISTRY, *TESTED_ELSEWHERE}
    assert sorted(found - known) == []
    assert sorted(known - found) == []


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_each_role_is_let_through_exactly_where_the_table_says(
    house: House, tmp_path: Path, name: str
) -> None:
    act, call = REGISTRY[name]
    for role in Role:
        who = people.add_person(house.ws, SLUG, role, role).id
        refused = outcome(call, Scene(house, who, tmp_path), name)
        if may(role, act):
            assert not isinstance(refused, NotAllowedError), (role, refused)
        else:
            assert isinstance(refused, NotAllowedError), (role, refused)
            assert refused.act == act
            for language in ("en", "ko"):
                for each in who_may(act):
                    assert say(f"roles.role.{each}", language) in refused.remedy(language)


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_deactivated_and_unknown_people_may_do_nothing(
    house: House, tmp_path: Path, name: str
) -> None:
    act, call = REGISTRY[name]
    who = people.add_person(house.ws, SLUG, "Gone", who_may(act)[0]).id
    people.deactivate(house.ws, who)
    for person, said in ((who, "person_inactive"), (999, "person_unknown"), (-1, "person_unknown")):
        refused = outcome(call, Scene(house, person, tmp_path), name)
        assert refused is not None
        assert refused.code == said


def outcome(call: Call, scene: Scene, name: str) -> UserError | None:
    try:
        call(scene, function(name))
    except UserError as error:
        return error
    return None


def test_the_table_names_every_act_and_gives_each_to_somebody() -> None:
    assert set(MAY) == set(Act)
    assert all(MAY.values())


def test_who_reads_others_labels_does_not_annotate() -> None:
    assert MAY[Act.ANNOTATE].isdisjoint(MAY[Act.READ_OTHERS_LABELS] | MAY[Act.ADJUDICATE])


@given(st.text(), st.sampled_from(Act))
def test_an_unknown_role_may_do_nothing(role: str, act: Act) -> None:
    assert may(role, act) == (role in set(Role) and Role(role) in MAY[act])
