"""What a request asks for, as Streamlit names it."""

from __future__ import annotations

from starlette.types import Scope
from streamlit import config


def asked_path(scope: Scope) -> str:
    """Return the path of a request below `server.baseUrlPath`, under which all may be served."""
    path = str(scope["path"])
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    return path.removeprefix(f"/{base}") if base and path.startswith(f"/{base}/") else path
