"""What a check found."""

from __future__ import annotations

from typing import Literal

from rabbithole.kb.models import Model

Status = Literal["ok", "warn", "fail"]


class CheckResult(Model):
    """One thing looked at: what was found, and what to do about it."""

    name: str
    status: Status
    detail: str
    remedy: str = ""
