"""The synthetic dataset (docs/datasets.md): the one dataset whose complete truth is known.

Items stand in a random order of popularity; position 0 is the most exposed one. With
z_i = −log(position_i + offset), standardised over the items,

    exposure         x_i = (position_i + offset)^−exponent
    item quality     b_i = quality · (c · z_i + √(1 − c²) · g_i)            c: correlation
    item vector      q_i = taste / √rank · (standard normal vector)
    user vector      p_u = (standard normal vector)
    complete rating  r(u, i) = 1 + #{t : p_u · q_i + b_i + noise · e(u, i) > threshold_t}

e(u, i) is standard normal, read off a hash of (seed, u, i): no cell is stored, any can be had.
Over users the score of an item is normal with mean b_i and variance s_i² = ‖q_i‖² + noise². So
P(positive | i) = Φ((b_i − threshold_4) / s_i) is a closed form, and the thresholds that give the
wanted histogram are quantiles of the mean over items of Φ((t − b_i) / s_i).

User u rates item i with probability α_i if r(u, i) ≥ 4 and β_i if not (pradel2012 section 3.2):

    α_i = min(1, scale · x_i)         popularity effect; exponent 0 switches it off
    β_i / α_i = tail^(1 − h_i) · head^h_i      positivity effect; 1 everywhere switches it off

where h_i is z_i stretched to run from 0 (last position) to 1 (first). The scale makes the expected
number of ratings a user, Σ_i α_i P_i + β_i (1 − P_i), what the settings ask for. Quality and
positivity follow the position, not the exposure, so switching popularity off leaves the complete
ratings and β/α as they are. Each part has its own stream of random numbers, for the same reason.

A taxonomy (album, artist, genre), where asked for, gives items of a family a common part in
their vectors and in g_i, without changing the distribution of either.
"""

from mnar.data.synthetic.generation import Synthetic, generate
from mnar.data.synthetic.generator_settings import FULL_POSITIVITY, TAXONOMY_LEVELS, Settings
from mnar.data.synthetic.truth import Truth
from mnar.data.synthetic.writing import summarise, write

__all__ = [
    "FULL_POSITIVITY",
    "TAXONOMY_LEVELS",
    "Settings",
    "Synthetic",
    "Truth",
    "generate",
    "summarise",
    "write",
]
