"""A cable between browser and server that a test can pull out: connections end, new ones are refused."""

from __future__ import annotations

import contextlib
import socket
import threading


class Wire:
    """Listens at ``port`` and passes everything on to ``target``, both on this machine."""

    def __init__(self, port: int, target: int) -> None:
        self.port = port
        self._target = target
        self._listening: socket.socket | None = None
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.plug()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def plug(self) -> None:
        listening = socket.create_server(("127.0.0.1", self.port))
        self._listening = listening
        threading.Thread(target=self._accept, args=(listening,), daemon=True).start()

    def pull(self) -> None:
        if self._listening is not None:
            self._listening.shutdown(socket.SHUT_RDWR)
            self._listening.close()
        with self._lock:
            for one in self._open:
                _end(one)
            self._open.clear()

    def _accept(self, listening: socket.socket) -> None:
        with contextlib.suppress(OSError):  # pulled out
            while True:
                near, _ = listening.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
                with self._lock:
                    self._open |= {near, far}
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        _end(source)
        _end(sink)
        with self._lock:
            self._open -= {source, sink}


def _end(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
