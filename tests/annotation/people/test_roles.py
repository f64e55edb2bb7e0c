"""Every role tries every command: the table decides, and nothing else does."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import annotation
import services
from annotation.agreement.views import ReportPart
from annotation.batches.commands import BatchPlan
from annotation.batches.sampling import Choice
from annotation.exchange.foreign import Fields
from annotation.parallel.groups import Verdict
from annotation.people import members
from annotation.people.roles import MAY, Act, NotAllowedError, Role, may, who_may
from annotation.work import versioned_texts as kinds
from annotation.work.editions import VersionedText
from construction.augmentation.axes import Cell, Wanted
from construction.augmentation.axes import starter as axes_starter
from construction.mcq.model import PairFilter
from corpus.cases.model import CaseRules
from corpus.importers.table import ReadingRules
from errors import UserError
from evaluation.ranking.scoring import ORDERING, Measure
from messages import say
from retrieval.readings.model import Kind
from services.answers.planning import AnswerOptions
from services.answers.scores import BertSetting
from services.attribution.claims import AttributionOptions
from services.augmentation.planning import WritingOptions
from services.background.tasks import TaskKind
from services.exchange.label_guides import Guide
from services.exchange.label_lookup import LabelImport, LabelsReport
from services.gold.datasheet import Sheet
from services.judging.model_judging import JudgingPlan as JudgePlan
from services.law.comparison import snapshots
from services.law.graph.law_map import MapQuery
from services.mcq.generation import GenerationOptions
from services.mcq.solving import SolvingOptions
from services.papers.recipes import recipe
from services.research.search import Collection
from services.runs.encoder_training import EncoderOptions
from services.runs.views import View
from services.tagging.suggestions import SuggestionOptions as FactorWish
from services.tasks.rows import read_task
from storage.db.workspace import Workspace
from storage.export.about import About
from storage.law.imports import keep_statutes
from storage.runs.run_store import RunKey, find_run, keep_run
from storage.tables.exchange import LabelFile
from storage.tasks import Task
from tests.annotation.house import SLUG, House, statute
from tests.conftest import ROOT
from tests.construction.cases.small_typology import SMALL
from tests.construction.parallel.small_groups import SMALL as GROUPS
from tests.construction.tagging.codebooks import SMALL as FACTORS
from tests.projects.cascade_project import without
from tests.projects.own_project import own_task

AXES_WISH = WritingOptions((Wanted(Cell("single_clause", "L1"), 1),))


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


ABOUT = About("lake", "1", licence="MIT", authors=("Kim",), description="Lake law.")


def arguments(scene: Scene, parts: Iterable[Any]) -> list[Any]:
    """Return arguments: what a function makes of the scene, anything else as it is."""
    return [each(scene) if isinstance(each, FunctionType) else each for each in parts]


def mine(*rest: Any) -> Call:
    """Call with the workspace and the person first."""
    return lambda s, f: f(s.ws, s.who, *arguments(s, rest))


def of_project(*rest: Any) -> Call:
    """Call with the workspace and the project, `by` the person."""
    return lambda s, f: f(s.ws, SLUG, *arguments(s, rest), by=s.who)


def item(s: Scene) -> int:
    return s.house.items[0]


def ben(s: Scene) -> int:
    return s.house.ben


def of_run(*rest: Any) -> Call:
    """Call with the workspace and a run of the project, `by` the person."""
    return lambda s, f: f(s.ws, a_run(s), *arguments(s, rest), by=s.who)


def a_run(s: Scene) -> int:
    """Return a run of the project that found nothing, made once."""
    with s.ws.writing() as session:
        key = RunKey(1, 1, "bm25", {"k": 1, "tokeniser": "whitespace"}, "")
        return find_run(session, key) or keep_run(session, key, {}, s.ws.clock())


def some_runs(s: Scene) -> list[int]:
    return [a_run(s)]


def two_laws(s: Scene) -> Workspace:
    """Return the workspace, in which the law has been amended once."""
    if len(snapshots(s.ws, SLUG)) == 1:
        keep_statutes(s.ws, SLUG, [statute(" Now.")], "second")
    return s.ws


def known_answers(s: Scene) -> Path:
    """Write a file of one known answer."""
    file = s.folder / "known.jsonl"
    file.write_text('{"question_id": "q1", "no_provision": true}\n', "utf-8")
    return file


def a_judgment(s: Scene) -> Path:
    """Write a file of one judgment."""
    file = s.folder / "judgments.jsonl"
    file.write_text('{"id": "c1", "text": "FACTS"}\n', "utf-8")
    return file


def looked_up(s: Any) -> LabelImport:
    """Return a file without labels that the person has looked up."""
    file = LabelFile(
        project_id=1, tool="", name="", sha256="", guide_sha256="", labels=0, at=s.ws.clock()
    )
    return LabelImport(SLUG, file, (), LabelsReport(), s.who)


REGISTRY: dict[str, tuple[Act, Call]] = {
    "annotation.tagging.disputes.disputes": (Act.ADJUDICATE, mine()),
    "annotation.tagging.disputes.open_dispute": (Act.ADJUDICATE, mine(item, "weapon")),
    "annotation.tagging.disputes.queue": (Act.ADJUDICATE, mine()),
    "annotation.tagging.disputes.decide": (
        Act.ADJUDICATE,
        mine(item, {"weapon": ["knife"]}, "reason"),
    ),
    "annotation.tagging.suggestion_visibility.read_setting": (Act.READ_LAW, of_project()),
    "annotation.tagging.suggestion_visibility.set_suggestions": (
        Act.EDIT_GUIDELINES,
        of_project("hidden"),
    ),
    "annotation.tagging.case_views.next_along": (Act.ANNOTATE, mine(item, "weapon", 1)),
    "annotation.tagging.case_views.own_case": (
        Act.ANNOTATE,
        mine(SimpleNamespace(item_id=1, subject_id=1)),
    ),
    "annotation.tagging.case_views.progress": (Act.ANNOTATE, mine()),
    "annotation.tagging.case_views.suggestions_after": (Act.ANNOTATE, mine(item)),
    "annotation.attribution.form.own_case": (
        Act.ANNOTATE,
        mine(SimpleNamespace(subject_id=1, snapshot_id=1)),
    ),
    "annotation.attribution.form.own_suggestions": (
        Act.ANNOTATE,
        mine(
            SimpleNamespace(subject_id=1, answers={}, shown={"suggestions": "shown", "labels": 1})
        ),
    ),
    "annotation.attribution.suggestion_setting.read_setting": (Act.READ_LAW, of_project()),
    "annotation.attribution.suggestion_setting.set_suggestions": (
        Act.EDIT_GUIDELINES,
        of_project("hidden"),
    ),
    "services.attribution.corrected.corrected": (Act.READ_OTHERS_LABELS, of_project()),
    "services.attribution.items.make_review_items": (Act.MAKE_ITEMS, of_project()),
    "services.attribution.items.review_settings": (Act.MAKE_ITEMS, of_project()),
    "annotation.curation.state.own_view": (
        Act.ANNOTATE,
        mine(
            lambda s: SimpleNamespace(answers={}, status="todo", subject_id=1, candidate_set_id=1)
        ),
    ),
    "annotation.curation.state.names_shown": (Act.READ_LAW, mine()),
    "annotation.tasks.own.own_units": (
        Act.READ_LAW,
        mine(lambda s: SimpleNamespace(snapshot_id=1), lambda s: ()),
    ),
    "annotation.tasks.own.all_tasks": (Act.READ_LAW, of_project()),
    "annotation.tasks.own.titles_of": (Act.READ_LAW, of_project()),
    "annotation.tasks.own.names_of": (Act.READ_LAW, of_project(lambda s: "mcq_solvability")),
    "annotation.tasks.own.spec_of": (Act.READ_LAW, mine(lambda s: "own:x")),
    "annotation.tasks.own.own_subject": (
        Act.ANNOTATE,
        mine(lambda s: SimpleNamespace(answers={}, status="todo", item_id=1)),
    ),
    "annotation.mcq.state.own_view": (
        Act.ANNOTATE,
        mine(lambda s: SimpleNamespace(answers={}, status="todo", subject_id=1)),
    ),
    "annotation.mapping.commands.label": (
        Act.ANNOTATE,
        mine(item, lambda s: s.house.units[1], "accept"),
    ),
    "annotation.mapping.commands.mark": (Act.ANNOTATE, mine(item, lambda s: s.house.units[1], [])),
    "annotation.mapping.commands.add_unit": (Act.ANNOTATE, mine(item, lambda s: s.house.units[4])),
    "annotation.mapping.commands.set_no_provision": (Act.ANNOTATE, mine(item, True)),
    "annotation.work.commands.set_comment": (Act.ANNOTATE, mine(item, "words")),
    "annotation.work.commands.set_flag": (Act.ANNOTATE, mine(item, "words")),
    "annotation.work.commands.skip": (Act.ANNOTATE, mine(item)),
    "annotation.mapping.commands.recheck": (Act.ANNOTATE, mine(item)),
    "annotation.work.commands.submit": (Act.ANNOTATE, mine(item)),
    "annotation.mapping.commands.submit": (Act.ANNOTATE, mine(item)),
    "annotation.work.commands.undo": (Act.ANNOTATE, mine(item)),
    "annotation.adjudication.giving_back.ask_back": (Act.ANNOTATE, mine(item, "why")),
    **{
        f"services.agreement.task_progress.{name}": (Act.READ_OTHERS_LABELS, made)
        for name, made in {
            "item_lines": of_project(list(Task)),
            "deciders": of_project(),
            "disputes_report": of_project("en"),
            "progress_report": of_project(Task.RESEARCH, "en"),
        }.items()
    },
    "annotation.start.modules.switch_modules": (Act.MAKE_ITEMS, mine(["mcq"])),
    "annotation.adjudication.giving_back.requests": (Act.GIVE_BACK, mine()),
    "annotation.adjudication.giving_back.give_back": (Act.GIVE_BACK, mine(item, ben, "why")),
    "annotation.adjudication.giving_back.decline": (Act.GIVE_BACK, mine(1, "why")),
    "annotation.work.commands.take_back": (Act.ANNOTATE, mine(item)),
    "annotation.forms.form.answer": (Act.ANNOTATE, mine(item, "field", "words")),
    "annotation.forms.form.take_up": (Act.ANNOTATE, mine(item)),
    "annotation.ocr.forms.send_back": (Act.ANNOTATE, mine(item, "why")),
    "annotation.forms.adjudication.settle": (
        Act.ADJUDICATE,
        mine(item, {"field": "words"}, "reason"),
    ),
    "annotation.judging.answer_views.blind_case": (Act.ANNOTATE, mine(1)),
    "annotation.judging.answer_views.open_case": (
        Act.REVIEW_JUDGE,
        mine(SimpleNamespace(subject_id=1, shown={})),
    ),
    "services.tagging.codebook.find_codebook": (Act.READ_LAW, of_project()),
    "services.tagging.codebook.outlook": (Act.READ_LAW, of_project(FACTORS)),
    "services.tagging.codebook.save_codebook": (Act.EDIT_GUIDELINES, of_project(FACTORS, "why")),
    "services.models.prompts.list_prompts": (Act.MAKE_ITEMS, of_project()),
    "services.models.prompts.save_prompt": (
        Act.MAKE_ITEMS,
        of_project("judge_binary", "en", "words", "why", 1),
    ),
    "services.judging.judge_prompt.prompts_of_verdicts": (
        Act.REVIEW_JUDGE,
        mine(SimpleNamespace(verdicts=())),
    ),
    "annotation.ocr.forms.correction_shown": (Act.ANNOTATE, mine({"correction": 1})),
    "annotation.work.threads.say": (Act.COMMENT, mine(item, "words")),
    "annotation.work.threads.thread": (Act.COMMENT, mine(item)),
    "annotation.work.queue_service.queue": (Act.ANNOTATE, mine()),
    "annotation.work.queue_service.next_item": (Act.ANNOTATE, mine()),
    "annotation.work.queue_service.open_item": (Act.ANNOTATE, mine(item)),
    "annotation.work.queue_service.revision": (Act.ANNOTATE, mine(item)),
    "annotation.work.queue_service.last_submitted": (Act.ANNOTATE, mine()),
    "annotation.work.queue_service.last_undoable": (Act.ANNOTATE, mine()),
    "annotation.adjudication.disputes.queue": (Act.ADJUDICATE, mine()),
    "annotation.adjudication.dispute_state.judged_under": (Act.ADJUDICATE, mine(item)),
    "annotation.adjudication.disputes.open_case": (Act.ADJUDICATE, mine(item)),
    "annotation.adjudication.disputes.decide": (
        Act.ADJUDICATE,
        mine(item, [1], False, "reason", 1.0),
    ),
    "annotation.agreement.overview.report": (Act.SEE_AGREEMENT, of_project()),
    "annotation.gold.derivation.derive": (Act.SEE_GOLD, of_project()),
    "annotation.gold.derivation.judged_pairs": (Act.SEE_GOLD, of_project(())),
    "annotation.agreement.calibration.known_from_gold": (Act.ASSIGN, of_project()),
    "annotation.agreement.label_audit.label_audits": (Act.READ_OTHERS_LABELS, of_project()),
    "annotation.batches.sampling.draw_audit": (Act.ASSIGN, of_project(Choice(), 1)),
    "annotation.batches.sampling.preview": (Act.ASSIGN, of_project(Choice())),
    "annotation.gold.rechecks.project_rechecks": (Act.READ_OTHERS_LABELS, of_project()),
    "annotation.gold.rechecks.rechecks": (Act.READ_LAW, mine()),
    "annotation.gold.rechecks.decided_items": (Act.READ_LAW, of_project()),
    "annotation.gold.amended_items.amended": (Act.READ_LAW, of_project(())),
    "annotation.gold.law_checks.add_check": (Act.RECHECK_LAW, of_project("confirm", item, 1)),
    "annotation.check.project.check": (Act.EXPORT_HISTORY, of_project()),
    "annotation.people.members.add_person": (Act.MANAGE_PEOPLE, of_project("New", "annotator")),
    "annotation.adjudication.tasks.undo": (Act.ADJUDICATE, mine(item)),
    "annotation.adjudication.tasks.draft_of": (Act.ADJUDICATE, mine(item)),
    "annotation.adjudication.tasks.keep_draft": (Act.ADJUDICATE, mine(item, {})),
    "annotation.adjudication.tasks.refer": (Act.ADJUDICATE, mine(item, "reason", [1])),
    "annotation.adjudication.tasks.to_send": (Act.ADJUDICATE, mine(item)),
    "annotation.adjudication.tasks.recall": (Act.GIVE_BACK, mine(item)),
    "annotation.adjudication.discussion_views.open_discussion": (Act.ANNOTATE, mine(item)),
    "annotation.adjudication.discussion_views.keep": (Act.ANNOTATE, mine(item)),
    "annotation.people.members.change_role": (
        Act.MANAGE_PEOPLE,
        lambda s, f: f(s.ws, ben(s), "lawyer", by=s.who),
    ),
    "annotation.people.members.rename": (
        Act.MANAGE_PEOPLE,
        lambda s, f: f(s.ws, ben(s), "B", by=s.who),
    ),
    "annotation.people.members.deactivate": (
        Act.MANAGE_PEOPLE,
        lambda s, f: f(s.ws, ben(s), by=s.who),
    ),
    "annotation.people.members.reactivate": (
        Act.MANAGE_PEOPLE,
        lambda s, f: f(s.ws, ben(s), by=s.who),
    ),
    "annotation.history.reading.read": (Act.READ_LAW, of_project()),
    "annotation.history.reading.everything": (
        Act.EXPORT_HISTORY,
        lambda s, f: list(f(s.ws, SLUG, by=s.who)),
    ),
    "annotation.exchange.files.annotations_bytes": (Act.MANAGE_PEOPLE, of_project()),
    "annotation.exchange.files.export_annotations": (
        Act.MANAGE_PEOPLE,
        of_project(lambda s: s.folder / "annotations.jsonl"),
    ),
    "annotation.exchange.files.import_annotations": (
        Act.MANAGE_PEOPLE,
        of_project(lambda s: s.folder / "none"),
    ),
    "services.exchange.label_import.imported_files": (Act.IMPORT_LABELS, of_project()),
    "services.exchange.label_import.unit_choices": (Act.IMPORT_LABELS, of_project(["a"])),
    "services.exchange.label_guess.label_tasks": (Act.IMPORT_LABELS, of_project()),
    "services.exchange.label_guess.label_form": (
        Act.IMPORT_LABELS,
        of_project(lambda s: s.folder / "none", "argilla", Task.CITATION_MAPPING),
    ),
    "services.exchange.label_import.start_import": (
        Act.IMPORT_LABELS,
        of_project(lambda s: looked_up(s)),
    ),
    "services.exchange.label_import.bring_in": (
        Act.IMPORT_LABELS,
        lambda s, f: f(s.ws, looked_up(s)),
    ),
    "services.exchange.label_lookup.look_up": (
        Act.IMPORT_LABELS,
        of_project(lambda s: s.folder / "none", "argilla", Guide(Fields("i", "c"), {}, {})),
    ),
    "services.exchange.label_import.import_labels": (
        Act.IMPORT_LABELS,
        of_project(lambda s: s.folder / "none", "argilla", lambda s: s.folder / "none"),
    ),
    "services.history.export.history_bytes": (Act.EXPORT_HISTORY, of_project(".csv")),
    "services.history.export.export_history": (
        Act.EXPORT_HISTORY,
        of_project(lambda s: s.folder / "history.jsonl"),
    ),
    "annotation.guidelines.documents.text_of": (
        Act.READ_LAW,
        mine("guideline", "citation_mapping", "en"),
    ),
    "annotation.guidelines.documents.text_under": (
        Act.READ_LAW,
        mine("guideline", "citation_mapping", "en", "1-0"),
    ),
    "annotation.guidelines.documents.read_document": (
        Act.READ_LAW,
        of_project("guideline", "citation_mapping", "en"),
    ),
    "annotation.guidelines.editing.new_version": (
        Act.EDIT_GUIDELINES,
        of_project("guideline", "citation_mapping", {"en": "x"}, "why", 1),
    ),
    "annotation.guidelines.editing.builtin_offer": (
        Act.EDIT_GUIDELINES,
        of_project("guideline", "citation_mapping"),
    ),
    "annotation.guidelines.editing.take_builtin": (
        Act.EDIT_GUIDELINES,
        of_project("guideline", "citation_mapping", "why", 1),
    ),
    "annotation.guidelines.migration.migrate_answers": (
        Act.EDIT_GUIDELINES,
        of_project("codebook", "citation_mapping", 1, 2, {}, "reason"),
    ),
    "annotation.guidelines.migration.migrations": (
        Act.READ_LAW,
        of_project("codebook", "citation_mapping"),
    ),
    "annotation.guidelines.migration.choices": (
        Act.EDIT_GUIDELINES,
        of_project("codebook", "mcq_solvability", 1, 2),
    ),
    "annotation.guidelines.migration.preview": (
        Act.EDIT_GUIDELINES,
        of_project("codebook", "citation_mapping", 1, 2, {}),
    ),
    "annotation.guidelines.versions.list_versions": (
        Act.READ_LAW,
        of_project("guideline", "citation_mapping"),
    ),
    "annotation.guidelines.versions.decisions": (
        Act.READ_LAW,
        of_project("guideline", "citation_mapping", 1),
    ),
    "annotation.people.members.history": (Act.MANAGE_PEOPLE, of_project()),
    "annotation.people.invitations.invite": (Act.MANAGE_PEOPLE, of_project("annotator")),
    "annotation.people.invitations.invite_each": (
        Act.MANAGE_PEOPLE,
        of_project("annotator", "Dora"),
    ),
    "annotation.people.invitations.list_invitations": (Act.MANAGE_PEOPLE, of_project()),
    "annotation.batches.commands.check_plan": (
        Act.ASSIGN,
        of_project(lambda s: BatchPlan(name="Batch", people=(s.house.ann,))),
    ),
    "annotation.batches.commands.make_batch": (
        Act.ASSIGN,
        of_project(lambda s: BatchPlan(name="Batch", people=(s.house.ann,))),
    ),
    "annotation.people.consent.agrees_to_naming": (Act.COMMENT, mine()),
    "annotation.people.consent.set_naming": (Act.COMMENT, mine(True)),
    "annotation.keys.own_keys.own_keys": (Act.COMMENT, mine({})),
    "annotation.keys.own_keys.keep_own_keys": (Act.COMMENT, mine({}, {})),
    "annotation.start.waiting.is_first_visit": (Act.COMMENT, mine()),
    "annotation.start.waiting.end_first_visit": (Act.COMMENT, mine()),
    "annotation.start.waiting.own_pace": (Act.COMMENT, mine(lambda s: s.ws.clock())),
    "annotation.start.waiting.revision": (Act.COMMENT, mine()),
    "annotation.start.waiting.waiting_for": (Act.COMMENT, mine()),
    "annotation.batches.views.batch_of": (Act.ANNOTATE, mine(item)),
    "annotation.batches.views.last_batch": (Act.COMMENT, mine()),
    "annotation.batches.views.list_batches": (Act.READ_OTHERS_LABELS, of_project()),
    "annotation.batches.views.open_batch": (Act.READ_OTHERS_LABELS, of_project(1)),
    "annotation.batches.commands.add_people": (Act.ASSIGN, of_project(1, [])),
    "annotation.batches.commands.close": (Act.ASSIGN, of_project(1)),
    "annotation.batches.commands.move_out": (Act.ASSIGN, of_project(1, [])),
    "annotation.batches.commands.remove_person": (Act.ASSIGN, of_project(1, ben)),
    "annotation.batches.commands.reopen": (Act.ASSIGN, of_project(1)),
    "annotation.batches.commands.set_deadline": (Act.ASSIGN, of_project(1, None)),
    "annotation.batches.commands.set_overlap": (Act.ASSIGN, of_project(1, 2)),
    "annotation.batches.commands.set_pool": (Act.ASSIGN, of_project(True)),
    "annotation.batches.commands.set_evidence": (Act.ASSIGN, of_project(True)),
    "annotation.agreement.calibration.accuracy": (Act.READ_OTHERS_LABELS, of_project()),
    "annotation.agreement.calibration.set_known_answers": (Act.ASSIGN, of_project([])),
    "annotation.agreement.report.headline": (Act.SEE_AGREEMENT, of_project()),
    "annotation.agreement.report.odd_times": (Act.READ_OTHERS_LABELS, of_project()),
    "annotation.agreement.overview.progress_of": (Act.SEE_AGREEMENT, of_project("mcq_solvability")),
    "annotation.agreement.overview.work_of": (Act.READ_OTHERS_LABELS, of_project(1)),
    "annotation.agreement.report.part": (Act.READ_OTHERS_LABELS, of_project(ReportPart.PAIRS)),
    "annotation.agreement.report.report": (Act.SEE_AGREEMENT, of_project()),
    "annotation.agreement.report.totals": (Act.SEE_AGREEMENT, of_project()),
    "annotation.agreement.known_forms.feedback": (Act.ANNOTATE, mine(item)),
    "annotation.agreement.known_forms.latest_feedback": (Act.ANNOTATE, mine()),
    "annotation.agreement.known_forms.set_known_forms": (
        Act.ASSIGN,
        of_project(Task.ANSWER_RATING, []),
    ),
    "annotation.agreement.known_forms.known_from_settlements": (
        Act.ASSIGN,
        of_project(Task.ANSWER_RATING),
    ),
    "services.batches.assigning.import_known": (Act.ASSIGN, of_project(known_answers)),
    "services.batches.assigning.take_known": (Act.ASSIGN, of_project()),
    "services.law.importing.import_statutes": (
        Act.IMPORT_LAW,
        of_project(lambda s: s.folder / "none"),
    ),
    "services.law.importing.import_questions": (
        Act.IMPORT_QUESTIONS,
        of_project(lambda s: s.folder / "none"),
    ),
    "services.law.adopting.adopt": (Act.IMPORT_LAW, of_project(lambda s: s.folder / "none")),
    "services.cases.importing.case_rules": (
        Act.IMPORT_QUESTIONS,
        of_project(a_judgment, CaseRules()),
    ),
    "services.cases.importing.preview_court_cases": (Act.IMPORT_QUESTIONS, of_project(a_judgment)),
    "services.cases.importing.import_court_cases": (Act.IMPORT_QUESTIONS, of_project(a_judgment)),
    "services.cases.views.list_court_cases": (Act.READ_LAW, of_project()),
    "services.cases.views.read_court_case": (Act.READ_LAW, of_project("c1")),
    "annotation.work.versioned_texts.TYPOLOGY.edition": (Act.READ_LAW, of_project()),
    "annotation.work.versioned_texts.TYPOLOGY.editions": (Act.READ_LAW, of_project()),
    "annotation.work.versioned_texts.TYPOLOGY.save": (
        Act.EDIT_GUIDELINES,
        of_project(SMALL, "ours", 1),
    ),
    "services.cases.standard_groups.case_groups": (Act.READ_LAW, of_project()),
    "services.cases.standard_groups.moves": (Act.READ_LAW, of_project(SMALL)),
    "services.cases.standard_groups.choose_query": (
        Act.EDIT_GUIDELINES,
        of_project("honour.insult", "c1"),
    ),
    "services.stricter.groups.revision": (Act.READ_OTHERS_LABELS, of_project()),
    "services.stricter.groups.stricter": (Act.READ_OTHERS_LABELS, of_project()),
    "services.stricter.groups.tagging_models": (Act.READ_OTHERS_LABELS, of_project()),
    "services.stricter.benchmark_export.export_benchmark": (
        Act.EXPORT_GOLD,
        of_project(lambda s: s.folder / "out"),
    ),
    "services.stricter.method_table.score_experiment": (
        Act.RUN_RETRIEVAL,
        of_project("name: x\nmethods: [bm25]\n"),
    ),
    "services.stricter.scoring.score_file": (
        Act.SEE_SCORES,
        of_project(lambda s: s.folder / "none"),
    ),
    "services.stricter.scoring.score_bm25": (Act.RUN_RETRIEVAL, of_project()),
    "services.stricter.scoring.score_method": (Act.RUN_RETRIEVAL, of_project({"method": "bm25"})),
    "services.runs.retriever_training.training_material": (
        Act.RUN_RETRIEVAL,
        of_project("none", EncoderOptions()),
    ),
    "services.generative.pretraining.law_texts": (Act.RUN_RETRIEVAL, of_project()),
    "services.generative.preparing.prepare": (
        Act.RUN_RETRIEVAL,
        of_project(lambda s: s.folder / "out"),
    ),
    "services.generative.evaluation.evaluate": (
        Act.RUN_RETRIEVAL,
        of_project(lambda s: s.folder / "none"),
    ),
    "services.generative.evaluation.evaluate_cases": (
        Act.RUN_RETRIEVAL,
        of_project([{"method": "bm25"}]),
    ),
    "services.generative.evaluation.evaluate_questions": (
        Act.RUN_RETRIEVAL,
        of_project([{"method": "bm25"}]),
    ),
    "services.overview.report.overview": (Act.READ_OTHERS_LABELS, of_project()),
    "services.overview.report.revision": (Act.READ_OTHERS_LABELS, of_project()),
    "services.overview.report.agreement_lines": (
        Act.READ_OTHERS_LABELS,
        of_project((Task.CITATION_MAPPING,)),
    ),
    "annotation.agreement.report.main_figures": (
        Act.READ_OTHERS_LABELS,
        of_project(Task.CITATION_MAPPING),
    ),
    "services.law.comparison.compare": (Act.READ_LAW, of_project()),
    "services.law.activation.to_check": (Act.READ_LAW, lambda s, f: f(two_laws(s), SLUG, s.who)),
    "services.law.activation.counts_to_check": (
        Act.READ_LAW,
        lambda s, f: f(two_laws(s), SLUG, s.who),
    ),
    "services.law.activation.revision": (Act.READ_LAW, of_project()),
    "services.law.comparison.snapshots": (Act.READ_LAW, of_project()),
    "services.law.activation.mapping_entries": (
        Act.READ_LAW,
        lambda s, f: f(two_laws(s), SLUG, s.who),
    ),
    "services.law.watch.law_watch": (Act.READ_LAW, of_project()),
    "services.law.watch.wordings": (
        Act.READ_LAW,
        of_project(SimpleNamespace(unit_id=1, now_ids=())),
    ),
    "services.runs.scoring.evaluate_run": (Act.SEE_SCORES, of_run()),
    "services.runs.scoring.gold_of_run": (Act.SEE_SCORES, of_run()),
    "services.tagging.report.factor_report": (Act.READ_OTHERS_LABELS, of_project()),
    "services.tagging.report.revision": (Act.READ_OTHERS_LABELS, of_project()),
    "services.tagging.items.make_items": (Act.MAKE_ITEMS, of_project()),
    "services.tagging.items.cases_without_item": (Act.MAKE_ITEMS, of_project()),
    "services.tagging.suggestions.plan_suggesting": (Act.MAKE_ITEMS, of_project(FactorWish())),
    "services.tagging.suggestions.start_suggesting": (Act.MAKE_ITEMS, of_project(FactorWish())),
    "services.tagging.report_tables.tags_csv": (Act.EXPORT_GOLD, of_project()),
    "services.law.graph.law_map.law_map": (Act.READ_LAW, of_project(MapQuery())),
    "services.law.graph.law_map.communities_of": (Act.READ_LAW, of_project()),
    "services.law.graph.report.graph_report": (Act.READ_LAW, of_project()),
    "annotation.work.versioned_texts.AXES.edition": (Act.READ_LAW, of_project()),
    "annotation.work.versioned_texts.AXES.editions": (Act.READ_LAW, of_project()),
    "annotation.work.versioned_texts.AXES.save": (
        Act.EDIT_GUIDELINES,
        of_project(axes_starter(), "ours", 1),
    ),
    "services.augmentation.axes.changes": (Act.MAKE_ITEMS, of_project(axes_starter())),
    "services.augmentation.planning.gold_by_question": (Act.MAKE_ITEMS, of_project()),
    "services.augmentation.planning.plan": (Act.MAKE_ITEMS, of_project(AXES_WISH)),
    "services.augmentation.report.listing": (Act.MAKE_ITEMS, of_project()),
    "services.augmentation.report.matrix": (Act.MAKE_ITEMS, of_project()),
    "services.augmentation.report.question_lines": (Act.MAKE_ITEMS, of_project()),
    "services.augmentation.report.reply": (Act.MAKE_ITEMS, of_project(1)),
    "services.augmentation.report.question_detail": (Act.MAKE_ITEMS, of_project("aug-0001")),
    "services.augmentation.writing.start_writing": (Act.MAKE_ITEMS, of_project(AXES_WISH)),
    "services.downstream.questions.question_detail": (
        Act.READ_OTHERS_LABELS,
        of_project("none", "q1"),
    ),
    "services.downstream.questions.question_lines": (Act.READ_OTHERS_LABELS, of_project("none")),
    "services.downstream.reading.read_material": (Act.READ_OTHERS_LABELS, of_project()),
    "services.downstream.report.downstream_report": (Act.READ_OTHERS_LABELS, of_project()),
    "annotation.work.versioned_texts.CLOSURE_RULES.edition": (Act.READ_LAW, of_project()),
    "annotation.work.versioned_texts.CLOSURE_RULES.editions": (Act.READ_LAW, of_project()),
    "annotation.work.versioned_texts.CLOSURE_RULES.save": (
        Act.EDIT_GUIDELINES,
        of_project("rules: []", "none", 1),
    ),
    "annotation.closure.decisions.decide": (
        Act.CLOSE_GOLD,
        of_project("dismissed", "question", "q1", [], "no"),
    ),
    "services.closure.audit.audit_references": (Act.READ_OTHERS_LABELS, of_project()),
    "services.closure.audit.close_references": (Act.CLOSE_GOLD, of_project([])),
    "services.closure.report.changes": (Act.READ_OTHERS_LABELS, of_project("rules: []")),
    "services.closure.report.check": (Act.READ_OTHERS_LABELS, of_project()),
    "services.closure.report.provisions": (Act.READ_LAW, of_project([])),
    "annotation.work.versioned_texts.PARALLEL_GROUPS.edition": (Act.READ_LAW, of_project()),
    "annotation.work.versioned_texts.PARALLEL_GROUPS.editions": (Act.READ_LAW, of_project()),
    "annotation.work.versioned_texts.PARALLEL_GROUPS.save": (
        Act.EDIT_GUIDELINES,
        of_project(GROUPS, "ours", 1),
    ),
    "annotation.parallel.groups.decide": (Act.EDIT_GUIDELINES, of_project([], Verdict.REFUSED, 1)),
    "services.research.search.search_authorities": (Act.READ_LAW, of_project("a")),
    "services.research.search.search_for_item": (Act.ANNOTATE, mine(item, "a")),
    "services.research.search.open_for_item": (
        Act.ANNOTATE,
        mine(item, Collection.STATUTES, "가법_1조"),
    ),
    "services.research.search.look_for_item": (
        Act.ANNOTATE,
        mine(item, Collection.STATUTES, "가법_1조"),
    ),
    "services.research.search.research_counts": (Act.MAKE_ITEMS, of_project()),
    "services.research.search.make_research_items": (Act.MAKE_ITEMS, of_project()),
    "services.research.export.export_research": (
        Act.EXPORT_GOLD,
        of_project(lambda s: s.folder / "research"),
    ),
    "annotation.research.form.own_question": (Act.ANNOTATE, mine(SimpleNamespace(subject_id=1))),
    "services.palette.find": (Act.READ_LAW, of_project("law", {"corpus": ("corpus",)}, {})),
    "services.parallel.groups.changes": (Act.READ_LAW, of_project(GROUPS)),
    "services.parallel.groups.declared_groups": (Act.READ_LAW, of_project()),
    "services.parallel.groups.proposals": (Act.READ_LAW, of_project()),
    "services.parallel.groups.decide": (Act.EDIT_GUIDELINES, of_project([], Verdict.REFUSED)),
    "annotation.work.versioned_texts.CASCADE_LAYERS.edition": (Act.READ_LAW, of_project()),
    "annotation.work.versioned_texts.CASCADE_LAYERS.editions": (Act.READ_LAW, of_project()),
    "annotation.work.versioned_texts.CASCADE_LAYERS.save": (
        Act.EDIT_GUIDELINES,
        of_project(without("judge"), "ours", 1),
    ),
    "annotation.cascade.restoring.restore": (Act.MAKE_ITEMS, of_project("aug-0001", "why")),
    "annotation.cascade.restoring.withdraw": (Act.MAKE_ITEMS, of_project("aug-0001", "why")),
    "services.cascade.running.plan_cascade": (Act.MAKE_ITEMS, of_project()),
    "services.cascade.running.estimate": (Act.MAKE_ITEMS, of_project()),
    "services.cascade.running.start_cascade": (Act.MAKE_ITEMS, of_project()),
    "services.cascade.report.cascade_report": (Act.READ_OTHERS_LABELS, of_project()),
    "services.cascade.views.list_questions": (Act.READ_OTHERS_LABELS, of_project()),
    "services.cascade.views.read_question": (Act.READ_OTHERS_LABELS, of_project("aug-0001")),
    "annotation.reformulation.decisions.approve": (Act.MAKE_ITEMS, of_project(1)),
    "annotation.reformulation.decisions.refuse": (Act.MAKE_ITEMS, of_project(1)),
    "services.reformulation.bounds.run_bounds": (Act.SEE_SCORES, of_project()),
    "services.reformulation.wording.outline": (Act.MAKE_ITEMS, of_project()),
    "services.reformulation.wording.propose": (Act.MAKE_ITEMS, of_project()),
    "services.reformulation.wording.model_plan": (Act.MAKE_ITEMS, of_project()),
    "services.reformulation.wording.start_wording": (Act.MAKE_ITEMS, of_project()),
    **{
        f"services.attribution.{name}": (Act.MAKE_ITEMS, of_project(AttributionOptions()))
        for name in (
            "claims.plan_splits",
            "claims.start_splitting",
            "labelling.plan_labels",
            "labelling.start_labelling",
        )
    },
    "services.attribution.answer_claims.citations_of_answers": (Act.SEE_SCORES, of_project()),
    "services.attribution.answer_claims.answered": (Act.SEE_SCORES, of_project()),
    "services.attribution.answer_claims.claims_of_answer": (Act.SEE_SCORES, of_project("q1", "m")),
    "services.attribution.labelling.splitters": (Act.MAKE_ITEMS, of_project()),
    "services.attribution.report.report": (Act.SEE_SCORES, of_project()),
    "services.attribution.scored_answers.scored_answers": (Act.SEE_SCORES, of_project()),
    "services.attribution.report.revision": (Act.SEE_SCORES, of_project()),
    "services.law.preview.law_in_use": (Act.READ_LAW, of_project()),
    "annotation.judging.state.systems_of": (Act.READ_OTHERS_LABELS, of_project()),
    "annotation.judging.state.states_of": (Act.READ_OTHERS_LABELS, of_project()),
    "services.answers.planning.plan_answers": (Act.MAKE_ITEMS, of_project(AnswerOptions())),
    "services.answers.estimate.estimated": (Act.MAKE_ITEMS, of_project(AnswerOptions())),
    "services.answers.asking.start_answers": (Act.MAKE_ITEMS, of_project(AnswerOptions())),
    "services.answers.views.systems": (Act.READ_OTHERS_LABELS, of_project()),
    "services.answers.views.answers_of": (Act.READ_OTHERS_LABELS, of_project("gpt")),
    "services.answers.views.read_answer": (Act.READ_OTHERS_LABELS, of_project("gpt", "q1")),
    "services.answers.views.askable": (Act.MAKE_ITEMS, of_project()),
    "services.answers.views.stored_runs": (Act.SEE_SCORES, of_project()),
    "services.answers.views.export_answers": (
        Act.EXPORT_GOLD,
        of_project(lambda s: s.folder / "answers"),
    ),
    "services.judging.model_judging.start_judging": (Act.MAKE_ITEMS, of_project(JudgePlan())),
    "services.judging.export.export_judging": (
        Act.EXPORT_GOLD,
        of_project(lambda s: s.folder / "judging"),
    ),
    "services.judging.importing.import_cases": (
        Act.MAKE_ITEMS,
        of_project(lambda s: s.folder / "none"),
    ),
    "services.judging.importing.import_verdicts": (
        Act.MAKE_ITEMS,
        of_project(lambda s: s.folder / "none"),
    ),
    "services.judging.importing.import_ratings": (
        Act.IMPORT_LABELS,
        of_project(lambda s: s.folder / "none"),
    ),
    "services.judging.export.zipped_judging": (Act.EXPORT_GOLD, of_project()),
    "services.judging.report.revision": (Act.READ_OTHERS_LABELS, of_project()),
    "services.judging.report.report": (Act.READ_OTHERS_LABELS, of_project()),
    "services.judging.model_judging.plan_calls": (Act.MAKE_ITEMS, of_project(JudgePlan())),
    "services.answers.score_table.score_table": (Act.READ_OTHERS_LABELS, of_project()),
    "services.answers.score_table.revision": (Act.READ_OTHERS_LABELS, of_project()),
    "services.answers.report.report": (Act.READ_OTHERS_LABELS, of_project()),
    "services.answers.report.choices": (Act.READ_OTHERS_LABELS, of_project()),
    "services.answers.report.revision": (Act.READ_OTHERS_LABELS, of_project()),
    "services.answers.beside.answers_to": (Act.READ_OTHERS_LABELS, of_project("q1")),
    "services.answers.scores.plan_scores": (Act.RUN_RETRIEVAL, of_project(BertSetting("model"))),
    "services.answers.scores.start_scoring": (Act.RUN_RETRIEVAL, of_project(BertSetting("model"))),
    "services.runs.rows.leaderboard": (Act.SEE_SCORES, of_project()),
    "services.runs.questions.citation_path": (Act.SEE_SCORES, of_run("q1", "unit")),
    "services.runs.questions.citation_paths": (
        Act.SEE_SCORES,
        lambda *given: list(of_run([("q1", "unit")])(*given)),
    ),
    "services.runs.identifiers.identifiers_found": (Act.SEE_SCORES, of_run("q1")),
    "services.runs.questions.query_detail": (Act.SEE_SCORES, of_run("q1")),
    "services.runs.rows.other_name": (Act.SEE_SCORES, of_run("a name")),
    "services.runs.questions.query_list": (Act.SEE_SCORES, of_run()),
    "services.figures.figure_data.askable": (Act.SEE_SCORES, of_project()),
    "services.figures.figure_data.dense_specs": (Act.SEE_SCORES, of_project()),
    "services.figures.figure_data.other_projects": (Act.SEE_SCORES, of_project(None)),
    "services.runs.experiments.running.check_experiment": (
        Act.RUN_RETRIEVAL,
        of_project("name: one"),
    ),
    "services.runs.experiments.running.run_experiment": (
        Act.RUN_RETRIEVAL,
        of_project("name: one"),
    ),
    "services.runs.experiments.running.stored_experiment": (Act.SEE_SCORES, of_project(1)),
    "services.runs.experiments.results.experiment_list": (Act.SEE_SCORES, of_project()),
    "services.runs.experiments.results.experiment_results": (Act.SEE_SCORES, of_project(1)),
    "services.figures.series.hit_rates": (Act.SEE_SCORES, of_project()),
    "services.figures.series.question_figure": (Act.SEE_SCORES, of_project("q1")),
    "services.figures.series.run_bars": (
        Act.SEE_SCORES,
        lambda s, f: f(s.ws, [a_run(s)], [Measure("AP")], by=s.who),
    ),
    "services.figures.series.blank_figures": (
        Act.SEE_SCORES,
        lambda s, f: f(s.ws, [a_run(s)], [Measure("AP")], by=s.who),
    ),
    "services.figures.series.retired_among": (
        Act.SEE_SCORES,
        lambda s, f: f(s.ws, [a_run(s)], by=s.who),
    ),
    "services.papers.checking.check_report": (
        Act.SEE_SCORES,
        of_project(recipe("searchfiresafety"), lambda _: lambda _: {}),
    ),
    "services.papers.running.last_run": (Act.SEE_SCORES, of_project("searchfiresafety")),
    "services.papers.running.run_paper": (
        Act.MAKE_ITEMS,
        of_project(recipe("searchfiresafety"), lambda _: lambda _: {}),
    ),
    "services.papers.running.start_paper": (Act.MAKE_ITEMS, of_project("searchfiresafety")),
    "services.figures.series.run_names": (Act.SEE_SCORES, of_project()),
    "services.figures.series.similarity_curves": (
        Act.SEE_SCORES,
        lambda s, f: f(s.ws, [a_run(s)], Measure("AP"), by=s.who),
    ),
    "services.figures.dataset_statistics.statistics": (Act.SEE_SCORES, of_project()),
    "services.law.overview.current_snapshot": (Act.READ_LAW, of_project()),
    "services.law.overview.overview": (Act.READ_LAW, of_project()),
    "services.law.preview.preview_statutes": (
        Act.IMPORT_LAW,
        of_project(lambda s: s.folder / "none"),
    ),
    "services.law.preview.preview_questions": (
        Act.IMPORT_QUESTIONS,
        of_project(lambda s: s.folder / "none"),
    ),
    "services.law.preview.save_rules": (Act.IMPORT_LAW, of_project(ReadingRules())),
    "services.law.preview.saved_rules": (Act.IMPORT_LAW, of_project()),
    "services.runs.retrieving.export_run": (
        Act.RUN_RETRIEVAL,
        of_run(lambda s: s.folder / "run.trec"),
    ),
    "services.runs.importing.import_run": (
        Act.RUN_RETRIEVAL,
        of_project(lambda s: s.folder / "run.trec"),
    ),
    "services.runs.significance.compare_runs": (Act.SEE_SCORES, of_project()),
    "services.runs.views.run_choices": (Act.SEE_SCORES, of_project()),
    "services.runs.views.compare_view": (Act.SEE_SCORES, of_project(View())),
    "services.runs.views.find_view": (Act.SEE_SCORES, of_project("said")),
    "services.runs.views.list_views": (Act.SEE_SCORES, of_project()),
    "services.runs.views.remove_view": (Act.RUN_RETRIEVAL, of_project("said")),
    "services.runs.views.save_view": (Act.RUN_RETRIEVAL, of_project("said", View())),
    "services.runs.marks.note": (Act.RUN_RETRIEVAL, of_project(a_run, "said")),
    "services.runs.marks.restore": (Act.RUN_RETRIEVAL, of_project(some_runs)),
    "services.runs.marks.retire": (Act.RUN_RETRIEVAL, of_project(some_runs)),
    "services.runs.marks.tag": (Act.RUN_RETRIEVAL, of_project(some_runs, "first")),
    "services.runs.marks.untag": (Act.RUN_RETRIEVAL, of_project(some_runs, "first")),
    "services.runs.query_analysis.cutoff_of": (Act.SEE_SCORES, of_run(ORDERING)),
    "services.runs.query_analysis.failures": (Act.SEE_SCORES, of_run(ORDERING)),
    "services.mcq.importing.import_votes": (
        Act.MAKE_ITEMS,
        of_project(lambda s: s.folder / "none"),
    ),
    "annotation.tagging.tags.joined_by": (Act.COMMENT, mine()),
    "services.runs.strata.strata_of": (Act.SEE_SCORES, of_project()),
    "services.runs.questions.runs_asked": (
        Act.SEE_SCORES,
        lambda s, f: f(s.ws, [a_run(s)], "q1", by=s.who),
    ),
    "services.runs.retrieving.run_text": (Act.RUN_RETRIEVAL, of_run()),
    "services.readings.counts.read_units": (Act.MAKE_ITEMS, of_project(Kind.ATOMS)),
    "services.readings.counts.reading_report": (Act.READ_LAW, of_project()),
    "services.readings.counts.unit_readings": (Act.READ_LAW, of_project("act_article-1")),
    "services.law.citations.read_citations": (Act.READ_LAW, of_project("Article 1")),
    "services.law.levels.read_levels": (Act.READ_LAW, of_project()),
    "services.law.levels.set_levels": (Act.SET_LEVELS, of_project(["article"])),
    "services.law.activation.use_snapshot": (Act.IMPORT_LAW, of_project(1)),
    "services.law.graph.citation_graph.build": (Act.IMPORT_LAW, of_project()),
    "services.tasks.own_tasks.add_task": (
        Act.MAKE_ITEMS,
        of_project(lambda s: read_task(*own_task(s.folder))),
    ),
    "services.tasks.own_tasks.preview": (
        Act.MAKE_ITEMS,
        of_project(lambda s: read_task(*own_task(s.folder))),
    ),
    "services.tasks.own_tasks.own_tasks": (Act.READ_LAW, of_project()),
    "services.tasks.labels.export_labels": (
        Act.READ_OTHERS_LABELS,
        of_project("own:none", lambda s: s.folder / "labels.csv"),
    ),
    "services.curation.items.admit": (Act.IMPORT_QUESTIONS, of_project()),
    "services.curation.items.give_to_curation": (Act.MAKE_ITEMS, of_project()),
    "services.curation.items.question_lines": (Act.READ_OTHERS_LABELS, of_project()),
    "services.curation.report.curation_report": (Act.READ_OTHERS_LABELS, of_project()),
    "services.mcq.export.export_mcqs": (
        Act.EXPORT_GOLD,
        of_project(lambda s: s.folder / "questions"),
    ),
    "services.mcq.generation.count_pairs": (Act.MAKE_ITEMS, of_project(PairFilter())),
    "services.mcq.generation.plan": (Act.MAKE_ITEMS, of_project(GenerationOptions())),
    "services.mcq.importing.import_mcqs": (Act.MAKE_ITEMS, of_project(lambda s: s.folder / "none")),
    "services.mcq.views.mcq_detail": (Act.READ_OTHERS_LABELS, of_project(1)),
    "services.mcq.views.mcq_lines": (Act.READ_OTHERS_LABELS, of_project()),
    "services.mcq.report.mcq_report": (Act.READ_OTHERS_LABELS, of_project()),
    "services.mcq.replies.mcq_replies": (Act.READ_OTHERS_LABELS, of_project()),
    "services.mcq.retrieval.mcq_retrieval": (Act.RUN_RETRIEVAL, of_project("name: one")),
    "services.mcq.solving.plan_solving": (Act.MAKE_ITEMS, of_project(SolvingOptions())),
    "services.mcq.solving.start_solving": (Act.MAKE_ITEMS, of_project(SolvingOptions())),
    "services.mcq.generation.start_writing": (Act.MAKE_ITEMS, of_project(GenerationOptions())),
    "services.ocr.drafting.draft_pages": (Act.MAKE_ITEMS, of_project()),
    "services.ocr.drafting.plan_drafts": (Act.MAKE_ITEMS, of_project("tesseract 5")),
    "services.ocr.drafting.plan_tesseract": (Act.MAKE_ITEMS, of_project()),
    "services.ocr.publishing.image_of": (Act.READ_LAW, of_project(1)),
    "services.ocr.publishing.publish_pages": (Act.IMPORT_LAW, of_project()),
    "services.ocr.tesseract.read_region": (Act.ANNOTATE, of_project(1, [0, 0, 9, 9])),
    "services.ocr.report.ocr_report": (Act.READ_OTHERS_LABELS, of_project()),
    "services.ocr.publishing.unit_sources": (Act.READ_LAW, of_project(1, "unit")),
    "services.ocr.vision_drafting.plan_vision": (Act.MAKE_ITEMS, of_project()),
    "services.ocr.vision_drafting.start_drafting": (Act.MAKE_ITEMS, of_project("tesseract")),
    "services.ocr.importing.import_pages": (
        Act.MAKE_ITEMS,
        of_project(lambda s: s.folder / "none"),
    ),
    "services.ocr.importing.import_uploaded": (Act.MAKE_ITEMS, of_project([])),
    "services.mapping.candidates.build_candidates": (Act.BUILD_CANDIDATES, of_project()),
    "services.mapping.candidates.make_audit": (Act.ASSIGN, of_project(BatchPlan("A", (1,)))),
    "services.background.tasks.forget": (Act.BUILD_CANDIDATES, of_project(TaskKind.CANDIDATES)),
    "services.background.tasks.latest": (Act.MAKE_ITEMS, of_project(TaskKind.JUDGE)),
    "services.background.retrieval.start_candidates": (
        Act.BUILD_CANDIDATES,
        of_project({"method": "guess"}),
    ),
    "services.background.retrieval.start_experiment": (Act.RUN_RETRIEVAL, of_project("name: one")),
    "services.background.retrieval.start_run": (
        Act.RUN_RETRIEVAL,
        of_project({"method": "guess"}, 5),
    ),
    "services.background.retrieval.start_refresh": (Act.RUN_RETRIEVAL, of_project()),
    "services.runs.retrieving.retrieve": (Act.RUN_RETRIEVAL, of_project()),
    "services.runs.refreshing.refresh_runs": (Act.RUN_RETRIEVAL, of_project()),
    "services.gold.gold_set.read_gold": (Act.SEE_SCORES, of_project()),
    "services.gold.gold_set.sources_of_labels": (Act.SEE_SCORES, of_project()),
    "services.gold.release.keep_release": (Act.EXPORT_GOLD, of_project(ABOUT)),
    "services.gold.release.kept_releases": (Act.EXPORT_GOLD, of_project()),
    "services.gold.release.who_is_named": (Act.EXPORT_GOLD, of_project()),
    "services.gold.release.release": (
        Act.EXPORT_GOLD,
        of_project(lambda s: s.folder / "release", ABOUT),
    ),
    "services.gold.export.export_data": (
        Act.EXPORT_GOLD,
        lambda s, f: f(s.ws, SLUG, s.who, None, Sheet("MIT")),
    ),
    "services.gold.export.datasheet": (Act.EXPORT_GOLD, of_project(Sheet("MIT"))),
    "services.gold.leakage.leakage": (Act.SEE_SCORES, of_project()),
    "services.gold.splits.date_columns": (Act.SEE_SCORES, of_project()),
    "annotation.work.versioned_texts.DATASHEET_ANSWERS.edition": (Act.READ_LAW, of_project()),
    "annotation.work.versioned_texts.DATASHEET_ANSWERS.editions": (Act.READ_LAW, of_project()),
    "annotation.work.versioned_texts.DATASHEET_ANSWERS.save": (
        Act.EDIT_DATASHEET,
        of_project("funding: none", "", 1),
    ),
    "services.gold.splits.make_split": (Act.SPLIT_GOLD, of_project()),
    "services.gold.splits.split_state": (Act.SEE_SCORES, of_project()),
    "services.gold.splits.splits": (Act.SEE_SCORES, of_project()),
    "services.gold.audit.audit_gold": (Act.EXPORT_GOLD, of_project()),
    "services.gold.export.export_gold": (Act.EXPORT_GOLD, of_project(lambda s: s.folder / "gold")),
}
"""Every public function that a person calls: what it does, and a call of it by that person."""

TESTED_ELSEWHERE = {
    "services.exchange.label_import.importing": "services.exchange.label_import.bring_in as work",
    "annotation.batches.commands.leading": "what every command of batches begins with",
    "annotation.work.open_item.opened": "what opening an item begins with",
    "annotation.work.commands.drafting": "what every act on a draft begins with",
    "annotation.forms.form.answered_here": "what a file of labels is brought in by",
    "annotation.work.commands.writing": "what every act on an item begins with",
    "annotation.people.invitations.revoke": "tests/annotation/people/test_invitations.py",
    "services.runs.scoring.require_scores": "what services.runs.scoring.evaluate_run begins with",
    "annotation.people.invitations.offer_reset": "`by` is a steward: test_sign_in.py",
    "annotation.people.accounts.take_charge": "a steward's: test_taking_charge.py",
    "annotation.people.accounts.untended": "a steward's: test_taking_charge.py",
}

DOORS = {f"annotation.people.{name}" for name in ("accounts", "invitations", "sign_in", "roles")}
"""Modules of `annotation` that say who somebody is: they ask for secrets, not for roles."""

LAW = {
    "annotation.law.unit_mapping.changed_units",
    "annotation.law.unit_mapping.mapped_units",
    "services.law.graph.citation_graph.build_snapshot",
    "services.law.graph.citation_graph.neighbourhood",
    "services.law.graph.citation_graph.unit_page",
    "services.runs.methods.unit_search.search_units",
    "services.runs.methods.unit_search.text_index",
    "services.runs.methods.unit_search.title_index",
    "services.runs.methods.preparation.corpus_of",
    "services.runs.methods.preparation.prepared",
    "services.runs.methods.preparation.ready",
    "services.runs.methods.preparation.resources",
    "services.runs.methods.preparation.searched_corpus",
    "services.mapping.candidate_methods.standard",
    "services.law.overview.chapters",
    "services.law.overview.statutes",
    "services.law.overview.graph_counts",
    "services.law.overview.law_counts",
    "services.readings.counts.graph_around",
}
"""They take a snapshot by its number and tell of its law alone, and of nothing that people did."""

NAMES = {
    "annotation.tagging.codebook.labels_of",
    "annotation.batches.views.batch_named",
    "annotation.start.waiting.idle_tasks",
    "annotation.start.waiting.own_tasks_of",
    "annotation.start.modules.modules",
    "annotation.adjudication.giving_back.items_called",
    "annotation.history.reading.filter_by_names",
    "annotation.people.members.list_people",
    "services.batches.assigning.people_named",
    "services.bundle.exports_folder",
    "services.bundle.releases_folder",
}
"""They tell names and numbers of a project that who is in it may know, and no decision."""

OF_ITEM = {"annotation.ocr.forms.correction_shown", "services.ocr.publishing.page_view"}
"""They take what an item says that it shows; who opened it was asked then."""

INNER = {
    "services.overview.guide.guide_of",
    "services.pace.expected_seconds",
    "services.pace.keep_pace",
    "services.runs.questions.units_not_searched",
    "services.gold.leakage.leakage_of",
    "services.gold.splits.asked_of",
    "services.gold.splits.split_of_gold",
    "services.research.search.authority_at",
    "services.research.search.search_at",
    "services.figures.dataset_statistics.project_likeness",
    "services.figures.dataset_statistics.question_gold",
    "services.law.importing.add_law",
    "services.law.importing.keep_law",
    "annotation.gold.amended_items.watched",
    "annotation.gold.cited_units.cites",
    "services.law.watch.unconfirmed",
    "services.law.activation.bring_into_use",
    "services.law.activation.outcome",
    "services.law.activation.waits",
    "services.mapping.candidate_methods.keep_made",
    "services.mapping.candidate_methods.made_for",
    "services.mapping.candidate_methods.proposals",
    "services.mapping.candidate_methods.candidate_method",
    "services.ocr.drafting.keep_page_draft",
    "services.ocr.vision_drafting.draft_with_model",
    "services.background.tasks.alone",
    "services.background.tasks.start",
    "services.attribution.claims.split_claims",
    "services.attribution.labelling.label_claims",
    "services.cascade.running.run_cascade",
    "services.mcq.importing.keep_filtered",
    "services.answers.asking.ask_answers",
    "services.answers.estimate.estimate",
    "services.judging.model_judging.run_judge",
    "services.augmentation.writing.write",
    "services.mcq.generation.generate",
    "services.reformulation.wording.word_by_model",
    "services.tagging.suggestions.suggest",
    "services.mcq.solving.solve",
    "services.runs.methods.preparation.learning_from",
    "services.runs.strata.gold_headed",
    "services.runs.strata.query_columns",
    "services.runs.strata.questions_in",
    "services.runs.scoring.kept_scores",
    "services.runs.rows.scored_runs",
    "services.gold.datasheet.gold_datasheet",
    "services.runs.scoring.score_run",
    "services.runs.scoring.scored_on",
    "services.figures.figure_data.ground",
    "services.gold.gold_set.chosen_snapshot",
    "services.gold.gold_set.gold_set",
    "services.gold.reference_sets.reference_sets",
    "services.gold.gold_set.gold_sets",
    "services.gold.gold_set.required_gold",
    "services.runs.retrieving.ground",
    "services.runs.rows.run_reading_notes",
    "services.runs.rows.run_unanswered",
    "services.judging.items.provisions_of_gold",
    "services.answers.scores.kept_bert_scores",
    "services.answers.scores.rouge_scores",
    "services.answers.scores.score_answers",
}
"""They ask nobody: what calls them has. No screen may."""

MODELS = {
    "services.models.llm_adapter.past_models",
    "services.readings.counts.readers",
    "services.models.llm_adapter.ask_and_keep",
    "services.models.asking.ask_in_languages",
    "services.models.workspace_models.calls",
    "services.models.workspace_models.load_settings",
    "services.models.workspace_models.model",
    "services.models.workspace_models.roles",
    "services.models.workspace_models.settings_file",
    "services.models.workspace_models.try_roles",
    "services.models.prompts.project_prompts",
    "services.models.prompts.prompt_wordings",
    "services.answers.scores.scores_kept",
    "services.answers.scores.settings_kept",
}
"""They tell of the workspace's models, and call one; who may have work done by it asks itself."""

OPERATOR = {
    "annotation.people.accounts.make_administrator",
    "annotation.people.accounts.require_usable",
    "services.backup.back_up",
    "services.backup.restore",
    "services.runs.methods.index_cache.cache_bytes",
    "services.runs.methods.index_cache.clear_indexes",
    "services.runs.methods.index_cache.kept_indexes",
    "services.sample.loading.load_sample",
    "services.sample.loading.load_worked_sample",
    "services.sample.loading.bring_sample_pages",
    "services.sample.loading.tag_sample_cases",
}
"""The operator of the machine alone runs them, on the command line. No screen may."""


def commands(package: Any) -> Iterator[str]:
    """Yield every public function of the package that takes a workspace."""
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for name, function in inspect.getmembers(import_module(module.name), inspect.isfunction):
            if function.__module__ != module.name or name.startswith("_"):
                continue
            if list(inspect.signature(function).parameters)[:1] in (["ws"], ["workspace"]):
                yield f"{module.name}.{name}"


def versioned_texts() -> Iterator[str]:
    """Yield every act on each text that a project keeps versions of."""
    for name, kind in vars(kinds).items():
        if isinstance(kind, VersionedText):
            yield from (f"{kinds.__name__}.{name}.{act}" for act in ("edition", "editions", "save"))


def function(name: str) -> Any:
    return pkgutil.resolve_name(name)


def test_every_public_command_is_in_the_registry() -> None:
    found = {*commands(annotation), *commands(services), *versioned_texts()}
    known = {*REGISTRY, *TESTED_ELSEWHERE, *LAW, *NAMES, *OF_ITEM, *INNER, *MODELS, *OPERATOR}
    doors = {name for name in found - known if name.rpartition(".")[0] in DOORS}
    assert sorted(found - known - doors) == []
    assert sorted(known - found) == []


def test_screens_start_nothing_that_asks_nobody() -> None:
    for file in (ROOT / "pages").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                taken = {f"{node.module}.{each.name}" for each in node.names}
                assert not taken & (INNER | OPERATOR), file


def test_each_role_is_refused_where_the_table_says(house: House, tmp_path: Path) -> None:
    """In one house: what is refused changes nothing."""
    people = {role: members.add_person(house.ws, SLUG, role, role).id for role in Role}
    for name, (act, call) in REGISTRY.items():
        for role, who in people.items():
            if not may(role, act):
                refused = outcome(call, Scene(house, who, tmp_path), name)
                assert isinstance(refused, NotAllowedError), (name, role, refused)
                assert refused.act == act, name
                for each in who_may(act):
                    assert say(f"roles.role.{each}", "en") in refused.remedy("en")
                    assert say(f"roles.role.{each}", "ko") in refused.remedy("ko")


def test_each_role_is_let_through_where_the_table_says(house: House, tmp_path: Path) -> None:
    """In one house: whatever else a call meets there, it is not refused for the role."""
    people = {role: members.add_person(house.ws, SLUG, role, role).id for role in Role}
    for name, (act, call) in REGISTRY.items():
        for role in who_may(act):
            refused = outcome(call, Scene(house, people[role], tmp_path), name)
            assert not isinstance(refused, NotAllowedError), (name, role, refused)
            assert refused is None or "person" not in refused.code, (name, role, refused)


def test_deactivated_and_unknown_people_may_do_nothing(house: House, tmp_path: Path) -> None:
    gone = {role: members.add_person(house.ws, SLUG, f"Gone {role}", role).id for role in Role}
    for who in gone.values():
        members.deactivate(house.ws, who)
    for name, (act, call) in REGISTRY.items():
        for person, said in (
            *((gone[role], "person_inactive") for role in who_may(act)[:1]),
            (999, "person_unknown"),
            (-1, "person_unknown"),
        ):
            refused = outcome(call, Scene(house, person, tmp_path), name)
            assert refused is not None and refused.code == said, (name, refused)


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
