"""The sample project with work of people and of a model in every task.

``python -m tests.projects.worked_project`` writes it into `FILE`, as working takes a minute.
"""

from __future__ import annotations

import io
import json
import re
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from typing import Any
from unittest.mock import patch

from PIL import Image
from sqlmodel import col, select

from annotation.adjudication.discussion_views import keep
from annotation.forms import form as form_commands
from annotation.mapping import commands as mapping_commands
from annotation.people.members import list_people
from annotation.work import commands, queue_service, threads
from annotation.work.queue_service import open_item
from storage.cases.court_cases import case_of
from storage.db.migrate import migrate
from storage.db.workspace import DATABASE_FILE, Workspace, utc_now
from storage.law.corpus import id_in_use, unit_ids
from storage.projects import find_project
from storage.subjects import item_of
from storage.tables.core import Item, QuestionRow
from storage.tasks import Task
from tests.commands.called import command_line
from tests.conftest import ROOT, FakeClock
from tests.llm.server import scripted
from tests.support.drawn_pages import png

FILE = ROOT / "tests" / "fixtures" / "worked_project.zip"
SLUG = "sample"
ARA, JUN, SORA = "Kim Ara", "Park Jun", "Lee Sora"
HAN = "=Han & Byeol_1 | 50%"  # what tables of every kind have to escape
ACT = "Gaon-Fire-Safety-Act_article-"
SMOKE = "Gaon-Fire-Safety-Technical-Standard-for-Smoke-Curtain-Systems-GFTC-101E_"
DECREE = "Enforcement-Decree-of-the-Gaon-Fire-Safety-Act_article-"
GUIDE = "가온-연기차단막설비의-화재안전기술기준-GFTC-101_"
LAW, RULE = "가온-화재안전-기본법_", "가온-화재안전-기본법-시행규칙_"
ALONE = (("alone_answerable", "no"), ("alone_choice", 4), ("alone_sure", 4), ("revealed", True))
BOTH = (("both_answerable", "yes"), ("both_choice", 1), ("both_sure", 5), ("compared", True))
ACCOUNTS = ("ara@example.org", "jun@example.org")


def worked_project(folder: Path, clock: Callable[[], datetime] = utc_now) -> Workspace:
    """Put the project of `FILE` into a new folder; return its workspace."""
    with zipfile.ZipFile(FILE) as archive:
        archive.extractall(folder)
    ws = Workspace(folder, clock)
    migrate(ws)
    return ws


@contextmanager
def fixed_clock() -> Iterator[FakeClock]:
    """Let every workspace that is opened without a clock go by one that starts at a fixed time."""
    clock = FakeClock()
    with patch.object(Workspace.__init__, "__defaults__", (clock, None)):
        yield clock


@dataclass
class Work:
    """A workspace with the sample project, and short hands for working in it."""

    ws: Workspace
    files: Path

    def run(self, *words: str, said: str = "") -> str:
        """Run a command, which must succeed, with `said` on its standard input."""
        with patch("sys.stdin", io.StringIO(said)):
            done = command_line(self.ws.folder, *words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def file(self, name: str, text: str) -> str:
        """Write a file for a command to read; return its path."""
        path = self.files / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def person(self, name: str) -> int:
        """Return the id of a person."""
        return {each.name: each.id for each in list_people(self.ws, SLUG)}[name]

    def question(self, name: str) -> int:
        """Return the item of a question under citation mapping."""
        query = select(Item.id).join(QuestionRow, col(QuestionRow.id) == Item.question_id)
        with self.ws.reading() as session:
            return session.exec(query.where(QuestionRow.external_id == name)).one() or 0

    def item(self, task: Task, name: str) -> int:
        """Return the item of a form."""
        query = select(Item.id).where(Item.task == task, Item.external_id == name)
        with self.ws.reading() as session:
            return session.exec(query).one() or 0

    def unit(self, name: str) -> int:
        """Return the id of a unit of the law in use."""
        with self.ws.reading() as session:
            return unit_ids(session, id_in_use(session, find_project(session, SLUG).id) or 0)[name]

    def label(self, who: str, name: str, units: Mapping[str, str | None]) -> tuple[int, int]:
        """Open a question and say what becomes of units; return the person and the item."""
        person, item = self.person(who), self.question(name)
        view = queue_service.open_item(self.ws, person, item)
        listed = {each.unit_id for each in view.candidates}
        for semantic, decision in units.items():
            unit = self.unit(semantic)
            if unit not in listed:
                mapping_commands.add_unit(self.ws, person, item, unit)
            mapping_commands.label(self.ws, person, item, unit, decision)
        return person, item

    def map(self, who: str, name: str, *units: str, confidence: int | None = None) -> None:
        """Accept these units, or say that no provision answers, and submit."""
        person, item = self.label(who, name, dict.fromkeys(units, "accept"))
        if not units:
            mapping_commands.set_no_provision(self.ws, person, item, True)
        commands.submit(self.ws, person, item, confidence)

    def answer(self, who: str, item: int, said: Mapping[str, Any], send: bool = True) -> None:
        """Answer the fields of a form's item, and submit it."""
        person = self.person(who)
        open_item(self.ws, person, item)
        for field, value in said.items():
            form_commands.answer(self.ws, person, item, field, value)
        if send:
            commands.submit(self.ws, person, item, 4)


def do_all(ws: Workspace, files: Path) -> None:
    """Load the sample and do everything, each after what it builds on."""
    work = Work(ws, files)
    work.run("init", "--sample", "--fresh")
    _people(work)
    _guidelines(work)
    _batches(work)
    work.run("assign", "pool", "--open")
    _mapping(work)
    _settling(work)
    _talking(work)
    _questions(work)
    _tagging(work)
    _judging(work)
    _models(work)
    _runs(work)
    _amended(work)
    _pages(work)
    _elsewhere(work)
    _after(work)


def _people(work: Work) -> None:
    for name, role in (("Han Bit", "annotator"), ("Seo On", "researcher"), ("Nam Gil", "lawyer")):
        work.run("person", "add", name, "--role", role)
    work.run("person", "rename", "Han Bit", HAN)
    work.run("person", "role", HAN, "lawyer")
    work.run("person", "role", HAN, "annotator")
    work.run("person", "deactivate", "Nam Gil")
    work.run("person", "reactivate", "Nam Gil")
    work.run("person", "invite", "--role", "lawyer", "--note", "For a colleague")
    work.run("account", "add", ACCOUNTS[0], "--name", ARA, "--steward", "--provider")
    word = "lamps on every pier\n"
    work.run("account", "add", ACCOUNTS[1], "--name", JUN, said=word)
    work.run("account", "password", ACCOUNTS[1], said=f"more {word}")
    work.run("account", "deactivate", ACCOUNTS[1])
    work.run("account", "reactivate", ACCOUNTS[1])


def _guidelines(work: Work) -> None:
    """Change a guideline before anybody works by it; a codebook is changed when they have."""
    text = work.run("guideline", "show", "--task", Task.MCQ_SOLVABILITY)
    file = work.file("guideline.md", f"{text}\nRead both provisions to the end.\n")
    work.run("guideline", "edit", file, "--note", "Read on", "--task", Task.MCQ_SOLVABILITY)


def _batches(work: Work) -> None:
    both = ("--unit", f"{LAW}12조", "--unit", f"{RULE}6조")
    why = "Both are named."
    work.run("assign", "known", "--question", "ko-01", *both, "--explanation", why)
    work.run("assign", "known", "--question", "ko-10", "--no-provision")
    work.run("assign", "known", "--question", "ko-07", "--unit", f"{LAW}5조")
    people = ("--person", ARA, "--person", JUN)
    ids = work.file("practice.txt", "ko-01\n")
    work.run("assign", "make", "Practice", *people, "--practice", "--ids", ids)
    ids = work.file("calibrated.txt", "ko-07\nko-08\nko-09\nko-10\n")
    work.run("assign", "make", "Calibrated", *people, "--ids", ids, "--calibration", "0.5",
             "--order", "random", "--seed", "7", "--deadline", "2100-01-31")  # fmt: skip
    ids = work.file("english.txt", "".join(f"en-{number:02d}\n" for number in range(1, 11)))
    work.run("assign", "make", "English", *people, "--ids", ids)
    work.run("assign", "people", "English", "--add", HAN)
    work.run("assign", "out", "English", "en-10")
    work.run("assign", "make", "Quiz", *people, "--task", Task.MCQ_SOLVABILITY)


def _mapping(work: Work) -> None:
    """Practise, agree, differ, draft, skip, flag, undo and take back."""
    work.map(ARA, "ko-01", f"{LAW}12조")
    work.map(JUN, "ko-01", f"{LAW}12조", f"{RULE}6조")
    for who, more in ((ARA, ()), (JUN, (f"{LAW}7조",))):
        work.map(who, "ko-07", f"{LAW}5조", *more, confidence=3)
        work.map(who, "ko-10", confidence=5)
        work.map(who, "ko-09", f"{LAW}10조")
    for who in (ARA, JUN):
        work.map(who, "en-01", f"{ACT}12", f"{DECREE}8", confidence=4)
        work.map(who, "en-09", f"{ACT}9")
        work.map(who, "en-06", f"{SMOKE}2.2")
        work.map(who, "en-08")
        work.map(who, "en-10", f"{ACT}9-3")
        work.map(who, "ko-04", f"{GUIDE}2.1")
        work.map(who, "ko-05", f"{LAW}8조", f"{GUIDE}1.1")
        work.map(who, "ko-11", f"{LAW}9조", f"{LAW}17조")
    work.map(ARA, "en-02", f"{SMOKE}2.1")
    work.map(JUN, "en-02", f"{SMOKE}2.1", f"{SMOKE}2.2", confidence=2)
    work.map(ARA, "en-03", f"{ACT}9-2", f"{ACT}9-3", f"{ACT}9-4")
    work.map(HAN, "en-03")
    work.map(ARA, "en-05", f"{ACT}8", f"{DECREE}5")
    person, item = work.label(JUN, "en-05", {f"{ACT}8": "accept", f"{DECREE}5": "unsure"})
    commands.set_comment(work.ws, person, item, '=1+1, "perhaps"\n<b>or</b> | not')
    commands.set_flag(work.ws, person, item, "-no year is named")
    threads.say(work.ws, person, item, "What does the decree add here?")
    commands.submit(work.ws, person, item, 2)
    person, item = work.label(ARA, "en-07", {f"{ACT}6": "accept"})
    commands.undo(work.ws, person, item)
    mapping_commands.label(work.ws, person, item, work.unit(f"{ACT}6"), "reject")
    commands.skip(work.ws, person, item, "Later.")
    work.map(JUN, "en-04", f"{DECREE}5", f"{DECREE}7")
    person, item = work.person(JUN), work.question("en-04")
    commands.take_back(work.ws, person, item)
    work.map(JUN, "en-04", f"{DECREE}5", f"{DECREE}7", f"{ACT}8")
    work.label(ARA, "ko-02", {f"{LAW}12조": "accept", f"{LAW}10조": "unsure"})


def _settling(work: Work) -> None:
    by = ("--by", SORA)
    units = ("--unit", f"{SMOKE}2.1")
    work.run("adjudicate", "decide", "en-02", *by, "--reason", "Both, at first.", *units,
             "--unit", f"{SMOKE}2.2")  # fmt: skip
    work.run("adjudicate", "decide", "en-02", *by, "--reason", "+ the standard alone", *units)
    work.run("adjudicate", "ask", "en-09", "--by", JUN, "--reason", "I misread it.")
    work.run("adjudicate", "give-back", "en-09", "--to", JUN, *by, "--reason", "Read again.")
    commands.take_back(work.ws, work.person(JUN), work.question("en-09"))
    work.map(JUN, "en-09", f"{ACT}9")
    work.run("adjudicate", "ask", "en-06", "--by", ARA, "--reason", "I am not sure.")
    work.run("adjudicate", "decline", "en-06", "--to", ARA, *by, "--reason", "It is right.")


def _talking(work: Work) -> None:
    """Send two back: one is agreed on, one decided after the talk; a third is recalled."""
    by = ("--by", SORA, "--reason", "Talk it over.")
    work.run("adjudicate", "refer", "en-05", *by)
    ara, jun, item = work.person(ARA), work.person(JUN), work.question("en-05")
    first = threads.say(work.ws, ara, item, "It says when the Act is followed.")
    threads.say(work.ws, jun, item, "Agreed.", first)
    keep(work.ws, ara, item)
    commands.take_back(work.ws, jun, item)
    work.map(JUN, "en-05", f"{ACT}8", f"{DECREE}5")
    work.run("adjudicate", "refer", "en-03", *by)
    keep(work.ws, ara, work.question("en-03"))
    keep(work.ws, work.person(HAN), work.question("en-03"))
    work.run("adjudicate", "decide", "en-03", "--by", SORA, "--reason", "All three.",
             *("--unit", f"{ACT}9-2", "--unit", f"{ACT}9-3", "--unit", f"{ACT}9-4"))  # fmt: skip
    work.map(JUN, "ko-03", f"{LAW}10조")
    work.map(ARA, "ko-03", "가온-화재안전-기본법-시행령_8조의2")
    work.run("adjudicate", "refer", "ko-03", *by)
    work.run("adjudicate", "recall", "ko-03", "--by", SORA, "--reason", "I decide it later.")


def _questions(work: Work) -> None:
    """Check questions: kept by all, fixed against kept, dropped, and one left half-way."""
    kept = dict((*ALONE, *BOTH, ("stored_right", "yes"), ("verdict", "keep")))
    fix = {"query": "What holds?", "options": ["a", "b", "c", "d"], "answer": 2}
    mended = kept | {"stored_right": "no", "verdict": "fix", "cause": "other", "reason": "=Unclear"}
    dropped = kept | {"verdict": "drop", "cause": "other", "reason": "-Too, easy"}
    for name, first, second in (
        ("mcq-en-1", kept, kept),
        ("mcq-en-2", kept, mended | {"fix": fix}),
        ("mcq-en-3", dropped, kept),
        ("mcq-ko-1", kept, dropped),
    ):
        item = work.item(Task.MCQ_SOLVABILITY, name)
        work.answer(ARA, item, first)
        work.answer(JUN, item, second)
    ara, item = work.person(ARA), work.item(Task.MCQ_SOLVABILITY, "mcq-ko-2")
    work.answer(ARA, item, dict(ALONE), send=False)
    commands.set_comment(work.ws, ara, item, "Hard to tell.")
    item = work.item(Task.MCQ_SOLVABILITY, "mcq-ko-3")
    work.answer(ARA, item, kept)
    commands.take_back(work.ws, ara, item)
    commands.set_flag(work.ws, ara, item, "Two options say the same.")
    commands.submit(work.ws, ara, item)
    task = ("--task", Task.MCQ_SOLVABILITY)
    why = ("--reason", "I misread the second provision.")
    work.run("adjudicate", "ask", "mcq-ko-1", "--by", JUN, *why, *task)
    work.run("adjudicate", "give-back", "mcq-en-1", "--to", JUN, "--by", SORA, *why, *task)
    by = ("--by", SORA, "--reason", "As the decree says.")
    file = work.file("fix.json", json.dumps(fix | {"answer": 1}))
    work.run("mcq", "settle", "mcq-en-2", *by, "--verdict", "fix", "--cause", "other",
             "--fix", file)  # fmt: skip
    work.run("mcq", "settle", "mcq-en-3", *by, "--verdict", "keep")


def _tagging(work: Work) -> None:
    """Settle what the sample's people differ on, tag more, and change the codebook."""
    _another_case(work)
    settle = ("factors", "settle")
    reason = ("--by", SORA, "--reason", "The court says so.")
    work.run(*settle, "fraud-2", "admission", "--option", "denies", *reason)
    work.run(*settle, "fraud-2", "admission", "--option", "admits_in_part", *reason)
    item = work.item(Task.FACTOR_TAGGING, "drunk-1")
    with work.ws.reading() as session:
        text = case_of(session, session.get_one(Item, item).subject_id or 0).text
    quote = text[40:60]
    evidence = {"option": "imprisonment", "start": 40, "end": 60, "quote": quote}
    said = {"disposition": {"options": ["imprisonment"], "evidence": [evidence]}}
    work.answer(ARA, item, said, send=False)
    commands.set_comment(work.ws, work.person(ARA), item, "Reads like two cases.")
    threads.say(work.ws, work.person(ARA), item, "Which of the two counts?")
    commands.skip(work.ws, work.person(JUN), item, "Too long.")
    book = work.files / "before.yaml"
    work.run("factors", "codebook", "export", str(book))
    text = book.read_text(encoding="utf-8")
    file = work.file("factors.yaml", f"{text}# Read by everybody who tags.\n")
    work.run("factors", "codebook", "import", file, "--note", "=Says who, reads it")
    work.run("factors", "suggestions", "shown")


def _another_case(work: Work) -> None:
    """Bring in one more judgment, whose name a spreadsheet would calculate; both tag it alike."""
    cases = (ROOT / "sample" / "court_cases.jsonl").read_text(encoding="utf-8").splitlines()
    (case,) = (each for each in map(json.loads, cases) if each["id"] == "fraud-1")
    case |= {"id": "=fraud-5", "text": case["text"].replace("877", "878")}
    work.run("cases", "import", work.file("case.jsonl", json.dumps(case, ensure_ascii=False)))
    work.run("factors", "items")
    lines = (ROOT / "sample" / "factor_tags.jsonl").read_text(encoding="utf-8").splitlines()
    tags = json.loads(lines[0])["answers"]
    said = {key: {"options": [option], "evidence": []} for key, option in tags.items()}
    for who in (ARA, JUN):
        work.answer(who, work.item(Task.FACTOR_TAGGING, "=fraud-5"), said)


def _judging(work: Work) -> None:
    """Rate what nobody has rated, and review judges that were off, and one that was not."""
    names = {}
    with work.ws.reading() as session:
        for row in session.exec(select(Item).where(Item.task == Task.ANSWER_RATING)):
            names[(row.external_id or "").partition("·")[0]] = row.id or 0
    work.answer(JUN, names["ko-07"], {"rating": "correct"}, send=False)
    commands.undo(work.ws, work.person(JUN), names["ko-07"])
    work.answer(JUN, names["ko-07"], {"rating": "incorrect"})
    work.answer(ARA, names["ko-10"], {"rating": "correct"})
    item = work.item(Task.JUDGE_REVIEW, "en-01 · model-large")
    work.answer(SORA, item, {"consensus": "correct", "estimate": "fair"})
    item = work.item(Task.JUDGE_REVIEW, "en-02 · model-large")
    said = {"consensus": "incorrect", "estimate": "over", "rationale": "=The length | is over it"}
    work.answer(SORA, item, said | {"categories": ["wrong_figure", "missing_condition"]})


def _models(work: Work) -> None:
    """Let a model solve, judge, suggest and answer; it says the same to everybody."""
    with scripted() as server:
        text = f'base_url = "{server.base_url}"\nmodel = "=stand-in"\nconcurrency = 1\n'
        (work.ws.folder / "models.toml").write_text(text + "price_in = 1.0\nprice_out = 2.0\n")
        server.says = lambda _: "2"
        work.run("mcq", "solve")
        server.says = lambda _: "1"
        work.run("judge", "run", "--name", "=stand_in & 1")
        server.says = lambda _: "The Act says so in Article 12."
        work.run("judge", "answer", "--provisions")
        server.says = lambda _: "A"
        work.run("judge", "run", "--pairwise", "--system", "model-large")
        server.says = _tags
        work.run("factors", "suggest", "--case", "fraud-1", "--case", "drunk-2")
    (work.ws.folder / "models.toml").unlink()
    prompt = work.run("llm", "prompt", "judge_binary")
    file = work.file("prompt.txt", f"{prompt.rstrip()}\nBe strict.\n")
    work.run("llm", "prompt", "judge_binary", "--file", file, "--note", "Stricter")


def _runs(work: Work) -> None:
    work.run("graph", "build")
    work.run("retrieve", "--method", "bm25", "--k", "20")
    work.run("retrieve", "--method", "lsa", "--k", "20", "--name", "+Latent & 50%_#|")
    made = work.files / "run.trec"
    work.run("export", "run", "1", str(made))
    lines = [line.split() for line in made.read_text(encoding="utf-8").splitlines()]
    worse = [(*line[:3], str(21 - int(line[3])), str(int(line[3])), "theirs") for line in lines
             if int(line[3]) <= 20]  # fmt: skip
    file = work.file("theirs.trec", "".join(" ".join(line) + "\n" for line in worse))
    work.run("run", "import", file, "--name", "Theirs")
    file = work.file("mine.yaml", _EXPERIMENT)
    work.run("experiment", "run", file)


def _tags(asked: str) -> str:
    """Answer the questions on a judgment: what is found, what is not there, what nobody asked."""
    quotes = ("판결", "no such words"), ("Court", "no such words")
    quote = quotes["판결" not in asked]
    rows = []
    for number, part in enumerate(asked.split("\n## ")[1:]):
        options = re.findall(r"^- (\w+):", part, re.MULTILINE)
        chosen = (options[:1], ["not_stated"], options[-1:], ["unheard_of"], options[:2])[
            number % 5
        ]
        key = part.split(maxsplit=1)[0].strip(":")
        rows.append({"sub_factor": key, "options": chosen, "quote": quote[number % 2]})
    return json.dumps({"answers": rows}, ensure_ascii=False)


_AMENDED = "safety equipment in a condition in which it can operate at all times."
_EXPERIMENT = """\
name: "=Two ways & more"
measures: [Recall@10, nDCG@10]
baseline: BM25
methods:
- name: BM25
  method: bm25
  grid:
    b: [0.5, 0.75]
- name: "@TF_IDF | 2"
  method: tfidf
"""


def _pages(work: Work) -> None:
    """Correct a page, verify it, and bring it into the corpus; begin another."""
    block: dict[str, Any] = {
        "kind": "paragraph",
        "text": "Annex 5: fines (KRW)",
        "box": None,
        "doubt": [],
    }
    page = work.item(Task.OCR_CORRECTION, "decree-annex-5-en")
    work.answer(ARA, page, {"blocks": [block]})
    with work.ws.reading() as session:
        subject = session.get_one(Item, page).subject_id or 0
        verification = item_of(session, Task.OCR_VERIFICATION, subject) or 0
    work.answer(JUN, verification, {"blocks": [block | {"text": "Annex 5: fines (won)"}]})
    doubtful = block | {"text": "별표 2", "doubt": [[0, 2]]}
    other = work.item(Task.OCR_CORRECTION, "decree-annex-2-ko")
    work.answer(JUN, other, {"blocks": [doubtful]}, send=False)
    work.run("ocr", "publish")


def _amended(work: Work) -> None:
    """Bring in the law with an article amended; one of those who decided on it looks again."""
    law = work.files / "law"
    copytree(ROOT / "sample" / "statutes", law)
    act = law / "en" / "gaon-fire-safety-act" / "act.md"
    text = act.read_text(encoding="utf-8")
    assert _AMENDED in text
    act.write_text(text.replace(_AMENDED, f"{_AMENDED} It is tested each month."), encoding="utf-8")
    work.run("import", "statutes", str(law))
    mapping_commands.recheck(work.ws, work.person(JUN), work.question("en-09"))
    work.map(JUN, "en-09", f"{ACT}9")


def _elsewhere(work: Work) -> None:
    """Bring in what people said in another tool."""
    choices = {
        "Twelve": {"unit": f"{LAW}12조", "decision": "accept"},
        "None": {"no_provision": True},
    }
    guide = {"item": "question_id", "choices": "provisions", "comment": "why", "decisions": choices}
    guide["people"] = {"u1": ARA, "u2": JUN}
    mapping = work.file("guide.json", json.dumps(guide))
    rows = [
        {
            "fields": {},
            "metadata": {"question_id": "ko-12"},
            "responses": [_response("u1", "Twelve")],
        },
        {
            "fields": {},
            "metadata": {"question_id": "ko-14"},
            "responses": [_response(u, "None") for u in ("u1", "u2")],
        },
    ]
    file = work.file("argilla.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    work.run("import", "labels", file, "--from", "argilla", "--mapping", mapping)


def _response(user: str, choice: str) -> dict[str, Any]:
    values = {"provisions": {"value": [choice]}, "why": {"value": "Said elsewhere."}}
    return {"user_id": user, "status": "submitted", "values": values}


def _after(work: Work) -> None:
    """Change what holds once people have worked by it, and take answers over."""
    text = work.run("guideline", "show")
    file = work.file("mapping.md", f"{text}\nA decree that only repeats the act is not needed.\n")
    work.run("guideline", "edit", file, "--note", "@Decrees | more")
    work.run("guideline", "migrate", "1", "2", "--reason", "Nothing else changed", "--do")
    work.run("levels", "article", "section", "annex", "form")
    work.run("groups", "query", "fraud.fraud", "fraud-2")
    before = work.files / "typology.yaml"
    work.run("groups", "typology", "--output", str(before))
    file = work.file("typology-2.yaml", f"{before.read_text(encoding='utf-8')}# Ours.\n")
    work.run("groups", "save", file, "--note", "Says whose it is")


def _write_file(folder: Path) -> None:
    """Work in the folder, and keep the database: all else is made again when it is needed."""
    (folder / "files").mkdir()
    with fixed_clock():
        ws = Workspace(folder / "workspace")
        do_all(ws, folder / "files")
    ws.engine.dispose()
    small = folder / DATABASE_FILE
    with closing(sqlite3.connect(ws.database)) as opened:
        opened.execute("VACUUM INTO ?", (str(small),))
    _blank_scans(small)
    with zipfile.ZipFile(FILE, "w", zipfile.ZIP_LZMA) as archive:
        archive.write(small, DATABASE_FILE)


def _blank_scans(database: Path) -> None:
    """Put blank pages of the same size in the place of the scans, which are most of the file."""
    with closing(sqlite3.connect(database)) as opened:
        triggers = opened.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'page_image'"
        ).fetchall()
        for name, _ in triggers:
            opened.execute(f'DROP TRIGGER "{name}"')
        pages = opened.execute("SELECT id, width, height FROM page_image").fetchall()
        for number, *size in pages:
            content = png(Image.new("L", tuple(size), 255 - number))
            values = (content, sha256(content).hexdigest(), number)
            opened.execute("UPDATE page_image SET content = ?, sha256 = ? WHERE id = ?", values)
        for _, sql in triggers:
            opened.execute(sql)
        opened.commit()
        opened.execute("VACUUM")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, patch.dict("os.environ"):
        _write_file(Path(folder))
