"""Track 2 error: of three held-out and three drawn items, the share on the wrong side (kddcup2011)."""

from collections.abc import Sequence

import numpy as np

from mnar.core.errors import UserError
from mnar.matrices.model import Model, score_pairs
from mnar.matrices.ratings import Ratings
from mnar.measures._measure import ModelMeasure, Numbers, Task
from mnar.statistics.user_values import UserValues

# As many items of each sort for every user.
_OF_EACH_SORT = 3


def track2_error(
    model: Model, task: Task, seen: Ratings | None, asked: Sequence[Numbers], threads: int
) -> list[UserValues]:
    held_out = task.held_out
    assert task.context.drawn is not None
    drawn_user, drawn_item = task.context.drawn
    liked = held_out.select(held_out.relevant)
    order = np.argsort(drawn_user, kind="stable")
    drawn_counts = np.bincount(drawn_user, minlength=held_out.n_users)
    scored = drawn_counts > 0
    wanted = np.where(scored, _OF_EACH_SORT, 0)
    if not (np.array_equal(drawn_counts, wanted) and np.array_equal(np.diff(liked.indptr), wanted)):
        raise UserError(
            f"Measure track2_error needs {_OF_EACH_SORT} held-out relevant items and as many drawn "
            "ones for each user it scores: use it with the protocol track2."
        )
    shape = (-1, _OF_EACH_SORT)
    good = score_pairs(model, liked.users, liked.items, threads).reshape(shape)
    bad = score_pairs(model, drawn_user[order], drawn_item[order], threads).reshape(shape)
    six = np.hstack((good, bad))[:, np.newaxis, :]
    above = (six > good[:, :, np.newaxis]).sum(axis=2)
    tied = (six == good[:, :, np.newaxis]).sum(axis=2)
    found = np.clip((_OF_EACH_SORT - above) / tied, 0, 1)
    errors = np.full(held_out.n_users, np.nan)
    errors[scored] = 1 - found.mean(axis=1)
    return [UserValues.alike(errors, scored)]


MEASURES = (
    ModelMeasure(
        spelling="track2_error",
        label="Track 2 error",
        description="Share of a user's six items put on the wrong side: three highly rated, three drawn.",
        better="lower",
        needs="drawn",
        values=track2_error,
    ),
)
