"""A LlamaIndex agent that uses the knowledge base's tools and follows references itself.

RABBITHOLE_KB=data/database python examples/llamaindex_agent.py "Which doses are allowed?"
Needs a model that calls tools, served by Ollama: OLLAMA_MODEL, default qwen3:14b.
"""

from __future__ import annotations

import asyncio
import os
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.llms.ollama import Ollama

from rabbithole.kb import KnowledgeBase
from rabbithole.workflow.integrations.llamaindex import rabbithole_tools

TASK = (
    "Answer from the documents only. Search, look at the outline of a promising document, read the section, find its "
    "references and resolve those that matter. Cite document and section for each statement."
)


async def answer(kb: KnowledgeBase, question: str, llm: FunctionCallingLLM) -> str:
    agent = FunctionAgent(tools=rabbithole_tools(kb), llm=llm, system_prompt=TASK)
    return str(await agent.run(question))


def main() -> None:
    model = Ollama(model=os.environ.get("OLLAMA_MODEL", "qwen3:14b"), context_window=16_384, request_timeout=600)
    with KnowledgeBase.open(os.environ.get("RABBITHOLE_KB", "data/database")) as kb:
        sys.stdout.write(asyncio.run(answer(kb, sys.argv[1], model)) + "\n")


if __name__ == "__main__":
    main()
