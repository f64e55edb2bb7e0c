"""What a method may lack on this machine, told from what is wrong in its description."""

from __future__ import annotations

from errors import UserError

CODES = frozenset(
    {
        # models in files
        *("model_missing", "model_download", "model_folder", "model_unreadable"),
        # models of a server, their settings, and the wordings they are asked in
        *("method_needs_model", "method_needs_embedder", "models_role_unset", "models_unreadable"),
        *("models_setting", "models_key_in_file", "prompt_unknown", "prompt_unreadable"),
        "prompt_places",
        # servers that search, and the citation graph
        *("method_needs_milvus", "method_graph"),
    }
)
"""Errors of making a method that say nothing against its description: elsewhere it may run."""


def is_not_here(error: UserError) -> bool:
    """Return whether `error` is of what is not on this machine or its servers."""
    return error.code in CODES
