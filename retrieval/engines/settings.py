"""The names under which `Resources.settings` say where the engines are."""

from __future__ import annotations

MILVUS_URI = "milvus_uri"
"""A file ending in .db (Milvus Lite, one process at a time), or the address of a server."""

MILVUS_TOKEN = "milvus_token"  # noqa: S105  (its name, not a token)
"""What the server asks for, e.g. ``user:password``."""
