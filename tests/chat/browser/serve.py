"""Serves the chat for a browser test: ``serve.py KB STATE PORT``. Settings come from the environment."""

from __future__ import annotations

import sys
from pathlib import Path

from rabbithole.workflow.chat.composition import open_services
from rabbithole.workflow.chat.server import serve

if __name__ == "__main__":
    kb, state, port = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    serve(lambda: open_services(kb), port=port, state=state, browser=False)
