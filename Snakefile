# What can you trust, when users chose what they rated? See README.md.
import os

from snakemake.utils import min_version

min_version("9.0")


configfile: "config.yaml" if os.path.exists("config.yaml") else workflow.source_path("config.yaml")


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
    default_target: True
    input:
        "results/summary.html",


rule placed:
    input:
        "results/placed.html",


rule paper:
    input:
        "results/paper.html",
