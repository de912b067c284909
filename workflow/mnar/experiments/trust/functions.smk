# What the rules of the experiment are given.
from mnar.estimators import propensities
from mnar.experiments.trust import FRAMES as TRUST_FRAMES


def trusted_files(wildcards):
    return paths.trusted_files(config, wildcards.dataset)


def trust_settings(wildcards):
    return settings.trust_settings(config, wildcards.dataset)


def trust_code(wildcards):
    """The library files of all systems, measures and propensity models."""
    systems = config["trust"]["systems"].items()
    methods = {models.module_name(entry.get("module", name)) for name, entry in systems}
    taken = [measure for measure in config["trust"]["measures"] if measure != "mae"]
    parts = [
        *methods,
        *measures.modules_of(taken),
        *propensities.modules(),
        splits.module_name("selected"),
    ]
    return fingerprint("simulate_trust.py", *sorted(parts))
