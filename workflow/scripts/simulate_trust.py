"""Many systems on one dataset, ordered by every estimator and by the truth."""

from pathlib import Path

from mnar.core.files import write_csv
from mnar.core.script import logged
from mnar.matrices.view import View
from mnar.simulations import trust

with logged(snakemake.log[0]):
    view = View.load(snakemake.input.view) if snakemake.input.get("view") else None
    dataset, params = snakemake.wildcards.dataset, snakemake.params
    published = snakemake.input.get("propensities")
    frames = trust.run(dataset, view, params.about, params.seed, snakemake.threads, published)
    for path in snakemake.output:
        frame = getattr(frames, Path(path).stem.removeprefix("trust_"))
        # Six digits: there are a hundred thousand estimates.
        rows = frame.map(lambda value: f"{value:.6g}" if isinstance(value, float) else value)
        write_csv(path, list(frame.columns), rows.itertuples(index=False))
        print(f"{path}: {len(frame)} rows")
