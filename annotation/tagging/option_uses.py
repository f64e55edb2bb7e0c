"""How often each option of the codebook of factors is used: counted, whoever said it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from sqlmodel import Session

from annotation.forms.submissions import answers_in
from annotation.work.submissions import stands
from storage.tasks import Task, of_task


def uses(session: Session, project_id: int) -> Mapping[tuple[str, str], int]:
    """Return how many submissions that stand answer a sub-factor with an option.

    Under the option "" it is how many answer the sub-factor at all.
    """
    found: Counter[tuple[str, str]] = Counter()
    here = of_task(project_id, Task.FACTOR_TAGGING), stands()
    for answers in answers_in(session, *here).values():
        for key, value in answers.items():
            found[key, ""] += 1
            found.update((key, option) for option in value["options"])
    return found
