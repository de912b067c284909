"""All that a paper sees of one quick dataset: its views, and all folds of each of its protocols."""

from pathlib import Path

from mnar import splits
from mnar.core.script import logged
from mnar.core.seeds import seed_of
from mnar.data.densify import make_view

with logged(snakemake.log[0]):
    params, output, dataset = snakemake.params, snakemake.output, snakemake.wildcards.dataset
    folder = Path(snakemake.input.interactions).parent
    views = {}
    for settings, place in zip(params.views, output.views, strict=True):
        view = views[settings["view"]] = make_view(folder, settings)
        view.save(place)
        print(settings["view"], view.facts)
    for (name, protocol, settings), place in zip(params.splits, output.splits, strict=True):
        seed = seed_of(params.seed, dataset, name, protocol)
        folds = splits.all_folds(protocol, views[name], settings, seed)
        splits.save_splits(place, folds)
