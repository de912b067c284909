"""What a recipe of a view keeps, in words."""

from collections.abc import Mapping

STEPS = {
    "top_items": "the {:,} items with most ratings",
    "top_users": "the {:,} users with most ratings",
    "sample_users": "{:,} users drawn at random",
    "min_per_item": "items with {:,} or more ratings",
    "min_per_user": "users with {:,} or more ratings",
}


def kept(recipe: Mapping[str, int], everything: str) -> str:
    """One sentence; `everything` is what a view keeps without a recipe."""
    steps = [STEPS[step].format(size) for step, size in recipe.items()]
    return f"Kept: {', then '.join(steps) or everything}."
