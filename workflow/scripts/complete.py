"""The complete ratings behind a view of a generated dataset."""

import numpy as np

from mnar.core.script import logged
from mnar.core.seeds import generator
from mnar.data.complete import MOST_CELLS, Complete
from mnar.data.synthetic import Truth
from mnar.matrices.view import View

with logged(snakemake.log[0]):
    view = View.load(snakemake.input.view)
    truth = Truth.load(snakemake.input.truth)
    n_users, n_items = view.shape
    wanted = min(n_users, MOST_CELLS // n_items)
    draw = generator(snakemake.params.seed, "complete").permutation(n_users)
    users = np.sort(draw[:wanted]).astype(np.int32)
    pairs = np.repeat(view.user_ids[users], n_items), np.tile(view.item_ids, wanted)
    relevant = truth.ratings(*pairs) >= view.facts["relevant_from"]
    Complete(users, relevant.reshape(wanted, n_items)).save(snakemake.output[0])
    print(f"{wanted} of {n_users} users, {relevant.mean():.4f} of their ratings are relevant")
