"""An audit finds the faults planted in small folders, all of them and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.audit_faults import FAULTS, cases, clean
from corpus.benchmarks.reading import read_benchmark
from evaluation.reports.files import report_file
from messages import LANGUAGES, catalogue
from services.audit.near_duplicates import twins
from services.audit.report import CHECKS, MOST_CASES, audit, audit_folder
from services.audit.texts import damage

HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(1)> =1+1 $x$ `*_'


@pytest.mark.parametrize("name", ["clean", *FAULTS])
def test_the_planted_faults_are_found_and_nothing_else(name: str, tmp_path: Path) -> None:
    folder = clean()
    FAULTS.get(name, lambda of: None)(folder)
    found = cases(folder.write(tmp_path / "b"))
    assert folder.planted - found == set()
    assert found - folder.planted - folder.follows == set()


def test_every_check_is_planted_somewhere_and_has_its_words() -> None:
    planted = set()
    for fault in FAULTS.values():
        folder = clean()
        fault(folder)
        planted |= {check for check, _ in folder.planted}
    assert {each.name for each in CHECKS} == planted
    for each in CHECKS:
        for part in ("title", "meaning", "remedy"):
            assert set(catalogue()[f"audit.{each.name}.{part}"]) == set(LANGUAGES)


def test_a_check_without_its_material_is_not_run_and_said_so(tmp_path: Path) -> None:
    folder = clean().write(tmp_path / "b")
    (folder / "corpus.jsonl").unlink()
    report = audit_folder(folder)
    names = {row["check"] for row in report.as_json()["findings"]}
    assert "document_missing" not in names and "query_duplicate" in names
    assert "Judgments of documents that are not there" in " ".join(report.sections[0].notes)
    assert "lsa" not in report.written("json")


def test_lines_that_cannot_be_read_say_why_in_words(tmp_path: Path) -> None:
    folder = clean().write(tmp_path / "b")
    with (folder / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write("{broken\n")
    report = audit_folder(folder, "ko")
    assert [each["detail"] for each in report.as_json()["unreadable"]] == ["not_json"]
    assert "JSON 아님" in report.written("markdown")


def test_all_cases_are_counted_and_the_first_are_listed(tmp_path: Path) -> None:
    folder = clean()
    folder.judgments += [("test", f"gone{n}", "d000", "1") for n in range(MOST_CASES + 5)]
    report = audit_folder(folder.write(tmp_path / "b"))
    value = report.as_json()
    assert value["found"]["error"] == MOST_CASES + 5
    assert len(value["query_missing"]) == MOST_CASES
    assert value["query_missing"][0]["place"] == "qrels/test.tsv:14"
    section = next(each for each in report.sections if each.name == "query_missing")
    assert section.notes == ("The first 200 of 205 are listed.",)


def test_hostile_text_stays_text_in_the_page(tmp_path: Path) -> None:
    folder = clean()
    folder.documents[f"d{HOSTILE}"] = {"title": HOSTILE, "text": HOSTILE}
    folder.queries[HOSTILE] = {"text": HOSTILE}
    folder.judgments.append(("test", HOSTILE, HOSTILE, "-3"))
    folder.card = f"---\nlicense: {json.dumps(HOSTILE)}\n---\n"
    page = report_file(audit_folder(folder.write(tmp_path / "<b>"), "ko"), ".html").decode()
    assert "<script" not in page and "<img src=x" not in page and "&lt;script&gt;" in page
    assert page.count("<h1>") == 1 and '<html lang="ko">' in page
    assert 'href="#s' in page and "data:image/svg+xml;base64," in page


def test_copies_of_judgments_in_other_files_count_once(tmp_path: Path) -> None:
    home = clean().write(tmp_path / "b")
    before = len(audit(read_benchmark(home)).material.judgments)
    rows = [line.split("\t") for line in (home / "qrels/test.tsv").read_text("utf-8").splitlines()]
    (home / "qrels.trec").write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in rows[1:]), "utf-8")
    copies = [{"query-id": q, "corpus-id": d, "score": int(g)} for q, d, g in rows[1:]]
    text = "".join(json.dumps(each) + "\n" for each in copies)
    (home / "qrels/test.jsonl").write_text(text, "utf-8")
    done = audit(read_benchmark(home))
    assert len(done.material.judgments) == before
    assert not any(each.count for each in done.findings)


@pytest.mark.parametrize(("letters", "bound"), [(3, 0.7), (5, 0.8)])
def test_near_duplicates_are_those_of_a_comparison_of_all(letters: int, bound: float) -> None:
    random = Random(1)
    texts = ["".join(random.choices("abcdefghij", k=random.randint(30, 200))) for _ in range(150)]
    for text in texts[:100]:
        at = random.randrange(len(text) - 9)
        texts.append(text[:at] + "-" * random.randint(1, 9) + text[at + 5 :])
    sets = [{t[i : i + letters] for i in range(len(t) - letters + 1)} for t in texts]

    def near(one: int, other: int) -> bool:
        return len(sets[one] & sets[other]) / len(sets[one] | sets[other]) >= bound

    pairs = {(a, b) for b in range(len(texts)) for a in range(b) if near(a, b)}
    found = twins(texts, letters, bound)
    assert len(pairs) > 50
    assert {tuple(group) for group in found.near} == pairs


def test_a_large_group_of_near_duplicates_is_one() -> None:
    text = "".join(Random(2).choices("abcdefghij", k=300))
    texts = [f"{text}{number}월 {number}일부터" for number in range(1_500)]
    (group,) = twins(texts, 5, 0.8).near
    assert group == tuple(range(1_500))


def test_equal_texts_are_one_group_and_short_ones_are_compared_whole() -> None:
    found = twins(["ab", "", "ab", "", "abcdef", "abcdef"], 5, 0.8)
    assert found.same == ((0, 2), (4, 5)) and found.near == ()
    assert twins([], 5, 0.8) == twins(["abcdef"], 5, 0.8)


@pytest.mark.parametrize(
    ("text", "is_damaged"),
    [
        ("소방시설법 제12조 ‘가’ – naïve café Ünïcödé £5 §3 №4", False),
        ("金华市婺城区人民法院刑事判决书（2020）浙0702刑初662号", False),
        ("大韓民國憲法 第一條", False),
        ("cafÃ© naÃ¯ve", True),
        ("itâ€™s", True),
        ("lost \ufffd", True),
        ("議곗궗 규정", True),
    ],
)
def test_damage_is_told_from_foreign_letters(text: str, is_damaged: Any) -> None:
    assert (damage(text) is not None) is is_damaged
