# ClipRank: `make help` lists what there is. Continuous integration runs the same commands (.ci/run).
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup demo run worker lint audit fuzz test test-all format lock clean chromium services

PYTHON ?= python3.11
VENV ?= .venv
PORT ?= 8000
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
TESTS ?= tests
# What `make test` asks of managed services again: what writes rows, files and messages. Real workers on
# RabbitMQ are among its first tests (tests/e2e/test_worker_command.py); the rest is for `make test-all`.
WRITES := tests/leaderboard/pipeline tests/leaderboard/intake tests/leaderboard/test_tasks.py
WORKERS := tests/e2e/test_worker.py
ON_REDIS ?= $(WRITES)
ON_RABBITMQ ?=
export PORT

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

# The virtual environment follows the lock files: change one and the next command installs it.
$(VENV)/.installed: requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 is needed (Debian: apt-get install python3.11-venv), or name one: make PYTHON=python3"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "This Python cannot make a virtual environment (Debian: apt-get install python3-venv)"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-dev.lock
	@touch $@

setup: $(VENV)/.installed ## Install from the lock file, prepare database and static files
	@$(MANAGE) prepare

# The sample's videos are drawn beside the running site, once (about a minute of one core).
demo: $(VENV)/.installed ## Load and score the sample benchmark, then serve the site (PORT=8000)
	@$(MANAGE) prepare --demo
	@echo
	@echo "  ClipRank is at http://127.0.0.1:$(PORT)/  (Ctrl-C stops site and worker)"
	@echo
	@nice $(MANAGE) render_sample & trap "kill $$! 2>/dev/null" EXIT; \
	STAFF_NEEDS_TOTP=$${STAFF_NEEDS_TOTP:-0} PATH="$(abspath $(BIN)):$$PATH" $(BIN)/honcho start --port $(PORT)

run: setup ## Serve the site with its worker, on the data there is
	@PATH="$(abspath $(BIN)):$$PATH" $(BIN)/honcho start --port $(PORT)

worker: setup ## Run one worker alone
	@PATH="$(abspath $(BIN)):$$PATH" $(BIN)/honcho start worker

lint: $(VENV)/.installed-dev ## Check style, types, layers, templates, migrations, and that no secret is in the tree
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/djlint templates --check --lint --quiet
	$(BIN)/hadolint infra/images/*.Dockerfile
	$(MANAGE) makemigrations --check --dry-run --verbosity 0
	$(MANAGE) check --fail-level WARNING
	git ls-files -z | xargs -0 $(SECRETS)

# Keys, tokens and passwords in addresses; examples in the documents say user:password.
SECRETS := $(BIN)/detect-secrets-hook --disable-plugin KeywordDetector \
  --disable-plugin HexHighEntropyString --exclude-files '\.(lock|png|svg|npz)$$' \
  --exclude-lines 'user:password@|guest:guest@'

audit: $(VENV)/.installed-dev ## Look the locked packages up in the database of known weaknesses (needs the network)
	@$(BIN)/python infra/audit.py

# What tests ask a few times is asked many times here; infra/bench/RESULTS.md has the counts.
fuzz: $(VENV)/.installed-dev ## Ask the site and its parsers 10,000 odd things and more (about 30 minutes)
	CLIPRANK_FUZZ=1 CLIPRANK_FUZZ_CASES=$${CASES:-150} $(BIN)/pytest -n auto -s --dist loadgroup \
	  tests/leaderboard/security/test_api_fuzz.py tests/leaderboard/security/test_odd_arguments.py \
	  tests/leaderboard/security/test_parser_fuzz.py tests/scoring/formats/test_fuzz.py

format: $(VENV)/.installed-dev ## Rewrite code and templates in the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	-$(BIN)/djlint templates --reformat --quiet

# The browser tests skip, saying why, where no Chromium can be had.
chromium:
	@command -v chromium >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; \
	  else echo "No Chromium: the browser tests will be skipped (Debian: apt-get install chromium)"; fi; }

# Tests start the servers themselves; their programs come from Debian, S3's with the environment.
services:
	@absent=""; \
	ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || command -v postgres >/dev/null || absent="$$absent postgresql"; \
	command -v redis-server >/dev/null || absent="$$absent redis-server"; \
	ls /usr/lib/rabbitmq/bin/rabbitmq-server >/dev/null 2>&1 || command -v rabbitmq-server >/dev/null || absent="$$absent rabbitmq-server"; \
	test -z "$$absent" || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq \
	  && apt-get install -y -qq --no-install-recommends $$absent >/dev/null; } \
	|| { echo "Not here:$$absent (Debian: apt-get install$$absent)"; exit 1; }

test: $(VENV)/.installed-dev chromium ## Install what tests need and run them all (TESTS=tests/scoring for some)
	$(BIN)/pytest -n auto --dist loadgroup $(TESTS)
	@$(if $(filter tests,$(TESTS)),$(BIN)/python infra/on_services.py redis $(ON_REDIS))
	@$(if $(and $(filter tests,$(TESTS)),$(ON_RABBITMQ)),$(BIN)/python infra/on_services.py rabbitmq $(ON_RABBITMQ))

test-all: services ## The same with the whole site on managed services too, and none of them missing
	CLIPRANK_INSIST=1 $(MAKE) test ON_REDIS="tests/leaderboard tests/e2e/test_submitter.py $(WORKERS)" \
	  ON_RABBITMQ="$(WRITES) tests/leaderboard/curation $(WORKERS)"

# A local build tag (torch 2.13.0+cpu) is dropped: the lock names what every index has.
COMPILE := $(BIN)/pip-compile --quiet --strip-extras --no-header --no-emit-options --no-emit-index-url --no-emit-trusted-host --no-emit-find-links
lock: $(VENV)/.installed-dev ## Pin every dependency anew from pyproject.toml
	$(COMPILE) --extra sentry --output-file requirements.lock pyproject.toml
	$(COMPILE) --extra dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml
	sed -i -E 's/^([A-Za-z0-9_.-]+==[0-9][^+ ]*)\+[A-Za-z0-9.]+/\1/' requirements.lock requirements-dev.lock
	$(BIN)/python infra/web_lock.py

clean: ## Remove the virtual environment and all local data
	rm -rf $(VENV) var
