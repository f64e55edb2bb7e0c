"""Where what the version before wrote is kept, and how it is read and written."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "version_before"
WORKSPACE, EXPORTS, COMMANDS = "workspace.zip", "exports.zip", "commands.json"
MEANT = "exports_meant.zip"  # files of EXPORTS that were meant to change, as they are since then
_DAY = (2026, 1, 5, 9, 0, 0)
_OPTION = re.compile(r"--?[a-z][a-z0-9-]*")


def pack(name: str, files: Mapping[str, bytes]) -> None:
    """Write files into an archive of `FOLDER`: equal files give an equal archive."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(FOLDER / name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for place, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(place, _DAY), content, zipfile.ZIP_DEFLATED, 9)


@cache
def unpacked(name: str) -> Mapping[str, bytes]:
    """Return the files of an archive of `FOLDER`, by their place in it."""
    with zipfile.ZipFile(FOLDER / name) as archive:
        return {each: archive.read(each) for each in archive.namelist()}


def kept_workspace(folder: Path) -> Path:
    """Put the kept workspace into a new folder; return it."""
    for place, content in unpacked(WORKSPACE).items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def kept_exports() -> Mapping[str, bytes]:
    """Return what the version before exported, but for what was meant to change since."""
    return {**unpacked(EXPORTS), **unpacked(MEANT)}


def kept_files(name: str) -> dict[str, bytes]:
    """Return the files that the export of that name wrote, by their place in its folder."""
    start = f"{name}/"
    found = kept_exports().items()
    return {place.removeprefix(start): each for place, each in found if place.startswith(start)}


def printed_place(command: str) -> str:
    """Return where in the archive stands what a command printed."""
    return f"printed/{command.replace(' ', '_')}.json"


def commands_of(page: str) -> dict[str, dict[str, Any]]:
    """Return the commands of the page of the command line: options, and how many arguments.

    The options before the command are those of the empty name.
    """
    found: dict[str, dict[str, Any]] = {"": {"options": [], "arguments": 0}}
    name = ""
    for line in page.splitlines():
        if line.startswith("## "):
            name = "" if line.startswith("## Options") else line.removeprefix("## ")
            found.setdefault(name, {"options": [], "arguments": 0})
        elif line.startswith("* `"):
            named = line.split("`")[1]
            if options := _OPTION.findall(named):
                found[name]["options"] += options
            else:
                found[name]["arguments"] += 1
    return found


def kept_commands() -> dict[str, dict[str, Any]]:
    """Return the commands of the version before, as `commands_of` does."""
    found: dict[str, dict[str, Any]] = json.loads((FOLDER / COMMANDS).read_text(encoding="utf-8"))
    return found
