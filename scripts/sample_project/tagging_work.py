"""Court cases: tags of two annotators, disputes settled and open, suggestions of a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from annotation.tagging.disputes import decide
from annotation.tagging.form import asking_of
from llm.request import Request
from normalization.hashing import seeded_hash
from scripts.sample_project.desk import Act, Desk, read_lines, read_yaml
from scripts.sample_project.stand_in_models import as_json, asked_of, stand_in
from services.sample.loading import SAMPLE, evidence_in
from services.sample.people import SLUG
from services.tagging.suggestions import SuggestionOptions, start_suggesting
from storage.cases import case_of
from storage.tables.core import Item
from storage.tasks import Task

_CLAIM = ["not_mentioned", "claimed_not_accepted", "claimed_accepted"]


def acts() -> Iterator[Act]:
    """Yield the work on court cases."""
    written = read_yaml("tags.yaml")
    yield Act("2026-11-04 16:00", partial(_suggest, cases=written["suggested"]))
    for session in written["sessions"]:
        yield Act(session["when"], partial(_tag, session=session))
    for case, said in written["settled"].items():
        yield Act(said["when"], partial(_settle, case=case, said=said))


def _tag(desk: Desk, session: Mapping[str, Any]) -> None:
    """Tag cases; a claim of the codebook that is not named is not mentioned."""
    for case, said in session["cases"].items():
        item = desk.item(Task.FACTOR_TAGGING, case)
        with desk.ws.reading() as reading:
            row = reading.get_one(Item, item)
            subs = asking_of(reading, row).subs
            text = case_of(reading, row.subject_id or 0).text
        chosen = {
            key: said["answers"].get(key, _CLAIM[0])
            for key, sub in subs.items()
            if key in said["answers"]
            or (sub.required and [each.key for each in sub.options][:3] == _CLAIM)
        }
        answers = {}
        for key, option in chosen.items():
            quote = said["evidence"].get(key)
            evidence = [] if quote is None else [evidence_in(text, option, quote)]
            answers[key] = {"options": [option], "evidence": evidence}
        desk.answer(session["person"], item, answers, {"confidence": 4})


def _settle(desk: Desk, case: str, said: Mapping[str, Any]) -> None:
    """Decide a disputed case."""
    item = desk.item(Task.FACTOR_TAGGING, case)
    answers = {key: [option] for key, option in said["answers"].items()}
    decide(desk.ws, desk.person("Lee Sora"), item, answers, said["reason"])


def _suggest(desk: Desk, cases: Sequence[str]) -> None:
    """Have a model suggest tags: an annotator's, some of them mistaken."""
    texts = {case["id"]: case["text"] for case in read_lines(SAMPLE / "court_cases.jsonl")}
    tags = {each["case"]: each for each in read_lines(SAMPLE / "factor_tags.jsonl")}
    for session in read_yaml("tags.yaml")["sessions"]:
        tags |= session["cases"]

    def says(request: Request) -> str:
        """Return the suggestions for a case."""
        asked = asked_of(request)
        (case,) = [name for name in cases if texts[name].splitlines()[4] in asked]
        return _suggestion(asked, case, tags[case], texts[case])

    with stand_in(desk.ws, "stand-in tagger", says):
        options = SuggestionOptions(cases=tuple(cases))
        start_suggesting(desk.ws, SLUG, options, by=desk.person("Han Bora")).wait()


def _suggestion(asked: str, case: str, said: Mapping[str, Any], text: str) -> str:
    """Return the answers to the sub-factors asked; every sixth or so is another option."""
    answers = []
    for part in asked.split("\n## ")[1:]:
        key = part.split(maxsplit=1)[0].strip(":")
        options = re.findall(r"^- (\w+):", part, re.MULTILINE)
        option = said["answers"].get(key, options[0])
        if seeded_hash(34, case, key) % 6 == 0:
            option = options[seeded_hash(35, case, key) % len(options)]
        nothing = option in ("not_mentioned", "not_stated")
        quote = "" if nothing else said["evidence"].get(key) or text.splitlines()[4]
        answers.append({"sub_factor": key, "options": [option], "quote": quote})
    return as_json({"answers": answers})
