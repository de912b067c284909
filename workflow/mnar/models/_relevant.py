"""The part of the training data that methods for implicit feedback learn from."""

from mnar.core.errors import UserError
from mnar.matrices.ratings import Ratings


def relevant_part(train: Ratings) -> Ratings:
    """The relevant ratings, in the same shape."""
    if not train.relevant.any():
        raise UserError(
            f"None of the {len(train.relevant)} training ratings is relevant, so there is nothing "
            "to learn from; check the relevance rule of the view."
        )
    return train if train.relevant.all() else train.select(train.relevant)
