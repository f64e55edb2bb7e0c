"""Unit tests of serving/uploads.py, budget.py and visits.py: no bytes beyond the budget."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from serving.budget import MIB, Budget, budget
from serving.uploads import OverBudgetError, UploadStore, is_served_bare, own_store
from serving.visits import Visits
from tests.support.refusals import fault_of

EACH, ALL = 100, 250


def store_for(*sessions: str) -> UploadStore:
    visits = Visits()
    for session in sessions:
        visits.connected(session, "here")
    return UploadStore("/u", visits, lambda: Budget(EACH, ALL))


def file(size: int, name: str = "1") -> UploadedFileRec:
    return UploadedFileRec(name, "f", "text/plain", b"x" * size)


def put(store: UploadStore, session: str, size: int, name: str = "1") -> bool:
    try:
        with store.lease(session) as lease:
            lease.take(size + 5)  # what stands around a file on its way
            store.add_file(session, file(size, name))
    except OverBudgetError:
        return False
    return True


def test_a_file_counts_on_its_way_and_as_it_is_kept() -> None:
    store = store_for("a")
    with store.lease("a") as lease:
        lease.take(60)
        assert store.held() == 60
        store.add_file("a", file(50))
        assert store.held() == 50
    assert store.held() == 50
    assert not put(store, "a", 50, "2")
    assert put(store, "a", 40, "2")
    store.remove_file("a", "1")
    assert store.held() == 40
    store.remove_session_files("a")
    assert store.held() == 0


def test_tabs_of_one_account_count_together_and_others_apart() -> None:
    store = store_for("a", "b", "c")
    for session, who in (("a", 1), ("b", 1), ("c", 2)):
        store._visits.signed(session, who)
    assert put(store, "a", 60)
    assert not put(store, "b", 60)
    assert put(store, "c", 60)
    store._visits.signed("b", None)
    assert put(store, "b", 60)


def test_a_file_that_comes_after_the_end_of_its_session_is_not_kept() -> None:
    store = store_for("a")
    with store.lease("a") as lease:
        lease.take(20)
        store._visits.ended("a")
        store.remove_session_files("a")
        store.add_file("a", file(20))
    assert store.held() == 0
    assert store.file_storage == {}


def test_many_at_once_do_not_go_past_the_budget_together() -> None:
    sessions = [f"s{number}" for number in range(40)]
    store = store_for(*sessions)
    ready, taken = threading.Barrier(40), list[str]()

    def send(session: str) -> None:
        ready.wait()
        if put(store, session, 20):
            taken.append(session)

    threads = [threading.Thread(target=send, args=(each,)) for each in sessions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.held() == 20 * len(taken) <= ALL
    assert len(taken) >= ALL // 25


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["put", "broken", "remove", "leave", "end"]),
        st.sampled_from(["a", "b", "c"]),
        st.integers(0, 120),
        st.sampled_from(["1", "2"]),
    ),
    max_size=40,
)


@given(ACTS)
def test_what_is_held_is_what_is_there_whatever_happens(
    acts: list[tuple[str, str, int, str]],
) -> None:
    store = store_for("a", "b", "c")
    for act, session, size, name in acts:
        if act == "put":
            put(store, session, size, name)
        elif act == "broken":
            with pytest.raises((ConnectionError, OverBudgetError)), store.lease(session) as lease:
                lease.take(size)
                raise ConnectionError
        elif act == "remove":
            store.remove_file(session, name)
        else:
            if act == "end":
                store._visits.ended(session)
            store.remove_session_files(session)
        there = [f.data for kept in store.file_storage.values() for f in kept.values()]
        assert store.held() == sum(map(len, there)) <= ALL
        assert store.held({session}) <= EACH
        assert store._leases == set()


def test_a_refusal_is_told_once_and_not_to_a_session_that_is_gone() -> None:
    store = store_for("a")
    store.note_refused("a", OverBudgetError("session", 1))
    store.note_refused("gone", OverBudgetError("session", 1))
    assert store.refused("gone") is None
    found = store.refused("a")
    assert found is not None and found.key == "serving.full_session"
    assert store.refused("a") is None


def test_a_script_that_streamlit_does_not_run_has_no_store() -> None:
    assert own_store() is None
    assert not is_served_bare()


def test_the_budget_is_what_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SESSION", "SERVER"):
        monkeypatch.delenv(f"TOUCHSTONE_{name}_UPLOAD_MIB", raising=False)
    assert budget() == Budget(256 * MIB, 1024 * MIB)
    monkeypatch.setenv("TOUCHSTONE_SESSION_UPLOAD_MIB", " 3 ")
    assert budget() == Budget(3 * MIB, 1024 * MIB)
    for wrong in ("0", "-1", "1.5", "many", "99999999", "٣", "1 GiB"):
        monkeypatch.setenv("TOUCHSTONE_SERVER_UPLOAD_MIB", wrong)
        assert fault_of(budget)[2] == "TOUCHSTONE_SERVER_UPLOAD_MIB"
