from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from annotation.work.draft import Draft, Event, fold

START = datetime(2026, 1, 1, tzinfo=UTC)


def _event(number: int, kind: str, undoes: int | None = None, **payload: object) -> Event:
    return Event(number, kind, dict(payload), undoes, START + timedelta(seconds=number))


units = st.integers(1, 4)
acts = st.one_of(
    st.tuples(
        st.just("label"),
        st.fixed_dictionaries(
            {
                "unit_id": units,
                "decision": st.sampled_from(["accept", "reject", "unsure", None]),
            }
        ),
    ),
    st.tuples(st.just("add"), st.fixed_dictionaries({"unit_id": units})),
    st.tuples(st.just("no_provision"), st.fixed_dictionaries({"value": st.booleans()})),
    st.tuples(st.just("comment"), st.fixed_dictionaries({"text": st.text(max_size=3)})),
    st.tuples(st.just("flag"), st.fixed_dictionaries({"text": st.text(max_size=3)})),
    st.tuples(st.just("skip"), st.fixed_dictionaries({"reason": st.text(max_size=3)})),
)
logs = st.lists(acts, max_size=12).map(
    lambda found: [Event(n, k, p, None, START) for n, (k, p) in enumerate(found, 2)]
)
OPEN = _event(1, "open", candidate_set_id=7)


@given(logs, acts)
def test_an_act_and_its_undo_leave_the_draft_as_it_was(
    log: list[Event], act: tuple[str, dict[str, object]]
) -> None:
    before = [OPEN, *log]
    kind, payload = act
    after = [*before, Event(90, kind, payload, None, START), _event(91, "undo", undoes=90)]
    expected = fold(before)
    found = fold(after)
    assert found.acts == expected.acts
    assert (found.decisions, found.added, found.status, found.comment, found.flag) == (
        expected.decisions,
        expected.added,
        expected.status,
        expected.comment,
        expected.flag,
    )


@given(logs)
def test_undoing_everything_leaves_an_empty_draft(log: list[Event]) -> None:
    undos = [_event(100 + each.id, "undo", undoes=each.id) for each in reversed(log)]
    found = fold([OPEN, *log, *undos])
    assert found == Draft(candidate_set_id=7, untouched=not log)


@given(logs)
def test_opening_anew_after_the_first_act_never_moves_the_candidate_set(log: list[Event]) -> None:
    later = _event(99, "open", candidate_set_id=8)
    assert fold([OPEN, *log, later]).candidate_set_id == (7 if log else 8)


def test_added_units_keep_their_order_and_may_be_decided_again() -> None:
    log = [
        OPEN,
        _event(2, "add", unit_id=5),
        _event(3, "add", unit_id=4),
        _event(4, "label", unit_id=5, decision="reject"),
        _event(5, "add", unit_id=5),
    ]
    found = fold(log)
    assert found.added == (5, 4)
    assert found.units("accept") == [4, 5]
    assert fold(log[:4]).units("reject") == [5]


def test_the_status_follows_the_last_act_that_stands() -> None:
    log = [OPEN]
    assert fold(log).status == "todo"
    log.append(_event(2, "skip", reason="later"))
    assert (fold(log).status, fold(log).skip_reason) == ("skipped", "later")
    log.append(_event(3, "comment", text="x"))
    assert (fold(log).status, fold(log).skip_reason) == ("draft", "")
    log.append(_event(4, "undo", undoes=3))
    assert (fold(log).status, fold(log).skip_reason) == ("skipped", "later")
    log.append(_event(5, "submit"))
    assert fold(log).status == "submitted"
    log.append(_event(6, "withdraw"))
    assert fold(log).status == "skipped"
