"""Rabbithole cell by cell, as in a notebook: a knowledge base, a search, a reference, research.

Run: ``python examples/notebook.py FOLDER`` with a folder of PDFs; editors that know ``# %%`` run it cell by cell.
"""

# %% A knowledge base of a folder of PDFs
import asyncio
import sys
import tempfile
from pathlib import Path

from rabbithole.kb import KnowledgeBase
from rabbithole.workflow import ResearchRequest, ResearchWorkflow

pdfs = Path(sys.argv[1])
question = sys.argv[2] if len(sys.argv) > 2 else "Welche Vorgänge hat die Laborleitung der Behörde mitzuteilen?"
kb = KnowledgeBase.open(Path(tempfile.mkdtemp()) / "database", create=True)
taken = kb.ingest([pdfs], "mine")
print(f"{len(taken.added)} documents, {taken.pages} pages")

# %% Search: keywords and meaning, fused
for hit in kb.search(question, ["mine"], top_k=3).hits:
    print(f"{hit.score:.2f}  {hit.file}, p. {hit.chunk.page_label or hit.chunk.page + 1}")

# %% References of a document, and where they lead
document = kb.documents()[0]
for reference in kb.references(document.id)[:5]:
    place = kb.resolve(reference)
    print(f"{reference.text!r}: {place.status}, {place.document or '-'}")


# %% Research without questions to the person
async def research() -> str:
    handler = ResearchWorkflow(kb).run(start_event=ResearchRequest(query=question, auto_approve=True))
    report = (await handler).report
    print(f"{len(report.citations)} citations, {report.metrics.followed} references followed")
    return report.markdown


print(asyncio.run(research()))
kb.close()
