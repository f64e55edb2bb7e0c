"""A codebook in other words: what it says of a criterion holds for every claim."""

from __future__ import annotations

from annotation.check.project import check
from annotation.guidelines.documents import read_document
from annotation.guidelines.editing import new_version
from annotation.guidelines.migration import choices, migrate_answers, preview
from annotation.work.queue_service import open_item
from annotation.work.rules import AGAIN, SAME
from storage.tasks import Task
from tests.projects.attribution_review_project import SAID, SLUG, build, submitted


def test_what_was_reworded_is_answered_again_for_the_claims_that_say_it(tmp_path, clock) -> None:
    house = build(tmp_path / "w", clock, answers=2)
    first, second = house.items
    submitted(house, house.ann, first)
    submitted(house, house.ann, second, label_2="match")
    where = house.ws, SLUG, "codebook", Task.ATTRIBUTION
    held = read_document(*where, "mul")
    text = held.text.replace("It shares its core with a gold claim", "It has the gist of one")
    assert text != held.text
    new_version(*where, {"mul": text}, "why", held.number)
    versions = held.number, held.number + 1
    found = choices(*where, *versions)
    assert found.changed == {"label.partial": AGAIN}
    assert {"label", "label.none", "supported.partly", "gold"} <= set(found.answers)
    assert not any(name.startswith("label_") for name in found.answers)
    kept = preview(*where, *versions, {"label.partial": SAME})
    assert {fate: n for fate, n in kept.counts.items() if n} == {"same": 2}
    outcome = migrate_answers(*where, *versions, {}, "clearer now")
    assert {fate: n for fate, n in outcome.counts.items() if n} == {"same": 1, "again": 1}
    view = open_item(house.ws, house.ann, first)
    left = {field: value for field, value in SAID.items() if field not in ("label_2", "gold_2")}
    assert (view.status == "submitted", dict(view.answers)) == (False, left)
    assert open_item(house.ws, house.ann, second).status == "submitted"
    assert check(house.ws, SLUG) == []
