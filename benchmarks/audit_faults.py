"""Small folders of a benchmark with faults planted in them, and what an audit must find there.

Each starts from the same clean benchmark: documents on a few matters each, questions that share
words with their gold and with documents beside it, two splits, a card. A fault changes some rows
and names the cases to be found, as (check, id); whatever else is found is a false alarm, unless it
follows from the fault.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from unicodedata import normalize

Found = set[tuple[str, str]]
_LETTERS = "가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허고노도로모보소오조초코토포호"
_MATTERS, _OF_MATTER = 12, 5
_CARD = (
    "---\nlicense: cc-by-4.0\nlanguage: ko\ntask_categories: [text-retrieval]\n"
    "size_categories: n<1K\npretty_name: Ferries\n---\n"
)


@dataclass
class Folder:
    """A benchmark to be written: rows by id, judgments as (split, query, document, grade).

    `raw` are lines to add to files as they are; `follows` are cases that follow from the faults.
    """

    documents: dict[str, dict[str, str]]
    queries: dict[str, dict[str, str]]
    judgments: list[tuple[str, str, str, str]]
    card: str = _CARD
    raw: dict[str, list[bytes]] = field(default_factory=dict)
    planted: Found = field(default_factory=set)
    follows: Found = field(default_factory=set)

    def plant(self, check: str, *ids: str) -> None:
        """Name cases that are to be found."""
        self.planted |= {(check, each) for each in ids}

    def follow(self, check: str, *ids: str) -> None:
        """Name cases that may be found besides."""
        self.follows |= {(check, each) for each in ids}

    def gold(self, query: str) -> str:
        """Return the gold of a query."""
        return next(document for _, asked, document, _ in self.judgments if asked == query)

    def write(self, home: Path) -> Path:
        """Write it as a BEIR folder."""
        (home / "qrels").mkdir(parents=True)
        for name, rows in (("corpus", self.documents), ("queries", self.queries)):
            lines = [
                json.dumps({"_id": key, **row}, ensure_ascii=False) for key, row in rows.items()
            ]
            self._write(home, f"{name}.jsonl", lines)
        for split in ("train", "test"):
            lines = ["\t".join(each[1:]) for each in self.judgments if each[0] == split]
            self._write(home, f"qrels/{split}.tsv", ["query-id\tcorpus-id\tscore", *lines])
        if self.card:
            (home / "README.md").write_text(self.card, encoding="utf-8")
        return home

    def _write(self, home: Path, name: str, lines: list[str]) -> None:
        text = "".join(f"{line}\n" for line in lines).encode()
        (home / name).write_bytes(text + b"".join(self.raw.get(name, ())))


def clean(seed: int = 0) -> Folder:
    """Return the benchmark without a fault."""
    random = Random(seed)
    words = sorted({"".join(random.choices(_LETTERS, k=3)) for _ in range(900)})
    random.shuffle(words)
    common, own = words[:60], words[60:]
    documents, queries, judgments = {}, {}, []
    for matter in range(_MATTERS):
        subject = [own.pop() for _ in range(6)]
        for number in range(_OF_MATTER):
            name = f"d{matter:02}{number}"
            mine = [own.pop() for _ in range(4)]
            about = random.sample(subject, 5)
            text = [*random.sample(common, 25), *about * 2, *mine, *mine[:2]]
            random.shuffle(text)
            documents[name] = {"title": f"제{matter}장 {mine[0]}", "text": " ".join(text) + "."}
            if number < 3:
                asked = [mine[0], *about, *random.sample(common, 4)]
                random.shuffle(asked)
                key = f"q{matter:02}{number}"
                queries[key] = {"text": " ".join(asked) + "?"}
                judgments.append(("train" if matter % 3 else "test", key, name, "1"))
    return Folder(documents, queries, judgments)


def dangling(of: Folder) -> None:
    """Judgments name documents and queries that are not there."""
    of.judgments += [("test", "q000", f"gone{n}", "1") for n in range(3)]
    of.judgments += [("test", "nobody", "d010", "1"), ("train", "noone", "d011", "1")]
    of.plant("document_missing", "gone0", "gone1", "gone2")
    of.plant("query_missing", "nobody", "noone")


def document_copies(of: Folder, near: bool) -> None:
    """Documents nobody judged, or for nobody's question, are there twice."""
    for number, name in enumerate(("d003", "d014", "d023")):
        text = of.documents[name]["text"]
        changed = text.replace(text.split()[3], "나루") if near else text.upper() + " "
        of.documents[f"copy{number}"] = {"title": f"또 {number}", "text": changed}
        of.plant("document_near_duplicate" if near else "document_duplicate", f"copy{number}")


def query_copies(of: Folder, near: bool) -> None:
    """Queries are there twice, in one split."""
    for number, name in enumerate(("q000", "q011")):
        text = of.queries[name]["text"]
        of.queries[f"again{number}"] = {"text": f"{text} 예" if near else f"  {text}!"}
        split = next(each[0] for each in of.judgments if each[1] == name)
        of.judgments.append((split, f"again{number}", of.gold(name), "1"))
        of.plant("query_near_duplicate" if near else "query_duplicate", f"again{number}")


def leaks(of: Folder) -> None:
    """Questions of one split are in the other too, by id and nearly by words."""
    split = {"train": "test", "test": "train"}
    for name in ("q020", "q030"):
        own = next(each[0] for each in of.judgments if each[1] == name)
        of.queries[f"{name}x"] = {"text": of.queries[name]["text"] + " 요"}
        of.judgments.append((split[own], f"{name}x", of.gold(name), "1"))
        of.plant("split_leak", f"{name}x")
        of.plant("query_near_duplicate", f"{name}x")
    of.judgments.append(("test", "q040", of.gold("q040"), "1"))
    of.plant("split_leak", "q040")


def empty(of: Folder) -> None:
    """Texts have nothing to read."""
    of.documents["d034"]["text"] = ""
    of.documents["d044"]["text"] = " – .\n"
    of.queries["q050"]["text"] = "?"
    of.plant("text_empty", "d034", "d044", "q050")
    of.follow("gold_unreached", "q050")


def cut(of: Folder) -> None:
    """Texts are cut at one length, and at an ellipsis."""
    long = " ".join(each["text"].rstrip(".") for each in list(of.documents.values())[:9])
    for at, name in enumerate(("d003", "d004", "d013", "d014")):
        of.documents[name]["text"] = (long[at * 300 :] + long)[:512].replace(".", " ")
        of.plant("text_truncated", name)
    of.documents["d024"]["text"] = of.documents["d024"]["text"][:60] + " …"
    of.plant("text_truncated", "d024")
    of.follow("before_gold", "q000")  # its words are in what was cut


def damaged(of: Folder) -> None:
    """Texts were decoded in another encoding, or lost letters."""
    of.documents["d003"]["text"] += " 안전\ufffd관리"
    of.documents["d013"]["text"] += " " + "naïve café".encode().decode("cp1252")
    of.documents["d023"]["text"] += " " + "소방 안전관리".encode().decode("latin-1")
    of.documents["d033"]["text"] += " " + "건축".encode().decode("cp949")
    of.queries["q010"]["text"] += " " + "규정".encode().decode("cp949")
    of.plant("encoding_damage", "d003", "d013", "d023", "d033", "q010")
    of.follow("markup_left", "d023", "d013")


def decomposed(of: Folder) -> None:
    """Texts and ids are decomposed; ids differ in case and blanks."""
    for name in ("d003", "q020"):
        row = of.documents[name] if name in of.documents else of.queries[name]
        row["text"] = normalize("NFD", row["text"])
        of.plant("text_decomposed", name)
    of.documents["조문_1"] = {
        "title": "하나",
        "text": "나루터는 배가 닿는 곳을 말하며 등불을 켠다.",
    }
    of.judgments += [
        ("test", "q000", normalize("NFD", "조문_1"), "1"),
        ("test", "q001", "D010", "1"),
        ("test", "Q002", "d011", "1"),
        ("test", "q002", "d012 ", "1"),
    ]
    of.plant("id_form", normalize("NFD", "조문_1"), "D010", "Q002", "d012 ")


def trivial(of: Folder) -> None:
    """Questions name rare words of their gold alone, or stand in it."""
    of.documents[of.gold("q020")]["text"] += " " + of.queries["q020"]["text"]
    of.plant("question_in_gold", "q020")
    of.follow("bm25_trivial", "q020")
    for name, rare in (("q000", "갉갊"), ("q011", "낡낢")):
        of.documents[of.gold(name)]["text"] += f" {rare}{rare} {rare}덞 {rare}"
        of.queries[name]["text"] = f"{rare}{rare} {rare}덞 {rare}"
        of.plant("bm25_trivial", name)


def unreached(of: Folder) -> None:
    """Gold has no word of its question, among many documents."""
    words = [each["text"] for each in of.documents.values()]
    for number in range(200):
        text = f"{words[number % len(words)][:70]} 번{number}째 {words[number % 7][40:90]}."
        of.documents[f"more{number:03}"] = {"title": "", "text": text}
        of.follow("document_near_duplicate", f"more{number:03}")
    for name, text in (("q001", "Zebra quartz."), ("q012", "Lynx opal vivid.")):
        of.documents[f"far{name}"] = {"title": "", "text": text}
        of.judgments.append(("test" if name == "q001" else "train", name, f"far{name}", "1"))
        of.plant("gold_unreached", name)
    of.follow("before_gold", "q000")  # its words are in many of them


def twins(of: Folder) -> None:
    """Documents equal to gold, or nearly, are judged by nobody."""
    for name, near in (("q000", False), ("q031", True)):
        text = of.documents[of.gold(name)]["text"]
        twin = f"twin{name}"
        changed = text.replace(text.split()[5], "등불") if near else text
        of.documents[twin] = {"title": "쌍", "text": changed}
        of.plant("twin_unjudged", name)
        of.plant("document_near_duplicate" if near else "document_duplicate", twin)
        of.follow("before_gold", name)


def before_gold(of: Folder) -> None:
    """Documents that answer better than gold are judged by nobody."""
    for name in ("q001", "q040"):
        asked = of.queries[name]["text"].rstrip("?")
        words = asked.split()
        of.documents[f"better{name}"] = {
            "title": "",
            "text": " ".join([*words[::-1], *words]) + ".",
        }
        of.plant("before_gold", name)
        of.follow("document_near_duplicate", f"better{name}")


def grades(of: Folder) -> None:
    """Grades are negative, huge and broken."""
    for document, grade in (("d003", "-1"), ("d013", "9999"), ("d023", "0.5")):
        of.judgments.append(("test", "q000", document, grade))
        of.plant("grade_odd", "q000")
    of.raw["qrels/test.tsv"] = [b"q000\td033\tvery\n"]
    of.plant("unreadable", "qrels/test.tsv")


def contradictions(of: Folder) -> None:
    """Two files contradict, and one repeats itself."""
    of.judgments.append(("test", "q010", of.gold("q010"), "0"))
    of.judgments.append(("train", "q020", of.gold("q020"), "2"))
    of.plant("grades_contradict", "q010", "q020")
    of.judgments += [each for each in of.judgments if each[1] == "q001"]
    of.plant("judgment_repeated", "q001")
    of.follow("split_leak", "q010", "q020")


def repeated_ids(of: Folder) -> None:
    """Ids are used twice, and queries have no gold."""
    document = json.dumps({"_id": "d010", "title": "", "text": "다른 글이 같은 이름으로 또 있다."})
    query = json.dumps({"_id": "q010", "text": "같은 이름으로 다른 것을 물어도 되나요?"})
    of.raw = {
        "corpus.jsonl": [document.encode() + b"\n"],
        "queries.jsonl": [query.encode() + b"\n"],
    }
    of.queries["lonely"] = {"text": "아무도 판정하지 않은 물음은 어디에 있나요?"}
    of.plant("document_id_repeated", "d010")
    of.plant("query_id_repeated", "q010")
    of.plant("query_unjudged", "lonely")


def broken(of: Folder) -> None:
    """Lines are no JSON and no UTF-8, and texts have markup."""
    of.raw["corpus.jsonl"] = [
        b'{"_id": "x1", "text": \n',
        b'{"_id": "x2", "text": "na\xefve one."}\n',
    ]
    of.plant("unreadable", "corpus.jsonl")
    of.plant("encoding_damage", "x2")
    of.documents["d003"]["text"] += "<br/> &nbsp;"
    of.queries["q000"]["text"] += " a\x07b"
    of.plant("markup_left", "d003", "q000")


def card(of: Folder, gone: bool) -> None:
    """The card says nothing of the licence, or is not there."""
    of.card = "" if gone else _CARD.replace("license: cc-by-4.0\n", "")
    of.plant("card_gap", "card" if gone else "license")


def cited(of: Folder) -> None:
    """Answers cite provisions that nobody judged, and gold applies others."""
    before = list(of.documents)
    of.documents = {f"나루터안전법_{n}조": row for n, row in enumerate(of.documents.values(), 1)}
    names = dict(zip(before, of.documents, strict=True))
    of.judgments = [(s, query, names[document], g) for s, query, document, g in of.judgments]
    for name in ("q000", "q020"):
        of.queries[name]["answer"] = "나루터안전법 제59조와 제60조제2항에 따릅니다."
        of.plant("cited_unjudged", name)
    of.documents[of.gold("q010")]["text"] += " 이 경우 제60조를 준용한다."
    of.plant("implied_unjudged", "q010")


_ALONE = (
    *(dangling, leaks, empty, cut, damaged, decomposed, trivial, unreached, twins, before_gold),
    *(grades, contradictions, repeated_ids, broken, cited),
)
FAULTS: dict[str, Callable[[Folder], None]] = {
    **{each.__name__: each for each in _ALONE},
    "document_copies": partial(document_copies, near=False),
    "document_near_copies": partial(document_copies, near=True),
    "query_copies": partial(query_copies, near=False),
    "query_near_copies": partial(query_copies, near=True),
    "card_without_licence": partial(card, gone=False),
    "no_card": partial(card, gone=True),
}


def folders(home: Path, seed: int = 0) -> Iterator[tuple[str, Path, Folder]]:
    """Write and yield the clean folder and each with its fault."""
    for name, fault in {"clean": lambda of: None, **FAULTS}.items():
        folder = clean(seed)
        fault(folder)
        yield name, folder.write(home / name), folder


def cases(folder: Path) -> Found:
    """Return what an audit finds in a folder, as (check, id); of an unreadable line its file."""
    from corpus.benchmarks.reading import read_benchmark
    from services.audit.report import audit

    return {
        (finding.check.name, case.id or case.place.rpartition(":")[0])
        for finding in audit(read_benchmark(folder)).findings
        for case in finding.cases
    }
