"""Questions that a model wrote: augmentation, cascade, curation by people, admission."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from annotation.curation.state import CRITERIA, DIFFICULTY, GOLD, REVEALED
from construction.augmentation.axes import Cell, Wanted
from construction.cascade.layers import Criterion
from llm.request import Request
from scripts.sample_project.desk import Act, Desk, read_yaml, unit_name
from scripts.sample_project.stand_in_models import as_json, asked_of, stand_in
from services.augmentation.planning import WritingOptions, plan
from services.augmentation.writing import start_writing
from services.cascade.running import start_cascade
from services.curation.items import admit, give_to_curation
from services.sample.people import SLUG
from storage.tasks import Task

_WANTED = (
    Wanted(Cell("single_clause", "L1"), 5),
    Wanted(Cell("exception_paired", "L2"), 3),
    Wanted(Cell("general_principle", "L2"), 4),
)
_OPTIONS = WritingOptions(_WANTED, seed=34)


def acts() -> Iterator[Act]:
    """Yield the work on written questions."""
    written = read_yaml("questions.yaml")
    yield Act("2026-11-09 16:00", partial(_write, written=written["written"]))
    yield Act("2026-11-09 17:00", partial(_filter, lacking=written["lacking"]))
    for session in written.get("reviews", ()):
        yield Act(session["when"], partial(_curate, session=session))
    yield Act("2026-11-17 14:30", _admit)


def _write(desk: Desk, written: Mapping[str, Mapping[str, str]]) -> None:
    """Have a model write on the provisions that the seed draws."""
    by = desk.person("Han Bora")
    replies: dict[str, str] = {}
    with stand_in(desk.ws, "stand-in writer", lambda request: replies[asked_of(request)]):
        planned = plan(desk.ws, SLUG, _OPTIONS, by=by)
        for asking in planned.askings:
            said = written[asking.name]
            units = [unit_name(each, asking.language) for each in said["units"].split()]
            if units != list(asking.found.units):
                raise ValueError(f"{asking.name} is written on {units}, not {asking.found.units}")
            draft = {"question": said["question"], "answer": said["answer"]}
            replies[asked_of(planned.request(asking))] = as_json(draft)
        start_writing(desk.ws, SLUG, _OPTIONS, by=by).wait()


def _filter(desk: Desk, lacking: Mapping[str, Sequence[str]]) -> None:
    """Send the questions through the layers; those that pass all are given to people."""
    by = desk.person("Han Bora")

    def says(request: Request) -> str:
        """Return the judge's verdict on a question."""
        asked = asked_of(request)
        lacks = {each for begun, some in lacking.items() if begun in asked for each in some}
        reason = {True: "As the question stands, it does.", False: "Nothing in it says so."}
        holds = {str(each): str(each) not in lacks for each in Criterion}
        return as_json(
            {key: {"holds": is_so, "reason": reason[is_so]} for key, is_so in holds.items()}
        )

    with stand_in(desk.ws, "stand-in judge", says):
        start_cascade(desk.ws, SLUG, by=by).wait()
    give_to_curation(desk.ws, SLUG, by=by)


def _curate(desk: Desk, session: Mapping[str, Any]) -> None:
    """Curate questions: each by itself, then its gold and a verdict."""
    for name, said in session["items"].items():
        item = desk.item(Task.CURATION, name)
        desk.answer(session["person"], item, _answers(said), said)


def _answers(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form's fields from the short form of ``questions.yaml``."""
    lacks = said.get("lacks", "").split()
    answers: dict[str, Any] = {each: "no" if each in lacks else "yes" for each in CRITERIA}
    answers |= {DIFFICULTY: said["level"], REVEALED: True}
    if said["verdict"] != "reject":
        language = said["language"]
        for key, value in (("belongs", "yes"), ("other", "no")):
            units = {unit_name(each, language): value for each in said.get(key, "").split()}
            answers[GOLD] = answers.get(GOLD, {}) | units
    keys = ("verdict", "cause", "reason")
    return answers | {key: said[key] for key in keys if key in said}


def _admit(desk: Desk) -> None:
    """Admit the accepted questions."""
    admit(desk.ws, SLUG, by=desk.person("Han Bora"))
