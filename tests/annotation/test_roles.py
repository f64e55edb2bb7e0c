"""Every role tries every command: the table decides, and nothing else does."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import annotation
import jobs
from annotation import people
from annotation.batch_making import Plan
from annotation.choosing import Choice
from annotation.exchange.foreign import Fields
from annotation.quality_views import Part
from annotation.roles import MAY, Act, Role, may, who_may
from annotation.standing import NotAllowedError
from construction.mcq.pairs import Wanted
from corpus.importers.mapping import ReadingRules
from corpus.judgments.mapping import CaseRules
from errors import UserError
from evaluation.measures import Measure
from jobs.compare import snapshots
from jobs.datasheet import Sheet
from jobs.factor_suggest import Wish as FactorWish
from jobs.judge_answers import Answering
from jobs.judge_run import Plan as JudgePlan
from jobs.label_guide import Guide
from jobs.mcq_generate import Wish
from jobs.mcq_solve import Ask
from jobs.retrieval_work import Kind as Retrieval
from storage.imports import keep_statutes
from storage.runs import RunKey, find_run, keep_run
from storage.workspace import Workspace
from tests.annotation.house import SLUG, House, statute
from tests.conftest import ROOT
from tests.construction.factors.books import SMALL as FACTORS
from tests.construction.typology.small import SMALL
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


def of_run(*rest: Callable[[Scene], Any]) -> Call:
    """Call with the workspace and a run of the project, `by` the person."""
    return lambda s, f: f(s.ws, a_run(s), *(each(s) for each in rest), by=s.who)


def a_run(s: Scene) -> int:
    """Return a run of the project that found nothing, made once."""
    with s.ws.writing() as session:
        key = RunKey(1, 1, "bm25", {"k": 1, "tokeniser": "whitespace"}, "")
        return find_run(session, key) or keep_run(session, key, {}, s.ws.clock())


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


REGISTRY: dict[str, tuple[Act, Call]] = {
    "annotation.factor_settling.disputes": (Act.ADJUDICATE, mine()),
    "annotation.factor_settling.open_dispute": (Act.ADJUDICATE, mine(item, value("weapon"))),
    "annotation.factor_settling.settle_factor": (
        Act.ADJUDICATE,
        mine(item, value("weapon"), value(["knife"]), value("reason")),
    ),
    "annotation.suggesting.read_setting": (Act.READ_LAW, of_project()),
    "annotation.suggesting.set_suggestions": (Act.EDIT_GUIDELINES, of_project(value("hidden"))),
    "annotation.tagging.next_along": (Act.ANNOTATE, mine(item, value("weapon"), value(1))),
    "annotation.tagging.own_case": (
        Act.ANNOTATE,
        mine(value(SimpleNamespace(item_id=1, subject_id=1))),
    ),
    "annotation.tagging.progress": (Act.ANNOTATE, mine()),
    "annotation.tagging.suggestions_after": (Act.ANNOTATE, mine(item)),
    "annotation.mcq_disputes.disputes": (Act.ADJUDICATE, mine()),
    "annotation.mcq_disputes.open_dispute": (Act.ADJUDICATE, mine(item)),
    "annotation.mcq_views.own_view": (
        Act.ANNOTATE,
        mine(lambda s: SimpleNamespace(answers={}, status="todo", subject_id=1)),
    ),
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
    "annotation.giving_back.ask_back": (Act.ANNOTATE, mine(item, value("why"))),
    "annotation.giving_back.requests": (Act.GIVE_BACK, mine()),
    "annotation.giving_back.give_back": (Act.GIVE_BACK, mine(item, ben, value("why"))),
    "annotation.giving_back.decline": (Act.GIVE_BACK, mine(value(1), value("why"))),
    "annotation.commands.take_back": (Act.ANNOTATE, mine(item)),
    "annotation.answers.commands.answer": (
        Act.ANNOTATE,
        mine(item, value("field"), value("words")),
    ),
    "annotation.answers.commands.take_up": (Act.ANNOTATE, mine(item)),
    "annotation.answers.commands.submit": (Act.ANNOTATE, mine(item)),
    "annotation.answers.desk.open_item": (Act.ANNOTATE, mine(item)),
    "annotation.answers.settling.settle": (
        Act.ADJUDICATE,
        mine(item, value({"field": "words"}), value("reason")),
    ),
    "annotation.judge_case.blind_case": (Act.ANNOTATE, mine(value(1))),
    "annotation.judge_case.open_case": (
        Act.REVIEW_JUDGE,
        mine(value(SimpleNamespace(subject_id=1, shown={}))),
    ),
    "jobs.factor_codebook.held": (Act.READ_LAW, of_project()),
    "jobs.factor_codebook.outlook": (Act.READ_LAW, of_project(value(FACTORS))),
    "jobs.factor_codebook.save_codebook": (
        Act.EDIT_GUIDELINES,
        of_project(value(FACTORS), value("why")),
    ),
    "jobs.prompts.list_prompts": (Act.MAKE_ITEMS, of_project()),
    "jobs.prompts.save_prompt": (
        Act.MAKE_ITEMS,
        of_project(*map(value, ("judge_binary", "en", "words", "why", 1))),
    ),
    "jobs.judge_wording.asked": (Act.REVIEW_JUDGE, mine(value(SimpleNamespace(verdicts=())))),
    "annotation.answers.ocr_verification.correction_shown": (
        Act.ANNOTATE,
        mine(value({"correction": 1})),
    ),
    "annotation.threads.say": (Act.COMMENT, mine(item, value("words"))),
    "annotation.threads.thread": (Act.COMMENT, mine(item)),
    "annotation.desk.queue": (Act.ANNOTATE, mine()),
    "annotation.desk.next_item": (Act.ANNOTATE, mine()),
    "annotation.desk.open_item": (Act.ANNOTATE, mine(item)),
    "annotation.desk.revision": (Act.ANNOTATE, mine(item)),
    "annotation.desk.last_submitted": (Act.ANNOTATE, mine()),
    "annotation.desk.last_left": (Act.ANNOTATE, mine()),
    "annotation.adjudication.queue": (Act.ADJUDICATE, mine()),
    "annotation.adjudication.open_case": (Act.ADJUDICATE, mine(item)),
    "annotation.adjudication.decide": (
        Act.ADJUDICATE,
        mine(item, value([1]), value(False), value("reason"), value(1.0)),
    ),
    "annotation.agreement.report": (Act.SEE_AGREEMENT, of_project()),
    "annotation.gold.derive": (Act.SEE_GOLD, of_project()),
    "annotation.calibration.known_from_gold": (Act.ASSIGN, of_project()),
    "annotation.choosing.preview": (Act.ASSIGN, of_project(value(Choice()))),
    "annotation.reverify.project_rechecks": (
        Act.READ_OTHERS_LABELS,
        of_project(),
    ),
    "annotation.reverify.rechecks": (Act.READ_LAW, mine()),
    "annotation.check.check": (Act.EXPORT_HISTORY, of_project()),
    "annotation.people.add_person": (
        Act.MANAGE_PEOPLE,
        of_project(value("New"), value("annotator")),
    ),
    "annotation.referring.refer": (Act.ADJUDICATE, mine(item, value("reason"), value([1]))),
    "annotation.referring.recall": (Act.GIVE_BACK, mine(item)),
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
    "annotation.exchange.files.annotations_bytes": (Act.MANAGE_PEOPLE, of_project()),
    "annotation.exchange.files.export_annotations": (
        Act.MANAGE_PEOPLE,
        of_project(lambda s: s.folder / "annotations.jsonl"),
    ),
    "annotation.exchange.files.import_annotations": (
        Act.MANAGE_PEOPLE,
        of_project(lambda s: s.folder / "none"),
    ),
    "jobs.import_labels.preview_labels": (
        Act.IMPORT_LABELS,
        of_project(
            lambda s: s.folder / "none", value("argilla"), value(Guide(Fields("i", "c"), {}, {}))
        ),
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
    "annotation.documents_migrating.migrate_answers": (
        Act.EDIT_GUIDELINES,
        of_project(*map(value, ("codebook", "citation_mapping", 1, 2, {}, "reason"))),
    ),
    "annotation.documents_migrating.migrations": (
        Act.READ_LAW,
        of_project(value("codebook"), value("citation_mapping")),
    ),
    "annotation.documents_migrating.preview": (
        Act.EDIT_GUIDELINES,
        of_project(*map(value, ("codebook", "citation_mapping", 1, 2, {}))),
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
    "annotation.batch_views.last_batch": (Act.COMMENT, mine()),
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
    "jobs.court_case_import.case_rules": (
        Act.IMPORT_QUESTIONS,
        of_project(a_judgment, value(CaseRules())),
    ),
    "jobs.court_case_import.preview_court_cases": (Act.IMPORT_QUESTIONS, of_project(a_judgment)),
    "jobs.court_case_import.import_court_cases": (Act.IMPORT_QUESTIONS, of_project(a_judgment)),
    "jobs.court_case_views.list_court_cases": (Act.READ_LAW, of_project()),
    "jobs.court_case_views.read_court_case": (Act.READ_LAW, of_project(value("c1"))),
    "annotation.typologies.edition": (Act.READ_LAW, of_project()),
    "annotation.typologies.editions": (Act.READ_LAW, of_project()),
    "annotation.typologies.save": (
        Act.EDIT_GUIDELINES,
        of_project(value(SMALL), value("ours"), value(1)),
    ),
    "jobs.case_groups.case_groups": (Act.READ_LAW, of_project()),
    "jobs.case_groups.moves": (Act.READ_LAW, of_project(value(SMALL))),
    "jobs.case_groups.choose_query": (
        Act.EDIT_GUIDELINES,
        of_project(value("honour.insult"), value("c1")),
    ),
    "jobs.stricter.revision": (Act.READ_OTHERS_LABELS, of_project()),
    "jobs.stricter.stricter": (Act.READ_OTHERS_LABELS, of_project()),
    "jobs.case_benchmark.export_benchmark": (
        Act.EXPORT_GOLD,
        of_project(lambda s: s.folder / "out"),
    ),
    "jobs.case_scores.score_file": (Act.SEE_SCORES, of_project(lambda s: s.folder / "none")),
    "jobs.case_scores.score_bm25": (Act.RUN_RETRIEVAL, of_project()),
    "jobs.compare.compare": (Act.READ_LAW, of_project()),
    "jobs.to_check.to_check": (
        Act.READ_LAW,
        lambda s, f: f(two_laws(s), SLUG, s.who),
    ),
    "jobs.compare.snapshots": (Act.READ_LAW, of_project()),
    "jobs.evaluate.evaluate_run": (Act.SEE_SCORES, of_run()),
    "jobs.factor_report.factor_report": (Act.READ_OTHERS_LABELS, of_project()),
    "jobs.factor_report.revision": (Act.READ_OTHERS_LABELS, of_project()),
    "jobs.factor_items.make_items": (Act.MAKE_ITEMS, of_project()),
    "jobs.factor_items.standing": (Act.MAKE_ITEMS, of_project()),
    "jobs.factor_suggest.close_suggesting": (Act.MAKE_ITEMS, of_project()),
    "jobs.factor_suggest.plan_suggesting": (Act.MAKE_ITEMS, of_project(value(FactorWish()))),
    "jobs.factor_suggest.start_suggesting": (Act.MAKE_ITEMS, of_project(value(FactorWish()))),
    "jobs.factor_suggest.suggesting": (Act.MAKE_ITEMS, of_project()),
    "jobs.factor_tables.tags_csv": (Act.EXPORT_GOLD, of_project()),
    "jobs.graph_report.graph_report": (Act.READ_LAW, of_project()),
    "jobs.in_use.law_in_use": (Act.READ_LAW, of_project()),
    "annotation.judge_state.systems_of": (Act.READ_OTHERS_LABELS, of_project()),
    "annotation.judge_state.states_of": (Act.READ_OTHERS_LABELS, of_project()),
    "jobs.judge_answers.answer_questions": (
        Act.MAKE_ITEMS,
        of_project(value(Answering())),
    ),
    "jobs.judge_answers.plan_answers": (Act.MAKE_ITEMS, of_project(value(Answering()))),
    "jobs.judge_background.start_answers": (Act.MAKE_ITEMS, of_project(value(Answering()))),
    "jobs.judge_background.start": (Act.MAKE_ITEMS, of_project(value(JudgePlan()))),
    "jobs.judge_export.export_judging": (
        Act.EXPORT_GOLD,
        of_project(lambda s: s.folder / "judging"),
    ),
    "jobs.judge_import.import_cases": (Act.MAKE_ITEMS, of_project(lambda s: s.folder / "none")),
    "jobs.judge_import.import_verdicts": (
        Act.MAKE_ITEMS,
        of_project(lambda s: s.folder / "none"),
    ),
    "jobs.judge_ratings.import_ratings": (
        Act.IMPORT_LABELS,
        of_project(lambda s: s.folder / "none"),
    ),
    "jobs.judge_export.zipped_judging": (Act.EXPORT_GOLD, of_project()),
    "jobs.judge_report.revision": (Act.READ_OTHERS_LABELS, of_project()),
    "jobs.judge_report.report": (Act.READ_OTHERS_LABELS, of_project()),
    "jobs.judge_run.plan_calls": (Act.MAKE_ITEMS, of_project(value(JudgePlan()))),
    "jobs.judge_run.run_judge": (Act.MAKE_ITEMS, of_project(value(JudgePlan()))),
    "jobs.leaderboard.leaderboard": (Act.SEE_SCORES, of_project()),
    "jobs.citation_path.citation_path": (Act.SEE_SCORES, of_run(value("q1"), value("unit"))),
    "jobs.run_questions.query_detail": (Act.SEE_SCORES, of_run(value("q1"))),
    "jobs.run_notes.other_name": (Act.SEE_SCORES, of_run(value("a name"))),
    "jobs.run_questions.query_list": (Act.SEE_SCORES, of_run()),
    "jobs.figure_choices.askable": (Act.SEE_SCORES, of_project()),
    "jobs.figure_choices.dense_specs": (Act.SEE_SCORES, of_project()),
    "jobs.figure_choices.other_projects": (Act.SEE_SCORES, of_project(value(None))),
    "jobs.experiment.check_experiment": (Act.RUN_RETRIEVAL, of_project(value("name: one"))),
    "jobs.experiment.run_experiment": (Act.RUN_RETRIEVAL, of_project(value("name: one"))),
    "jobs.experiment.stored_experiment": (Act.SEE_SCORES, of_project(value(1))),
    "jobs.experiment_results.experiment_list": (Act.SEE_SCORES, of_project()),
    "jobs.experiment_results.experiment_results": (Act.SEE_SCORES, of_project(value(1))),
    "jobs.figures.hit_rates": (Act.SEE_SCORES, of_project()),
    "jobs.figures.question_figure": (Act.SEE_SCORES, of_project(value("q1"))),
    "jobs.figures.run_bars": (
        Act.SEE_SCORES,
        lambda s, f: f(s.ws, [a_run(s)], [Measure("AP")], by=s.who),
    ),
    "jobs.figures.run_names": (Act.SEE_SCORES, of_project()),
    "jobs.figures.similarity_curves": (
        Act.SEE_SCORES,
        lambda s, f: f(s.ws, [a_run(s)], Measure("AP"), by=s.who),
    ),
    "jobs.dataset_statistics.statistics": (Act.SEE_SCORES, of_project()),
    "jobs.outline.current_snapshot": (Act.READ_LAW, of_project()),
    "jobs.overview.overview": (Act.READ_LAW, of_project()),
    "jobs.preview.preview_statutes": (Act.IMPORT_LAW, of_project(lambda s: s.folder / "none")),
    "jobs.reading_rules.save_rules": (Act.IMPORT_LAW, of_project(value(ReadingRules()))),
    "jobs.reading_rules.saved_rules": (Act.IMPORT_LAW, of_project()),
    "jobs.retrieve.export_run": (Act.RUN_RETRIEVAL, of_run(lambda s: s.folder / "run.trec")),
    "jobs.run_import.import_run": (
        Act.RUN_RETRIEVAL,
        of_project(lambda s: s.folder / "run.trec"),
    ),
    "jobs.significance.compare_runs": (Act.SEE_SCORES, of_project()),
    "jobs.strata.strata_of": (Act.SEE_SCORES, of_project()),
    "jobs.run_questions.runs_asked": (
        Act.SEE_SCORES,
        lambda s, f: f(s.ws, [a_run(s)], "q1", by=s.who),
    ),
    "jobs.retrieve.run_text": (Act.RUN_RETRIEVAL, of_run()),
    "jobs.search_levels.read_levels": (Act.READ_LAW, of_project()),
    "jobs.search_levels.set_levels": (Act.SET_LEVELS, of_project(value(["article"]))),
    "jobs.snapshots.use_snapshot": (Act.IMPORT_LAW, of_project(value(1))),
    "jobs.graph.build": (Act.IMPORT_LAW, of_project()),
    "jobs.mcq_export.export_mcqs": (
        Act.EXPORT_GOLD,
        of_project(lambda s: s.folder / "questions"),
    ),
    "jobs.mcq_generate.count_pairs": (Act.MAKE_ITEMS, of_project(value(Wanted()))),
    "jobs.mcq_generate.plan": (Act.MAKE_ITEMS, of_project(value(Wish()))),
    "jobs.mcq_import.import_mcqs": (Act.MAKE_ITEMS, of_project(lambda s: s.folder / "none")),
    "jobs.mcq_items.mcq_detail": (Act.READ_OTHERS_LABELS, of_project(value(1))),
    "jobs.mcq_items.mcq_lines": (Act.READ_OTHERS_LABELS, of_project()),
    "jobs.mcq_report.mcq_report": (Act.READ_OTHERS_LABELS, of_project()),
    "jobs.mcq_replies.mcq_replies": (Act.READ_OTHERS_LABELS, of_project()),
    "jobs.mcq_solve.plan_solving": (Act.MAKE_ITEMS, of_project(value(Ask()))),
    "jobs.mcq_work.close_work": (Act.MAKE_ITEMS, of_project(value("mcq_solve"))),
    "jobs.mcq_work.start_solving": (Act.MAKE_ITEMS, of_project(value(Ask()))),
    "jobs.mcq_work.start_writing": (Act.MAKE_ITEMS, of_project(value(Wish()))),
    "jobs.mcq_work.work_of": (Act.MAKE_ITEMS, of_project(value("mcq_solve"))),
    "jobs.page_drafts.draft_pages": (Act.MAKE_ITEMS, of_project()),
    "jobs.page_drafts.plan_drafts": (Act.MAKE_ITEMS, of_project(value("tesseract 5"))),
    "jobs.page_drafts.plan_tesseract": (Act.MAKE_ITEMS, of_project()),
    "jobs.page_images.image_of": (Act.READ_LAW, of_project(value(1))),
    "jobs.page_publish.publish_pages": (Act.IMPORT_LAW, of_project()),
    "jobs.page_region.read_region": (Act.ANNOTATE, of_project(value(1), value([0, 0, 9, 9]))),
    "jobs.page_report.ocr_report": (Act.READ_OTHERS_LABELS, of_project()),
    "jobs.page_sources.unit_sources": (Act.READ_LAW, of_project(value(1), value("unit"))),
    "jobs.page_vision.plan_vision": (Act.MAKE_ITEMS, of_project()),
    "jobs.page_work.close_drafting": (Act.MAKE_ITEMS, of_project()),
    "jobs.page_work.drafting": (Act.MAKE_ITEMS, of_project()),
    "jobs.page_work.start_drafting": (Act.MAKE_ITEMS, of_project(value("tesseract"))),
    "jobs.pages_import.import_pages": (Act.MAKE_ITEMS, of_project(lambda s: s.folder / "none")),
    "jobs.pages_import.import_uploaded": (Act.MAKE_ITEMS, of_project(value([]))),
    "jobs.candidates.build_candidates": (Act.BUILD_CANDIDATES, of_project()),
    "jobs.retrieval_work.close_retrieval": (Act.RUN_RETRIEVAL, of_project(value(Retrieval.RUN))),
    "jobs.retrieval_work.retrieval_work": (Act.RUN_RETRIEVAL, of_project(value(Retrieval.RUN))),
    "jobs.retrieval_work.start_candidates": (
        Act.BUILD_CANDIDATES,
        of_project(value({"method": "guess"})),
    ),
    "jobs.retrieval_work.start_experiment": (Act.RUN_RETRIEVAL, of_project(value("name: one"))),
    "jobs.retrieval_work.start_run": (
        Act.RUN_RETRIEVAL,
        of_project(value({"method": "guess"}), value(5)),
    ),
    "jobs.retrieve.retrieve": (Act.RUN_RETRIEVAL, of_project()),
    "jobs.export_gold.datasheet": (Act.EXPORT_GOLD, of_project(value(Sheet("MIT")))),
    "jobs.export_gold.export_gold": (Act.EXPORT_GOLD, of_project(lambda s: s.folder / "gold")),
}
"""Every public function that a person calls: what it does, and a call of it by that person."""

TESTED_ELSEWHERE = {
    "annotation.batch_desk.leading": "what every command of annotation.batches begins with",
    "annotation.opening.opened": "what opening an item begins with",
    "annotation.pen.drafting": "what every act on a draft begins with",
    "annotation.pen.writing": "what every act on an item begins with",
    "annotation.invitations.revoke": "tests/annotation/test_invitations.py",
    "jobs.evaluate.require_scores": "what jobs.evaluate.evaluate_run begins with",
    "annotation.invitations.offer_reset": "`by` is a steward: tests/annotation/test_sign_in.py",
}

DOORS = {"accounts", "invitations", "sessions", "sign_in", "standing"}
"""Modules of `annotation` that say who somebody is: they ask for secrets, not for roles."""

LAW = {
    "annotation.changes.changes",
    "annotation.moved.moved",
    "jobs.graph.build_snapshot",
    "jobs.graph.neighbourhood",
    "jobs.graph.unit_page",
    "jobs.index.catalogue",
    "jobs.index.search_units",
    "jobs.index.text_index",
    "jobs.index.title_index",
    "jobs.methods.corpus_of",
    "jobs.methods.prepared",
    "jobs.methods.ready",
    "jobs.methods.resources",
    "jobs.methods.searched_corpus",
    "jobs.outline.chapters",
    "jobs.outline.statutes",
    "jobs.overview.graph_counts",
    "jobs.overview.law_counts",
}
"""They take a snapshot by its number and tell of its law alone, and of nothing that people did."""

NAMES = {
    "annotation.batch_views.batch_named",
    "annotation.giving_back.items_called",
    "annotation.history.asked",
    "annotation.people.list_people",
    "jobs.assign.people_named",
    "jobs.bundle.exports_folder",
    "jobs.judge_background.newest",
}
"""They tell names and numbers of a project that who is in it may know, and no decision."""

OF_ITEM = {
    "annotation.answers.ocr_verification.correction_shown",
    "jobs.page_views.page_view",
}
"""They take what an item says that it shows; who opened it was asked then."""

INNER = {
    "jobs.lexical_likeness.project_likeness",
    "jobs.lexical_likeness.question_gold",
    "jobs.imports.keep_law",
    "jobs.law_in_use.bring_into_use",
    "jobs.law_in_use.outcome",
    "jobs.law_in_use.waits",
    "jobs.proposing.keep_made",
    "jobs.proposing.made_for",
    "jobs.proposing.proposals",
    "jobs.proposing.way_of",
    "jobs.page_drafts.keep_page_draft",
    "jobs.page_vision.draft_with_model",
    "jobs.beside.forget",
    "jobs.beside.latest",
    "jobs.beside.start",
    "jobs.mcq_filter.keep_filtered",
    "jobs.mcq_generate.generate",
    "jobs.factor_suggest.suggest",
    "jobs.mcq_solve.solve",
    "jobs.strata.query_columns",
    "jobs.strata.questions_in",
    "jobs.kept_scores.kept_scores",
    "jobs.run_lines.scored_runs",
    "annotation.gold.derive_as_decided",
    "jobs.datasheet.datasheet_facts",
    "jobs.datasheet.pseudonyms",
    "jobs.evaluate.score_run",
    "jobs.evaluate.scored_on",
    "jobs.figure_ground.ground",
    "jobs.gold_set.chosen_snapshot",
    "jobs.gold_set.gold_set",
    "jobs.gold_set.gold_sets",
    "jobs.gold_set.required_gold",
    "jobs.retrieve.ground",
    "jobs.run_notes.run_unanswered",
    "jobs.judge_provisions.provisions_of_gold",
}
"""They ask nobody: what calls them has. No screen may."""

MODELS = {
    "jobs.asking.ask_in_turn",
    "jobs.judge_answers.system_name",
    "jobs.judge_run.judge_name",
    "jobs.models.calls",
    "jobs.models.load_settings",
    "jobs.models.model",
    "jobs.models.roles",
    "jobs.models.settings_file",
    "jobs.models.try_roles",
    "jobs.prompts.project_prompts",
}
"""They tell of the workspace's models, and call one; who may have work done by it asks itself."""

OPERATOR = {
    "jobs.backup.back_up",
    "jobs.backup.restore",
    "jobs.kept_indexes.cache_bytes",
    "jobs.kept_indexes.clear_indexes",
    "jobs.kept_indexes.kept_indexes",
    "jobs.sample.load_sample",
    "jobs.sample_pages.bring_sample_pages",
    "jobs.sample_tags.tag_sample_cases",
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


def function(name: str) -> Any:
    module, _, short = name.rpartition(".")
    return getattr(import_module(module), short)


def test_every_public_command_is_in_the_registry() -> None:
    found = {*commands(annotation), *commands(jobs)}
    known = {*REGISTRY, *TESTED_ELSEWHERE, *LAW, *NAMES, *OF_ITEM, *INNER, *MODELS, *OPERATOR}
    doors = {name for name in found - known if name.split(".")[1] in DOORS}
    assert sorted(found - known - doors) == []
    assert sorted(known - found) == []


def test_screens_start_nothing_that_asks_nobody() -> None:
    for file in (ROOT / "pages").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                taken = {f"{node.module}.{each.name}" for each in node.names}
                assert not taken & (INNER | OPERATOR), file


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
