"""Baseline: every table of version 1.0.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "v1_0001"
down_revision = None

_TABLES = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
_LOGS: list[str] = []


def upgrade() -> None:
    """Make every table, and let nobody change or remove what people and models said."""
    _TABLES.create_all(op.get_bind(), checkfirst=False)
    only_added(*_LOGS)


def downgrade() -> None:
    """Refuse: nothing lies below the baseline."""
    raise NotImplementedError


def _table(name: str, *parts: Sequence[sa.schema.SchemaItem]) -> None:
    key = sa.Column("id", sa.Integer, primary_key=True)
    sa.Table(name, _TABLES, key, *(item for part in parts for item in part))


def _log(name: str, *parts: Sequence[sa.schema.SchemaItem]) -> None:
    """Declare a table whose rows are only ever added."""
    _table(name, *parts)
    _LOGS.append(name)


def _columns(
    kind: type[Any], *names: str, null: bool = False, **options: Any
) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=null, **options) for name in names]


_text = partial(_columns, sa.String)
_number = partial(_columns, sa.Integer)
_real = partial(_columns, sa.Float)
_flag = partial(_columns, sa.Boolean)
_date = partial(_columns, sa.Date)
_time = partial(_columns, sa.DateTime)
_json = partial(_columns, sa.JSON)
_bytes = partial(_columns, sa.LargeBinary)


def _ref(table: str, column: str, null: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(column, sa.Integer, sa.ForeignKey(f"{table}.id"), nullable=null)]


def _refs(*tables: str, null: bool = False) -> list[sa.Column[Any]]:
    return [column for table in tables for column in _ref(table, f"{table}_id", null)]


def _check(name: str, condition: str) -> list[sa.CheckConstraint]:
    return [sa.CheckConstraint(condition, name=name)]


def _one_of(column: str, *values: str) -> list[sa.CheckConstraint]:
    listed = ", ".join(f"'{value}'" for value in values)
    return _check(f"{column}_is_known", f"{column} IN ({listed})")


def _unique(*columns: str) -> list[sa.UniqueConstraint]:
    return [sa.UniqueConstraint(*columns)]


def _index(*columns: str, name: str | None = None) -> list[sa.Index]:
    return [sa.Index(name, *columns)]


def _first_of(table: str, *columns: str) -> list[sa.Index]:
    """Return the index that lets each chain of superseding rows have one first row only."""
    first = sa.text("supersedes_id IS NULL")
    name = f"ux_{table}_first"
    return [sa.Index(name, *columns, unique=True, sqlite_where=first, postgresql_where=first)]


# People, law in use, questions, and what people decide on them
_table(
    "account",
    _text("login", "name"),
    _text("password_hash", "subject", null=True),
    _flag("steward", "active"),
    _time("created_at"),
    _unique("login"),
    _unique("subject"),
)
_table(
    "sign_in_failure",
    _text("key_hash"),
    _number("failures"),
    _time("at"),
    _unique("key_hash"),
    _index("at"),
)
_table(
    "project",
    _text("slug", "title"),
    _number("overlap"),
    _time("created_at"),
    _flag("open_pool", server_default=sa.false()),
    _unique("slug"),
)
_table(
    "person",
    _refs("project"),
    _refs("account", null=True),
    _text("name", "role"),
    _flag("active"),
    _time("created_at"),
    _one_of("role", "annotator", "lawyer", "adjudicator", "researcher", "administrator"),
    _unique("project_id", "account_id"),
    _unique("project_id", "name"),
    _index("account_id"),
)
_table(
    "snapshot",
    _refs("project"),
    _text("name"),
    _date("effective", null=True),
    _text("content_hash"),
    _time("created_at"),
    _unique("project_id", "content_hash"),
)
_table("snapshot_use", _refs("project", "snapshot"), _time("at"), _index("project_id"))
_table(
    "statute",
    _refs("snapshot"),
    _text("semantic_id", "title", "kind"),
    _number("tier"),
    _text("language"),
    _date("promulgated", null=True),
    _text("number"),
    _date("effective", null=True),
    _text("source", "file"),
    _text("jurisdiction", server_default=""),
    _unique("snapshot_id", "semantic_id"),
)
_table(
    "unit",
    _refs("snapshot", "statute"),
    _text("semantic_id", "level", "label", "heading", "text"),
    _number("order"),
    _json("path", "parts"),
    _flag("deleted", "text_missing"),
    _date("effective", null=True),
    _unique("snapshot_id", "semantic_id"),
    _index("statute_id"),
)
_table(
    "question",
    _refs("project"),
    _text("external_id", "text", "answer", "language"),
    _json("source"),
    _text("jurisdiction", server_default=""),
    _unique("project_id", "external_id"),
)
_table(
    "item",
    _refs("project"),
    _refs("question", null=True),
    _text("task"),
    _number("order"),
    _number("subject_id", null=True),
    _text("external_id", "title", null=True),
    _check("is_of_one_thing", "(question_id IS NULL) <> (subject_id IS NULL)"),
    _unique("project_id", "task", "order"),
    _unique("question_id", "task"),
    _unique("task", "subject_id"),
)
_log(
    "candidate_set",
    _refs("item", "snapshot"),
    _text("method"),
    _json("citations"),
    _time("created_at"),
    _json("shown", null=True),
    _index("item_id"),
)
_log(
    "candidate",
    _refs("candidate_set", "unit"),
    _number("rank"),
    _json("why"),
    _unique("candidate_set_id", "rank"),
    _unique("candidate_set_id", "unit_id"),
)
_log(
    "draft_event",
    _refs("item", "person"),
    _text("kind"),
    _json("payload"),
    _ref("draft_event", "undoes_id", null=True),
    _time("at"),
    _one_of(
        "kind",
        "open",
        "label",
        "add",
        "no_provision",
        "comment",
        "flag",
        "skip",
        "undo",
        "submit",
        "withdraw",
        "migrate",
    ),
    _unique("undoes_id"),
    _index("item_id", "person_id", name="ix_draft_event_item_person"),
    _index("person_id"),
)
_log(
    "annotation",
    _refs("item", "person"),
    _text("kind"),
    _flag("no_provision"),
    _text("comment", "flag"),
    _ref("annotation", "supersedes_id", null=True),
    _refs("snapshot", "candidate_set"),
    _text("guideline_version", "codebook_version"),
    _ref("draft_event", "event_id"),
    _real("seconds", null=True),
    _time("at"),
    _one_of("kind", "submit", "withdraw"),
    _unique("event_id"),
    _unique("supersedes_id"),
    _index("item_id", "person_id", "kind", name="ix_annotation_item_person_kind"),
    _index("person_id"),
    _first_of("annotation", "item_id", "person_id"),
)
_log(
    "annotation_label",
    _refs("annotation", "unit"),
    _text("label"),
    _one_of("label", "accept", "reject", "unsure"),
    _unique("annotation_id", "unit_id"),
)
_log(
    "adjudication",
    _refs("item", "person"),
    _flag("no_provision"),
    _text("reason"),
    _json("annotation_ids"),
    _ref("adjudication", "supersedes_id", null=True),
    _refs("snapshot", "candidate_set"),
    _text("guideline_version", "codebook_version"),
    _real("seconds"),
    _time("at"),
    _unique("supersedes_id"),
    _index("item_id"),
    _first_of("adjudication", "item_id"),
)
_log("adjudication_label", _refs("adjudication", "unit"), _unique("adjudication_id", "unit_id"))
_table(
    "run",
    _refs("project", "snapshot"),
    _text("method"),
    _json("params"),
    _text("gold_hash"),
    _time("created_at"),
    _index("project_id"),
)
_table("run_hits", _refs("run", "question"), _json("hits"), _unique("run_id", "question_id"))
_log(
    "candidate_way",
    _refs("candidate_set"),
    _json("spec"),
    _text("in_place_of", null=True),
    _unique("candidate_set_id"),
)
_log(
    "undone_decision",
    _refs("item", "person"),
    _refs("adjudication", "settlement", null=True),
    _text("reason"),
    _time("at"),
    _check("is_of_one_decision", "(adjudication_id IS NULL) <> (settlement_id IS NULL)"),
    _unique("adjudication_id"),
    _unique("settlement_id"),
    _index("item_id"),
)
_log(
    "annotation_answer",
    _refs("annotation"),
    _text("field"),
    _json("value"),
    _unique("annotation_id", "field"),
)
_log(
    "settlement",
    _refs("item", "person"),
    _json("answers"),
    _text("reason"),
    _json("annotation_ids"),
    _ref("settlement", "supersedes_id", null=True),
    _time("at"),
    _unique("supersedes_id"),
    _index("item_id"),
    _first_of("settlement", "item_id"),
)

# Places in projects, batches, guidelines and conversations
_log(
    "account_event",
    _refs("account"),
    _text("kind"),
    _json("payload"),
    _ref("account", "by_account_id", null=True),
    _time("at"),
    _index("account_id"),
)
_log(
    "person_event",
    _refs("person"),
    _text("kind"),
    _json("payload"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _index("person_id"),
)
_table(
    "invitation",
    _refs("project"),
    _text("role", "note", "secret_hash"),
    _ref("person", "by_person_id", null=True),
    _time("created_at", "expires_at"),
    _time("revoked_at", null=True),
    _refs("person", null=True),
    _unique("secret_hash"),
    _index("project_id"),
)
_table(
    "batch",
    _refs("project"),
    _text("task", "name"),
    _number("overlap"),
    _text("sequence"),
    _number("seed"),
    _flag("practice"),
    _time("deadline", "closed_at", null=True),
    _time("created_at"),
    _one_of("sequence", "given", "random", "informative"),
    _unique("project_id", "name"),
)
_table(
    "batch_item",
    _refs("batch", "item"),
    _number("position"),
    _flag("calibration"),
    _unique("batch_id", "position"),
    _unique("item_id"),
)
_table(
    "batch_person",
    _refs("batch", "person"),
    _time("added_at"),
    _unique("batch_id", "person_id"),
    _index("person_id"),
)
_log(
    "batch_event",
    _refs("batch"),
    _text("kind"),
    _json("payload"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _index("batch_id"),
)
_table(
    "lease",
    _refs("item", "person"),
    _time("taken_at", "expires_at"),
    _unique("item_id", "person_id"),
    _index("person_id"),
)
_log(
    "known_answer",
    _refs("item"),
    _json("answer"),
    _text("explanation"),
    _ref("known_answer", "supersedes_id", null=True),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _unique("supersedes_id"),
    _index("item_id"),
    _first_of("known_answer", "item_id"),
)
_log(
    "document",
    _refs("project"),
    _text("kind", "task"),
    _number("number"),
    _text("language", "text", "note"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _one_of("kind", "guideline", "codebook"),
    _unique("project_id", "kind", "task", "number", "language"),
)
_log(
    "document_migration",
    _refs("project"),
    _text("kind", "task"),
    _number("from_number", "to_number"),
    _text("to_version"),
    _json("answers"),
    _text("reason"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _one_of("kind", "guideline", "codebook"),
    _index("project_id"),
)
_log(
    "comment",
    _refs("item", "person"),
    _ref("comment", "reply_to_id", null=True),
    _text("text"),
    _time("at"),
    _text("kind", server_default=""),
    _index("item_id"),
)
_log(
    "referral",
    _refs("item", "person"),
    _text("reason"),
    _json("annotation_ids"),
    _time("at"),
    _index("item_id"),
)
_log(
    "confidence",
    _refs("annotation"),
    _number("value"),
    _check("value_is_in_bounds", "value BETWEEN 1 AND 5"),
    _unique("annotation_id"),
)

# Law: checks of amended provisions, and levels that are searched
_log(
    "law_check",
    _refs("item", "unit", "snapshot"),
    _json("now_unit_ids"),
    _text("wording", "kind", "reason"),
    _json("annotation_ids"),
    _refs("settlement", null=True),
    _ref("law_check", "supersedes_id", null=True),
    _refs("person", null=True),
    _time("at"),
    _one_of("kind", "confirm", "send_back", "set_aside", "reopen"),
    _unique("supersedes_id"),
    _index("item_id"),
    _first_of("law_check", "item_id", "unit_id"),
)

# The citation graph
_table("unit_link", _refs("unit"), _number("start", "end"), _text("href"), _index("unit_id"))
_table(
    "graph",
    _refs("snapshot"),
    _text("method"),
    _number("edges", "references"),
    _time("created_at"),
    _unique("snapshot_id"),
)
_table(
    "edge",
    _refs("snapshot"),
    _ref("unit", "source_unit_id"),
    _ref("unit", "target_unit_id"),
    _text("type", "origin"),
    _number("start", "end"),
    _text("pinpoint", "part", "term"),
    _index("snapshot_id", "type"),
    _index("source_unit_id", "type", "target_unit_id"),
    _index("target_unit_id", "type", "source_unit_id"),
)
_table(
    "reference",
    _refs("snapshot", "unit"),
    _number("start", "end"),
    _text("text", "status"),
    _text("reason", null=True),
    _text("form"),
    _json("targets"),
    _index("snapshot_id", "form", "status"),
    _index("unit_id"),
)

# Runs and experiments
_log(
    "run_record",
    _refs("run"),
    _text("label", "origin"),
    _json("environment", "cost"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _one_of("origin", "computed", "imported"),
    _unique("run_id"),
)
_log(
    "experiment",
    _refs("project"),
    _number("number"),
    _text("name", "text"),
    _refs("snapshot"),
    _text("gold_hash", "content_hash"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _unique("project_id", "content_hash"),
    _unique("project_id", "number"),
)
_log(
    "experiment_run",
    _refs("experiment"),
    _number("position"),
    _text("label"),
    _refs("run"),
    _unique("experiment_id", "position"),
)
_log(
    "search_levels",
    _refs("project"),
    _json("levels"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _index("project_id"),
)
_log(
    "run_mark",
    _refs("run"),
    _text("mark", "text"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _one_of("mark", "retired", "restored", "tagged", "untagged", "noted"),
    _index("run_id"),
)
_log(
    "saved_view",
    _refs("project"),
    _text("name"),
    _json("view"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _index("project_id"),
)

# Answers of models
_log(
    "answer_run",
    _refs("project"),
    _refs("snapshot", null=True),
    _text("system"),
    _json("context"),
    _text("format"),
    _number("seed"),
    _text("role", "server", "model", "prompt_version"),
    _refs("person", null=True),
    _time("at"),
    _one_of("format", "free", "per_provision", "choice_generated", "choice_likelihood"),
    _unique("project_id", "system"),
)
_log(
    "model_answer",
    _refs("answer_run", "question"),
    _number("passage"),
    _text("state", "raw", "answer"),
    _json("claims", null=True),
    _json("context"),
    _text("choice", null=True),
    _json("logprobs", null=True),
    _refs("judge_case", "llm_call", null=True),
    _text("prompt_version"),
    _time("at"),
    _check("passage_is_counted", "passage >= 0"),
    _one_of(
        "state",
        "answered",
        "refused",
        "empty",
        "cut_off",
        "invalid",
        "unread",
        "no_logprobs",
        "failed",
    ),
    _unique("answer_run_id", "question_id", "passage", "llm_call_id"),
    _index("answer_run_id"),
    _index("judge_case_id"),
    _index("question_id"),
)

# Claims of answers and what they rest on
_log(
    "answer_claims",
    _refs("project"),
    _ref("judge_case", "case_id", null=True),
    _text("question", "text_sha256", "splitter", "state"),
    _json("claims"),
    _text("raw", "prompt_version"),
    _refs("llm_call", null=True),
    _time("at"),
    _one_of("state", "said", "unread", "refused", "cut_off", "failed"),
    _index("case_id"),
    _index("project_id"),
)
_log(
    "attribution_case",
    _refs("project"),
    _ref("judge_case", "case_id"),
    _ref("answer_claims", "predicted_id"),
    _ref("answer_claims", "gold_id"),
    _time("at"),
    _unique("predicted_id", "gold_id"),
    _index("case_id"),
    _index("project_id"),
)
_log(
    "claim_labels",
    _refs("attribution_case"),
    _text("judge", "state"),
    _json("labels"),
    _text("raw", "prompt_version"),
    _refs("llm_call", null=True),
    _time("at"),
    _one_of("state", "said", "unread", "refused", "cut_off", "failed"),
    _index("attribution_case_id"),
)

# Questions that models write
_log(
    "axes",
    _refs("project"),
    _number("number"),
    _text("text", "note"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _unique("project_id", "number"),
)
_log(
    "augmentation_making",
    _refs("project", "snapshot"),
    _number("axes_number"),
    _json("wanted"),
    _number("seed"),
    _text("server", "model"),
    _refs("person", null=True),
    _time("at"),
    _index("project_id"),
)
_log(
    "augmented_question",
    _refs("project"),
    _text("external_id"),
    _refs("snapshot"),
    _number("axes_number"),
    _ref("question", "parent_question_id", null=True),
    _json("axes"),
    _text("text", "answer", "language"),
    _json("gold"),
    _number("seed"),
    _refs("llm_call", null=True),
    _text("prompt_version"),
    _time("at"),
    _unique("project_id", "external_id"),
)
_log(
    "augmentation_attempt",
    _ref("augmentation_making", "making_id"),
    _text("name"),
    _json("cell", "gold"),
    _text("outcome", "detail"),
    _json("draft", null=True),
    _refs("llm_call", "augmented_question", null=True),
    _text("prompt_version"),
    _check("kept_has_its_question", "(outcome = 'kept') = (augmented_question_id IS NOT NULL)"),
    _one_of("outcome", "kept", "refused", "invalid", "duplicate"),
    _unique("augmented_question_id"),
    _unique("making_id", "name"),
)

# Layers that such questions go through
_log(
    "cascade_layers",
    _refs("project"),
    _number("number"),
    _text("text", "note"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _unique("project_id", "number"),
)
_log(
    "cascade_run",
    _refs("project", "snapshot"),
    _number("layers_number"),
    _text("server", "model"),
    _refs("person", null=True),
    _time("at"),
    _index("project_id"),
)
_log(
    "layer_result",
    _refs("cascade_run", "augmented_question"),
    _text("layer"),
    _number("place"),
    _text("outcome"),
    _json("reasons"),
    _refs("llm_call", null=True),
    _text("prompt_version"),
    _time("at"),
    _one_of("outcome", "passed", "rejected", "unjudged"),
    _unique("cascade_run_id", "augmented_question_id", "layer"),
    _index("augmented_question_id"),
)
_log(
    "restoration",
    _refs("augmented_question", "layer_result"),
    _text("kind", "reason"),
    _refs("person", null=True),
    _time("at"),
    _one_of("kind", "restore", "withdraw"),
    _index("augmented_question_id"),
)

# Court cases
_log(
    "case_import",
    _refs("project"),
    _text("name", "content_hash"),
    _json("mapping"),
    _refs("person", null=True),
    _time("at"),
    _index("project_id"),
)
_log(
    "court_case",
    _refs("project", "case_import"),
    _text("external_id", "court", "date", "title"),
    _json("charges", "provisions"),
    _text("language"),
    _json("sections", "source"),
    _text("content_hash"),
    _time("at"),
    _text("text"),
    _unique("project_id", "external_id"),
    _index("case_import_id"),
)
_log(
    "typology",
    _refs("project"),
    _number("number"),
    _text("text", "note"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _unique("project_id", "number"),
)
_log(
    "case_setting",
    _refs("project"),
    _text("suggestions"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _one_of("suggestions", "shown", "hidden", "after"),
    _index("project_id"),
)
_log(
    "query_choice",
    _refs("project"),
    _text("group_key"),
    _refs("court_case"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _index("project_id", "group_key"),
)
_log(
    "factor_suggestion",
    _refs("court_case"),
    _text("sub_factor"),
    _json("options"),
    _text("quote"),
    _number("start", "stop", null=True),
    _text("state", "detail", "server", "model", "codebook_version", "prompt_version"),
    _refs("llm_call", null=True),
    _time("at"),
    _check("quoted_has_its_start", "(state = 'quoted') = (start IS NOT NULL)"),
    _check("start_has_its_stop", "(start IS NULL) = (stop IS NULL)"),
    _one_of("state", "quoted", "unquoted", "not_stated", "unknown", "unparsed", "refused"),
    _index("court_case_id", "sub_factor"),
    _index("llm_call_id"),
)

# Closure of gold sets
_log(
    "closure_rules",
    _refs("project"),
    _number("number"),
    _text("text", "note"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _unique("project_id", "number"),
)
_log(
    "closure_decision",
    _refs("project"),
    _refs("item", "augmented_question", null=True),
    _refs("snapshot"),
    _number("rules_number"),
    _text("unit", "rule"),
    _json("fired"),
    _text("kind", "reason"),
    _json("annotation_ids"),
    _refs("adjudication", "person", null=True),
    _time("at"),
    _one_of("kind", "added", "dismissed", "reopened"),
    _check("one_gold_set", "(item_id IS NULL) <> (augmented_question_id IS NULL)"),
    _index("augmented_question_id"),
    _index("item_id"),
    _index("project_id"),
)

# Curated questions
_log(
    "admission",
    _refs("augmented_question", "question", "item"),
    _refs("person", null=True),
    _time("at"),
    _unique("augmented_question_id"),
    _unique("question_id"),
)

# Files that were brought in
_log(
    "label_file",
    _refs("project"),
    _text("tool", "name", "sha256", "guide_sha256"),
    _number("labels"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _unique("project_id", "tool", "sha256", "guide_sha256"),
)
_log(
    "imported_file",
    _refs("project"),
    _text("kind", "name", "sha256"),
    _number("lines"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _one_of("kind", "votes", "verdicts", "questions"),
)
_log(
    "imported_label",
    _refs("label_file", "item", "person"),
    _text("place", "source_user"),
    _time("made_at", null=True),
    _text("status", "said"),
    _ref("draft_event", "first_event_id"),
    _ref("draft_event", "event_id"),
    _one_of("status", "submitted", "draft", "discarded"),
    _unique("event_id"),
    _index("item_id"),
    _index("label_file_id"),
    _index("person_id", "item_id", name="ix_imported_label_person_item"),
)

# Splits and datasheets
_log(
    "split",
    _refs("project"),
    _number("number"),
    _json("recipe"),
    _refs("snapshot"),
    _text("gold_hash", "note"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _unique("project_id", "number"),
)
_log(
    "split_member",
    _refs("split", "question"),
    _text("part"),
    _one_of("part", "train", "dev", "test"),
    _unique("split_id", "question_id"),
)
_log(
    "datasheet_answers",
    _refs("project"),
    _number("number"),
    _text("text", "note"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _unique("project_id", "number"),
)

# Answers that are judged
_log(
    "judge_case",
    _refs("project"),
    _text("external_id", "system", "question", "reference"),
    _json("provisions"),
    _text("kind", "language", "answer"),
    _refs("question", null=True),
    _json("source"),
    _time("at"),
    _unique("project_id", "external_id", "system"),
)
_log(
    "verdict",
    _ref("judge_case", "case_id"),
    _ref("judge_case", "other_case_id", null=True),
    _text("judge", "kind"),
    _flag("swapped"),
    _text("verdict", null=True),
    _text("state", "raw", "prompt"),
    _refs("llm_call", null=True),
    _flag("imported"),
    _json("source"),
    _time("at"),
    _one_of("kind", "binary", "pairwise"),
    _check("says_what_is_said", "(verdict IS NULL) <> (state = 'said')"),
    _one_of("state", "said", "unread", "refused", "failed"),
    _one_of("verdict", "correct", "incorrect", "first", "second", "tie"),
    _index("case_id", "judge"),
)

# Multiple-choice questions
_log(
    "mcq_making",
    _refs("project"),
    _text("kind"),
    _refs("snapshot"),
    _json("wanted"),
    _number("linked", null=True),
    _number("seed"),
    _text("server", "model"),
    _refs("person", null=True),
    _time("at"),
    _one_of("kind", "generate", "import"),
    _index("project_id"),
)
_log(
    "mcq",
    _refs("project"),
    _text("external_id"),
    _refs("snapshot"),
    _ref("unit", "a_unit_id"),
    _ref("unit", "b_unit_id"),
    _text("edge_kind", "query"),
    _json("options"),
    _number("answer"),
    _text("explanation", "language"),
    _refs("llm_call", null=True),
    _text("prompt_version"),
    _number("seed"),
    _json("source"),
    _time("at"),
    _check("answer_is_in_bounds", "answer BETWEEN 0 AND 3"),
    _unique("project_id", "external_id"),
    _index("a_unit_id"),
    _index("b_unit_id"),
)
_log(
    "mcq_attempt",
    _ref("mcq_making", "making_id"),
    _text("name"),
    _ref("unit", "a_unit_id"),
    _ref("unit", "b_unit_id"),
    _text("edge_kind", "outcome", "detail"),
    _json("draft", null=True),
    _refs("llm_call", "mcq", null=True),
    _text("prompt_version"),
    _check("kept_has_its_question", "(outcome = 'kept') = (mcq_id IS NOT NULL)"),
    _one_of(
        "outcome",
        "kept",
        "refused",
        "invalid",
        "format",
        "meta",
        "citing",
        "duplicate",
        "leaked",
        "position",
    ),
    _unique("making_id", "name"),
    _unique("mcq_id"),
    _index("a_unit_id"),
)
_log(
    "mcq_vote",
    _refs("mcq"),
    _text("setting", "server", "model"),
    _number("repeat"),
    _number("choice", null=True),
    _text("state", "raw"),
    _json("logprobs", null=True),
    _text("wording"),
    _refs("llm_call", null=True),
    _text("prompt_version"),
    _time("at"),
    _check("choice_is_in_bounds", "choice BETWEEN 0 AND 4"),
    _check("chosen_has_a_choice", "(state = 'chosen') = (choice IS NOT NULL)"),
    _one_of("setting", "zero", "a", "b", "ab"),
    _one_of("state", "chosen", "empty", "several", "out_of_range", "unparsed", "refused"),
    _unique("mcq_id", "setting", "repeat", "llm_call_id"),
    _index("llm_call_id"),
    _index("mcq_id"),
)

# Calls to language models
_log(
    "llm_call",
    _text("request_hash", "role", "prompt_id", "prompt_version", "server", "model"),
    _json("parameters"),
    _text("status"),
    _text("problem", null=True),
    _text("response", "finish_reason"),
    _number("tokens_in", "tokens_out", null=True),
    _real("cost", null=True),
    _real("seconds"),
    _number("attempts"),
    _text("form"),
    _json("logprobs", null=True),
    _json("vectors"),
    _time("at"),
    _one_of("status", "answered", "refused", "invalid", "failed"),
    _index("request_hash"),
)
_log(
    "prompt_text",
    _refs("project"),
    _text("prompt_id", "language"),
    _number("number"),
    _text("text", "note"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _unique("project_id", "prompt_id", "language", "number"),
)

# Pages
_log(
    "page_image",
    _refs("project"),
    _text("sha256", "media_type"),
    _number("width", "height"),
    _real("turned"),
    _bytes("content"),
    _time("at"),
    _unique("project_id", "sha256"),
)
_log(
    "page",
    _refs("project"),
    _text("external_id", "document"),
    _number("number"),
    _text("language", "unit"),
    _ref("page_image", "image_id"),
    _text("file", "file_sha256"),
    _refs("person", null=True),
    _time("at"),
    _unique("project_id", "external_id"),
)
_log(
    "page_draft",
    _refs("page"),
    _text("engine", "engine_version"),
    _json("parameters", "blocks", "words"),
    _text("state"),
    _text("problem", null=True),
    _real("seconds"),
    _refs("llm_call", null=True),
    _time("at"),
    _one_of("state", "drafted", "failed"),
    _index("page_id"),
)
_log(
    "unit_page",
    _refs("unit", "page"),
    _number("order"),
    _ref("annotation", "correction_id"),
    _ref("annotation", "verification_id"),
    _refs("person", null=True),
    _time("at"),
    _unique("unit_id", "page_id", "verification_id"),
    _index("page_id"),
)

# Parallel groups
_log(
    "parallel_groups",
    _refs("project"),
    _number("number"),
    _text("text", "note"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _unique("project_id", "number"),
)
_log(
    "parallel_decision",
    _refs("project", "snapshot"),
    _json("units"),
    _text("verdict"),
    _real("score"),
    _json("reason"),
    _text("note"),
    _ref("person", "by_person_id", null=True),
    _time("at"),
    _one_of("verdict", "confirmed", "refused"),
    _index("project_id"),
)

# Questions in other words
_log(
    "reformulation",
    _refs("project", "question"),
    _number("place"),
    _text("label", "option"),
    _flag("correct", null=True),
    _text("wording", "worded_by"),
    _refs("llm_call", null=True),
    _text("prompt_version"),
    _time("at"),
    _check("counted_from_one", "place > 0"),
    _one_of("worded_by", "template", "model"),
    _index("project_id"),
    _index("question_id"),
)
_log(
    "reformulation_decision",
    _refs("reformulation"),
    _text("kind", "wording", "reason"),
    _refs("person", null=True),
    _ref("question", "made_question_id", null=True),
    _time("at"),
    _check("approved_has_its_question", "(kind = 'refuse') = (made_question_id IS NULL)"),
    _one_of("kind", "approve", "edit", "refuse"),
    _unique("made_question_id"),
    _index("reformulation_id"),
)
