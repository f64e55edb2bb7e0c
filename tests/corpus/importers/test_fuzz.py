"""Every importer gets damaged files, thousands of them: it reads them or says what is wrong.

``TOUCHSTONE_FUZZ_CASES=10000 pytest tests/corpus/importers/test_fuzz.py`` runs as many cases over
all formats together; without the variable a few hundred run. A case is damaged from a seed, so a
failure is found again by its number; ``TOUCHSTONE_FUZZ_SEED`` makes other cases. Each is read as
named and as found out by looking, and its graph is built; one in ten is imported into a database,
which must keep all of it or nothing.
"""

from __future__ import annotations

import os
import random
import re
import resource
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from corpus.graph.build import build_graph
from corpus.importers.beir import read_beir_questions, read_questions
from corpus.importers.law_center import drf
from corpus.importers.registry import FORMATS, detect
from corpus.importers.table import ReadingRules
from corpus.model import Statute
from errors import UserError
from services.law.importing import import_statutes
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.fingerprint import content_hash
from storage.projects import create_project
from tests.conftest import ROOT

SEED = os.environ.get("TOUCHSTONE_FUZZ_SEED", "")
CASES = int(os.environ.get("TOUCHSTONE_FUZZ_CASES", "300"))
SECONDS, MEGABYTES = 10.0, 512  # of processor time for a case; of memory for all of them
_GROWTH = 20  # characters of units for each byte of the file
_ROOM = 200_000
FIXTURES = ROOT / "tests" / "fixtures"
PATTERN = ReadingRules(pattern="제{number}조({heading})", title="시험법")

ENTITIES = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
BOMB = f'<!DOCTYPE x [<!ENTITY e0 "haha">{ENTITIES}]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY e11 SYSTEM "file:///etc/passwd">]>'
NESTS = ("[", '{"a":', '[{"text":', "(a)(1)(i)", "<a>", "<div>", "<항>", "①", '"', "(((", "1. ")
NOISE = (
    *("\0", "\r", "\t", "\n", '"', ",", ";", "|", "\\ud800", "\u2028", "\ufeff", "\u200b", "&"),
    *("&e11;", "&#0;", "&#x110000;", "&lt;", "<![CDATA[", "]]>", "-->", "<!--", "<br/>", "---\n"),
    *("제0조", "제99999조의999", "제1조(", "①", "㊿", "<54>", "부칙 <제1호,2020.1.1>", "별표 1"),
    *("① ②", "②의2 가", "제1조()", "제1조의2(다) ① 라", "제9편", "1의2.", "가의", "전문"),
    *("  1. 가\n  나. 다\n 1) 라", "2.1 설치\n2.1.1 나", "┌─┐\n│1. │", "<img " * 500, "1." * 3000),
    *("§ 1.", "(a)", "null", "true", "1e999", "-1", "9" * 400, "20241399", "a" * 5000, " " * 5000),
)
ENCODINGS = ("utf-16", "utf-32", "cp949", "latin-1", "utf-8-sig", "utf-7")
VALUE = re.compile(
    r"(?<=>)[^<>]+(?=<)|(?<=\")[^\"\n]+(?=\")|(?<=[,\t])[^,\t\n]+|^[^{<\n]+$", re.MULTILINE
)
Act = Callable[[random.Random, bytes, list[bytes]], bytes]


def truncate(chance: random.Random, raw: bytes, sources: list[bytes]) -> bytes:
    return raw[: chance.randrange(len(raw) + 1)]


def splice(chance: random.Random, raw: bytes, sources: list[bytes]) -> bytes:
    other = chance.choice(sources)
    low, high = sorted(chance.randrange(len(other) + 1) for _ in range(2))
    at = chance.randrange(len(raw) + 1)
    return raw[:at] + other[low:high] + raw[at + chance.randrange(60) :]


def reencode(chance: random.Random, raw: bytes, sources: list[bytes]) -> bytes:
    return raw.decode("utf-8", "replace").encode(chance.choice(ENCODINGS), "replace")


def repeat(chance: random.Random, raw: bytes, sources: list[bytes]) -> bytes:
    low = chance.randrange(len(raw) + 1)
    high = min(len(raw), low + chance.randrange(500))
    return raw[:high] + raw[low:high] * chance.choice((1, 2, 30, 300)) + raw[high:]


def repeat_line(chance: random.Random, raw: bytes, sources: list[bytes]) -> bytes:
    lines = raw.split(b"\n")
    at = chance.randrange(len(lines))
    return b"\n".join(
        [*lines[:at], *lines[at : at + 1] * chance.choice((2, 50, 2000)), *lines[at:]]
    )


def shuffle_lines(chance: random.Random, raw: bytes, sources: list[bytes]) -> bytes:
    lines = raw.split(b"\n")
    low, high = sorted(chance.randrange(len(lines) + 1) for _ in range(2))
    some = lines[low:high]
    chance.shuffle(some)
    return b"\n".join([*lines[:low], *some, *lines[high:]])


def nest(chance: random.Random, raw: bytes, sources: list[bytes]) -> bytes:
    at = chance.randrange(len(raw) + 1)
    deep = chance.choice(NESTS).encode() * chance.choice((3, 40, 400, 20_000))
    return raw[:at] + deep + raw[at:]


def flip(chance: random.Random, raw: bytes, sources: list[bytes]) -> bytes:
    at = chance.randrange(len(raw) + 1)
    return raw[:at] + chance.randbytes(chance.randrange(1, 5)) + raw[at + 1 :]


def noise(chance: random.Random, raw: bytes, sources: list[bytes]) -> bytes:
    text = raw.decode("utf-8", "replace")
    at = chance.randrange(len(text) + 1)
    piece = chance.choice(NOISE)
    return (text[:at] + piece + text[at + chance.choice((0, 1, len(piece))) :]).encode()


def refill(chance: random.Random, raw: bytes, sources: list[bytes]) -> bytes:
    """Give one to three values what another has, or noise; the shape of the file stays."""
    text = raw.decode("utf-8", "replace")
    other = VALUE.findall(chance.choice(sources).decode())
    for _ in range(chance.randrange(1, 4)):
        values = list(VALUE.finditer(text))
        if not values:
            break
        value = chance.choice(values)
        piece = chance.choice((chance.choice(NOISE), chance.choice(other), value[0] * 2, ""))
        text = text[: value.start()] + piece + text[value.end() :]
    return text.encode("utf-8", "replace")


def entities(chance: random.Random, raw: bytes, sources: list[bytes]) -> bytes:
    text = raw.decode("utf-8", "replace")
    head, mark, rest = text.partition("?>")
    declared = chance.choice((BOMB, OUTSIDE))
    text = f"{head}{mark}{declared}{rest}" if mark else declared + text
    at = text.find(">", chance.randrange(len(text))) + 1
    return (text[:at] + "&e11;" * chance.choice((1, 40)) + text[at:]).encode()


ACTS: tuple[Act, ...] = (
    *(truncate, splice, reencode, repeat, repeat_line, shuffle_lines, nest, flip, flip),
    *(noise, noise, noise, refill, refill, refill, refill, entities),
)


def sources(name: str) -> list[Path]:
    folder = ROOT / "sample" / "statutes" if name == "legalize-kr" else FIXTURES / name
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    return [file for file in files if file.suffix in FORMATS[name].endings]


ORIGINALS = {name: sources(name) for name in FORMATS}
RAW = {name: [file.read_bytes() for file in files] for name, files in ORIGINALS.items()}


def damaged(chance: random.Random, whole: list[bytes]) -> tuple[bytes, str]:
    """Return one of the files with damage, and what was done to it."""
    raw = chance.choice(whole)
    done: list[str] = []
    for _ in range(chance.choice((1, 1, 2, 3))):
        act = chance.choice(ACTS)
        raw = act(chance, raw, whole)[: 1 << 20]
        done.append(act.__name__)
    return raw, ", ".join(done)


def check(statutes: tuple[Statute, ...], size: int) -> None:
    """Assert what the rest of the product relies on, and that nothing has grown out of bounds."""
    units = [unit for statute in statutes for unit in statute.units]
    assert units and len({unit.semantic_id for unit in units}) == len(units)
    written = 0
    for unit in units:
        assert unit.semantic_id.startswith(unit.statute_id + "_")
        assert all(0 <= part.start <= part.end <= len(unit.text) for part in unit.parts)
        assert all(0 <= link.start <= link.end <= len(unit.text) for link in unit.links)
        assert len({part.path for part in unit.parts}) == len(unit.parts)
        names = (unit.semantic_id, unit.label, unit.heading, *unit.path)
        written += len(unit.text) + sum(map(len, names)) + sum(len(p.path) for p in unit.parts)
        for text in (unit.text, *names):
            assert not {"\0", "\ufdd0"} & set(text) and "hahahaha" not in text
        assert "root:x:0" not in unit.text
    assert written <= _GROWTH * size + _ROOM, "what was read is far larger than the file"
    content_hash(statutes)


def rows(ws: Workspace) -> dict[str, int]:
    """Return how many rows each table has."""
    with sqlite3.connect(ws.database) as database:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        tables = [name for (name,) in database.execute(query)]
        count = 'SELECT count(*) FROM "{}"'
        return {each: database.execute(count.format(each)).fetchone()[0] for each in tables}


class Fuzz:
    """Runs cases and counts what became of them."""

    def __init__(self, folder: Path) -> None:
        self.seen: Counter[str] = Counter()
        self.slowest = 0.0
        self._folder = folder
        self._ws = Workspace(folder / "workspace")
        migrate(self._ws)
        create_project(self._ws, "p", "P")

    def case(self, name: str, number: int) -> None:
        """Run one case."""
        raw, done = damaged(random.Random(f"{name} {number}{SEED}"), RAW[name])
        file = self._folder / ORIGINALS[name][0].name
        file.write_bytes(raw)
        began = time.process_time()
        try:
            self._read(name, file, len(raw), PATTERN if number % 3 == 0 else ReadingRules())
            if number % 10 == 0:
                self._imported(name, file)
        except AssertionError as problem:
            raise AssertionError(f"case {name} {number} ({done}): {problem}") from problem
        except Exception as problem:
            raise AssertionError(f"case {name} {number} ({done}) raised") from problem
        taken = time.process_time() - began
        self.slowest = max(self.slowest, taken)
        assert taken < SECONDS, f"case {name} {number} ({done}) took {taken:.1f} s"

    def _read(self, name: str, file: Path, size: int, rules: ReadingRules) -> None:
        self.seen["cases"] += 1
        try:
            statutes = FORMATS[name].read(file, rules, None).statutes
        except UserError as error:
            self._said(error)
        else:
            self.seen["read"] += 1
            check(statutes, size)
            if size < 100_000:
                build_graph(statutes)
        try:
            assert detect(file) in FORMATS
        except UserError as error:
            self._said(error)

    def _said(self, error: UserError) -> None:
        self.seen["refused"] += 1
        assert error.where.file and "/" not in error.where.file.removeprefix(str(self._folder))[1:]
        for language in ("en", "ko"):
            assert len(error.what(language)) < 2_000 and error.remedy(language)

    def _imported(self, name: str, file: Path) -> None:
        before = rows(self._ws)
        try:
            report = import_statutes(self._ws, "p", file, format=name)
        except UserError:
            assert rows(self._ws) == before
            return
        self.seen["imported"] += 1
        after = rows(self._ws)
        tables = ("snapshot", "statute", "unit", "graph")
        kept = (1, report.statutes, report.units, 1) if report.new else (0, 0, 0, 0)
        assert tuple(after[each] - before[each] for each in tables) == kept


@pytest.mark.timeout(7200)
def test_damaged_files_are_read_or_refused(tmp_path: Path) -> None:
    fuzz, before = Fuzz(tmp_path), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    names = list(FORMATS)
    for number in range(CASES):
        fuzz.case(names[number % len(names)], number // len(names))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(dict(fuzz.seen), f"slowest {fuzz.slowest:.2f} s, memory grew by {grown:.0f} MB")  # noqa: T201
    assert grown < MEGABYTES
    assert fuzz.seen["read"] > CASES / 20, "damage that leaves nothing to read tests nothing"


def test_damaged_questions_are_read_or_refused(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    whole = {
        name: (FIXTURES / "beir" / name).read_bytes()
        for name in ("queries.jsonl", "qrels/test.tsv")
    }
    lines = (ROOT / "sample" / "questions.jsonl").read_bytes()
    for number in range(CASES // 6):
        chance = random.Random(f"questions {number}{SEED}")
        for name, raw in whole.items():
            (tmp_path / name).write_bytes(chance.choice((raw, damaged(chance, [raw])[0])))
        (tmp_path / "q.jsonl").write_bytes(damaged(chance, [lines])[0])
        for read, path in ((read_beir_questions, tmp_path), (read_questions, tmp_path / "q.jsonl")):
            try:
                questions = read(path)
            except UserError as error:
                assert error.where.file and error.remedy()
            else:
                assert len({each.external_id for each in questions}) == len(questions) > 0


def test_xml_that_stays_well_formed_is_read_or_refused() -> None:
    """Elements are moved, renamed and refilled, so that damage reaches what lies behind the XML."""
    for number in range(CASES // 6):
        chance = random.Random(f"xml {number}{SEED}")
        root = ElementTree.fromstring(chance.choice(RAW["drf"]))  # noqa: S314
        for _ in range(chance.randrange(1, 9)):
            one, other = chance.choices(list(root.iter()), k=2)
            match chance.choice(("text", "text", "text", "rename", "move", "clear")):
                case "text":
                    piece = chance.choice(NOISE)
                    one.text = "".join(c for c in piece if c.isprintable() or c == "\n")
                case "rename":
                    one.tag = other.tag
                case "clear":
                    one.clear()
                case _ if one not in [*other.iter()] and other not in [*one.iter()]:
                    other.insert(chance.randrange(len(other) + 1), one)
        raw = bytes(ElementTree.tostring(root, "utf-8"))
        began = time.process_time()
        try:
            statute = drf.parse(raw, "x.xml")
        except UserError as error:
            assert error.where.file == "x.xml" and error.what("ko") and error.remedy("en")
        else:
            check((statute,), len(raw))
            assert [unit.order for unit in statute.units] == [*range(len(statute.units))]
            assert all(unit.text_missing == (not unit.text) for unit in statute.units)
        assert time.process_time() - began < 5


@pytest.mark.parametrize("declared", [BOMB, OUTSIDE])
@pytest.mark.parametrize("name", ["drf", "html"])
def test_entities_are_never_expanded(tmp_path: Path, name: str, declared: str) -> None:
    (original, *_) = ORIGINALS[name]
    text = original.read_text(encoding="utf-8")
    head, mark, rest = text.partition("?>") if name == "drf" else ("", "", text)
    file = tmp_path / original.name
    bomb = f"{head}{mark}{declared}{rest}".replace("지키는 일", "&e11;").replace("높이", "&e11;")
    file.write_text(bomb, encoding="utf-8")
    try:
        statutes = FORMATS[name].read(file, ReadingRules(), None).statutes
    except UserError as error:
        assert error.code == "xml_doctype"
    else:
        assert name == "html"
        check(statutes, len(text))
