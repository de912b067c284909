"""Intervals around their values, where weights are estimated again in each bootstrap sample."""

from dataclasses import replace

import numpy as np

from mnar.estimators import Comparison


def centred(found: Comparison) -> Comparison:
    """The same with samples moved to have the value of the data as their mean.

    Who is drawn twice rates an item twice, so rare items look less rare than they are, and the samples lie
    to one side of the value, sometimes all of them. Their spread tells how sure it is.
    """
    samples = found.means.samples
    if samples is None or found.weights.resampled is None:
        return found
    with np.errstate(invalid="ignore"):
        off = np.nansum(samples, axis=1) / (~np.isnan(samples)).sum(axis=1) - found.means.values
    return replace(found, means=replace(found.means, samples=samples - off[:, None]))
