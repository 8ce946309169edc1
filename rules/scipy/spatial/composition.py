"""Rotations raised to powers, indexed and joined.

What `reduce` chooses from its groups is held constant; at a tie it is what SciPy chose.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from ....core import Array, non_differentiable
from ...written import written_out
from .quaternions import compose, exponential, logarithm
from .rotations import by_scipy, turned, turns


def _composed(p: Any, q: Any) -> Any:
    shape = np.broadcast_shapes(np.shape(p)[:-1], np.shape(q)[:-1])
    return compose(np.broadcast_to(p, (*shape, 4)), np.broadcast_to(q, (*shape, 4)))


@written_out(Rotation.__pow__)
def power(self: Rotation, n: Array, *, modulus=None):
    """y = exp(n log R)"""
    r = logarithm(turns(self), "Rotation.__pow__")
    return turned(by_scipy(Rotation.__pow__, self, n, modulus), exponential(n * r))


@written_out(Rotation.__getitem__)
def getitem(self: Rotation, *, indexer):
    """y = R_i"""
    made = by_scipy(Rotation.__getitem__, self, indexer)
    return turned(made, turns(self)[indexer])


@written_out(Rotation.concatenate)
def concatenate(rotations: Rotation | list | tuple):
    """The rotations one after another"""
    made = by_scipy(Rotation.concatenate, rotations)
    if isinstance(rotations, Rotation):
        return turned(made, turns(rotations))
    return turned(made, np.concatenate([np.reshape(turns(r), (-1, 4)) for r in rotations]))


@written_out(Rotation.reduce)
def reduce(self: Rotation, left: object = None, right: object = None, *, return_indices=False):
    """y = L_i R S_j, i and j held constant"""
    made, i, j = by_scipy(Rotation.reduce, self, left, right, True)
    q = np.reshape(turns(self), (-1, 4))
    if right is not None:
        q = _composed(q, np.reshape(turns(right), (-1, 4))[j])
    if left is not None:
        q = _composed(np.reshape(turns(left), (-1, 4))[i], q)
    y = turned(made, np.reshape(q, np.shape(by_scipy(Rotation.as_quat, made))))
    return (y, i, j) if return_indices else y


non_differentiable(
    Rotation.identity, Rotation.random, Rotation.create_group.__func__, why="makes constant rotations"
)
non_differentiable(
    Rotation.approx_equal, Rotation.__len__, Rotation.__bool__, why="returns a truth value or a count"
)
