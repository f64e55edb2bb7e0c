"""What the mapping viewer is told of an item that the law has outrun, and after it is taken up."""

from __future__ import annotations

from typing import Any

from annotation.work import queue_service
from pages.mapping.citation_mapping import PAGE, fixed_part
from pages.task.acts import TaskSession, carry_out
from pages.task.viewer_data import frame_part
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.gold.test_rechecks import amend
from tests.annotation.house import SLUG, House, propose


def test_an_outrun_item_is_taken_up_by_an_act(house: House) -> None:
    item = house.items[0]
    submit(house, house.ann, item, (1, 2, 3, 4))
    amend(house)
    propose(house, 2, 1, 5)
    before = queue_service.open_item(house.ws, house.ann, item)
    assert frame_part(before)["outrun"]
    assert {each["since"] for each in fixed_part(before, "en")["candidates"]} == {""}
    sitting = TaskSession(SLUG, house.ann, item)
    act: dict[str, Any] = {"seq": 1, "kind": "recheck", "item": item, "externalId": "q1"}
    message = {"client": "c", "person": house.ann, "have": "", "acts": [act]}
    carry_out(house.ws, sitting, message, "en", PAGE.handlers)
    carry_out(house.ws, sitting, message, "en", PAGE.handlers)
    assert (sitting.failed, sitting.item_id) == ([], item)
    assert sitting.notice == {"what": "rechecked", "externalId": "q1", "item": item}
    after = queue_service.open_item(house.ws, house.ann, item)
    assert not frame_part(after)["outrun"]
    told = fixed_part(after, "en")
    assert told["dropped"] == ["Lake Act Article 3"]
    assert [each["since"] for each in told["candidates"] if each["since"]] == [
        "amended since you decided",
        "decided before, unchanged",
        "formerly Article 2",
    ]
    assert not any(each["added"] for each in told["candidates"])


def test_what_cannot_be_taken_up_is_said(house: House) -> None:
    item = house.items[0]
    submit(house, house.ann, item, (1,))
    amend(house)
    sitting = TaskSession(SLUG, house.ann, item)
    acts = [{"seq": 1, "kind": "recheck", "item": item}]
    message = {"client": "c", "person": house.ann, "acts": acts}
    carry_out(house.ws, sitting, message, "en", PAGE.handlers)
    assert "Data page" in sitting.failed[0]["message"]
    assert queue_service.open_item(house.ws, house.ann, item).status == "submitted"
