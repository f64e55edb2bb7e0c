from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.work.registry import ENTRIES
from storage.tasks import Task
from tests.annotation.forms import letters
from tests.annotation.forms.letters import Letters


@pytest.fixture(autouse=True)
def form(monkeypatch: pytest.MonkeyPatch) -> Letters:
    """Let the task of the tests have its form in the place of the product's."""
    made, path = Letters(), f"{letters.__name__}.FORM"
    monkeypatch.setattr(letters, "FORM", made, raising=False)
    entry = replace(ENTRIES[Task.ANSWER_RATING], rules=path, hidden=f"{path}.hidden")
    monkeypatch.setitem(ENTRIES, Task.ANSWER_RATING, entry)
    return made
