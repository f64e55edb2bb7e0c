"""Read answers of the National Law Information Center's Open API (lawService.do, type=XML).

Laws (target=law, eflaw) and administrative rules (target=admrul), one answer in each file. What
the service sends instead of a law arrives as a success and is refused here: refusals, web pages,
search results, laws without any article. Equal law gives the same units as :mod:`legalize_kr`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from corpus.files.statute_files import statute_files
from corpus.files.textfile import as_text, read_text
from corpus.importers.law_center.articles import read_rows
from corpus.importers.law_center.fields import LAW, RULE, Instrument, read_instrument
from corpus.importers.law_center.rules import read_texts
from corpus.importers.law_center.tail import read_addenda, read_attachments
from corpus.importers.law_center.xml_tree import XML_FILE_BYTES, Element, read_xml
from corpus.importers.statutes.blocks import Body
from corpus.importers.statutes.duplicate_titles import tell_apart
from corpus.importers.statutes.units import read_units
from corpus.language import language_of
from corpus.model import Statute
from errors import UserError, Where

_EXCERPT = 160


def read_tree(path: Path, progress: Callable[[int, int], None] | None = None) -> list[Statute]:
    """Return the statutes of every ``.xml`` file under `path`, sorted by file path.

    `path` may be a single file. `progress` is called with (files read, files in all). Hidden
    and linked folders and links out of the tree are passed over. Raises UserError for whatever
    the user must mend.
    """
    files = statute_files(Path(path), (".xml",))
    statutes: list[Statute] = []
    title_lines: dict[str, int] = {}
    for done, (file, name) in enumerate(files, 1):
        statute, title_lines[name] = _read(read_text(file, name, XML_FILE_BYTES), name)
        statutes.append(statute)
        if progress:
            progress(done, len(files))
    return tell_apart(statutes, title_lines)


def parse(content: str | bytes, file: str) -> Statute:
    """Return the statute in one answer; `file` stands for it in messages. Raises UserError."""
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return _read(as_text(raw, file), file)[0]


def _read(text: str, file: str) -> tuple[Statute, int]:
    """Return the statute and the line of its title."""
    root = _answer(text, file)
    known = read_instrument(root, file)
    body = _body(root, known, file)
    if not body.articles and not body.loose:
        raise UserError("drf_no_article", Where(file), title=known.title)
    body.addenda = read_addenda(root)
    language = language_of(known.title)
    attachments = read_attachments(root, file)
    units = read_units(body, attachments, known.semantic_id, known.kind, language, file)
    statute = Statute(
        semantic_id=known.semantic_id,
        title=known.title,
        kind=known.kind,
        tier=known.tier,
        language=language,
        units=units,
        promulgated=known.promulgated,
        number=known.number,
        effective=known.effective,
        source=known.source,
        file=file,
    )
    return statute, known.line


def _body(root: Element, known: Instrument, file: str) -> Body:
    rows = list(root.below("조문단위"))
    if rows:
        return read_rows(rows, known.effective, file)
    return read_texts(list(root.below("조문내용")))


def _answer(text: str, file: str) -> Element:
    """Return the root of an answer that holds a law or a rule. Raises UserError for any other."""
    head = text[:2000].lower()
    if "<html" in head or "<!doctype html" in head:
        raise UserError("drf_page", Where(file))
    if text.lstrip()[:1] in ("{", "["):
        raise UserError("drf_json", Where(file))
    root = read_xml(text, file)
    result = root.value("result")
    if "실패" in result or (result and root.tag not in (LAW, RULE)):
        said = " ".join(filter(None, (result, root.value("msg"))))
        raise UserError("drf_refused", Where(file), said=said[:_EXCERPT])
    if root.tag not in (LAW, RULE):
        _refuse(root, file)
    return root


def _refuse(root: Element, file: str) -> NoReturn:
    if root.tag.endswith("Search"):
        raise UserError("drf_search", Where(file))
    said = " ".join((root.text or root.value("message", "msg")).split())
    raise UserError("drf_other", Where(file), tag=root.tag[:40], said=said[:_EXCERPT] or "-")
