"""Experiment files to begin with: they run on the sample project, and on any other."""

from __future__ import annotations

from dataclasses import dataclass

from construction.experiments.reading import parse
from services.sample.loading import SAMPLE

_FOLDER = SAMPLE / "experiments"


@dataclass(frozen=True, slots=True)
class Starter:
    """A file to begin with: the name of the file, the experiment's own name, and its text."""

    file: str
    name: str
    text: str


def starters() -> list[Starter]:
    """Return the files to begin with, by name of the file."""
    found = []
    for path in sorted(_FOLDER.glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        found.append(Starter(path.name, parse(text, path.name).name, text))
    return found
