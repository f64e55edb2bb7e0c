"""Every role tries every command: the table decides, and nothing else does."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import annotation
import services
from annotation.batches.commands import BatchPlan
from annotation.batches.sampling import Choice
from annotation.exchange.foreign import Fields
from annotation.parallel import Verdict
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
from services.attribution.claims import AttributionOptions
from services.augmentation.planning import WritingOptions
from services.background.tasks import TaskKind
from services.exchange.label_guides import Guide
from services.exchange.label_lookup import LabelImport, LabelsReport
from services.gold.datasheet import Sheet
from services.law.graph.law_map import MapQuery
from services.mcq.generation import GenerationOptions
from services.mcq.solving import SolvingOptions
from services.papers.recipes import recipe
from services.research.search import Collection
from services.runs.retriever_training import EncoderOptions
from services.runs.views import View
from services.tagging.suggestions import SuggestionOptions as FactorWish
from services.tasks.rows import read_task
from storage.db.workspace import Workspace
from storage.export.about import About
from storage.runs.run_store import RunKey, find_run, keep_run
from storage.tables.exchange import LabelFile
from storage.tasks import Task
from tests.annotation.house import SLUG, House
from tests.conftest import ROOT
from tests.construction.parallel.small_groups import SMALL as GROUPS
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


ABOUT = About("lake", "1", licence="MIT", authors=("Kim",), description="Lake law.")


def item(s: Scene) -> int:
    return s.house.items[0]


def ben(s: Scene) -> int:
    return s.house.ben


def a_run(s: Scene) -> int:
    """Return a run of the project that found nothing, made once."""
    with s.ws.writing() as session:
        key = RunKey(1, 1, "bm25", {"k": 1, "tokeniser": "whitespace"}, "")
        return find_run(session, key) or keep_run(session, key, {}, s.ws.clock())


def some_runs(s: Scene) -> list[int]:
    return [a_run(s)]


def known_answers(s: Scene) -> Path:
    """Write a file of one known answer."""
    file = s.folder / "known.jsonl"
    file.write_text('{"question_id": "q1", "no_provision": true}\n', "utf-8")
    return file


def looked_up(s: Any) -> LabelImport:
    """Return a file without labels that the person has looked up."""
    file = LabelFile(
        project_id=1, tool="", name="", sha256="", guide_sha256="", labels=0, at=s.ws.clock()
    )
    return LabelImport(SLUG, file, (), LabelsReport(), s.who)


OPENED = SimpleNamespace(
    **{"item_id": 1, "subject_id": 1, "snapshot_id": 1, "candidate_set_id": 1, "status": "todo"},
    **{"answers": {}, "shown": {"suggestions": "shown", "labels": 1}},
)
PERSON = ("by", "person_id", "adjudicator_id")
GIVEN: dict[str, Any] = {
    "ws": lambda s: s.ws,
    "workspace": lambda s: s.ws,
    "slug": SLUG,
    "project_slug": SLUG,
    "person_id": ben,
    "adjudicator_id": ben,
    "by": None,
    "every": False,
    "about": ABOUT,
    "account_id": None,
    "agrees": True,
    "mark": "retired",
    "annotation_ids": [1],
    "answers": {},
    "ask": SolvingOptions(),
    "asked": True,
    "asked_name": "a name",
    "attempt_id": 1,
    "base": "none",
    "batch_id": 1,
    "body": "words",
    "box": [0, 0, 9, 9],
    "caps": {},
    "case": SimpleNamespace(verdicts=()),
    "case_id": 1,
    "choice": Choice(),
    "choices": ["a"],
    "chosen": ["mcq"],
    "chosen_keys": {},
    "collection": Collection.STATUTES,
    "deadline": None,
    "decision": "accept",
    "draft": {},
    "ending": ".csv",
    "engine": "tesseract",
    "entry": SimpleNamespace(unit_id=1, now_ids=()),
    "execute": lambda _: lambda _: {},
    "expected": 1,
    "external_id": "q1",
    "external_ids": [],
    "field": "weapon",
    "file": lambda s: s.folder / "none",
    "folder": lambda s: s.folder / "out",
    "from_number": 1,
    "group": "honour.insult",
    "guide": Guide(Fields("i", "c"), {}, {}),
    "is_open": True,
    "item": OPENED,
    "item_id": item,
    "items": (),
    "k": 5,
    "kind": "guideline",
    "language": "en",
    "levels": ["article"],
    "lines": "Dora",
    "made": lambda s: read_task(*own_task(s.folder)),
    "material": {"correction": 1},
    "measure": ORDERING,
    "measures": [Measure("AP")],
    "missed": [("q1", "unit")],
    "model": lambda s: s.folder / "none",
    "name": "none",
    "no_provision": False,
    "note": "why",
    "number": 1,
    "options": AttributionOptions(),
    "overlap": 2,
    "page_id": 1,
    "pair_filter": PairFilter(),
    "paper": recipe("searchfiresafety"),
    "path": lambda s: s.folder / "none",
    "people": [],
    "places": {"corpus": ("corpus",)},
    "plan": lambda s: BatchPlan(name="Batch", people=(s.house.ann,)),
    "prompt_id": "judge_binary",
    "proposals": [],
    "query": "a",
    "question": "q1",
    "questions": [],
    "ready": looked_up,
    "reason": "why",
    "recipe": recipe("searchfiresafety"),
    "request_id": 1,
    "role": "annotator",
    "rules": CaseRules(),
    "run": lambda s: s.folder / "none",
    "run_id": a_run,
    "run_ids": some_runs,
    "seconds": 1.0,
    "setting": "hidden",
    "sheet": Sheet("MIT"),
    "since": lambda s: s.ws.clock(),
    "size": 1,
    "snapshot_id": 1,
    "spans": [],
    "spec": {"method": "guess"},
    "specs": [{"method": "bm25"}],
    "standard": {},
    "system": "gpt",
    "task": Task.CITATION_MAPPING,
    "text": "name: one",
    "texts": {"en": "x"},
    "to_number": 2,
    "tool": "argilla",
    "unit_id": lambda s: s.house.units[1],
    "unit_ids": [1],
    "units": [],
    "uploads": [],
    "value": True,
    "verdict": Verdict.REFUSED,
    "version": "1-0",
    "view": View(),
    "wish": FactorWish(),
    "wording_id": 1,
}
"""What a parameter without a default is given, by name; functions are given the scene."""

ODD: dict[str, dict[str, Any]] = {
    "annotation.agreement.known_forms.known_from_settlements": {"task": Task.ANSWER_RATING},
    "annotation.agreement.known_forms.set_known_forms": {"task": Task.ANSWER_RATING},
    "annotation.gold.amended_items.amended": {"tasks": ()},
    "annotation.people.members.rename": {"name": "B"},
    "annotation.tagging.case_views.next_along": {"step": 1},
    "services.answers.asking.start_answers": {"options": AnswerOptions()},
    "services.answers.estimate.estimated": {"options": AnswerOptions()},
    "services.answers.planning.plan_answers": {"options": AnswerOptions()},
    "services.augmentation.axes.changes": {"text": axes_starter()},
    "services.augmentation.planning.plan": {"options": AXES_WISH},
    "services.augmentation.writing.start_writing": {"options": AXES_WISH},
    "services.background.tasks.forget": {"kind": TaskKind.CANDIDATES},
    "services.background.tasks.latest": {"kind": TaskKind.JUDGE},
    "services.batches.import_known": {"path": known_answers},
    "services.cases.views.read_court_case": {"case": "c1"},
    "services.closure.report.changes": {"text": "rules: []"},
    "services.history.export.export_history": {"file": lambda s: s.folder / "history.jsonl"},
    "services.law.graph.law_map.law_map": {"query": MapQuery()},
    "services.law.preview.save_rules": {"rules": ReadingRules()},
    "services.mcq.generation.plan": {"wish": GenerationOptions()},
    "services.mcq.generation.start_writing": {"wish": GenerationOptions()},
    "services.overview.report.agreement_lines": {"tasks": (Task.CITATION_MAPPING,)},
    "services.parallel.changes": {"text": GROUPS},
    "services.parallel.decide": {"chosen": []},
    "services.readings.read_units": {"kind": Kind.ATOMS},
    "services.runs.retriever_training.training_material": {"options": EncoderOptions()},
}
"""What single functions are given instead."""

ACTS: dict[Act, dict[str, str]] = {
    Act.ADJUDICATE: {
        "annotation.adjudication.dispute_state": "judged_under",
        "annotation.adjudication.disputes": "decide open_case queue",
        "annotation.adjudication.tasks": "draft_of keep_draft refer to_send undo",
        "annotation.forms.adjudication": "settle",
        "annotation.tagging.disputes": "decide disputes open_dispute queue",
    },
    Act.READ_LAW: {
        "annotation.attribution.suggestion_setting": "read_setting",
        "annotation.curation.state": "names_shown",
        "annotation.gold.amended_items": "amended",
        "annotation.gold.rechecks": "decided_items rechecks",
        "annotation.guidelines.documents": "read_document text_of text_under",
        "annotation.guidelines.migration": "migrations",
        "annotation.guidelines.versions": "decisions list_versions",
        "annotation.history.reading": "read",
        "annotation.tagging.suggestion_visibility": "read_setting",
        "annotation.tasks.own": "all_tasks names_of own_units spec_of titles_of",
        "annotation.work.versioned_texts.AXES": "edition editions",
        "annotation.work.versioned_texts.CASCADE_LAYERS": "edition editions",
        "annotation.work.versioned_texts.CLOSURE_RULES": "edition editions",
        "annotation.work.versioned_texts.DATASHEET_ANSWERS": "edition editions",
        "annotation.work.versioned_texts.PARALLEL_GROUPS": "edition editions",
        "annotation.work.versioned_texts.TYPOLOGY": "edition editions",
        "services.cases.standard_groups": "case_groups moves",
        "services.cases.views": "list_court_cases read_court_case",
        "services.closure.report": "provisions",
        "services.law.activation": "counts_to_check mapping_entries revision to_check",
        "services.law.citations": "read_citations",
        "services.law.comparison": "compare",
        "services.law.graph.law_map": "communities_of law_map",
        "services.law.graph.report": "graph_report",
        "services.law.levels": "read_levels",
        "services.law.overview": "current_snapshot overview",
        "services.law.preview": "law_in_use",
        "services.law.watch": "law_watch wordings",
        "services.ocr.publishing": "image_of unit_sources",
        "services.palette": "find",
        "services.parallel": "changes declared_groups proposals",
        "services.readings": "reading_report unit_readings",
        "services.research.search": "search_authorities",
        "services.tagging.codebook": "find_codebook outlook",
        "services.tasks.own_tasks": "own_tasks",
    },
    Act.EDIT_GUIDELINES: {
        "annotation.attribution.suggestion_setting": "set_suggestions",
        "annotation.guidelines.editing": "builtin_offer new_version take_builtin",
        "annotation.guidelines.migration": "choices migrate_answers preview",
        "annotation.parallel": "decide",
        "annotation.tagging.suggestion_visibility": "set_suggestions",
        "annotation.work.versioned_texts.AXES": "save",
        "annotation.work.versioned_texts.CASCADE_LAYERS": "save",
        "annotation.work.versioned_texts.CLOSURE_RULES": "save",
        "annotation.work.versioned_texts.PARALLEL_GROUPS": "save",
        "annotation.work.versioned_texts.TYPOLOGY": "save",
        "services.cases.standard_groups": "choose_query",
        "services.parallel": "decide",
        "services.tagging.codebook": "save_codebook",
    },
    Act.ANNOTATE: {
        "annotation.adjudication.discussion_views": "keep open_discussion",
        "annotation.adjudication.giving_back": "ask_back",
        "annotation.agreement.known_forms": "feedback latest_feedback",
        "annotation.attribution.form": "own_case own_suggestions",
        "annotation.batches.views": "batch_of",
        "annotation.curation.state": "own_view",
        "annotation.forms.form": "answer take_up",
        "annotation.judging.answer_views": "blind_case",
        "annotation.mapping.commands": "add_unit label mark recheck set_no_provision submit",
        "annotation.mcq.state": "own_view",
        "annotation.ocr.forms": "correction_shown send_back",
        "annotation.research": "own_question",
        "annotation.tagging.case_views": "next_along own_case progress suggestions_after",
        "annotation.tasks.own": "own_subject",
        "annotation.work.commands": "set_comment set_flag skip submit take_back undo",
        "annotation.work.queue_service": (
            "last_undoable last_submitted next_item open_item queue revision"
        ),
        "services.ocr.tesseract": "read_region",
        "services.research.search": "look_for_item open_for_item search_for_item",
    },
    Act.READ_OTHERS_LABELS: {
        "annotation.agreement.calibration": "accuracy",
        "annotation.agreement.label_audit": "label_audits",
        "annotation.agreement.overview": "work_of",
        "annotation.agreement.report": "main_figures odd_times part",
        "annotation.batches.views": "list_batches open_batch",
        "annotation.gold.rechecks": "project_rechecks",
        "annotation.judging.state": "states_of systems_of",
        "services.agreement.task_progress": "deciders disputes_report item_lines progress_report",
        "services.answers.beside": "answers_to",
        "services.answers.report": "choices report revision",
        "services.answers.score_table": "revision score_table",
        "services.answers.views": "answers_of read_answer systems",
        "services.attribution.corrected": "corrected",
        "services.cascade.report": "cascade_report list_questions read_question",
        "services.closure.audit": "audit_references",
        "services.closure.report": "changes check",
        "services.curation.items": "question_lines",
        "services.curation.report": "curation_report",
        "services.downstream.questions": "question_detail question_lines",
        "services.downstream.reading": "read_material",
        "services.downstream.report": "downstream_report",
        "services.judging.report": "report revision",
        "services.mcq.replies": "mcq_replies",
        "services.mcq.report": "mcq_report",
        "services.mcq.views": "mcq_detail mcq_lines",
        "services.ocr.report": "ocr_report",
        "services.overview.report": "agreement_lines overview revision",
        "services.stricter.groups": "revision stricter tagging_models",
        "services.tagging.report": "factor_report revision",
        "services.tasks.own_tasks": "export_labels",
    },
    Act.MAKE_ITEMS: {
        "annotation.cascade": "restore withdraw",
        "annotation.reformulation": "approve refuse",
        "annotation.start.modules": "switch_modules",
        "services.answers.asking": "start_answers",
        "services.answers.estimate": "estimated",
        "services.answers.planning": "plan_answers",
        "services.answers.views": "askable",
        "services.attribution.claims": "plan_splits start_splitting",
        "services.attribution.items": "make_review_items review_settings",
        "services.attribution.labelling": "plan_labels splitters start_labelling",
        "services.augmentation.axes": "changes",
        "services.augmentation.planning": "gold_by_question plan",
        "services.augmentation.report": "listing matrix question_lines reply question_detail",
        "services.augmentation.writing": "start_writing",
        "services.background.tasks": "latest",
        "services.cascade.running": "estimate plan_cascade start_cascade",
        "services.curation.items": "give_to_curation",
        "services.judging.importing": "import_cases import_verdicts",
        "services.judging.model_judging": "plan_calls start_judging",
        "services.mcq.generation": "count_pairs plan start_writing",
        "services.mcq.importing": "import_mcqs import_votes",
        "services.mcq.solving": "plan_solving start_solving",
        "services.models.prompts": "list_prompts save_prompt",
        "services.ocr.drafting": "draft_pages plan_drafts plan_tesseract",
        "services.ocr.importing": "import_pages import_uploaded",
        "services.ocr.vision_drafting": "plan_vision start_drafting",
        "services.papers.running": "run_paper start_paper",
        "services.readings": "read_units",
        "services.reformulation.wording": "model_plan outline propose start_wording",
        "services.research.search": "make_research_items research_counts",
        "services.tagging.items": "cases_without_item make_items",
        "services.tagging.suggestions": "plan_suggesting start_suggesting",
        "services.tasks.own_tasks": "add_task preview",
    },
    Act.GIVE_BACK: {
        "annotation.adjudication.giving_back": "decline give_back requests",
        "annotation.adjudication.tasks": "recall",
    },
    Act.REVIEW_JUDGE: {
        "annotation.judging.answer_views": "open_case",
        "services.judging.judge_prompt": "prompts_of_verdicts",
    },
    Act.COMMENT: {
        "annotation.batches.views": "last_batch",
        "annotation.keys": "keep_own_keys own_keys",
        "annotation.people.members": "agrees_to_naming set_naming",
        "annotation.start.waiting": "end_first_visit is_first_visit own_pace revision waiting_for",
        "annotation.tagging.tags": "joined_by",
        "annotation.work.threads": "say thread",
    },
    Act.SEE_AGREEMENT: {
        "annotation.agreement.overview": "progress_of report",
        "annotation.agreement.report": "headline report totals",
    },
    Act.SEE_GOLD: {
        "annotation.gold.derivation": "derive judged_pairs",
    },
    Act.ASSIGN: {
        "annotation.agreement.calibration": "known_from_gold set_known_answers",
        "annotation.agreement.known_forms": "known_from_settlements set_known_forms",
        "annotation.batches.commands": (
            "add_people check_plan close make_batch move_out remove_person "
            "reopen set_deadline set_evidence set_overlap set_pool"
        ),
        "annotation.batches.sampling": "draw_audit preview",
        "services.batches": "import_known take_known",
        "services.mapping.candidates": "make_audit",
    },
    Act.RECHECK_LAW: {
        "annotation.gold.law_checks": "add_check",
    },
    Act.EXPORT_HISTORY: {
        "annotation.check.project": "check",
        "annotation.history.reading": "everything",
        "services.history.export": "export_history history_bytes",
    },
    Act.MANAGE_PEOPLE: {
        "annotation.exchange.files": "annotations_bytes export_annotations import_annotations",
        "annotation.people.invitations": "invite invite_each list_invitations",
        "annotation.people.members": "add_person change_role deactivate history reactivate rename",
    },
    Act.IMPORT_LABELS: {
        "services.exchange.label_guess": "label_form label_tasks",
        "services.exchange.label_import": (
            "bring_in imported_files import_labels start_import unit_choices"
        ),
        "services.exchange.label_lookup": "look_up",
        "services.judging.importing": "import_ratings",
    },
    Act.IMPORT_LAW: {
        "services.law.activation": "use_snapshot",
        "services.law.adopting": "adopt",
        "services.law.graph.citation_graph": "build",
        "services.law.importing": "import_statutes",
        "services.law.preview": "preview_statutes save_rules saved_rules",
        "services.ocr.publishing": "publish_pages",
    },
    Act.IMPORT_QUESTIONS: {
        "services.cases.importing": "case_rules import_court_cases preview_court_cases",
        "services.curation.items": "admit",
        "services.law.importing": "import_questions",
        "services.law.preview": "preview_questions",
    },
    Act.EXPORT_GOLD: {
        "services.answers.views": "export_answers",
        "services.gold.export": "datasheet export_data export_gold",
        "services.gold.release": "audit_gold keep_release kept_releases release who_is_named",
        "services.judging.export": "export_judging zipped_judging",
        "services.mcq.export": "export_mcqs",
        "services.research.export": "export_research",
        "services.stricter.benchmark_export": "export_benchmark",
        "services.tagging.report_tables": "tags_csv",
    },
    Act.RUN_RETRIEVAL: {
        "services.answers.scores": "plan_scores start_scoring",
        "services.background.retrieval": "start_experiment start_refresh start_run",
        "services.generative.evaluation": "evaluate evaluate_cases evaluate_questions",
        "services.generative.preparing": "prepare",
        "services.generative.pretraining": "law_texts",
        "services.mcq.retrieval": "mcq_retrieval",
        "services.runs.experiments.running": "check_experiment run_experiment",
        "services.runs.importing": "import_run",
        "services.runs.marks": "mark_runs",
        "services.runs.refreshing": "refresh_runs",
        "services.runs.retriever_training": "training_material",
        "services.runs.retrieving": "export_run retrieve run_text",
        "services.runs.views": "remove_view save_view",
        "services.stricter.report_tables": "score_experiment",
        "services.stricter.scoring": "score_bm25 score_method",
    },
    Act.SEE_SCORES: {
        "services.answers.views": "stored_runs",
        "services.attribution.answer_claims": "answered citations_of_answers claims_of_answer",
        "services.attribution.report": "report revision",
        "services.attribution.scored_answers": "scored_answers",
        "services.figures.dataset_statistics": "statistics",
        "services.figures.figure_data": "askable dense_specs other_projects",
        "services.figures.series": (
            "hit_rates question_figure run_bars run_names similarity_curves"
        ),
        "services.gold.gold_set": "read_gold sources_of_labels",
        "services.gold.leakage": "leakage",
        "services.gold.splits": "date_columns split_state splits",
        "services.papers.checking": "check_report",
        "services.papers.running": "last_run",
        "services.reformulation.bounds": "run_bounds",
        "services.runs.experiments.results": "experiment_list experiment_results",
        "services.runs.experiments.running": "stored_experiment",
        "services.runs.identifiers": "identifiers_found",
        "services.runs.query_analysis": "cutoff_of failures",
        "services.runs.questions": (
            "citation_path citation_paths query_detail query_list runs_asked"
        ),
        "services.runs.rows": "leaderboard other_name",
        "services.runs.scoring": "score_run",
        "services.runs.significance": "compare_runs",
        "services.runs.strata": "strata_of",
        "services.runs.views": "compare_view find_view list_views run_choices",
        "services.stricter.scoring": "score_file",
    },
    Act.CLOSE_GOLD: {
        "annotation.closure.decisions": "decide",
        "services.closure.audit": "close_references",
    },
    Act.SET_LEVELS: {
        "services.law.levels": "set_levels",
    },
    Act.BUILD_CANDIDATES: {
        "services.background.retrieval": "start_candidates",
        "services.background.tasks": "forget",
        "services.mapping.candidates": "build_candidates",
    },
    Act.EDIT_DATASHEET: {
        "annotation.work.versioned_texts.DATASHEET_ANSWERS": "save",
    },
    Act.SPLIT_GOLD: {
        "services.gold.splits": "make_split",
    },
}
"""Every public function that a person calls, by what it does, by module."""


def functions(rooms: dict[str, str]) -> list[str]:
    """Return full names of functions that are listed by module."""
    return [f"{module}.{name}" for module, names in rooms.items() for name in names.split()]


def called(name: str, scene: Scene, function: Any) -> Any:
    """Call the function as the person, with what is given to its parameters by name."""
    own, told = ODD.get(name, {}), dict[str, Any]()
    wanted = inspect.signature(function).parameters
    for each, parameter in wanted.items():
        if each in own or parameter.default is parameter.empty:
            value = (GIVEN | own)[each]
            told[each] = value(scene) if isinstance(value, FunctionType) else value
    for person in (each for each in PERSON if each in wanted and each not in own):
        told[person] = scene.who
        break
    found = function(**told)
    return list(found) if isinstance(found, Iterator) else found


REGISTRY = {
    name: (act, partial(called, name)) for act, rooms in ACTS.items() for name in functions(rooms)
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
    "services.runs.scoring.require_scores": "what services.runs.scoring.score_run begins with",
    "annotation.people.invitations.offer_reset": "`by` is a steward: test_sign_in.py",
    "annotation.people.accounts.take_charge": "a steward's: test_taking_charge.py",
    "annotation.people.accounts.untended": "a steward's: test_taking_charge.py",
}

DOORS = {f"annotation.people.{name}" for name in ("accounts", "invitations", "sign_in", "roles")}
"""Modules of `annotation` that say who somebody is: they ask for secrets, not for roles."""

LAW = functions(
    {
        "annotation.law": "changed_units mapped_units",
        "services.law.graph.citation_graph": "build_snapshot neighbourhood unit_page",
        "services.law.overview": "chapters graph_counts law_counts statutes",
        "services.mapping.candidate_methods": "standard",
        "services.readings": "graph_around",
        "services.runs.methods.preparation": ("corpus_of prepared ready resources searched_corpus"),
        "services.runs.methods.unit_search": "search_units text_index title_index",
    }
)
"""They take a snapshot by its number and tell of its law alone, and of nothing that people did."""

NAMES = functions(
    {
        "annotation.adjudication.giving_back": "items_called",
        "annotation.batches.views": "batch_named",
        "annotation.history.reading": "filter_by_names",
        "annotation.people.members": "list_people",
        "annotation.start.modules": "modules",
        "annotation.start.waiting": "idle_tasks own_tasks_of",
        "annotation.tagging.codebook": "labels_of",
        "services.batches": "people_named",
        "services.bundle": "exports_folder releases_folder",
    }
)
"""They tell names and numbers of a project that who is in it may know, and no decision."""

OF_ITEM = {"annotation.ocr.forms.correction_shown", "services.ocr.publishing.page_view"}
"""They take what an item says that it shows; who opened it was asked then."""

INNER = functions(
    {
        "annotation.gold.amended_items": "watched",
        "annotation.gold.rechecks": "unit_changes",
        "annotation.gold.cited_units": "cites",
        "services.answers.asking": "ask_answers",
        "services.answers.estimate": "estimate",
        "services.answers.scores": "kept_bert_scores rouge_scores score_answers",
        "services.attribution.claims": "ask_judge split_claims",
        "services.attribution.labelling": "label_claims",
        "services.augmentation.writing": "write",
        "services.background.tasks": "alone start",
        "services.cascade.running": "run_cascade",
        "services.figures.dataset_statistics": "project_likeness",
        "services.figures.figure_data": "figure_inputs",
        "services.gold.datasheet": "gold_datasheet",
        "services.gold.gold_set": "chosen_snapshot gold_set gold_sets required_gold",
        "services.gold.leakage": "leakage_of",
        "services.gold.reference_sets": "reference_sets",
        "services.gold.splits": "asked_of split_of_gold word_index",
        "services.judging.items": "provisions_of_gold",
        "services.judging.model_judging": "run_judge",
        "services.law.activation": "bring_into_use outcome waits_for_candidates",
        "services.law.importing": "add_law keep_law",
        "services.law.watch": "unconfirmed",
        "services.mapping.candidate_methods": "keep_made made_for proposals candidate_method",
        "services.mcq.generation": "generate",
        "services.mcq.importing": "keep_filtered",
        "services.mcq.solving": "solve",
        "services.ocr.drafting": "keep_page_draft",
        "services.ocr.vision_drafting": "draft_with_model",
        "services.overview.guide": "guide_of",
        "services.pace": "expected_seconds keep_pace",
        "services.reformulation.wording": "word_by_model",
        "services.research.search": "authority_at search_at",
        "services.runs.methods.preparation": "learning_from",
        "services.runs.questions": "not_searched",
        "services.runs.retrieving": "ground",
        "services.runs.rows": "run_reading_notes scored_runs",
        "services.runs.scoring": "kept_scores scored_on",
        "services.runs.strata": "gold_headed query_columns questions_in",
        "services.tagging.suggestions": "suggest",
    }
)
"""They ask nobody: what calls them has. No screen may."""

MODELS = functions(
    {
        "services.answers.scores": "scores_kept settings_kept",
        "services.models.asking": "ask_each ask_each_for said_of_each",
        "services.models.llm_adapter": "past_models",
        "services.models.prompts": "project_prompts prompt_wordings",
        "services.models.workspace_models": "calls load_settings model "
        "roles settings_file try_roles",
        "services.readings": "readers",
    }
)
"""They tell of the workspace's models, and call one; who may have work done by it asks itself."""

OPERATOR = functions(
    {
        "annotation.people.accounts": "make_administrator require_usable",
        "services.backup": "back_up restore",
        "services.runs.methods.index_cache": "cache_bytes clear_indexes kept_indexes",
        "services.sample.loading": "bring_sample_pages load_sample "
        "load_worked_sample tag_sample_cases",
    }
)
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
                assert taken.isdisjoint([*INNER, *OPERATOR]), file


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


def outcome(call: Callable[..., Any], scene: Scene, name: str) -> UserError | None:
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
