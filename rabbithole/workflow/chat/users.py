"""The users who may log in: a JSON file of names and scrypt hashes.

``python -m rabbithole.workflow.chat.users add NAME`` asks for a password and adds or changes a user.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter, ValidationError

from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Model

COST, BLOCK, LANES, MEMORY = 2**15, 8, 1, 64 * 2**20  # OWASP's parameters for scrypt
MIN_PASSWORD = 8
LOCAL_USER = "local"  # owner of all conversations when there are no logins; nobody can log in with this name


class PasswordHash(Model):
    salt: str
    hash: str
    cost: int = COST


def hash_password(password: str, salt: bytes | None = None, cost: int = COST) -> PasswordHash:
    salt = secrets.token_bytes(16) if salt is None else salt
    digest = hashlib.scrypt(password.encode(), salt=salt, n=cost, r=BLOCK, p=LANES, maxmem=MEMORY)
    return PasswordHash(salt=salt.hex(), hash=digest.hex(), cost=cost)


def matches(password: str, stored: PasswordHash) -> bool:
    return hmac.compare_digest(hash_password(password, bytes.fromhex(stored.salt), stored.cost).hash, stored.hash)


_NOBODY = PasswordHash(salt="00" * 16, hash="00" * 64)


def verify(users: Mapping[str, PasswordHash], name: str, password: str) -> bool:
    """Return whether the password is right; this takes as long for an unknown name as for a wrong password."""
    return matches(password, users.get(name, _NOBODY)) and name in users


def fingerprint(stored: PasswordHash) -> str:
    """Return a fingerprint of the password hash; a session ends when it no longer matches or the user is removed."""
    return hashlib.sha256(f"{stored.salt}:{stored.hash}".encode()).hexdigest()[:32]


def load_users(path: Path) -> dict[str, PasswordHash]:
    """Return the users by name; none if there is no file. Raises ``UsageError`` for an invalid file."""
    users = _read(path)
    if LOCAL_USER in users:
        raise UsageError(f"{path} has a user named {LOCAL_USER!r}, which is a reserved name: rename this user.")
    return users


def _read(path: Path) -> dict[str, PasswordHash]:
    if not path.is_file():
        return {}
    try:
        return TypeAdapter(dict[str, PasswordHash]).validate_json(path.read_bytes())
    except ValidationError as error:
        raise UsageError(
            f"{path} is not a valid users file: create it with `rabbithole.workflow.chat.users add`."
        ) from error


def save_users(path: Path, users: Mapping[str, PasswordHash]) -> None:
    """Write the file, readable only by its owner."""
    data = json.dumps({name: stored.model_dump() for name, stored in users.items()}, indent=2)
    part = path.with_name(path.name + ".part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(data + "\n")
    part.replace(path)


app = typer.Typer(help="Users of the chat.", no_args_is_help=True)
UsersFile = Annotated[Path, typer.Option("--file", envvar="USERS_FILE", help="The file of users.")]


@app.command()
def add(name: str, file: UsersFile = Path("users.json")) -> None:
    """Add a user or change a password."""
    if name == LOCAL_USER or not name.strip():
        raise typer.BadParameter(f"{name!r} cannot be a user name: choose another.")
    password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    if len(password) < MIN_PASSWORD:
        raise typer.BadParameter(f"A password needs at least {MIN_PASSWORD} characters.")
    save_users(file, {**load_users(file), name: hash_password(password)})


@app.command()
def remove(name: str, file: UsersFile = Path("users.json")) -> None:
    """Remove a user; what they researched stays."""
    users = _read(file)
    if name not in users:
        raise typer.BadParameter(f"{file} has no user named {name!r}.")
    save_users(file, {known: stored for known, stored in users.items() if known != name})


if __name__ == "__main__":
    app()
