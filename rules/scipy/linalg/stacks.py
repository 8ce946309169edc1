"""Stacks of matrices, one matrix after the other: for functions whose rule is written for one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def over_stacks(f: Any, *arrays: Any, **options: Any) -> Any:
    """f of each matrix of stacks that broadcast, its results stacked, several in a list as SciPy does.

    Example: >>> over_stacks(np.trace, np.ones((3, 2, 2)))
             array([2., 2., 2.])
    """
    lead = np.broadcast_shapes(*[np.shape(a)[:-2] for a in arrays])
    flat: Any = ()
    for a in arrays:
        core = np.shape(a)[-2:]
        flat = (*flat, np.reshape(np.broadcast_to(a, lead + core), (math.prod(lead), *core)))
    results = tuple([f(*[a[i] for a in flat], **options) for i in range(math.prod(lead))])
    if isinstance(results[0], tuple):
        answer: Any = []
        for k in range(len(results[0])):
            parts = [np.asarray(r[k]) for r in results]
            answer = [*answer, np.reshape(np.stack(parts), lead + np.shape(parts[0]))]
        return answer
    return np.reshape(np.stack(results), lead + np.shape(results[0]))
