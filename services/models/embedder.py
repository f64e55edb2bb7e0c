"""The embedding model of the workspace's server, as retrieval methods use it.

Calls are kept like all others, so that they count toward the budget, but without their vectors:
methods keep these by text (`retrieval.dense.embedding_cache`), and the vectors of a whole corpus
would swell the database by gigabytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from llm.batch import End, Progress, Stop, ask_all
from llm.reply import Reply, Status
from llm.request import Request
from llm.roles import Endpoint, Role
from services.background.tasks import BackgroundTask
from services.models.workspace_models import load_settings, model
from storage.db.workspace import Workspace
from storage.models.llm_calls import CallStore

_NAME = "embed@1"
_TEXTS = 32  # in one call: all servers take that many


class WorkspaceEmbedder:
    """Embeds with the role embed; `name` is another model of its server."""

    def __init__(self, ws: Workspace, name: str = "") -> None:
        self._ws, self._name = ws, name

    @property
    def model(self) -> str:
        """The model's name on the server. Raises UserError where no model is set."""
        return self._endpoint().model

    @property
    def identity(self) -> str:
        """The server, the model and the parameters. Raises UserError where no model is set."""
        endpoint = self._endpoint()
        said = [endpoint.base_url, endpoint.model, sorted(endpoint.parameters.items())]
        return f"{endpoint.model}:{sha256(repr(said).encode()).hexdigest()[:16]}"

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector per text.

        Raises UserError where no model is set, where the server gives no vectors or the budget is
        reached, and where vectors differ in length.
        """
        endpoint = self._endpoint()
        requests = [
            Request(endpoint, prompt=_NAME, inputs=tuple(texts[start : start + _TEXTS]))
            for start in range(0, len(texts), _TEXTS)
        ]
        replies = self._asked(requests)
        rows = [row for request in requests for row in replies[request.key].vectors]
        lengths = sorted({len(row) for row in rows})
        if len(lengths) > 1:
            raise UserError("vectors_of_two_lengths", sizes=", ".join(map(str, lengths)))
        return np.array(rows, dtype=np.float32)

    def _endpoint(self) -> Endpoint:
        endpoint = load_settings(self._ws).of(Role.EMBED)
        return replace(endpoint, model=self._name or endpoint.model)

    def _asked(self, requests: Sequence[Request]) -> dict[str, Reply]:
        replies: dict[str, Reply] = {}

        def on_reply(request: Request, reply: Reply) -> None:
            replies[request.key] = reply

        async def work(progress: Progress, stop: Stop) -> None:
            store = _WithoutVectors(self._ws)
            async with model(self._ws, Role.EMBED, name=self._name, store=store) as client:
                await ask_all(client, requests, on_reply=on_reply, progress=progress, stop=stop)

        progress = BackgroundTask(work, total=len(requests)).wait()
        refused = [each for each in replies.values() if each.status is not Status.ANSWERED]
        if refused or progress.end is not End.DONE:
            problem = next((each.problem for each in refused), None)
            reason = progress.last_reason or str(problem or progress.end)
            raise UserError("embedding_ended", reason=reason)
        return replies


class _WithoutVectors(CallStore):
    """Keeps the calls and not what they brought; so it knows no answer either."""

    def get(self, keys: Sequence[str]) -> dict[str, Reply]:
        return {}

    def put(self, replies: Sequence[Reply]) -> None:
        super().put([replace(reply, vectors=()) for reply in replies])
