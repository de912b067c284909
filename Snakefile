# What can you trust, when users chose what they rated? See README.md.
import os

from snakemake.utils import min_version

min_version("9.0")

CONFIG = "config.yaml" if os.path.exists("config.yaml") else workflow.source_path("config.yaml")


include: "workflow/rules/config.smk"


configfile: CONFIG


include: "workflow/rules/common.smk"
include: "workflow/rules/inputs.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/split.smk"
include: "workflow/rules/train.smk"
include: "workflow/rules/analyse.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/show.smk"
include: "workflow/rules/page.smk"


rule all:
    """Every experiment on the embedded data: results/summary.html"""
    default_target: True
    input:
        "results/summary.html",


rule placed:
    """Every experiment on every dataset whose files are in data/: results/placed.html"""
    input:
        "results/placed.html",


rule paper:
    """Every experiment on the papers' own datasets: results/paper.html"""
    input:
        "results/paper.html",
