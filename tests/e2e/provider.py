"""An OpenID provider of the tests' own: authorisation code with PKCE, and a signed id_token.

Whoever comes is `person`; there is no page to sign in on, since that is the provider's business.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "touchstone", "the client's own secret"
METADATA = "/.well-known/openid-configuration"


class Provider(ThreadingHTTPServer):
    """A provider on a free port; `person` holds the claims of who signs in next."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.key = RSAKey.generate_key(2048, parameters={"kid": "first"})
        self.signing_key = self.key
        self.person: dict[str, Any] = {}
        self.codes: dict[str, dict[str, str]] = {}

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            "code_challenge_methods_supported": ["S256"],
        }

    def code_for(self, asked: dict[str, str]) -> str:
        """Return a new code for who is there now and what the app asked."""
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked | {"person": json.dumps(self.person)}
        return code

    def tokens_for(self, sent: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """Return the tokens of a code, once, for the client that asked for it; else None."""
        asked = self.codes.pop(sent.get("code", ""), None)
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if asked is None or authorization != f"Basic {basic}":
            return None
        digest = hashlib.sha256(sent.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if (challenge, sent.get("redirect_uri")) != (
            asked["code_challenge"],
            asked["redirect_uri"],
        ):
            return None
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300}
        claims |= {"nonce": asked["nonce"]} | json.loads(asked["person"])
        signed = jwt.encode({"alg": "RS256", "kid": "first"}, claims, self.signing_key)
        return {"access_token": "unused", "token_type": "Bearer", "id_token": signed}


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == METADATA:
            self._answer(self.server.metadata())
        elif parts.path == "/keys":
            self._answer({"keys": [self.server.key.as_dict(private=False)]})
        elif parts.path == "/authorize":
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            said = urlencode({"code": self.server.code_for(asked), "state": asked["state"]})
            self.send_response(302)
            self.send_header("Location", f"{asked['redirect_uri']}?{said}")
            self.end_headers()
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        sent = {name: values[0] for name, values in parse_qs(body).items()}
        tokens = self.server.tokens_for(sent, self.headers.get("Authorization", ""))
        self._answer(tokens or {"error": "invalid_grant"}, 200 if tokens else 400)

    def _answer(self, said: dict[str, Any], status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(said).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def running_provider() -> Iterator[Provider]:
    """Serve a provider until the end of the block."""
    with Provider() as provider:
        thread = threading.Thread(target=provider.serve_forever, daemon=True)
        thread.start()
        try:
            yield provider
        finally:
            provider.shutdown()
            thread.join()
