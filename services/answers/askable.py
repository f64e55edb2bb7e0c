"""Which questions can be asked under an answer setting."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from construction.answers.contexts import Kind, read_spec
from construction.answers.formats import Format, options_of
from services.answers.material import AskedQuestion
from services.gold.gold_set import gold_set
from storage.answers.answers import AnswerRunView
from storage.db.workspace import Workspace
from storage.runs.run_store import run_rankings


def unfit(form: Format, asked: AskedQuestion) -> str:
    """Return why a question cannot be asked in a format; "" if it can."""
    if form.chooses:
        return "" if options_of(asked.question) else "no_options"
    return "" if asked.question.answer else "no_answer"


class Askable:
    """Askable questions per answer setting of a project; gold and runs are read once."""

    def __init__(self, ws: Workspace, slug: str, questions: Sequence[AskedQuestion]) -> None:
        """Take the questions of the project."""
        self._ws, self._slug, self._questions = ws, slug, questions
        self._gold: dict[tuple[int | None, str], Collection[str]] = {}
        self._runs: dict[int, Collection[str]] = {}

    def under(self, run: AnswerRunView) -> frozenset[str]:
        """Return the external ids of questions that fit the format and have the context.

        Based on current gold, so a later decision can add or remove questions.
        """
        spec, form = read_spec(run.context), Format(run.format)
        fit = frozenset(each.name for each in self._questions if not unfit(form, each))
        if spec.kind is Kind.RUN:
            return fit.intersection(self._questions_with_hits(spec.run_id or 0))
        if spec.kind.needs_gold:
            return fit.intersection(self._questions_with_gold(run.snapshot_id, spec.gold))
        return fit

    def _questions_with_gold(self, snapshot: int | None, name: str) -> Collection[str]:
        key = snapshot, name
        if key not in self._gold:
            found = gold_set(self._ws, self._slug, snapshot, name)
            self._gold[key] = {each.external_id for each in found.items if each.units}
        return self._gold[key]

    def _questions_with_hits(self, run: int) -> Collection[str]:
        if run not in self._runs:
            names = [each.name for each in self._questions]
            with self._ws.reading() as session:
                found = run_rankings(session, run, names)
            self._runs[run] = {name for name, units in found.items() if units}
        return self._runs[run]
