"""Presses that wait for one run are called in the order in which they were made."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner_utils import script_requests
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests

from serving.runtime import keep_in_order


@pytest.fixture(autouse=True)
def in_order(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep them in order as a server does, for one test."""
    usual = script_requests._coalesce_widget_states
    monkeypatch.setattr(script_requests, "_coalesce_widget_states", usual)
    keep_in_order()
    yield


def states(*pressed: str, **values: int) -> WidgetStates:
    """Return what a browser sends: the values of fields, and what was pressed."""
    fields = [WidgetState(id=name, int_value=value) for name, value in values.items()]
    return WidgetStates(
        widgets=[*fields, *(WidgetState(id=each, trigger_value=True) for each in pressed)]
    )


def handled(*sent: WidgetStates) -> list[str]:
    """Return the order in which one run, for which all this waited, handles it."""
    waiting = ScriptRequests()
    for each in sent:
        assert waiting.request_rerun(RerunData(widget_states=each))
    found = waiting.on_scriptrunner_ready()
    assert found is not None
    assert found.rerun_data.widget_states is not None
    return [each.id for each in found.rerun_data.widget_states.widgets]


def test_the_last_press_is_handled_last() -> None:
    assert handled(states("first"), states("second")) == ["first", "second"]
    assert handled(states("second"), states("first")) == ["second", "first"]
    assert handled(states("a"), states("b"), states("a")) == ["b", "a"]
    assert handled(states("a"), states("b"), states("c")) == ["a", "b", "c"]


def test_what_is_chosen_after_a_press_is_handled_after_it() -> None:
    assert handled(states("take", field=1), states(field=2)) == ["take", "field"]
    assert handled(states(field=1), states("take", field=1)) == ["field", "take"]
    assert handled(states("take", field=1), states(field=1, other=2)) == ["field", "take", "other"]


def test_the_later_value_counts_and_nothing_is_lost() -> None:
    waiting = ScriptRequests()
    waiting.request_rerun(RerunData(widget_states=states("take", gone=1, field=1)))
    waiting.request_rerun(RerunData(widget_states=states("next", field=2)))
    waiting.request_rerun(RerunData(widget_states=None))
    found = waiting.on_scriptrunner_ready()
    assert found is not None
    kept = found.rerun_data.widget_states
    assert kept is not None
    assert {each.id: each.int_value or each.trigger_value for each in kept.widgets} == {
        "take": True,
        "next": True,
        "field": 2,
    }
