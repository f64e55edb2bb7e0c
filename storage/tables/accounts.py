"""Who signs in, across projects."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field, SQLModel

from storage.db.columns import UtcDateTime


class Account(SQLModel, table=True):
    """Somebody who signs in: with a password (argon2 hash), or through an identity provider.

    `subject` is the provider's issuer and subject. `steward` may make projects and accounts.
    """

    id: int | None = Field(default=None, primary_key=True)
    login: str = Field(unique=True)  # lower case
    name: str
    password_hash: str | None = None
    subject: str | None = Field(default=None, unique=True)
    steward: bool = False
    active: bool = True
    created_at: datetime = Field(sa_type=UtcDateTime)


class SignInFailure(SQLModel, table=True):
    """How often in a row signing in has failed for a login or from an address, and when last.

    `key_hash` is keyed with the workspace's secret. Rows an hour old count no more and are removed.
    """

    __tablename__ = "sign_in_failure"
    id: int | None = Field(default=None, primary_key=True)
    key_hash: str = Field(unique=True)
    failures: int
    at: datetime = Field(sa_type=UtcDateTime, index=True)
