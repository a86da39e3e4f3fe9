"""Who may use the chat, and which files can be reached through it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner

from rabbithole.kb.errors import UsageError
from rabbithole.workflow.chat.documents.uploads import keep, safe_name
from rabbithole.workflow.chat.server.server import check_port, own_secret
from rabbithole.workflow.chat.settings import ChatSettings, check_exposure
from rabbithole.workflow.chat.users import PasswordHash, app, hash_password, load_users, save_users, verify
from rabbithole.workflow.integrations.request_guard import is_loopback


def settings_with(users: Path, secret: str | None) -> ChatSettings:
    return ChatSettings(_env_file=None, users_file=users, chainlit_auth_secret=SecretStr(secret) if secret else None)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost"])
def test_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.4", "example.com", "localhost.example.com", ""])
def test_other_machines(host: str) -> None:
    assert not is_loopback(host)


def test_other_machines_are_not_served_without_a_login(tmp_path: Path) -> None:
    users = tmp_path / "users.json"
    check_exposure(settings_with(users, None), "127.0.0.1")
    with pytest.raises(UsageError, match="CHAINLIT_AUTH_SECRET"):
        check_exposure(settings_with(users, None), "0.0.0.0")
    with pytest.raises(UsageError, match="has no users"):
        check_exposure(settings_with(users, "s" * 64), "0.0.0.0")
    save_users(users, {"ann": hash_password("correct horse", cost=2**10)})
    check_exposure(settings_with(users, "s" * 64), "0.0.0.0")


def test_passwords_are_hashed_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "users.json"
    save_users(path, {"ann": hash_password("correct horse", cost=2**10)})
    assert path.stat().st_mode & 0o077 == 0
    assert "correct" not in path.read_text(encoding="utf-8")
    users = load_users(path)
    assert verify(users, "ann", "correct horse")
    assert not verify(users, "ann", "wrong")
    assert not verify(users, "bob", "correct horse")
    assert hash_password("x", cost=2**10).salt != hash_password("x", cost=2**10).salt


def test_users_are_added_and_removed_on_the_command_line(tmp_path: Path) -> None:
    path, run = tmp_path / "users.json", CliRunner()
    entered = "long enough\nlong enough\n"
    assert run.invoke(app, ["add", "ann", "--file", str(path)], input=entered).exit_code == 0
    assert verify(load_users(path), "ann", "long enough")
    assert run.invoke(app, ["add", "bob", "--file", str(path)], input="short\nshort\n").exit_code == 2
    assert run.invoke(app, ["remove", "ann", "--file", str(path)]).exit_code == 0
    assert load_users(path) == {}


def test_a_file_that_is_none_of_users_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "users.json").write_text("[]", encoding="utf-8")
    with pytest.raises(UsageError, match="is not a valid users file"):
        load_users(tmp_path / "users.json")
    assert PasswordHash(salt="00", hash="00").cost >= 2**15


def test_the_own_secret_is_kept(tmp_path: Path) -> None:
    first = own_secret(tmp_path / "state")
    assert len(first) == 64
    assert own_secret(tmp_path / "state") == first
    assert (tmp_path / "state" / "chat.secret").stat().st_mode & 0o077 == 0


def test_a_port_in_use_is_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UsageError, match="--port"):
            check_port("127.0.0.1", taken.getsockname()[1])


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("a.pdf", "a.pdf"),
        ("../../etc/passwd", "passwd.pdf"),
        ("..\\..\\evil.PDF", "evil.pdf"),
        ("a\x00b:c.pdf", "a_b_c.pdf"),
        ("...", "document.pdf"),
        ("", "document.pdf"),
        ("ä" * 300 + ".pdf", "ä" * 120 + ".pdf"),
    ],
)
def test_names_of_uploads(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_an_upload_never_replaces_another_file(tmp_path: Path) -> None:
    for index in range(3):
        (tmp_path / f"{index}").write_bytes(b"%PDF" + bytes([index % 2]))
    first, second, third = (keep(tmp_path / f"{index}", "same.pdf", tmp_path / "in") for index in range(3))
    assert (first.name, second.name, third.name) == ("same.pdf", "same (2).pdf", "same.pdf")
