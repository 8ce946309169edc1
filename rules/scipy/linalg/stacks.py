"""Stacks of matrices, one matrix after the other: for functions whose rule is written for one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....core import non_differentiable


def holder_of(f: Any) -> Any:
    """What holds several stacks of results: a list where SciPy goes over the matrices by a wrapper."""
    return list if hasattr(f, "__wrapped__") else tuple


non_differentiable(holder_of, why="asks for a type")


def over_stacks(f: Any, *arrays: Any, **options: Any) -> Any:
    """f of each matrix of stacks that broadcast, its results stacked; a vector goes with all.

    Example: >>> over_stacks(np.trace, np.ones((3, 2, 2)))
             array([2., 2., 2.])
    """
    lead = np.broadcast_shapes(*[np.shape(a)[:-2] for a in arrays])
    each = [np.shape(a)[-2:] for a in arrays]
    whole = [np.broadcast_to(a, lead + core) for a, core in zip(arrays, each, strict=True)]
    flat = [np.reshape(a, (math.prod(lead), *core)) for a, core in zip(whole, each, strict=True)]
    results = tuple([f(*[a[i] for a in flat], **options) for i in range(math.prod(lead))])
    if isinstance(results[0], tuple):
        columns = [np.stack([np.asarray(r[k]) for r in results]) for k in range(len(results[0]))]
        return holder_of(f)([np.reshape(column, lead + np.shape(column)[1:]) for column in columns])
    return np.reshape(np.stack(results), lead + np.shape(results[0]))
