"""Answers of two models under three contexts: verdicts, ratings, claims, and reviews of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from annotation.attribution.form import DISPUTES as CLAIM_DISPUTES
from annotation.attribution.form import cites_in_item
from annotation.judging.answer_views import DISPUTES
from annotation.judging.forms import RATING, Estimate, Rating
from construction.answers import ContextSpec, Format, Kind
from llm.request import Request
from normalization.hashing import seeded_hash
from scripts.sample_project.desk import Act, Desk, read_lines, read_yaml, unit_name
from scripts.sample_project.stand_in_models import (
    as_json,
    asked_of,
    best_match,
    by_prompt,
    ids_shown,
    label_claims,
    split_claims,
    stand_in,
)
from services.answers.asking import start_answers
from services.answers.material import named_runs
from services.answers.planning import AnswerOptions
from services.attribution.claims import AttributionOptions, start_splitting
from services.attribution.items import make_review_items
from services.attribution.labelling import start_labelling
from services.judging.importing import import_verdicts
from services.judging.model_judging import JudgingPlan, start_judging
from services.sample.loading import SAMPLE
from services.sample.people import SLUG
from storage.attribution.review import claims_beside
from storage.judging import cases
from storage.projects import find_project
from storage.tables.core import Item
from storage.tasks import Task

READERS = ("stand-in reader A", "stand-in reader B")
JUDGE = "stand-in judge"
_SHOWN = 4  # provisions in a context
_LEFT_OPEN = 2  # ratings in dispute
_REASONS = {
    True: "It says what the official answer says, in fewer words.",
    False: "Whoever acts on it does not do what the law asks.",
}


def acts() -> Iterator[Act]:
    """Yield the work on models' answers."""
    yield Act("2026-11-18 10:30", _ask)
    yield Act("2026-11-18 11:00", _judge)
    yield Act("2026-11-18 11:20", _other_judges)
    yield Act("2026-11-18 11:30", _cut)
    yield Act("2026-11-18 13:30", partial(_rate, who="Park Jun", errs=12, share=0.67))
    yield Act("2026-11-19 09:00", partial(_rate, who="Kim Ara", errs=6, share=0.7))
    yield Act("2026-11-19 15:30", partial(_review_claims, who="Kim Ara", strict=False, number=21))
    yield Act("2026-11-20 09:10", partial(_review_claims, who="Park Jun", strict=True, number=21))
    yield Act("2026-11-20 11:30", _settle_ratings)
    yield Act("2026-11-20 12:40", _settle_claims)
    yield Act("2026-11-20 13:30", _review_judges)


class Written:
    """The written answers, and what is known of each."""

    def __init__(self) -> None:
        """Read the files."""
        found = read_yaml("answers.yaml")
        self.texts, self.right, self.errs = found["texts"], found["right"], found["judge_errs"]
        self.run: str = found["run"]
        self.judges: Mapping[str, Mapping[str, int]] = found["judges"]
        self.reviews: Mapping[str, Mapping[str, Any]] = found["reviews"]
        self.with_gold = tuple(found["asked"].split())
        self.widely = found["asked_widely"].split()
        lines = read_lines(SAMPLE / "questions.jsonl")
        self.questions = {each["question"]: each["question_id"] for each in lines}

    def asked(self, request: Request) -> str:
        """Return the id of the question that a request asks."""
        text = asked_of(request)
        (found,) = [str(name) for question, name in self.questions.items() if question in text]
        return found

    def knows(self, reader: str, context: str, question: str) -> bool:
        """Return whether a reader answers the question rightly."""
        return question in self.right[reader][context].split()

    def answer(self, question: str, right: bool) -> str:
        """Return the whole text of an answer."""
        said = self.texts[question]
        return " ".join(text for _, text in said["right"]) if right else str(said["wrong"])

    def claims(self, question: str, right: bool, shown: list[str]) -> dict[str, list[str]]:
        """Return the claims of an answer by the provisions shown."""
        language = question[:2]
        claims: dict[str, list[str]] = {each: [] for each in shown}
        for short, text in self.texts[question]["right"]:
            unit = unit_name(short, language) if short else ""
            if right and unit in claims:
                claims[unit].append(text)
        if not right:
            claims[shown[seeded_hash(34, question) % len(shown)]].append(
                self.texts[question]["wrong"]
            )
        return claims

    def truth(self, text: str) -> bool | None:
        """Return whether an answer that stands in a text is right; None for another's answer."""
        for name in self.texts:
            for right in (True, False):
                if self.answer(name, right) in text:
                    return right
        return None


def _ask(desk: Desk) -> None:
    """Have both readers answer under every context, and by provision with the gold shown."""
    written = Written()
    with desk.ws.reading() as session:
        found = named_runs(session, find_project(session, SLUG).id)
    (run,) = [each.id for each in found if each.name == written.run]
    settings = (
        ("none", ContextSpec(Kind.NONE), Format.FREE),
        ("run", ContextSpec(Kind.RUN, k=_SHOWN, run_id=run), Format.FREE),
        ("oracle", ContextSpec(Kind.ORACLE, k=_SHOWN, seed=34), Format.FREE),
        ("oracle", ContextSpec(Kind.ORACLE, k=_SHOWN, seed=34), Format.PER_PROVISION),
    )
    for reader in READERS:
        for name, context, form in settings:
            says = partial(_reply, written=written, reader=reader, context=name)
            with stand_in(desk.ws, reader, says):
                options = AnswerOptions(
                    contexts=(context,),
                    formats=(form,),
                    questions=tuple(written.texts) if name in written.widely else written.with_gold,
                    anchor=False,
                )
                start_answers(desk.ws, SLUG, options, by=desk.person("Han Bora")).wait()


def _reply(request: Request, written: Written, reader: str, context: str) -> str:
    """Return what a reader writes; it names the provisions shown that it rests on."""
    question = written.asked(request)
    right = written.knows(reader, context, question)
    text, shown = written.answer(question, right), ids_shown(request)
    if request.prompt.startswith("answer_provisions"):
        return as_json({**written.claims(question, right, shown), "answer": text})
    if not shown:
        return text
    rests = [unit for unit, claims in written.claims(question, right, shown).items() if claims]
    head = "[참조]" if question.startswith("ko") else "[References]"
    return f"{text}\n{head} {', '.join(rests)}"


def _judge(desk: Desk) -> None:
    """Have a model judge the readers' answers; it errs where the file says so."""
    written = Written()

    def says(request: Request) -> str:
        """Return the judge's verdict on an answer."""
        question, right = written.asked(request), bool(written.truth(asked_of(request)))
        errs = written.errs["underrates" if right else "overrates"].split()
        return str(int(right != (question in errs)))

    with stand_in(desk.ws, JUDGE, says):
        plan = JudgingPlan(systems=_systems(desk))
        start_judging(desk.ws, SLUG, plan, by=desk.person("Han Bora")).wait()


def _other_judges(desk: Desk) -> None:
    """Bring in what the judges of the first answers said of the readers' answers."""
    written, rows = Written(), []
    with desk.ws.reading() as session:
        found = cases(session, find_project(session, SLUG).id)
    for judge, errs in written.judges.items():
        for case in found:
            right = written.truth(case.answer)
            if case.system.startswith(READERS) and right is not None:
                err = errs["underrates" if right else "overrates"]
                says = right != (seeded_hash(34, judge, case.answer) % 100 < err)
                verdict = {"verdict": Rating.CORRECT if says else Rating.INCORRECT}
                place = {"id": case.external_id, "system": case.system, "judge": judge}
                rows.append({**place, **verdict, "raw": str(int(says))})
    file = desk.files / "verdicts.jsonl"
    file.write_text("".join(f"{as_json(row)}\n" for row in rows), encoding="utf-8")
    import_verdicts(desk.ws, SLUG, file, by=desk.person("Han Bora"))


def _systems(desk: Desk) -> tuple[str, ...]:
    """Return the names under which the readers' answers stand."""
    with desk.ws.reading() as session:
        found = cases(session, find_project(session, SLUG).id)
    return tuple(sorted({each.system for each in found if each.system.startswith(READERS)}))


def _cut(desk: Desk) -> None:
    """Have answers cut into claims and compared with the official ones; some are for review."""
    by = desk.person("Han Bora")
    options = AttributionOptions(systems=_systems(desk))
    with stand_in(
        desk.ws, JUDGE, by_prompt({"claim_split": split_claims, "claim_label": label_claims})
    ):
        start_splitting(desk.ws, SLUG, options, by=by).wait()
        start_labelling(desk.ws, SLUG, options, by=by).wait()
    systems = [each for each in _systems(desk) if each.endswith("per provision)")]
    make_review_items(desk.ws, SLUG, seed=34, systems=systems, by=by)


def _rate(desk: Desk, who: str, errs: int, share: float) -> None:
    """Rate answers of those that nobody brought ratings for, as they are drawn."""
    written, items = Written(), list(desk.items(Task.ANSWER_RATING).values())
    with desk.ws.reading() as session:
        texts = {each.id: each.answer for each in cases(session, find_project(session, SLUG).id)}
        subjects = {item: session.get_one(Item, item).subject_id or 0 for item in items}
    known = {item: written.truth(texts[subjects[item]]) for item in items}
    rated = [item for item in items if known[item] is not None]
    rated.sort(key=lambda item: seeded_hash(34, "rating", str(subjects[item])))
    for item in sorted(rated[: round(share * len(rated))], key=items.index):
        right = bool(known[item])
        if seeded_hash(errs, who, texts[subjects[item]]) % 100 < errs:
            right = not right
        desk.answer(who, item, {"rating": Rating.CORRECT if right else Rating.INCORRECT})


def _settle_ratings(desk: Desk) -> None:
    """Decide most of the answers on which the raters differ; the newest stay open."""
    written, sora = Written(), desk.person("Lee Sora")
    disputed = DISPUTES.queue(desk.ws, sora)
    with desk.ws.reading() as session:
        texts = {each.id: each.answer for each in cases(session, find_project(session, SLUG).id)}
        answers = {
            each.item_id: texts[session.get_one(Item, each.item_id).subject_id or 0]
            for each in disputed
        }
    for each in disputed[:-_LEFT_OPEN]:
        right = written.truth(answers[each.item_id])
        if right is not None:
            rating = Rating.CORRECT if right else Rating.INCORRECT
            desk.think(60, 300)
            reason = _REASONS[right]
            DISPUTES.decide(desk.ws, sora, each.item_id, {RATING: rating}, reason)


def _settle_claims(desk: Desk) -> None:
    """Decide all claims but one answer's on which the reviewers differ, as the first judged."""
    sora = desk.person("Lee Sora")
    for each in CLAIM_DISPUTES.queue(desk.ws, sora)[:-1]:
        case = CLAIM_DISPUTES.open_dispute(desk.ws, sora, each.item_id)
        desk.think(60, 300)
        reason = "Nothing that the official claim turns on is missing."
        CLAIM_DISPUTES.decide(desk.ws, sora, each.item_id, case.sides[0].answers, reason)


def _review_judges(desk: Desk) -> None:
    """Review answers of which a judge was wrong, and one of which it was right."""
    written, items = Written(), desk.items(Task.JUDGE_REVIEW)
    with desk.ws.reading() as session:
        project_id = find_project(session, SLUG).id
        texts = {
            (each.external_id, each.system): each.answer for each in cases(session, project_id)
        }
    for name, item in items.items():
        question, _, system = name.partition(" · ")
        right = written.truth(texts[question, system])
        said = written.reviews.get(question)
        if said is None or right is None or not system.startswith(READERS):
            continue
        if said["estimate"] == (Estimate.UNDER if right else Estimate.OVER):
            consensus = Rating.CORRECT if right else Rating.INCORRECT
            desk.answer("Lee Sora", item, {"consensus": consensus, **said})


def _review_claims(desk: Desk, who: str, strict: bool, number: int) -> None:
    """Review the claims of the first answers; what an answer has wrong matches nothing."""
    written = Written()
    for item in list(desk.items(Task.ATTRIBUTION).values())[:number]:
        with desk.ws.reading() as session:
            row = session.get_one(Item, item)
            found = claims_beside(session, row.project_id, row.subject_id or 0)
            cites = cites_in_item(session, item, found)
        gold = [each.text for each in found.gold]
        answers: dict[str, Any] = {}
        for n, (claim, cited) in enumerate(zip(found.predicted, cites, strict=True), 1):
            label, best = best_match(claim.text, gold, strict)
            if written.truth(claim.text) is False:
                label = "none"
            answers[f"label_{n}"] = label
            if label != "none":
                answers[f"gold_{n}"] = best
            doubts = seeded_hash(34, claim.text) % 6 < (3 if strict else 2)
            supported = {"match": "yes", "partial": "partly" if doubts else "yes", "none": "no"}
            answers[f"supported_{n}"] = supported[label] if cited.written else "uncited"
        desk.answer(who, item, answers)
