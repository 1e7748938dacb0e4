"""GitHub, ORCID and Hugging Face as far as signing in asks them: one server, asked over HTTP.

What the site sends to their hosts goes to this server instead; every request is kept.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit, urlunsplit

import jwt
import requests
from requests.adapters import HTTPAdapter

CODE, TOKEN, CLIENT, SECRET = "a-code", "a-token", "an-id", "a-secret"
ORCID_ID = "0000-0002-1825-0097"
ISSUER = "https://huggingface.co"


@dataclass
class Person:
    """Who signs in there; without an address the service tells none."""

    email: str = "octo@example.org"
    verified: bool = True


@dataclass
class SignInServer:
    """Used as a context; ``session()`` is a ``requests`` session that reaches nothing else."""

    person: Person = field(default_factory=Person)
    failing: bool = False
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)

    def __enter__(self) -> SignInServer:
        """Listening."""
        service = self

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                sent = {key: values[0] for key, values in parse_qs(body).items()}
                host, path = self.headers["X-Asked-Host"], urlsplit(self.path).path
                service.asked.append((self.command, f"{host}{path}", sent))
                status, content = service.answer(f"{host}{path}", sent, dict(self.headers.items()))
                data = json.dumps(content).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = _answer  # noqa: N815 - as the base class calls them

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Gone."""
        self.server.shutdown()
        self.server.server_close()

    def session(self) -> requests.Session:
        """Every address leads here; the host that was meant is told in a header."""
        port = self.server.server_address[1]

        class Here(HTTPAdapter):
            def send(self, request: Any, *args: Any, **more: Any) -> Any:
                parts = urlsplit(request.url)
                request.headers["X-Asked-Host"] = parts.netloc
                request.url = urlunsplit(("http", f"127.0.0.1:{port}", parts.path, parts.query, ""))
                return super().send(request, *args, **more)

        made = requests.Session()
        for scheme in ("https://", "http://"):
            made.mount(scheme, Here())
        return made

    def answer(
        self, address: str, sent: Mapping[str, str], headers: Mapping[str, str]
    ) -> tuple[int, Any]:
        """Status and content; 400 for a code or client that is not ours, 401 without the token."""
        if self.failing:
            return 503, {"error": "temporarily_unavailable"}
        if address in TOKEN_ADDRESSES:
            basic = headers.get("Authorization", "").startswith("Basic ")
            known = basic or (sent.get("client_id"), sent.get("client_secret")) == (CLIENT, SECRET)
            if not known or sent.get("code") != CODE:
                return 400, {"error": "invalid_grant"}
            return 200, self._token(address)
        open_to_all = {"huggingface.co/.well-known/openid-configuration", RECORD}
        if address not in open_to_all and TOKEN not in headers.get("Authorization", ""):
            return 401, {"message": "Bad credentials"}
        return 200, self._told(address)

    def _token(self, address: str) -> dict[str, Any]:
        given: dict[str, Any] = {"access_token": TOKEN, "token_type": "bearer", "expires_in": 3600}
        if address == "pub.orcid.org/oauth/token":
            given |= {"orcid": ORCID_ID, "name": "Octo Person", "scope": "/authenticate"}
        if address == "huggingface.co/oauth/token":
            now = int(time.time())
            claims = self._userinfo() | {"iss": ISSUER, "aud": CLIENT, "iat": now, "exp": now + 60}
            given["id_token"] = jwt.encode(claims, "x" * 32, algorithm="HS256")
        return given

    def _userinfo(self) -> dict[str, Any]:
        known = {"email": self.person.email, "email_verified": self.person.verified}
        who = {"sub": "62f", "name": "Octo Person", "preferred_username": "octo"}
        return who | (known if self.person.email else {})

    def _told(self, address: str) -> Any:
        mail = {"email": self.person.email, "primary": True, "verified": self.person.verified}
        name = {"given-names": {"value": "Octo"}, "family-name": {"value": "Person"}}
        emails = [{"email": self.person.email}] if self.person.email else []
        return {
            "api.github.com/user": {"id": 7, "login": "octo", "name": "Octo Person", "email": None},
            "api.github.com/user/emails": [mail] if self.person.email else [],
            RECORD: {
                "orcid-identifier": {
                    "path": ORCID_ID,
                    "uri": f"https://orcid.org/{ORCID_ID}",
                    "host": "orcid.org",
                },
                "person": {"name": name, "emails": {"email": emails}},
            },
            "huggingface.co/.well-known/openid-configuration": {
                "issuer": ISSUER,
                "authorization_endpoint": f"{ISSUER}/oauth/authorize",
                "token_endpoint": f"{ISSUER}/oauth/token",
                "userinfo_endpoint": f"{ISSUER}/oauth/userinfo",
                "jwks_uri": f"{ISSUER}/oauth/jwks",
                "token_endpoint_auth_methods_supported": ["client_secret_post"],
            },
            "huggingface.co/oauth/userinfo": self._userinfo(),
        }[address]


RECORD = f"pub.orcid.org/v3.0/{ORCID_ID}/record"
TOKEN_ADDRESSES = {
    "github.com/login/oauth/access_token",
    "pub.orcid.org/oauth/token",
    "huggingface.co/oauth/token",
}
