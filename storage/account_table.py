"""Who signs in, across projects."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field, SQLModel

from storage.columns import UtcDateTime


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
