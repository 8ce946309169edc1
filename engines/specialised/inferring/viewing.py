"""Viewing: functions that give a view of their first argument wherever NumPy can make one.

    c = y.reshape(2, -1)           c_shadow = y_shadow.reshape(2, -1)
    c[1] = c[0] * 2.0

A store into the result is one into the argument then. The text asks whether it is, of both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..reading.calls import is_built_in, rule_of
from ..reading.steps import Step, is_name

_VIEWING: frozenset[Any] = frozenset(
    [
        *(np.reshape, np.ravel, np.squeeze, np.transpose, np.swapaxes, np.moveaxis, np.expand_dims),
        *(np.flip, np.flipud, np.fliplr, np.asarray, np.atleast_1d, np.atleast_2d, np.rollaxis),
        *(np.ndarray.reshape, np.ndarray.ravel, np.ndarray.squeeze, np.ndarray.transpose),
        np.ndarray.swapaxes,
    ]
)


def is_viewing(inferred: Any, s: Step) -> bool:
    """Whether a call gives a view of its first argument, an array, by the library's own rule if by any."""
    f, given = inferred.function(s), s.args[s.op == "call" :]
    unnamed = len(given) - len(s.keywords)
    if f not in _VIEWING or not unnamed or not is_name(given[0]) or given[0] in given[1:]:
        return False
    samples = inferred.profile.samples.get(s.number)
    return samples is not None and is_built_in(rule_of(f, *samples))


def shares(view: np.ndarray[Any, Any], a: np.ndarray[Any, Any]) -> bool:
    """Whether an array is a view of another, or that itself."""
    return np.may_share_memory(view, a)
