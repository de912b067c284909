# `make` sets up and runs the default; `make test` sets up and runs the tests; `make help` lists all.
PYTHON ?= python3
BIN := .venv/bin
SNAKEMAKE := $(BIN)/snakemake
CORES ?= all
# An environment holds absolute paths: one that was moved or copied here is made again.
ifneq ($(wildcard .venv/place),)
ifneq ($(shell cat .venv/place),$(CURDIR))
$(shell rm -rf .venv)
endif
endif
SOURCES := $(shell find workflow/mnar -name '*.py')
# Each has an environment of its own: they ask for other versions of the same packages.
PEERS := $(patsubst envs/bench/%.txt,.venv-bench/%.done,$(wildcard envs/bench/*.txt))

.DEFAULT_GOAL := run
.PHONY: run test test-cluster test-placed stability bench lint setup setup-cluster lock clean help

run: .venv/kernels.done  ## Set up, then run the default: every experiment on the embedded data
	$(SNAKEMAKE) --cores $(CORES)
	@echo "Open results/summary.html in a browser."

test: .venv/test.done .venv/kernels.done  ## Set up, then run the tests (library, workflow, style)
	$(BIN)/python -m pytest

test-cluster: .venv/test.done .venv/kernels.done  ## Install and start a Slurm (Debian, as root), run everything on it, break things
	$(BIN)/python -m pytest tests/cluster

test-placed: .venv/test.done  ## Check MovieLens 1M, Coat and CM100k, whose files you placed in data/
	$(BIN)/python -m pytest tests/placed

lint: .venv/test.done  ## Style alone: ruff, snakefmt, snakemake --lint, mypy
	$(BIN)/python -m pytest tests/style

SEEDS := 2017 2016 2015
stability: .venv/kernels.done  ## Run the default with three seeds, write workflow/mnar/claims/stability.csv
	for seed in $(SEEDS); do \
	  $(SNAKEMAKE) --cores $(CORES) --config seed=$$seed -- results/claims.csv && \
	  cp results/claims.csv results/claims.seed$$seed.csv || exit 1; done
	$(BIN)/python -m mnar.claims.compare $(foreach s,$(sort $(SEEDS)),$(s)=results/claims.seed$(s).csv) \
	  --output workflow/mnar/claims/stability.csv

bench: .venv/kernels.done $(PEERS)  ## Measure against other libraries, and growth (an hour and a half, 16 GB): results/bench
	$(BIN)/python benchmarks/run.py als pairwise evaluate growth whole report

setup: .venv/kernels.done  ## Create .venv, install the locked packages and the library, compile its kernels

setup-cluster: .venv/cluster.done .venv/kernels.done  ## As setup, with the plugins that submit to a scheduler

lock:  ## Renew the lock files from pyproject.toml (needs uv)
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-annotate --no-header -o envs/requirements.txt
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-annotate --no-header --extra test --extra cluster \
	  -c envs/requirements.txt -o envs/requirements-test.txt
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-annotate --no-header --extra cluster \
	  -c envs/requirements-test.txt -o envs/requirements-cluster.txt
	for peers in envs/bench/*.in; do \
	  uv pip compile $$peers --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --no-annotate --no-header -o $${peers%.in}.txt; \
	done

clean:  ## Remove results and logs; data and .venv stay
	rm -rf logs .snakemake
	find results -mindepth 1 -not -name README.md -delete

help:  ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; try: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	@echo "$(CURDIR)" > .venv/place

INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.venv/run.done: envs/requirements.txt pyproject.toml | .venv/bin/python
	$(INSTALL) --require-hashes -r $<
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/cluster.done: envs/requirements-cluster.txt | .venv/run.done
	$(INSTALL) --require-hashes -r $<
	@touch $@

.venv/test.done: envs/requirements-test.txt | .venv/run.done
	$(INSTALL) --require-hashes -r $<
	@touch $@

# Kernels are kept beside their files; only those whose sources changed are compiled again.
.venv/kernels.done: $(SOURCES) | .venv/run.done
	$(BIN)/python -m mnar compile > .venv/kernels.log
	@touch $@

# A peer that does not install stops nobody: the results say so.
.venv-bench/%.done: envs/bench/%.txt
	$(PYTHON) -m venv .venv-bench/$*
	@rm -f .venv-bench/$*/failed
	.venv-bench/$*/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $< \
	  || echo "does not install with this Python" > .venv-bench/$*/failed
	@touch $@
