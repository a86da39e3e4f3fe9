"""Says a sentence on standard error if this process ends without saying anything itself."""

from __future__ import annotations

import subprocess
import sys

_SPEAKER = "import sys\nif not sys.stdin.buffer.read():\n    print(sys.argv[1], file=sys.stderr)"


class LastWords:
    """A process that waits for this one to end, for libraries that end their process at once, as Ray's does."""

    def __init__(self, sentence: str) -> None:
        self._speaker = subprocess.Popen(
            (sys.executable, "-P", "-c", _SPEAKER, sentence),
            stdin=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for this process, which says so itself
        )

    def keep(self) -> None:
        """Say nothing: this process goes on, or reports why it ends itself."""
        if self._speaker.poll() is None:
            self._speaker.communicate(b"kept")
