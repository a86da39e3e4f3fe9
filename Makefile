# Needs Python 3.11 or newer with pip and venv, and make; everything else is installed into .venv.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
STAMP := .venv/.installed
SAMPLE := kb/sample/pdf/.built
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-quick test-real-model lint bench bench-kb bench-references bench-reasoning \
	bench-research ui clean

help: ## what each target does
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(STAMP): pyproject.toml requirements.lock
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --progress-bar on -c requirements.lock -e '.[dev]'
	@touch $@

$(SAMPLE): $(STAMP) kb/sample/build.py $(wildcard kb/sample/sources/*.md)
	$(BIN)/python kb/sample/build.py
	@touch $@

setup: $(STAMP) ## the virtual environment with all dependencies, pinned by requirements.lock

demo: $(SAMPLE) ## one German and one English research on the sample collection, without a model server
	$(BIN)/python kb/sample/demo.py

test: $(SAMPLE) ## the whole test suite
	$(BIN)/python -m pytest -m "not real_model"

test-quick: $(SAMPLE) ## the tests that take seconds
	$(BIN)/python -m pytest -m "not slow and not browser and not real_model"

test-real-model: $(SAMPLE) ## the whole research on a real local language model
	$(BIN)/python -m pytest -m real_model

lint: $(STAMP) ## ruff, format check, type check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

ui: $(SAMPLE) ## the chat at http://127.0.0.1:8511
	$(BIN)/rabbithole ui

clean: ## remove the virtual environment and what the demo made
	rm -rf .venv kb/database kb/runs.sqlite* reports build *.egg-info
