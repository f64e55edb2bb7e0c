from __future__ import annotations

import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str | None:
    """Return the address of an empty PostgreSQL database, None for a file in the workspace."""
    if request.param == "sqlite":
        return None
    server = request.getfixturevalue("postgres")
    return str(server.new_database())
