"""The Euclidean distance transform, by the sampling: which background pixel is nearest is held constant.

An image counts by whether an entry is zero, so that it has no derivative itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from ....core import UnsupportedArgument, non_differentiable
from ...written import written_out
from .derivatives import length


def nearest(x: Any, sampling: Any) -> Any:
    """For each entry, the place of the nearest background pixel."""
    return ndimage.distance_transform_edt(x, sampling, return_distances=False, return_indices=True)


def apart(indices: Any) -> Any:
    """How far on along each axis that is, in pixels."""
    return np.indices(indices.shape[1:]) - indices


def refuse_arrays(distances: Any, indices: Any) -> None:
    """Refuse to write into arrays of the caller's."""
    for name, given in (("distances", distances), ("indices", indices)):
        if given is not None:
            raise UnsupportedArgument(
                "scipy.ndimage.distance_transform_edt", name, "an array", supported=["None"]
            )


non_differentiable(nearest, apart, refuse_arrays, why="the nearest background pixel is held constant")


@written_out(ndimage.distance_transform_edt)
def distance_transform_edt(
    input: np.ndarray | list,
    sampling: object = None,
    *,
    return_distances=True,
    return_indices=False,
    distances=None,
    indices=None,
):
    """d_i = √Σ_a (s_a (i_a − j_a))², j the nearest background pixel"""
    refuse_arrays(distances, indices)
    where = nearest(input, sampling)
    if not return_distances:
        return where
    steps, ndim = apart(where), len(where)
    s = np.broadcast_to(np.asarray(1.0 if sampling is None else sampling), (ndim,))
    d = length(np.sum((np.reshape(s, (ndim,) + (1,) * ndim) * steps) ** 2, axis=0))
    return (d, where) if return_indices else d
