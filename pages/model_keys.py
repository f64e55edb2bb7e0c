"""Where keys of models come from in the app: the environment, else Streamlit's secrets."""

from __future__ import annotations

import os
from collections.abc import Mapping

import streamlit as st

from llm.secret import PREFIX


def key_source() -> Mapping[str, str]:
    """Return the environment with the secrets of models that it does not set."""
    kept = st.secrets if st.secrets.load_if_toml_exists() else {}
    secrets = {name: str(kept[name]) for name in kept if str(name).startswith(PREFIX)}
    return {**secrets, **os.environ}
