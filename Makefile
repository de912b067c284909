# `make` sets up and runs the default; `make test` sets up and runs the tests; `make help` lists all.
# Any other word is taken for a target of the workflow: `make lim2015`, `make results/lim2015/coat/table1.md`.
PYTHON ?= python3
BIN := .venv/bin
SNAKEMAKE := $(BIN)/snakemake
CORES ?= all
# Shows a run in a screenful (workflow/snakemake_logger_plugin_brief).
RUN := $(SNAKEMAKE) --logger brief --cores $(CORES)
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
.PHONY: run preview targets crate test test-cluster test-crate test-examples test-page docs-pictures docs-recorded test-container test-placed test-continuation mutants reproduction reproduction-check stability bench fuzz lint setup setup-cluster lock clean help

run: .venv/kernels.done  ## Set up, then run the default: every experiment on the embedded data
	@$(RUN)
	@echo "Open results/summary.html in a browser."

preview: .venv/run.done  ## Count the jobs that `make` would run; TARGET=lim2015 for another target
	@$(RUN) --dry-run --quiet rules progress -- $(TARGET)

targets: .venv/run.done  ## List the targets of the workflow, datasets, tables and figures
	@$(BIN)/python -m mnar list-targets

test: .venv/test.done .venv/kernels.done  ## Set up, then run the tests (library, workflow, style)
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-cluster: .venv/test.done .venv/kernels.done  ## Install and start a Slurm (Debian, as root), run everything on it, break things
	$(BIN)/python -m pytest tests/cluster

test-placed: .venv/test.done  ## Check MovieLens 1M, Coat and CM100k, whose files you placed in data/
	$(BIN)/python -m pytest tests/placed

test-continuation: .venv/test.done .venv/kernels.done  ## Hold every point of steck2010's grids against twice the sweeps
	$(BIN)/python tests/continuation/run.py

test-page: .venv/page.done .venv/kernels.done  ## Open the page in Chromium (Debian, as root): no request, no overflow, axe
	$(BIN)/python -m pytest tests/page

test-crate: .venv/test.done .venv/kernels.done .venv-validator/done  ## Let a validator judge the RO-Crate of a small run
	$(BIN)/python -m pytest tests/crate

test-examples: .venv/test.done .venv/kernels.done .venv-examples/done  ## Run the examples on a tiny dataset, with the library that they use
	$(BIN)/python -m pytest tests/examples

test-container:  ## Run the Dockerfile's steps in a fresh Debian folder (Debian, as root, debootstrap)
	$(PYTHON) tests/container/build.py $(or $(CONTAINER),$(shell mktemp -d)) --share $(SHARE) \
	  --command "make preview && make results/lim2015/movielens-small/table1.md"

lint: .venv/test.done  ## Style alone: ruff, snakefmt, snakemake --lint, mypy
	$(BIN)/python -m pytest tests/style

mutants: .venv/test.done .venv/kernels.done  ## Plant known mistakes one at a time and see the tests catch each (some minutes)
	$(BIN)/python tests/mutants/run.py

crate: .venv/kernels.done  ## Pack the default run as an RO-Crate: results/summary.crate.zip
	@$(RUN) -- results/summary.crate.zip

reproduction: .venv/kernels.done  ## Run all on all datasets in data/ (hours), keep it in docs/reproduction; PART=lim2015/coat for a part
	@$(BIN)/python -m mnar record --expect $(PART)
	@files=$$($(BIN)/python -m mnar record --targets $(PART)) && $(RUN) -- $$files
	@$(BIN)/python -m mnar record $(PART)

reproduction-check: .venv/kernels.done  ## Run it again from nothing, in .reproduction/, and compare; PART=lim2015/coat for a part
	@mkdir -p .reproduction && ln -sfn ../data ../docs ../config.yaml .reproduction/
	@cd .reproduction && files=$$(../$(BIN)/python -m mnar record --files $(PART)) && \
	  ../$(SNAKEMAKE) --snakefile ../Snakefile --logger brief --cores $(CORES) -- $$files && \
	  ../$(BIN)/python -m mnar record --check $(PART)

# For example: make fuzz FUZZ="--seed 2 --kills 0", or FUZZ="--seconds inf" for every case
fuzz: .venv/test.done .venv/kernels.done  ## Random files, tables, configs, damage and kills, ten minutes at most
	$(BIN)/python tests/fuzz/run.py $(FUZZ)

docs-pictures: .venv/kernels.done  ## Run the default, then take the pictures in docs/ from its results
	@$(RUN)
	@$(BIN)/python -m mnar pictures

docs-recorded: .venv/run.done  ## Write the numbers of README.md and docs/ from docs/reproduction
	@$(BIN)/python -m mnar recorded-pages

SEEDS := 2017 2016 2015
stability: .venv/kernels.done  ## Run the default with three seeds, write workflow/mnar/claims/stability.csv
	for seed in $(SEEDS); do \
	  $(RUN) --config seed=$$seed -- results/claims.csv && \
	  cp results/claims.csv results/claims.seed$$seed.csv || exit 1; done
	$(BIN)/python -m mnar.claims.compare $(foreach s,$(sort $(SEEDS)),$(s)=results/claims.seed$(s).csv) \
	  --output workflow/mnar/claims/stability.csv

bench: .venv/kernels.done $(PEERS)  ## Measure against other libraries and the machine, and growth (two hours, 16 GB); docs/performance.md
	$(BIN)/python benchmarks/run.py machine llvm peers als pairwise evaluate dense growth whole report page

setup: .venv/kernels.done  ## Create .venv, install the locked packages and the library, compile its kernels

setup-cluster: .venv/cluster.done .venv/kernels.done  ## As setup, with the plugins that submit to a scheduler

lock: .venv/run.done  ## Renew the lock files and the conda file from pyproject.toml (needs uv)
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-annotate --no-header -o envs/requirements.txt
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-annotate --no-header --extra test --extra cluster \
	  -c envs/requirements.txt -o envs/requirements-test.txt
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-annotate --no-header --extra cluster \
	  -c envs/requirements-test.txt -o envs/requirements-cluster.txt
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-annotate --no-header --extra test --extra page \
	  -c envs/requirements-test.txt -o envs/requirements-page.txt
	$(BIN)/python envs/write_environment.py
	for peers in envs/bench/*.in envs/validator.in; do \
	  needed=$$(sed -n '1s/^# python //p' $$peers); \
	  uv pip compile $$peers --universal --python-version $${needed:-3.11} --generate-hashes \
	    --no-emit-index-url --no-annotate --no-header -o $${peers%.in}.txt; \
	done

clean:  ## Remove results and logs; data and .venv stay
	rm -rf logs .snakemake
	find results -mindepth 1 -not -name README.md -delete

help:  ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# A word that is no command of this file.
.DEFAULT:
	@$(MAKE) --no-print-directory --quiet setup
	@$(RUN) -- $@

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

.venv/page.done: envs/requirements-page.txt | .venv/run.done
	command -v chromium > /dev/null || (apt-get update -q && apt-get install -y --no-install-recommends chromium)
	$(INSTALL) --require-hashes -r $<
	@touch $@

.venv/test.done: envs/requirements-test.txt | .venv/run.done
	$(INSTALL) --require-hashes -r $<
	@touch $@

# Kernels are kept beside their files; only those whose sources changed are compiled again.
.venv/kernels.done: $(SOURCES) | .venv/run.done
	$(BIN)/python -m mnar compile > .venv/kernels.log
	@touch $@

# It asks for older versions of packages that the tests use.
.venv-validator/done: envs/validator.txt
	$(PYTHON) -m venv .venv-validator
	.venv-validator/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

# The examples as their README has them: the environment of the project, and one library more.
.venv-examples/done: examples/requirements.txt envs/requirements.txt pyproject.toml
	$(PYTHON) -m venv .venv-examples
	.venv-examples/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r envs/requirements.txt
	.venv-examples/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	.venv-examples/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# A peer that does not install stops nobody: the results say so.
.venv-bench/%.done: envs/bench/%.txt | .venv/run.done
	$(BIN)/python benchmarks/install_peer.py $*
	@touch $@
