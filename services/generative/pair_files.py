"""The folder of prepared pairs, self-contained so that training can run on another machine.

``pairs.jsonl`` and ``held_out.jsonl`` hold one pair per line
(`construction.generative.pairs.Pair`), ``texts.jsonl`` the indexed texts, which contain the targets
and train the tokeniser, ``prepared.json`` the provenance: law, court cases, extractor of facts,
counts, seed. ``prepared.json`` is written last.
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
    """A folder of prepared pairs; `about` is its provenance."""

    folder: Path
    about: Mapping[str, Any]

    @property
    def identity(self) -> str:
        """Hash of the whole content."""
        return json_hash(self.about)

    def pairs(self) -> list[Pair]:
        """Return the training pairs. Raises UserError for an invalid line."""
        return list(_pairs(self.folder / PAIRS))

    def held_out(self) -> list[Pair]:
        """Return the held-out pairs. Raises UserError for an invalid line."""
        return list(_pairs(self.folder / HELD_OUT))

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield id and text of the indexed law and cases.

        Raises UserError for an invalid line.
        """
        for number, said in _json_objects(self.folder / TEXTS):
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
    """Open a folder written by `write_pairs`.

    Raises UserError for any other folder, and where a file has changed.
    """
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        files = dict(about["files"])
        sound = all(_file_digest(folder / name) == digest for name, digest in files.items())
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError("generative_pairs", Where(file=str(folder))) from None
    if not sound or set(files) != {PAIRS, HELD_OUT, TEXTS}:
        raise UserError("generative_pairs", Where(file=str(folder)))
    return PairFolder(folder, about)


def _write(file: Path, lines: Iterable[Mapping[str, Any]]) -> str:
    """Write JSON lines; return the digest of the file."""
    with file.open("w", encoding="utf-8") as opened:
        for line in lines:
            opened.write(json.dumps(line, ensure_ascii=False) + "\n")
    return _file_digest(file)


def _file_digest(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as opened:
        said = sha256()
        while block := opened.read(2**20):
            said.update(block)
    return said.hexdigest()


def _pairs(file: Path) -> Iterator[Pair]:
    """Yield the pairs of a file. Raises UserError for an invalid line."""
    for number, said in _json_objects(file):
        try:
            yield Pair.read(said)
        except (KeyError, ValueError):
            raise UserError("generative_line", Where(file=file.name, line=number)) from None


def _json_objects(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield line number and object of JSON lines. Raises UserError for a line that is none."""
    with file.open(encoding="utf-8") as opened:
        for number, line in enumerate(opened, 1):
            try:
                said = composed_value(json.loads(line))
            except ValueError:
                said = None
            if not isinstance(said, dict):
                raise UserError("generative_line", Where(file=file.name, line=number))
            yield number, said
