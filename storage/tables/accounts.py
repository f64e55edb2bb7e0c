"""Who signs in, across projects."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field

from storage.db.columns import Row, UtcDateTime


class Account(Row, table=True):
    """Somebody who signs in: with a password (argon2 hash), or through an identity provider.

    `subject` is the provider's issuer and subject. `steward` may make projects and accounts.
    """

    login: str = Field(unique=True)  # lower case
    name: str
    password_hash: str | None = None
    subject: str | None = Field(default=None, unique=True)
    steward: bool = False
    active: bool = True
    created_at: datetime = Field(sa_type=UtcDateTime)


class SignInFailure(Row, table=True):
    """How often in a row signing in has failed for a login or from an address, and when last.

    `key_hash` is keyed with the workspace's secret. Rows an hour old count no more and are removed.
    """

    key_hash: str = Field(unique=True)
    failures: int
    at: datetime = Field(sa_type=UtcDateTime, index=True)
