"""The command line ``rabbithole``: one module per group of commands, loaded when the command runs."""

from .app import main

__all__ = ["main"]
