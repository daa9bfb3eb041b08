# `make demo` runs the main job on the bundled sample; `make test` passes the tests. Both set themselves up.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# What `make test` installs; '.ci/run' adds the extras whose tests need a server or a browser.
EXTRAS ?= evaluation,dev
# Tests run in so many processes, a file in one of them.
WORKERS ?= 2
# Installed before the extra [models]; pin a build here that fits the machine.
TORCH ?= torch
SOURCES := core scraper indexing pipelines evaluation training service models

.DEFAULT_GOAL := help
.PHONY: help install install-models demo test test-models check format clean

help: ## Show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

# The last that venv makes. A folder without it is of a start that was broken off, and made anew.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Looksy needs Python 3.11 or newer: make PYTHON=python3.11 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(if $(wildcard $(VENV)/pyvenv.cfg),--clear) $(VENV)

$(VENV)/.default: pyproject.toml | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $(VENV)/.default $@

install: $(VENV)/.default ## Install the default profile into .venv (no torch)

demo: $(VENV)/.default ## Crawl the sample news site, index it, ask three queries
	@$(BIN)/looksy demo

test: $(VENV)/.dev ## Run the tests
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

$(VENV)/.models: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(TORCH)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS),models,train,tune]'
	@touch $@

install-models: $(VENV)/.models

test-models: $(VENV)/.models ## Run the tests of the extra [models], which brings torch
	$(BIN)/python -m pytest -m torch

check: $(VENV)/.dev ## Linters, types, and an import of every module
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.check_imports

format: $(VENV)/.dev ## Lay out the code
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format --quiet .

clean: ## Remove the virtual environment and caches; crawled data in var/ stays
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache
	find $(SOURCES) tests -name __pycache__ -type d -prune -exec rm -rf {} +
