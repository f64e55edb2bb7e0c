"""Statute formats by name, and their detection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from corpus.extensions import IMPORTERS, Extension, usable
from corpus.files.given_paths import only_folder, statute_files
from corpus.files.rows import RowReader, file_kind, printable, read_rows, read_text
from corpus.importers.beir import CORPUS, is_beir, read_beir
from corpus.importers.english.reader import looks_english, read_english
from corpus.importers.law_center import drf, law_html
from corpus.importers.legalize_kr import FENCE, read_tree
from corpus.importers.papers import ARTICLES, is_article, is_document, read_articles, read_documents
from corpus.importers.plain import read_plain
from corpus.importers.statutes.missed_headings import missed_headings
from corpus.importers.statutes.records import Note, Reading
from corpus.importers.table import ReadingRules, read_rows_of, read_table
from corpus.importers.xml_roots import root_of, source_of
from corpus.long_work import Progress
from corpus.model import Statute, language_of
from errors import UserError, Where

AUTO = "auto"
_LOOKED_AT = 20  # files of a folder, and rows of a file, that detection examines


@dataclass(frozen=True, slots=True)
class Format:
    """A statute format with its reader.

    `endings` are those of its files, in small letters with the dot. `one_file` is whether a source
    is one file: a folder is then read for the only such file in it.
    """

    name: str
    endings: tuple[str, ...]
    read: Callable[[Path, ReadingRules, Progress | None], Reading]
    one_file: bool = False


def _tree(
    read: Callable[[Path, Progress | None], list[Statute]],
) -> Callable[[Path, ReadingRules, Progress | None], Reading]:
    """Adapt a reader of trees to the form of all importers."""
    return lambda path, rules, progress: Reading(tuple(read(path, progress)))


FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        Format("legalize-kr", (".md",), _tree(read_tree)),
        Format("drf", (".xml",), _tree(drf.read_tree)),
        Format("html", (".html", ".htm"), _tree(law_html.read_tree)),
        Format("searchfiresafety", (".jsonl", ".json"), lambda p, r, g: read_documents(p, g), True),
        Format("regops", (".jsonl", ".json"), lambda p, r, g: read_articles(p, g)),
        Format("beir", (".jsonl",), lambda p, r, g: read_beir(p, g)),
        Format("table", (".csv", ".tsv", ".tab", ".jsonl", ".json"), read_table, True),
        Format("english", (".txt", ".text", ".md"), lambda p, r, g: read_english(p, g)),
        Format("text", (".txt", ".text", ".md"), read_plain),
    )
}
"""Every format by its name on the command line and the screen."""


@dataclass(frozen=True, slots=True)
class Importer:
    """A statute format of an installed package: endings of its files, and a reader of one file.

    `read` yields a row a unit, with the fields of `corpus.importers.table.FIELDS` that the file
    has; `text` is required.
    """

    endings: tuple[str, ...]
    read: Callable[[Path], Iterable[Mapping[str, object]]]


def formats() -> dict[str, Format]:
    """Return every format by its name on the command line and the screen, ours first."""
    own = usable(IMPORTERS, taken=(AUTO, *FORMATS))
    return FORMATS | {name: _own_format(each) for name, each in own.items()}


def _own_format(own: Extension) -> Format:
    """Return an importer of a package as a format."""

    def read(path: Path, rules: ReadingRules, progress: Progress | None) -> Reading:
        """Read a source by the package's importer."""
        rows = own.call(lambda: [dict(row) for row in own.value.read(path)])
        return read_rows_of(path, rows, rules, progress)

    return Format(own.name, tuple(own.value.endings), read, one_file=True)


def endings() -> tuple[str, ...]:
    """Return the file endings of all formats."""
    return tuple(sorted({".tsv", *(end for each in formats().values() for end in each.endings)}))


def read_statutes(
    path: Path,
    format_name: str = AUTO,
    rules: ReadingRules | None = None,
    progress: Progress | None = None,
) -> tuple[str, Reading]:
    """Read a source; return the name of the format and the statutes read.

    If the format is detected and a folder has files of other formats too, the reading has a note on
    the files skipped. Raises UserError for an unknown format and for anything in the source that
    the user must fix.
    """
    name, *others = _formats_of(path) if format_name == AUTO else [format_name]
    known = formats()
    if name not in known:
        raise UserError("format_name", format=name[:40], known=", ".join((AUTO, *known)))
    source = only_file(path, name) if known[name].one_file else _unwrapped(path)
    reading = known[name].read(source, rules or ReadingRules(), progress)
    missed = missed_headings(reading.statutes, source)
    reading = replace(reading, notes=(*reading.notes, *missed))
    if others:
        params = (("used", name), ("others", ", ".join(others)))
        passed = Note("formats_mixed", Where(printable(path.name)), params)
        reading = replace(reading, notes=(passed, *reading.notes))
    return name, reading


def only_file(path: Path, format_name: str) -> Path:
    """Return the file itself, or the only one of the format in a folder.

    Raises UserError for a folder with none or several.
    """
    if not path.is_dir():
        return path
    wanted = formats()[format_name]
    files = statute_files(path, wanted.endings)
    if len(files) > 1:
        at = Where(printable(str(path)))
        raise UserError("files_several", at, count=len(files), endings=", ".join(wanted.endings))
    return files[0][0]


def detect(path: Path) -> str:
    """Detect the format of a file or folder by its names and first lines.

    Raises UserError if nothing fits, and for XML of another source.
    """
    return _formats_of(path)[0]


def _formats_of(path: Path) -> list[str]:
    """Return the format of a source, then those of files to skip."""
    file_kind(path, printable(str(path)))  # raises if there is no such path
    path = _unwrapped(path)
    if path.is_dir():
        if (path / CORPUS).is_file():
            return ["beir"]
        if (path / ARTICLES).is_file():
            return ["regops"]
        files = [file for file, _ in islice(statute_files(path, endings()), _LOOKED_AT)]
        found = _ranked([(_by_file(file), file.suffix.lower()) for file in files])
    else:
        files = [path]
        found = [name for name in [_by_file(path)] if name]
    if not found:
        for file in files:
            _refuse_other_xml(file)
        known = ", ".join(formats())
        raise UserError("format_unknown", Where(printable(str(path))), known=known)
    return found


def _refuse_other_xml(file: Path) -> None:
    """Raise UserError for XML of another publisher."""
    if file.suffix.lower() == ".xml" and (source := source_of(tag := root_of(file))):
        raise UserError("xml_of_others", Where(printable(str(file))), tag=tag[:40], source=source)


def _ranked(looks: list[tuple[str | None, str]]) -> list[str]:
    """Return the format to use of those detected, then those of files that it does not read."""
    names = {name for name, _ in looks}
    known = formats()
    used = [name for name in known if name in names][:1]
    read = known[used[0]].endings if used else ()
    passed = {name for name, ending in looks if ending not in read}
    return used + [name for name in known if name in passed]


def _unwrapped(path: Path) -> Path:
    """Return the only folder in a folder if it has CORPUS or ARTICLES; else the path itself."""
    inner = only_folder(path)
    named = inner and any((inner / name).is_file() for name in (CORPUS, ARTICLES))
    return inner if inner and named else path


def _by_file(file: Path) -> str | None:
    """Return the format of a file by its ending, or by its content; None if unknown."""
    ending = file.suffix.lower()
    if ending in (".csv", ".tsv", ".tab"):
        return "table"
    if ending == ".xml":
        return None if source_of(root_of(file)) else "drf"
    if ending in FORMATS["html"].endings:
        return "html"
    if ending in (".jsonl", ".json"):
        return _by_rows(read_rows(file))
    if ending in (".md", ".txt", ".text"):
        return _by_text(read_text(file, printable(file.name)), ending)
    return next((name for name, each in formats().items() if ending in each.endings), None)


def _by_rows(rows: Iterator[RowReader]) -> str:
    """Return the format of rows by their fields; "table" if they fit no other."""
    first = list(islice(rows, _LOOKED_AT))
    for name, fits in (
        ("searchfiresafety", is_document),
        ("beir", is_beir),
        ("regops", is_article),
    ):
        if all(fits(row) for row in first):
            return name
    return "table"


def _by_text(text: str, ending: str) -> str:
    """Return the format of a text by its ending and beginning; "text" if it fits no other."""
    if ending == ".md" and text.startswith(FENCE):
        return "legalize-kr"
    return "english" if language_of(text) == "en" and looks_english(text) else "text"
