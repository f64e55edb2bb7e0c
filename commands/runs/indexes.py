"""Commands about the indexes that are kept on disk: list and remove them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.shell.groups import INDEX
from commands.shell.state import State

if TYPE_CHECKING:
    from services.runs.methods.index_cache import KeptIndex


@INDEX.command("list")
def listing(state: State) -> None:
    """List the indexes that are kept, with their sizes and when each was last used."""
    from services.runs.methods.index_cache import cache_bytes, kept_indexes

    found, cache = kept_indexes(state.workspace), cache_bytes(state.workspace)
    lines = [
        f"{_mb(each.bytes):>12}  {each.used:%Y-%m-%d %H:%M} UTC  {each.method}  ({each.name})"
        for each in found
    ]
    lines += [f"{len(found)} indexes, {_mb(_total(found))}; clear removes them."]
    lines += [f"Vectors, words and links that they are made from: {_mb(cache)}; clear leaves them."]
    told = {"indexes": list(map(_told, found)), "bytes": _total(found), "cache_bytes": cache}
    state.emit(told, lines)


@INDEX.command("clear")
def clear(
    state: State,
    unused_days: Annotated[
        int, typer.Option(min=0, help="Only those that nobody has used for so many days.")
    ] = 0,
) -> None:
    """Remove kept indexes. Each is made again when it is needed; people may go on working."""
    from services.runs.methods.index_cache import clear_indexes

    removed = clear_indexes(state.workspace, unused_days)
    told = {"removed": list(map(_told, removed)), "bytes": _total(removed)}
    state.emit(told, [f"Removed {len(removed)} indexes, {_mb(_total(removed))}."])


def _told(index: KeptIndex) -> dict[str, Any]:
    return {
        "name": index.name,
        "method": index.method,
        "bytes": index.bytes,
        "used": index.used.isoformat(timespec="seconds"),
    }


def _total(indexes: Sequence[KeptIndex]) -> int:
    return sum(index.bytes for index in indexes)


def _mb(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"
