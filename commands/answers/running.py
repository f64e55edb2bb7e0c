"""LLM answer runs of several commands: progress, outcome, exit code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from commands.shell.state import State
from messages import say

if TYPE_CHECKING:
    from services.answers.asking import AnswersDone
    from services.answers.planning import AnswerOptions


def ask_and_tell(state: State, options: AnswerOptions) -> None:
    """Ask for the chosen answers and print the outcome; exit with code 3 if it ended early."""
    from llm.batch import End
    from services.answers.asking import ask_answers
    from services.answers.planning import plan_answers

    ready = plan_answers(*state.chosen, options)
    done = state.run("Answering", partial(ask_answers, state.workspace, ready))
    state.emit(asdict(done), list(_outcome_lines(done)), failed=done.end is not End.DONE)


def _outcome_lines(done: AnswersDone) -> Iterator[str]:
    from services.models.asking import reason_words

    yield done.in_words()
    if untold := done.states.get("no_logprobs"):
        yield say("answers.no_logprobs", count=f"{untold:,}")
    if done.end != "done":
        yield f"{say(f'background.end.{done.end}')} {reason_words(done.reason)}".strip()
