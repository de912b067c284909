# Functions of the rules of this experiment.
from mnar.experiments.trust import FRAMES as TRUST_FRAMES


def trusted_files(wildcards):
    return paths.trusted_files(config, wildcards.dataset, folder_of(wildcards.dataset))


def trusted_summaries(wildcards):
    """Of every dataset of the experiment whose files are here."""
    there = [d for d in config["experiments"]["trust"]["paper_datasets"] if not missing_files(d)]
    return [f"results/simulations/{dataset}/trust_summary.csv" for dataset in there]


def trust_settings(wildcards):
    return settings.trust_settings(config, wildcards.dataset)


def trust_mb(wildcards, input):
    """Each of two threads trains the systems of its own scene."""
    return 1000 + 2 * needs.trust_mb(trust_settings(wildcards), input.get("view"))


def trust_protocol(wildcards):
    return trust_settings(wildcards)["protocol"]


def trust_code(wildcards):
    return fingerprint("simulate_trust.py", *settings.trust_modules(config, wildcards.dataset))
