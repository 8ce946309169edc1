"""Phases of complex vectors: how LAPACK fixes them, and what that adds to a derivative.

A complex eigenvector or singular vector is given up to a factor of modulus one. LAPACK chooses it so
that one entry of each vector, the anchor, is real. A loss that does not depend on the phase has a
cotangent in which it does not appear, and then nothing is added here. One that does depend on it
gets the derivative of LAPACK's choice; where the anchor is zero the choice jumps, and is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import NotDifferentiableError, non_differentiable
from ....core.callables import name_of
from ...quiet import ratio
from ..adjoints import conj
from .gaps import noise


def has_phases(u: Any) -> bool:
    """Whether there are vectors, and complex ones."""
    return np.iscomplexobj(u) and np.size(u) > 0


def is_anchored(anchor: Any) -> bool:
    """Whether every anchor is real and not zero."""
    eps = np.finfo(anchor.dtype).eps
    return bool(np.all((np.abs(np.imag(anchor)) <= 100 * eps) & (np.abs(anchor) > 1000 * eps)))


def refuse_jump(f: Any, anchor: Any, turned: Any, *vectors_bar: Any) -> None:
    """Refuse cotangents that depend on the phase of vectors whose anchor fixes none."""
    eps = np.finfo(anchor.dtype).eps
    loose = (np.abs(np.imag(anchor)) > 100 * eps) | (np.abs(anchor) <= 1000 * eps)
    if np.any(loose & (np.abs(turned) > max(map(noise, vectors_bar)))):
        raise NotDifferentiableError(
            f"the vectors of {name_of(f)} depend on a phase that jumps here",
            next="use what does not depend on the phase of a vector, as the modulus of its entries or u uᴴ",
        )


non_differentiable(has_phases, is_anchored, refuse_jump, why="checks how phases were fixed")


def turning(u: Any, u_bar: Any) -> Any:
    """How much a loss varies as each vector, a column of u, turns its phase: Im Σ conj(u) ū."""
    return np.sum(np.imag(conj(u) * u_bar), axis=-2)


def turn_back(du_anchor: Any, anchor: Any) -> Any:
    """The rate at which phases turn so that the anchors, which move by du_anchor, stay real."""
    return -ratio(np.imag(du_anchor), np.real(anchor))


def anchor_bar(turned: Any, anchor: Any) -> Any:
    """What the anchors' cotangents gain, where a loss varies by so much as phases turn."""
    return -1j * ratio(turned, np.real(anchor))
