"""Streamlit's runtime with our own stores, and sessions that end.

Patch of Streamlit that handles queued clicks in order.

Clicks during a run wait for the next one and are merged into one request. Streamlit puts the
earlier click after the later one there, and calls their callbacks in that order: of two sides that
are copied one after the other, the first would win.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from streamlit import config
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.app_session import AppSessionState
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.scriptrunner_utils import script_requests
from streamlit.runtime.session_manager import SessionClient
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.starlette import App
from streamlit.web.cache_storage_manager_config import create_default_cache_storage_manager

from serving.budget import budget
from serving.gate import OPENED
from serving.identity import network_address
from serving.media import SessionMedia, SessionMediaManager
from serving.uploads import UploadStore
from serving.visits import VISITS, Visits

_join = script_requests._coalesce_widget_states
_is_press = script_requests._has_active_trigger_value


def keep_in_order() -> None:
    """Patch Streamlit to merge waiting requests in order."""
    script_requests._coalesce_widget_states = joined


def joined(old_states: WidgetStates | None, new_states: WidgetStates | None) -> WidgetStates | None:
    """Merge the widget states of two requests as Streamlit does, newer clicks last."""
    both = _join(old_states, new_states)
    if both is None or not old_states or not new_states:
        return both
    now = {state.id: state for state in both.widgets}
    anew = {state.id for state in new_states.widgets if _is_press(state)}
    ordered: dict[str, WidgetState] = {
        state.id: state
        for state in old_states.widgets
        if state.id not in anew and now.get(state.id) == state
    }
    ordered |= {each: state for each, state in now.items() if each not in ordered}
    return WidgetStates(widgets=ordered.values())


_MEDIA, _UPLOADS = "/media", "/_stcore/upload_file"


class Sessions(WebsocketSessionManager):
    """Session manager that ends sessions (Streamlit forgets an old one only when a new one leaves).

    After a broken connection the browser may come back within `server.disconnectedSessionTTL` and
    finds everything; after that the session ends. (The gate frees a closed tab's files at once.)
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._ends: dict[str, asyncio.TimerHandle] = {}

    def connect_session(self, client: SessionClient, *args: Any, **more: Any) -> str:
        """Open or resume a session; return its id."""
        session = super().connect_session(client, *args, **more)
        self._cancel_end(session)
        VISITS.connected(session, _address_of(client))
        OPENED.set(session)
        return session

    def disconnect_session(self, session_id: str) -> None:
        """Record that the browser disconnected, for now or for good."""
        was_there = self.is_active_session(session_id)
        super().disconnect_session(session_id)
        if not was_there:
            return
        VISITS.left(session_id)
        self._cancel_end(session_id)
        # Slightly before Streamlit's own limit, after which it no longer finds the session.
        seconds = max(float(config.get_option("server.disconnectedSessionTTL")) - 1, 0)
        loop = asyncio.get_running_loop()
        self._ends[session_id] = loop.call_later(seconds, self._end, session_id)

    def close_session(self, session_id: str) -> None:
        """End a session and free all that it holds."""
        self._cancel_end(session_id)
        super().close_session(session_id)
        VISITS.ended(session_id)
        self._uploaded_file_mgr.remove_session_files(session_id)

    def _end(self, session_id: str) -> None:
        """End a session that nobody came back to."""
        self._ends.pop(session_id, None)
        if not self.is_active_session(session_id):
            self.close_session(session_id)

    def _cancel_end(self, session_id: str) -> None:
        """Stop the timer that would end a session."""
        if timer := self._ends.pop(session_id, None):
            timer.cancel()


class ServedApp(App):
    """The Streamlit app with its uploads and media accessible to the gate.

    `crashed` draws an otherwise uncaught exception of a run; it returns True.
    """

    visits: Visits = VISITS

    def __init__(self, script: Path, crashed: Callable[[Exception], bool]) -> None:
        super().__init__(script, on_script_error=crashed)
        self.uploads = UploadStore(_UPLOADS, VISITS, budget)
        self.media = SessionMedia(_MEDIA)

    def tell(self, session: str) -> None:
        """Have a session's page redrawn, so that it shows a refusal.

        A running script is not interrupted: the page then shows it at the next run.
        """
        found = self._runtime.get_app_session(session) if self._runtime else None
        if found is not None and found._state == AppSessionState.APP_NOT_RUNNING:
            as_it_is = ClientState()
            as_it_is.CopyFrom(found._client_state)
            as_it_is.fragment_id = ""
            found.request_rerun(as_it_is)

    def _create_runtime(self) -> Runtime:
        """Create Streamlit's runtime as it would itself, but with our stores and sessions."""
        ttl = config.get_option("server.disconnectedSessionTTL")
        runtime = Runtime(
            RuntimeConfig(
                script_path=str(self._resolve_script_path()),
                media_file_storage=self.media,
                uploaded_file_manager=self.uploads,
                cache_storage_manager=create_default_cache_storage_manager(),
                session_manager_class=Sessions,
                session_storage=MemorySessionStorage(ttl_seconds=ttl),
                on_script_error=self._on_script_error,
            )
        )
        runtime._media_file_mgr = SessionMediaManager(self.media)
        keep_in_order()
        return runtime


def _address_of(client: SessionClient) -> str:
    """Return the network address of a client."""
    context = client.client_context
    if context is None:
        return network_address(None, None)
    headers: Mapping[str, str] = {name.lower(): value for name, value in context.headers}
    return network_address(headers.get("x-forwarded-for"), context.remote_ip)
