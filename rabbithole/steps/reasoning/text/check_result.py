"""The result of a check."""

from __future__ import annotations

from typing import Literal

from rabbithole.kb.models import Model

Status = Literal["ok", "warn", "fail"]


class CheckResult(Model):
    """The result of one check, and what to do about it."""

    name: str
    status: Status
    detail: str
    remedy: str = ""
