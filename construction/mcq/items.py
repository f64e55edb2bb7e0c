"""Making an item of a draft, and what to say to whoever writes or solves one."""

from __future__ import annotations

import hashlib
import json

from construction.mcq.model import CANNOT_TELL, WRITTEN, Draft, Mcq, Pair, drawn
from evaluation.mcq.votes import Setting

GENERATE = "mcq_generate"


def item_of(draft: Draft, pair: Pair, seed: int, number: int = 0, name: str = "") -> Mcq | None:
    """Return the item with its options in an order drawn by the seed, the abstention last.

    `number` tells the drafts of one pair apart where they have no `name` of their own. None for a
    draft that has not four options, or whose answer is none of them.
    """
    if len(draft.options) != WRITTEN or not 1 <= draft.answer <= WRITTEN:
        return None
    name = name or f"{pair.id} #{number}"
    order = sorted(range(WRITTEN), key=lambda place: drawn(seed, name, str(place)))
    return Mcq(
        id=name,
        pair=pair,
        query=draft.query.strip(),
        options=(
            *(draft.options[place].strip() for place in order),
            CANNOT_TELL[pair.source.language],
        ),
        answer=order.index(draft.answer - 1) + 1,
        explanation=draft.explanation.strip(),
    )


def generation_values(pair: Pair) -> dict[str, str]:
    """Return the values of the prompt that asks for a question."""
    return {"document_a": pair.source.shown, "document_b": pair.target.shown}


def solving_prompt(setting: Setting) -> str:
    """Return the id of the prompt that asks for an answer under a setting."""
    return "mcq_solve_closed" if setting is Setting.ZERO else "mcq_solve_context"


def solving_values(item: Mcq, setting: Setting) -> dict[str, str]:
    """Return the values of that prompt."""
    options = "\n".join(f"{number}. {words}" for number, words in enumerate(item.options, 1))
    values = {"question": item.query, "options": options}
    given = {
        Setting.ZERO: (),
        Setting.A: (item.pair.source,),
        Setting.B: (item.pair.target,),
        Setting.BOTH: (item.pair.source, item.pair.target),
    }[setting]
    return values | ({"context": "\n\n".join(each.shown for each in given)} if given else {})


def wording_of(item: Mcq) -> str:
    """Return a digest of what is asked, so that votes on another wording are told apart."""
    said = json.dumps([item.query, *item.options])
    return hashlib.sha256(said.encode("utf-8")).hexdigest()[:12]
