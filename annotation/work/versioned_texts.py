"""The project's versioned texts, by kind."""

from __future__ import annotations

from annotation.people.roles import Act
from annotation.work.editions import VersionedText
from construction.augmentation import axes
from construction.cascade import layers
from construction.cases import typology
from construction.closure import rules
from construction.gold import datasheet_form
from construction.parallel import declaration
from storage.law.parallel_groups import keep_declared_everywhere
from storage.tables.augmentation import AxesRow, CascadeLayersRow, ClosureRulesRow
from storage.tables.cases import TypologyRow
from storage.tables.law import ParallelGroupsRow
from storage.tables.runs import DatasheetAnswersRow

AXES = VersionedText(AxesRow, axes.parse, axes.starter)
CASCADE_LAYERS = VersionedText(CascadeLayersRow, layers.parse, layers.starter)
CLOSURE_RULES = VersionedText(ClosureRulesRow, rules.parse, rules.starter)
TYPOLOGY = VersionedText(TypologyRow, typology.parse, typology.starter)
PARALLEL_GROUPS = VersionedText(
    ParallelGroupsRow,
    declaration.parse,
    declaration.starter,
    after_save=keep_declared_everywhere,  # joined in the citation graph of every snapshot
)
DATASHEET_ANSWERS = VersionedText(
    DatasheetAnswersRow, datasheet_form.parse, datasheet_form.starter, edited_by=Act.EDIT_DATASHEET
)
