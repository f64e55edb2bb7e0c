from __future__ import annotations

import pytest

from annotation.work import rules, slots
from storage.tasks import Task
from tests.annotation.forms import letters
from tests.annotation.forms.letters import Letters


@pytest.fixture(autouse=True)
def form(monkeypatch: pytest.MonkeyPatch) -> Letters:
    """Let the task of the tests have its form in the place of the product's."""
    made = Letters()
    monkeypatch.setattr(letters, "FORM", made, raising=False)
    monkeypatch.setitem(rules._PLACES, Task.ANSWER_RATING, f"{letters.__name__}.FORM")
    monkeypatch.setitem(slots._HIDDEN, Task.ANSWER_RATING, f"{letters.__name__}.FORM.hidden")
    return made
