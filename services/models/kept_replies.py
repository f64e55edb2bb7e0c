"""What models have said before: read from the calls that are kept, without making any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from errors import UserError
from llm.prompts.prompt_files import Prompt, PromptSource, prompt
from llm.reply import Reply, Status
from llm.request import Request
from llm.roles import Endpoint, Role
from llm.structured.answers import formed, repairing
from llm.structured.shapes import SHAPES
from messages import LANGUAGES
from retrieval.core.method import ModelPrompt, ModelReply
from services.models.llm_adapter import REPAIR, identity_of, reply_told
from services.models.prompts import project_prompts
from storage.db.workspace import Workspace
from storage.models.llm_calls import AskedModel, CallStore, failures, models_asked

NOT_ASKED = "not_asked"
"""The reason of a reply that is not there because nobody has asked."""


@dataclass(frozen=True, slots=True)
class PastModel:
    """A model that was asked some prompts: `prompts` are their ids without the language."""

    endpoint: Endpoint
    prompts: frozenset[str]


def past_models(ws: Workspace, prompts: Sequence[str]) -> list[PastModel]:
    """Return the models that were asked any of these prompts, in the order of their first call.

    One whose files have gone or changed since is left out: its replies cannot be found any more.
    """
    names = [f"{each}.{language}" for each in prompts for language in LANGUAGES]
    with ws.reading() as session:
        asked = models_asked(session, names)
    found = []
    for each in asked:
        endpoint = _endpoint(each)
        if endpoint is not None:
            ids = frozenset(name.partition(".")[0] for name in each.prompts)
            found.append(PastModel(endpoint, ids))
    return found


def _endpoint(asked: AskedModel) -> Endpoint | None:
    given = dict(asked.parameters)
    most = given.pop("max_tokens", 0)
    address = asked.server.partition("#")[0] if "#" in asked.server else asked.server
    endpoint = Endpoint(Role(asked.role), address, asked.model, given, most)
    try:
        return endpoint if endpoint.server == asked.server else None
    except (OSError, UserError):
        return None


_MISSING = ModelReply(problem=Status.FAILED.value, reason=NOT_ASKED)


class KeptReplies:
    """Says what a model has said (`retrieval.core.method.Asker`), and asks nobody.

    What it was never asked has the problem ``failed`` for the reason NOT_ASKED, and what has only
    failed so far the reason that it failed for.
    """

    def __init__(self, ws: Workspace, project_slug: str, endpoint: Endpoint) -> None:
        """Take the model; the wordings are those that hold in the project now."""
        self._ws, self._endpoint = ws, endpoint
        self._own: PromptSource = project_prompts(ws, project_slug)
        self._store = CallStore(ws)

    def __call__(self, asked: Sequence[ModelPrompt]) -> list[ModelReply]:
        """Return what is kept of each."""
        told: list[ModelReply] = [ModelReply()] * len(asked)
        for name, language in dict.fromkeys((each.prompt, each.language) for each in asked):
            wording, repair = prompt(name, language, self._own), prompt(REPAIR, language, self._own)
            places = [
                at for at, one in enumerate(asked) if (one.prompt, one.language) == (name, language)
            ]
            said = self._said([asked[at] for at in places], wording, repair)
            for at, each in zip(places, said, strict=True):
                told[at] = replace(each, passing=False)  # nothing is to be tried again here
        return told

    def _said(
        self, asked: Sequence[ModelPrompt], wording: Prompt, repair: Prompt
    ) -> list[ModelReply]:
        shape = SHAPES.get(wording.schema)
        requests = [self._request(each, wording) for each in asked]
        kept = self._kept(requests)
        again = {
            each.key: repairing(each, kept[each.key], shape, repair)
            for each in requests
            if shape and each.key in kept and kept[each.key].status is Status.INVALID
        }
        repaired = self._kept(list(again.values()))
        return [
            reply_told(wording, [kept[each.key], *_second(again.get(each.key), repaired)])
            if each.key in kept
            else _MISSING
            for each in requests
        ]

    def identity(self, prompts: Sequence[str]) -> str:
        """Return the model with its settings and the wordings."""
        return identity_of(self._endpoint, prompts, self._own)

    def _request(self, asked: ModelPrompt, wording: Prompt) -> Request:
        request = Request(self._endpoint, wording.messages(asked.values), wording.name)
        return formed(request, SHAPES[wording.schema]) if wording.schema else request

    def _kept(self, requests: Sequence[Request]) -> dict[str, Reply]:
        """Return the replies that stand, and the latest failures where none does."""
        keys = [request.key for request in requests]
        found = self._store.get(keys)
        missing = [key for key in keys if key not in found]
        if missing:
            with self._ws.reading() as session:
                found |= failures(session, missing)
        return found


def _second(request: Request | None, kept: Mapping[str, Reply]) -> list[Reply]:
    """Return the reply to the repair, if there was one and it is kept."""
    return [kept[request.key]] if request is not None and request.key in kept else []
