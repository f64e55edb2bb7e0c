"""Display names of form fields and their answers."""

from __future__ import annotations

from collections.abc import Mapping

from annotation.forms.form import form_of
from annotation.tagging.codebook import labels_of
from messages import catalogue
from pages.shell.context import Context
from pages.task.documents import options_of
from storage.tasks import Task


def answer_names(context: Context, task: str) -> dict[str, str]:
    """Return display names: fields by key, answers by ``<field>.<answer>``."""
    if task == Task.FACTOR_TAGGING:
        return labels_of(context.workspace, context.project, context.language)
    fields = [key for key in catalogue() if key.startswith("forms.field.")]
    answers = [key for key in catalogue() if key.startswith("forms.answer.")]
    names = {key.rpartition(".")[2]: context.say(key) for key in fields}
    names |= {
        f"{field}.{key.rpartition('.')[2]}": context.say(key)
        for field in tuple(names)
        for key in answers
    }
    coded, where = form_of(task).coded, (context.workspace, context.person.id, task)
    options = options_of(*where, context.language)
    return names | {f"{coded}.{option.key}": option.label[context.language] for option in options}


def answer_name(names: Mapping[str, str], name: str) -> str:
    """Return the display name of a field, or of field and answer for ``<field>.<answer>``."""
    field, _, answer = name.partition(".")
    called = names.get(field, field)
    not_stated = names.get(answer, answer)
    return f"{called}: {names.get(name, not_stated)}" if answer else called
