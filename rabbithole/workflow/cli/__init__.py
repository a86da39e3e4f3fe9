"""The command line ``rabbithole``: one module a group of commands, loaded when the command runs."""

from .app import main

__all__ = ["main"]
