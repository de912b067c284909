"""Which minima per user and item bring a dataset nearest to its published size."""

import polars as pl

from mnar.core.errors import UserError
from mnar.core.files import atomic
from mnar.core.script import logged
from mnar.data.recipe_search import search
from mnar.reporting.published_numbers import read_published

with logged(snakemake.log[0]):
    dataset, published = snakemake.wildcards.dataset, read_published("lim2015", "datasets")
    sizes = published[published["dataset"] == dataset]
    if sizes.empty:
        known = ", ".join(published["dataset"])
        raise UserError(f"No size of {dataset} was published; known are {known}.")
    users, items, interactions = sizes[["users", "items", "interactions"]].iloc[0].astype(int)
    ratings = pl.scan_parquet(snakemake.input.interactions)
    relevant = ratings.filter(pl.col("rating") >= snakemake.params.relevant)
    found = search(relevant.select("user", "item").collect(), users, items, interactions)
    with atomic(snakemake.output[0]) as temporary:
        found.write_csv(temporary)
    print(f"published: {users} users, {items} items, {interactions} interactions")
    print(found.head(10))
