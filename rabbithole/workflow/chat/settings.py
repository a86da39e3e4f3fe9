"""Settings of the chat server, read from the environment and ``.env``."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from rabbithole.kb.data_folder import data_folder
from rabbithole.kb.errors import UsageError
from rabbithole.workflow.chat.users import load_users
from rabbithole.workflow.integrations.request_guard import is_loopback

MIN_SECRET = 32  # characters


class ChatSettings(BaseSettings):
    """Each field is the environment variable of the same name in capitals."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True)

    chainlit_auth_secret: SecretStr | None = Field(
        default=None,
        description=f"set it together with USERS_FILE to require a login; at least {MIN_SECRET} characters",
    )
    users_file: Path = Field(default=Path("users.json"), description="file of user names and password hashes")
    upload_collection: str = Field(default="Uploads", description="collection for files dropped into the chat")
    upload_folder: Path | None = Field(
        default=None,
        description="folder for files dropped into the chat; None: uploads in the data folder",
    )

    upload_limit_mb: int = Field(
        default=5000, ge=1, description="maximum total size of the files dropped into the chat, in MB"
    )

    @property
    def uploads(self) -> Path:
        return self.upload_folder or data_folder() / "uploads"

    @property
    def login(self) -> bool:
        return self.chainlit_auth_secret is not None


def check_exposure(settings: ChatSettings, host: str) -> None:
    """Raise ``UsageError`` if other machines could reach the chat without login, or the login is unusable or unsafe."""
    secret = settings.chainlit_auth_secret
    if secret is not None and len(secret.get_secret_value()) < MIN_SECRET:
        raise UsageError(
            f"CHAINLIT_AUTH_SECRET has fewer than {MIN_SECRET} characters, so sessions could be forged: set another, "
            'for example `python -c "import secrets; print(secrets.token_urlsafe(32))"`.'
        )
    if not is_loopback(host) and not settings.login:
        raise UsageError(
            f"The chat is not served on {host} without a login: set CHAINLIT_AUTH_SECRET and add a user with "
            "`python -m rabbithole.workflow.chat.users add NAME`, or use --host 127.0.0.1."
        )
    if settings.login and not load_users(settings.users_file):
        raise UsageError(
            f"CHAINLIT_AUTH_SECRET is set and {settings.users_file} has no users: add one with "
            "`python -m rabbithole.workflow.chat.users add NAME`."
        )
