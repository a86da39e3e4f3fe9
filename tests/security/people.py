"""Users of a chat, with or without a login."""

from __future__ import annotations

import httpx

SECRET = "the-secret-of-this-test-has-enough-characters"
PAGE = {"accept": "text/html", "sec-fetch-site": "none", "sec-fetch-mode": "navigate"}
OWN = {"sec-fetch-site": "same-origin"}


def client(port: int, **headers: str) -> httpx.Client:
    """A client that keeps no connection open after an answer, so that nobody needs to close it."""
    return httpx.Client(base_url=f"http://127.0.0.1:{port}", headers={"connection": "close"} | headers, timeout=30)


def logged_in(port: int, name: str) -> httpx.Client:
    person = client(port, **OWN)
    answer = person.post("/login", data={"username": name, "password": f"{name} has a horse"})
    answer.raise_for_status()
    return person


def cookie(person: httpx.Client) -> str:
    return "; ".join(f"{name}={value}" for name, value in person.cookies.items())
