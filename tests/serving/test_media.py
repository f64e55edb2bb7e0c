"""Streamlit's own files are read once and answered as they were."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from serving.media import KeptFiles

NEVER = {"cache-control": "public, immutable, max-age=31536000", "etag": '"one"'}


@pytest.fixture
def asked() -> list[str]:
    return []


@pytest.fixture
def client(asked: list[str]) -> TestClient:
    def answer(request: Request) -> Response:
        name = request.path_params["name"]
        asked.append(name)
        if name == "gone.js":
            return Response("none", status_code=404, headers=NEVER)
        if name == "page.html":
            return Response("page", headers={"cache-control": "no-cache"})
        if name == "packed.js":
            return Response("packed", headers=NEVER | {"vary": "accept-encoding"})
        if name == "parts.js":
            return StreamingResponse(iter(["one, ", "two"]), headers=NEVER)
        return Response(f"{name} {len(asked)}", headers=NEVER, media_type="text/javascript")

    return TestClient(KeptFiles(Starlette(routes=[Route("/{folder}/{name}", answer)])))


@pytest.mark.parametrize("name", ["one.js", "parts.js"])
def test_what_never_changes_is_asked_for_once(
    client: TestClient, asked: list[str], name: str
) -> None:
    first, again = (client.get(f"/static/{name}") for _ in range(2))
    assert asked == [name]
    assert (again.status_code, again.content) == (200, first.content)
    assert again.headers == first.headers and again.headers["etag"] == '"one"'


@pytest.mark.parametrize(
    "place", ["static/gone.js", "static/page.html", "static/packed.js", "x/y.js"]
)
def test_what_may_change_is_asked_for_each_time(
    client: TestClient, asked: list[str], place: str
) -> None:
    for _ in range(2):
        client.get(f"/{place}")
    assert len(asked) == 2


@pytest.mark.parametrize("header", ["Range", "If-None-Match", "If-Modified-Since"])
def test_who_asks_otherwise_is_answered_by_the_app(
    client: TestClient, asked: list[str], header: str
) -> None:
    client.get("/static/one.js")
    client.get("/static/one.js", headers={header: "bytes=0-1"})
    client.get("/static/one.js?v=2")
    client.head("/static/one.js")
    assert len(asked) == 4
