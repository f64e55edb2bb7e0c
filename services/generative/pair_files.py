"""The folder of prepared pairs: all that training needs, so that it may run on another machine.

``pairs.jsonl`` and ``held_out.jsonl`` hold a pair a line (`construction.generative.pairs.Pair`),
``texts.jsonl`` the texts as they are indexed, in which targets stand and which a tokeniser is
trained on, ``prepared.json`` what all of it was made of: the law, the court cases, the reader of
facts, counts, seed. ``prepared.json`` is written last.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from construction.generative.pairs import Pair
from errors import UserError, Where
from normalization import composed_value
from normalization.hashing import json_hash
from storage.db.atomic_files import published

PAIRS, HELD_OUT, TEXTS, ABOUT = "pairs.jsonl", "held_out.jsonl", "texts.jsonl", "prepared.json"


@dataclass(frozen=True, slots=True)
class PairFolder:
    """A folder of prepared pairs; `about` is what it was made of."""

    folder: Path
    about: Mapping[str, Any]

    @property
    def identity(self) -> str:
        """A hash of everything in it."""
        return json_hash(self.about)

    def pairs(self) -> list[Pair]:
        """Return the pairs to train on. Raises UserError for a line that is none."""
        return list(_pairs(self.folder / PAIRS))

    def held_out(self) -> list[Pair]:
        """Return the pairs of the learning curve. Raises UserError for a line that is none."""
        return list(_pairs(self.folder / HELD_OUT))

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield id and text of what is indexed of the law and of the cases.

        Raises UserError for a line that is none.
        """
        for number, said in _lines(self.folder / TEXTS):
            text = said.get("text")
            if not isinstance(text, str):
                raise UserError("generative_line", Where(file=TEXTS, line=number))
            yield str(said.get("id", "")), text


def write_pairs(
    folder: Path,
    pairs: Iterable[Pair],
    held_out: Iterable[Pair],
    texts: Iterable[tuple[str, str]],
    about: Mapping[str, Any],
) -> PairFolder:
    """Write a folder; `texts` are (id, text). Raises UserError where it cannot be written."""
    with published(folder) as part:
        files = {
            PAIRS: _write(part / PAIRS, (pair.as_json() for pair in pairs)),
            HELD_OUT: _write(part / HELD_OUT, (pair.as_json() for pair in held_out)),
            TEXTS: _write(part / TEXTS, ({"id": name, "text": text} for name, text in texts)),
        }
        said = {**about, "files": files}
        (part / ABOUT).write_text(
            json.dumps(said, ensure_ascii=False, indent=2) + "\n", encoding="utf-8"
        )
    return PairFolder(folder, said)


def read_pairs(folder: Path) -> PairFolder:
    """Return a folder that `write_pairs` wrote.

    Raises UserError for one that it did not write, and where a file is not as it was written.
    """
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        files = dict(about["files"])
        sound = all(_sum(folder / name) == digest for name, digest in files.items())
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError("generative_pairs", Where(file=str(folder))) from None
    if not sound or set(files) != {PAIRS, HELD_OUT, TEXTS}:
        raise UserError("generative_pairs", Where(file=str(folder)))
    return PairFolder(folder, about)


def _write(file: Path, lines: Iterable[Mapping[str, Any]]) -> str:
    with file.open("w", encoding="utf-8") as opened:
        for line in lines:
            opened.write(json.dumps(line, ensure_ascii=False) + "\n")
    return _sum(file)


def _sum(file: Path) -> str:
    with file.open("rb") as opened:
        said = sha256()
        while block := opened.read(2**20):
            said.update(block)
    return said.hexdigest()


def _pairs(file: Path) -> Iterator[Pair]:
    for number, said in _lines(file):
        try:
            yield Pair.read(said)
        except (KeyError, ValueError):
            raise UserError("generative_line", Where(file=file.name, line=number)) from None


def _lines(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    with file.open(encoding="utf-8") as opened:
        for number, line in enumerate(opened, 1):
            try:
                said = composed_value(json.loads(line))
            except ValueError:
                said = None
            if not isinstance(said, dict):
                raise UserError("generative_line", Where(file=file.name, line=number))
            yield number, said
