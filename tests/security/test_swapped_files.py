"""A document that is swapped with another file again and again while ``rabbithole ui`` serves it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import httpx
import pytest
from pdfs import write_pdf
from security.processes import running

from rabbithole.kb import KbSettings, KnowledgeBase

pytestmark = pytest.mark.slow

SECRET = b"the secret of somebody else"
REQUESTS = 400


@contextmanager
def swapping(document: Path, other: Path) -> Iterator[None]:
    """Between the document and a link to the other file, each put in place at once."""
    kept, part, done = document.with_name("kept"), document.with_name("part"), Event()
    os.link(document, kept)

    def swap() -> None:
        while not done.is_set():
            part.symlink_to(other)
            part.replace(document)
            os.link(kept, part)
            part.replace(document)

    thread = Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def test_only_the_bytes_that_were_ingested_are_sent(tmp_path: Path) -> None:
    path = tmp_path / "pdf" / "rules.pdf"
    write_pdf(path, ["1 Filters\n\nEvery filter is tested once a year under § 12 of the Air Act."])
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(tmp_path / "kb" / "database", settings, create=True) as kb:
        kb.ingest([tmp_path / "pdf"], "Rules")
        url = f"/rabbithole/documents/{kb.documents()[0].id}/file"
    data, secret = path.read_bytes(), tmp_path / "secret"
    secret.write_bytes(SECRET)
    with (
        running(tmp_path, ["ui", "--no-browser", "--kb", "kb/database"], {"EMBEDDING_MODEL": "hash"}) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", headers={"sec-fetch-site": "same-origin"}) as person,
    ):
        person.get("/", headers={"accept": "text/html", "sec-fetch-site": "none"}).raise_for_status()
        assert person.get(url).content == data
        with swapping(path, secret):
            answers = [person.get(url) for _ in range(REQUESTS)]
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert {answer.content for answer in answers if answer.status_code == 200} == {data}
