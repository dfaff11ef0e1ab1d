# `make` lists the commands; `make demo` and `make test` are all a newcomer needs.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
# Tests start hundreds of processes: without bytecode each would parse the whole package anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup system demo app test test-all check format bench bench-check bench-scale docs refresh changelog clean

help:  ## List these commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-11s %s\n", $$1, $$2}'

setup: $(READY)  ## Build .venv with every extra

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed (make PYTHON=python3.12 …)"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable '.[all]' --group dev
	@touch $(READY)

system:  ## Install what tests need beside Python (PostgreSQL, Chromium), where the user may
	@tools/system-packages

demo: setup  ## Protect a bundled example and show what it cost
	$(BIN)/microveil demo

app: setup  ## Open the browser app
	$(BIN)/microveil app

test: setup system  ## Run the whole suite but the slow part
	$(BIN)/python -m pytest -n 3 -m 'not slow'  # many tests wait: for a server, a browser, Spark

test-all: setup system  ## Run the whole suite, long studies and soak tests included
	$(BIN)/python -m pytest -n 2

check: setup  ## Linters, types, layers, docs: what CI runs beside the tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/check-rooms
	$(BIN)/python -m pytest -q -m slow tests/test_docs_types.py tests/test_pipelines.py tests/test_extras.py
	$(BIN)/mkdocs build --quiet --strict --site-dir .site

format: setup  ## Format the code and mend what linters can mend
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: setup  ## Measure speed beside the peers, in one run
	$(BIN)/python benchmarks/run.py

bench-check: setup  ## Compare the CPU of methods and measures with what was accepted last
	$(BIN)/python benchmarks/pace/run.py

bench-scale: setup  ## Measure counting, runs in parts and Spark by the number of rows
	$(BIN)/python benchmarks/bench_scale.py 1000000 10000000

docs: setup  ## Build the documentation into .site
	$(BIN)/mkdocs build --strict --site-dir .site

refresh: setup  ## Write anew what pages state: counts, lists, output of commands
	$(BIN)/python docs/listing.py
	$(BIN)/python docs/consoles.py

changelog:  ## Print the change log of the next version, as a draft
	@tools/changelog

clean:  ## Remove what these commands made
	rm -rf .venv .venv-peers .site .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks build dist
