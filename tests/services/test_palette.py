"""The command palette finds things by name in both languages, and nothing that one may not see."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from annotation.people.members import PersonView, add_person, deactivate
from services.palette import LIMIT, MAX_LENGTH, Hit, find, place_hits
from storage.law.imports import keep_questions
from storage.runs.run_store import RunKey, keep_run
from tests.conftest import FakeClock
from tests.pages.small_project import ACT, SLUG, Small, _question, leader
from tests.projects import own_project as own
from tests.support.refusals import code_of

WORK = {
    "start": ("start", "keys"),
    "mapping": ("citation_mapping",),
    "agreement": ("agreement",),
    "corpus": ("corpus",),
}
ALL = {
    **WORK,
    "cases": ("factor_tagging", "court_cases"),
    "adjudication": ("adjudication",),
    "gold": ("gold", "closure", "audit"),
    "leaderboard": ("leaderboard", "experiments"),
    "data": ("data", "exchange"),
    "people": ("people", "roles"),
    "history": ("history",),
}
READERS = {place: names for place, names in ALL.items() if place != "mapping"}
CAPS = {"undo": "z", "accept": "a"}
HOSTILE = """%_'"<script>alert(1)</script>\\"""


def found(
    small: Small, person: PersonView, text: str, places: object = None, language: str = "en"
) -> list[Hit]:
    seen = places or (WORK if person.role == "annotator" else READERS)
    return find(small.workspace, SLUG, text, seen, CAPS, language, by=person.id)  # type: ignore[arg-type]


def of_kind(hits: list[Hit], kind: str) -> list[tuple[str, dict[str, str]]]:
    return [(hit.screen, dict(hit.query)) for hit in hits if hit.kind == kind]


def a_run(small: Small) -> int:
    with small.workspace.writing() as session:
        key = RunKey(1, 1, "bm25", {"k": 1, "tokeniser": "whitespace"}, "")
        return keep_run(session, key, {}, small.workspace.clock())


def test_a_place_is_found_by_its_name_in_either_language(small: Small) -> None:
    for language, title in (("en", "Leaderboard"), ("ko", "순위표")):
        for text in ("leaderboard", "Leader", "순위표", "순위", "BOARD"):
            first = found(small, small.sora, text, language=language)[0]
            assert (first.kind, first.screen, first.title) == ("place", "leaderboard", title)


def test_only_places_of_the_sidebar_are_found(small: Small) -> None:
    for text in ("gold", "정답", "leaderboard", "people", "history"):
        assert found(small, small.ara, text) == [], text
    assert {hit.screen for hit in place_hits(WORK, "en")} == {n for e in WORK.values() for n in e}


def test_the_exact_name_comes_first_then_beginnings_then_words(small: Small) -> None:
    places = {"corpus": ("corpus", "compare"), "gold": ("gold",), "cases": ("court_cases",)}
    cases = [hit.screen for hit in found(small, small.sora, "court cases", places)]
    assert cases[0] == "court_cases"
    titles = [hit.title for hit in found(small, small.sora, "g", READERS) if hit.kind == "place"]
    assert titles[0] == "Gold", "it begins so; Agreement only has the letter"
    by_words = found(small, small.sora, "cases tagging", READERS)
    assert by_words[0].screen == "factor_tagging", "a tab is found with words of its place"


def test_somebody_who_annotates_finds_items_of_their_own_queue(small: Small) -> None:
    (hit,) = found(small, small.ara, "q3")
    assert (hit.screen, dict(hit.query)) == (
        "citation_mapping",
        {"item": str(small.items["q3"])},
    )
    assert hit.title.startswith("q3 · 건물의 관계인은")
    assert len(of_kind(found(small, small.ara, "소화기 관계인"), "item")) == 6
    full = small.items["q1"]  # two have answered it, and no more may
    third = add_person(small.workspace, SLUG, "Third", "annotator")
    assert str(full) not in {q["item"] for _, q in of_kind(found(small, third, "q"), "item")}
    assert not found(small, small.ara, "q3", {"corpus": ("corpus",)}), "no screen to open it on"
    (submitted,) = found(small, small.ara, "q5")
    assert submitted.query["item"] == str(small.items["q5"])


def test_readers_of_labels_find_a_dispute_to_decide_and_else_the_history(small: Small) -> None:
    item = str(small.items["q2"])
    at = {"task": "citation_mapping", "item": item}
    assert of_kind(found(small, small.sora, "q2"), "item") == [("adjudication", at)]
    assert of_kind(found(small, small.sora, "q1"), "item") == [("history", {"item": "q1"})]
    bora = leader(small.workspace)
    assert of_kind(found(small, bora, "q2"), "item") == [("history", {"item": "q2"})]


def test_the_id_itself_comes_before_what_begins_so(small: Small) -> None:
    new = [replace(_question(n), external_id=f"q1{n}") for n in range(9, 0, -1)]
    keep_questions(small.workspace, SLUG, new, "more.jsonl")
    hits = of_kind(found(small, small.sora, "q1"), "item")
    assert hits[0] == ("history", {"item": "q1"})
    assert len(hits) == LIMIT


def test_a_provision_is_found_by_its_place_its_id_and_its_heading(small: Small) -> None:
    second = f"{ACT} 제2조", f"{ACT}제2조", f"{ACT}_2조", "화재 안전법 2조", "방화문"
    for text, label in (*((each, "제2조") for each in second), ("피난안내", "제3조")):
        hits = [hit for hit in found(small, small.ara, text) if hit.kind == "provision"]
        assert [hit.title for hit in hits] == [f"{ACT} {label}"]
        assert (hits[0].screen, hits[0].query["unit"]) == ("corpus", f"{ACT}_{label[1:]}")
    hits = found(small, small.ara, ACT)  # a statute leads to its provisions in order
    assert [hit.title for hit in hits] == [f"{ACT} 제{n}조" for n in (1, 2, 3)]


def test_runs_are_found_by_whom_scores_are_shown(small: Small) -> None:
    run = a_run(small)
    wanted = [("leaderboard", {"run": str(run)})]
    for text in ("bm25", str(run)):
        assert of_kind(found(small, small.sora, text), "run") == wanted
        assert of_kind(found(small, small.ara, text, ALL), "run") == []
    assert of_kind(found(small, small.sora, "bm25", WORK), "run") == []


def test_people_are_found_by_who_sees_their_names(small: Small) -> None:
    chief = add_person(small.workspace, SLUG, "Choi Yuna", "administrator")
    jun = str(small.jun.id)
    assert of_kind(found(small, chief, "park", ALL), "person") == [("people", {"who": jun})]
    assert of_kind(found(small, small.sora, "jun"), "person") == [("history", {"who": "Park Jun"})]
    assert found(small, small.ara, "park", ALL) == []


def test_settings_and_keys_are_found_in_both_languages(small: Small) -> None:
    for text in ("datasheet", "데이터시트"):
        assert of_kind(found(small, small.sora, text), "setting") == [("gold", {})]
        assert of_kind(found(small, small.ara, text), "setting") == []
    for text in ("한국어", "language", "언어"):
        assert of_kind(found(small, small.ara, text), "setting") == [("", {"lang": "ko"})]
    for text, language in (("undo", "ko"), ("되돌리기", "en")):
        hits = [e for e in found(small, small.ara, text, language=language) if e.kind == "help"]
        assert [(hit.detail, dict(hit.query)) for hit in hits] == [("z", {"action": "undo"})]


def test_hostile_text_finds_what_has_it_and_nothing_else(small: Small) -> None:
    for person in (small.ara, small.sora):
        many = " ".join(f"w{n}" for n in range(1000))
        for text in (HOSTILE, "%", "' OR 1=1 --", "\0", "\ud800!", "x" * 100_000, many, " ", ""):
            assert found(small, person, text) == [], text
    named = replace(_question(7), external_id=HOSTILE)
    keep_questions(small.workspace, SLUG, [named], "hostile.jsonl")
    for text in (HOSTILE, "<SCRIPT>", "%_'"):
        (hit,) = found(small, small.ara, text)
        assert hit.title.startswith(HOSTILE)


def test_a_name_of_300_characters_is_found_whole_and_by_its_beginning(small: Small) -> None:
    name = "아주 긴 이름 " * 40
    name = name[:MAX_LENGTH].strip()
    keep_questions(small.workspace, SLUG, [replace(_question(7), external_id=name)], "long.jsonl")
    for text in (name, name[:20], name + "!" * 300):
        (hit,) = [each for each in found(small, small.ara, text) if each.kind == "item"]
        assert hit.title.startswith(name)


def test_an_item_of_an_own_task_is_opened_on_the_screen_of_own_tasks(
    tmp_path: Path, clock: FakeClock
) -> None:
    house = own.build(tmp_path / "own", clock)
    seen = {"tasks": ("citation_mapping", "own_task")}
    (hit,) = find(house.ws, own.SLUG, "점검", seen, CAPS, by=house.ann)
    query = {"task": str(own.TASK), "item": str(house.items[2])}
    assert (hit.title, hit.screen, dict(hit.query)) == ("p3 · 점검 주기는?", "own_task", query)
    assert hit.detail == "Relevance of a provision"
    (place,) = find(house.ws, own.SLUG, "relevance of", seen, CAPS, by=house.ann)
    assert (place.kind, place.title, dict(place.query)) == ("place", hit.detail, {"task": own.TASK})
    assert (
        find(house.ws, own.SLUG, "점검", {"tasks": ("citation_mapping",)}, {}, by=house.ann) == []
    )


def test_whoever_is_deactivated_or_unknown_finds_nothing(small: Small) -> None:
    deactivate(small.workspace, small.ara.id)
    for by, code in ((small.ara.id, "person_inactive"), (999, "person_unknown")):
        assert code_of(find, small.workspace, SLUG, "q1", WORK, CAPS, by=by) == code
