"""Contract tests for importers, exporters and measures, which a package's own tests run.

Each returns how the extension holds to the parts of its contract:
``assert all(part.held for part in touchstone.check_measure(my_measure))``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from math import isfinite
from pathlib import Path

from corpus.importers.registry import Importer
from corpus.importers.table import FIELDS, ReadingRules, read_rows_of
from retrieval.core.contract import Check, checks

_CORPUS = (
    '{"_id": "lake-act_article-1", "title": "Lake Act", "text": "Boats carry lamps."}\n'
    '{"_id": "lake-act_article-2", "title": "호수법", "text": ""}\n'
)
_QUERIES = '{"_id": "q1", "text": "Which boats?"}\n{"_id": "q2", "text": "등불은?"}\n'
_QRELS = "query-id\tcorpus-id\tscore\nq1\tlake-act_article-1\t1\nq2\tlake-act_article-2\t0\n"
_GOLD = {"a": 2, "b": 1}


def check_importer(importer: Importer, file: Path) -> list[Check]:
    """Return how an importer reads a file of its format.

    It has a file ending, yields rows of known fields, of which statutes and units can be made, and
    the same rows again.
    """

    def endings() -> bool:
        """Check that the importer names its file endings."""
        return bool(importer.endings) and all(each.startswith(".") for each in importer.endings)

    def fields() -> bool:
        """Return True if rows have known fields only."""
        rows = [dict(row) for row in importer.read(file)]
        return bool(rows) and all({*row} <= {*FIELDS} for row in rows)

    def units() -> bool:
        """Check that rows give statutes."""
        rows = [dict(row) for row in importer.read(file)]
        return bool(read_rows_of(file, rows, ReadingRules(), None).statutes)

    def again() -> bool:
        """Check that reading twice gives the same."""
        first, second = ([dict(row) for row in importer.read(file)] for _ in range(2))
        return first == second

    return checks("importer", endings, fields, units, again)


def check_exporter(exporter: Callable[[Path, Path], object]) -> list[Check]:
    """Return how an exporter turns a small gold set into its format.

    It writes a file into the folder, leaves what it reads as it is, and writes the same again.
    """

    def exported(folder: Path, name: str) -> dict[str, str]:
        """Export and return the files' hashes."""
        target = folder / name
        target.mkdir()
        exporter(folder / "gold", target)
        return _hashes(target)

    def writes() -> bool:
        """Check that files are written."""
        with _small_gold() as folder:
            return bool(exported(folder, "one"))

    def source() -> bool:
        """Check that the gold is left unchanged."""
        with _small_gold() as folder:
            before = _hashes(folder / "gold")
            exported(folder, "one")
            return _hashes(folder / "gold") == before

    def again() -> bool:
        """Check that exporting twice gives the same."""
        with _small_gold() as folder:
            return exported(folder, "one") == exported(folder, "two")

    return checks("exporter", writes, source, again)


def check_measure(measure: Callable[[Sequence[str], Mapping[str, int]], float]) -> list[Check]:
    """Return how a measure scores rankings whose order is known.

    It gives a finite number for any ranking, even an empty one, the same again, and no less for
    gold units first than for gold units last or left out.
    """
    best, worst = ["a", "b", "c", "d"], ["d", "c", "b", "a"]

    def number() -> bool:
        """Check that every value is a finite number."""
        values = [measure(list(ranking), dict(_GOLD)) for ranking in (best, worst, ["x"], [])]
        return all(type(value) in (int, float) and isfinite(value) for value in values)

    def order() -> bool:
        """Check that a better ranking scores no less."""
        return measure(list(best), dict(_GOLD)) >= max(
            measure(list(worst), dict(_GOLD)), measure([], dict(_GOLD))
        )

    def again() -> bool:
        """Check that scoring twice gives the same."""
        return measure(list(best), dict(_GOLD)) == measure(list(best), dict(_GOLD))

    return checks("measure", number, order, again)


class _small_gold(tempfile.TemporaryDirectory[str]):  # noqa: N801  (used as a context manager)
    """A folder with ``gold``, a gold set of two questions as Touchstone exports it."""

    def __enter__(self) -> Path:  # type: ignore[override]
        folder = Path(super().__enter__())
        for name, text in _files():
            (folder / "gold" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "gold" / name).write_text(text, encoding="utf-8")
        return folder


def _files() -> Iterator[tuple[str, str]]:
    """Yield the files of a small gold set."""
    yield "corpus.jsonl", _CORPUS
    yield "queries.jsonl", _QUERIES
    yield "qrels/test.tsv", _QRELS


def _hashes(folder: Path) -> dict[str, str]:
    """Return the hash of each file."""
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    return {str(f.relative_to(folder)): sha256(f.read_bytes()).hexdigest() for f in files}
