# Functions of the rules of this experiment.
from mnar.experiments.trust import FRAMES as TRUST_FRAMES


def trusted_files(wildcards):
    return paths.trusted_files(config, wildcards.dataset, folder_of(wildcards.dataset))


def trusted_summaries(wildcards):
    """Of every real dataset of the experiment whose files are here, else of generated ones."""
    there = [d for d in config["experiments"]["trust"]["paper_datasets"] if not missing_files(d)]
    shown = [dataset for dataset in there if dataset not in GENERATED] or there
    return [f"results/simulations/{dataset}/trust_summary.csv" for dataset in shown]


def trust_settings(wildcards):
    return settings.trust_settings(config, wildcards.dataset)


def trust_mb(wildcards, input):
    """Each of two threads trains the systems of its own scene."""
    return 1000 + 2 * needs.trust_mb(trust_settings(wildcards), input.get("view"))


def trust_protocol(wildcards):
    return trust_settings(wildcards)["protocol"]


def trust_code(wildcards):
    return fingerprint("simulate_trust.py", *settings.trust_modules(config, wildcards.dataset))
