from __future__ import annotations

from commands.shell.options import unanswered_lines
from services.runs.rows import Unanswered


def test_calls_without_a_usable_answer_are_said_by_reason() -> None:
    assert unanswered_lines(Unanswered(asked=9, refused=1, invalid=2, failed=1)) == [
        "The model said nothing usable in 4 of 9 calls (1 refused, 2 unreadable, 1 failed); "
        "there the plain question was searched."
    ]


def test_nothing_is_said_where_every_call_was_of_use() -> None:
    assert unanswered_lines(Unanswered(asked=9)) == []
