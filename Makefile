# Needs Python 3.11 or newer with pip and venv, and make; everything else is installed into .venv.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
STAMP := .venv/.installed
export RABBITHOLE_HOME ?= data
SAMPLE := $(RABBITHOLE_HOME)/sample/pdf/.built
# Many tests wait for a process or a page: three at a time take 400 s on two cores, two 495 s.
WORKERS ?= -n 3
MODEL ?= build/real-model/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The tests start a hundred processes; without its bytecode each would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-quick test-browser-often test-cluster test-real-model lint measures language-server bench bench-kb bench-ranking \
	bench-references bench-reasoning bench-research ui docs docs-site lock sbom clean

help: ## what each target does
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-19s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Every file is held against its hash; nothing is resolved, because the lock is complete. See docs/installation-offline.md.
$(STAMP): pyproject.toml requirements.lock requirements-build.lock requirements-torch.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --require-hashes --no-deps -r requirements-build.lock
	$(BIN)/python -m pip install --progress-bar on --require-hashes --no-deps --no-build-isolation -r requirements.lock
	$(BIN)/python -m pip install --progress-bar on -c constraints.txt -r requirements-torch.txt
	$(BIN)/python -m pip install --no-deps --no-build-isolation -e .
	@touch $@

$(SAMPLE): $(STAMP) kb/sample/build.py $(wildcard kb/sample/sources/*.md)
	$(BIN)/python -m rabbithole.kb.sample.build
	@touch $@

lock: ## requirements.lock: the hashes of every pin in constraints.txt (asks for those that are new)
	$(PYTHON) tools/lock.py

sbom: ## build/sbom.json: what is installed and its hashes, as a software bill of materials (CycloneDX)
	@mkdir -p build
	$(PYTHON) -m venv build/sbom
	build/sbom/bin/python -m pip install --quiet cyclonedx-bom==7.5.0
	cat requirements.lock requirements-torch.txt requirements-build.lock | build/sbom/bin/cyclonedx-py requirements - \
		--pyproject pyproject.toml --output-reproducible -o build/sbom.json

setup: $(STAMP) ## the virtual environment with all dependencies, pinned by requirements.lock

demo: $(SAMPLE) ## one German and one English research on the sample collection, without a model server
	$(BIN)/python -m rabbithole.workflow.cli.demo

test: $(SAMPLE) ## the whole test suite
	$(BIN)/python -m pytest $(WORKERS)

test-quick: $(SAMPLE) ## the tests that take seconds
	$(BIN)/python -m pytest $(WORKERS) -m "not slow and not browser and not real_model and not cluster"

# TIMES runs over four kinds of machine: idle or with two busy loops, processors as they are or 4x slower; logs in build/browser-often.
TIMES ?= 30
test-browser-often: $(SAMPLE) ## the browser tests many times, on idle and loaded, fast and slow machines (TIMES=30 OFTEN="--busy 2 --slower 4")
	$(BIN)/python tests/chat/browser/often.py --times $(TIMES) $(OFTEN) -- $(WORKERS)

# Ray listens on every network it finds, so it gets one that has loopback alone; what is left running ends with it.
ALONE := unshare --net --pid --fork --kill-child --mount-proc
test-cluster: $(STAMP) ## PostgreSQL, Ray, LanceDB and two servers, while each of them is killed (needs postgresql, and root for unshare)
	$(ALONE) $(BIN)/python -m pytest -m cluster -s tests/cluster

test-real-model: $(SAMPLE) ## prompts and a whole research on a real local language model (fetches 1.2 GB; slow)
	$(BIN)/python -m pip install --quiet xllamacpp
	$(BIN)/python tests/servers/local_model.py $(MODEL)
	RABBITHOLE_REAL_MODEL=$(MODEL) $(BIN)/python -m pytest -m real_model tests/real_model
	$(BIN)/python -m bench.running.real_model --model $(MODEL)

measures: $(STAMP) ## files, lines, names that stand for two things, folders that are too full
	$(BIN)/python tools/measures.py

language-server: $(STAMP) ## whether definition, references and rename work across package and tests
	$(BIN)/python tools/language_server.py

lint: $(STAMP) ## ruff, format check, import contracts, type check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy

bench: $(SAMPLE) bench-kb bench-references bench-reasoning bench-research ## all benchmarks; data: RABBITHOLE_BENCH_DATA
	$(BIN)/python -m bench.running.startup

# A goal that is missed is printed and stops nothing; the report is build/bench-kb.md (REPORT=FILE). CHUNKS=1000000 is the
# size the goals are meant for (ten minutes to build; KEEP=FOLDER keeps what was built); INDEX="--index exact --index
# chroma" prints the figures of search for both, slow past 200000.
CHUNKS ?= 200000
REPORT ?= build/bench-kb.md
bench-kb: $(SAMPLE) ## sections, bad PDFs, fusion, ingestion speed, search at scale, and a report (CHUNKS=1000000 KEEP=DIR)
	$(BIN)/python -m bench.retrieval.kb --chunks $(CHUNKS) $(if $(KEEP),--keep $(KEEP)) $(INDEX) --report $(REPORT)

bench-ranking: $(SAMPLE) ## which side of search finds what, on all sets (builds their knowledge bases once, an hour)
	$(BIN)/python -m bench.retrieval.ranking

bench-references: $(SAMPLE) ## detection and resolution beside the open extractors
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[bench]'
	$(BIN)/python -m bench.references.detection
	$(BIN)/python -m bench.references.resolution
	$(BIN)/python -m bench.references.reference_graph
	$(BIN)/python -m bench.running.sample_steps

bench-reasoning: $(SAMPLE) ## calls and tokens by purpose
	$(BIN)/python -m bench.running.reasoning

bench-research: $(SAMPLE) ## chain recall on the sample, fan-out, wall time with a model server of fixed latency
	$(BIN)/python -m bench.running.rabbithole
	$(BIN)/python -m bench.running.fanout
	-$(BIN)/python -m bench.running.research --cache build/bench

ui: $(SAMPLE) ## the chat at http://127.0.0.1:8511, on your knowledge base, or on the sample while there is none
	@if [ -d $(RABBITHOLE_HOME)/database ] || [ -d kb/database ]; then $(BIN)/rabbithole ui; else \
		$(BIN)/rabbithole ingest $(dir $(SAMPLE)) --collection sample --kb $(RABBITHOLE_HOME)/sample/database && \
		$(BIN)/rabbithole ui --kb $(RABBITHOLE_HOME)/sample/database; fi

docs: $(STAMP) ## docs/cli.md and .env.example, written from the code
	$(BIN)/python docs/build.py

docs-site: $(STAMP) ## the pages of docs/ as a site, in build/site
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[site]'
	$(BIN)/mkdocs build --strict

clean: ## remove the virtual environment and data/: knowledge base, research, conversations and uploads
	rm -rf .venv data build *.egg-info
