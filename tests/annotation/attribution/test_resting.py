"""A reviewed answer whose claims cite an amended provision is to be checked again."""

from __future__ import annotations

from services.law.watch import unconfirmed
from storage.law.imports import keep_statutes
from storage.tasks import Task
from tests.projects.attribution_review_project import SLUG, answered, build, law, submitted

WAITING = "items resting on provisions amended since, not confirmed"


def test_what_a_claim_cites_is_watched(tmp_path, clock) -> None:
    from services.attribution.items import make_review_items

    house = build(tmp_path / "w", clock, answers=1)
    with house.ws.writing() as session:
        answered(session, 1, "q9", clock(), claims=[("아무 조문도 없다.", ())], labels=())
    make_review_items(house.ws, SLUG)
    for who in (house.ann, house.ben):
        submitted(house, who, house.items[0])
    assert unconfirmed(house.ws, SLUG, (Task.ATTRIBUTION,))[WAITING] == 0
    keep_statutes(house.ws, SLUG, law("① 관계인은 선임하지 아니할 수 있다."), "new")
    assert unconfirmed(house.ws, SLUG, (Task.ATTRIBUTION,))[WAITING] == 1
