"""Weighted matrix factorisation of the library implicit, as a method of the workflow."""

from implicit.cpu.als import AlternatingLeastSquares
from scipy.sparse import csr_matrix

from mnar.matrices.factor_model import FactorModel


def fit(train, settings, seed, threads):
    liked = train.select(train.relevant)
    shape = (liked.n_users, liked.n_items)
    matrix = csr_matrix((1 + 0 * liked.values, liked.items, liked.indptr), shape)
    model = AlternatingLeastSquares(
        factors=settings["factors"],
        regularization=settings["regularization"],
        alpha=settings["alpha"],
        iterations=settings.get("iterations", 15),
        random_state=seed % 2**32,
        num_threads=threads,
    )
    model.fit(matrix, show_progress=False)
    return FactorModel.without_biases(model.user_factors, model.item_factors)
