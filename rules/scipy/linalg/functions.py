"""A function of a matrix given by the function of a number: funm.

The derivative is that of Daleckii and Krein: in the basis of eigenvectors each entry is multiplied by the
divided difference of the function at two eigenvalues, its slope where they coincide. What the function
captured has its cotangent too. A defective matrix is refused. Near-coinciding eigenvalues take the slope
between them, so that nothing cancels.

See [Daleckii & Krein 1965] and [Higham 2008].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import ZERO, is_zero, materialize
from ...numpy.adjoints import adjoint, conj
from ...numpy.linalg.gaps import diagonal_matrix, has_repeats, settled
from ...numpy.linalg.spectra import refuse_defective
from ...written import own


def check_display(a: Any, disp: Any) -> None:
    """Refuse stacks, and the error estimate as a second result."""
    if np.ndim(a) != 2:
        raise UnsupportedArgument(linalg.funm, "A", a, supported=["a matrix"], next="call it for each matrix")
    if disp not in (None, True):
        raise UnsupportedArgument(linalg.funm, "disp", disp, supported=[True])


def close(w: Any) -> Any:
    """Which eigenvalues are so close that a divided difference would lose more than the slope does."""
    gap = np.abs(w[:, None] - w[None, :])
    return gap <= np.finfo(w.dtype).eps ** (1 / 3) * np.max(np.abs(w), initial=0.0)


non_differentiable(check_display, close, why="compares with a bound")


def decomposed(a: Any) -> tuple[Any, Any]:
    """Eigenvalues, as complex numbers, and vectors, inside a first derivative."""
    w, v = np.linalg.eig(a)
    refuse_defective(v)
    return w + 0j, settled(v + 0j, has_repeats(w))


def divided(w: Any, fw: Any, slopes: Any) -> Any:
    """The divided differences of the function at each pair of eigenvalues."""
    near = close(w)
    gap = np.expand_dims(w, 1) - np.expand_dims(w, 0)
    apart = (np.expand_dims(fw, 1) - np.expand_dims(fw, 0)) / np.where(near, 1.0, gap)
    return np.where(near, (np.expand_dims(slopes, 1) + np.expand_dims(slopes, 0)) / 2, apart)


def in_kind_of(a: Any, y: Any, dy: Any) -> Any:
    """A tangent as real as the value is."""
    return dy if np.iscomplexobj(y) else np.real(dy)


@frule(linalg.funm)
def funm_frule(tangents, A: np.ndarray, func: object, *, disp=None, engine):
    """y = v f(w) v⁻¹        ẏ = v (F ∘ v⁻¹ ȧ v) v⁻¹, F the divided differences of f, and v ḟ(w) v⁻¹"""
    check_display(A, disp)
    own(linalg.funm, A, func)  # which does what the function does, once
    y = linalg.funm(A, func)
    w, v = decomposed(A)
    fw, push = engine.value_and_pushforward(call_of, func, w)
    inside: Any = 0.0
    if not is_zero(tangents[0]):
        slopes = materialize(push(ZERO, np.ones_like(w)), like=fw)
        inside = divided(w, fw, slopes) * np.linalg.solve(v, np.matmul(tangents[0], v))
    if not is_zero(tangents[1]):
        inside = inside + diagonal_matrix(materialize(push(tangents[1], ZERO), like=fw))
    dy = adjoint(np.linalg.solve(adjoint(v), adjoint(np.matmul(v, inside))))
    return y, in_kind_of(A, y, dy)


@rrule(linalg.funm)
def funm_rrule(A: np.ndarray, func: object, *, disp=None, engine, needs):
    """y = v f(w) v⁻¹        ā = v⁻ᴴ (conj(F) ∘ vᴴ ȳ v⁻ᴴ) vᴴ        f̄ of the diagonal of vᴴ ȳ v⁻ᴴ"""
    check_display(A, disp)
    own(linalg.funm, A, func)  # which does what the function does, once
    y = linalg.funm(A, func)

    def funm_pullback(y_bar):
        w, v = decomposed(A)
        seed = adjoint(np.linalg.solve(v, adjoint(np.matmul(adjoint(v), y_bar))))
        a_bar: Any = ZERO
        func_bar: Any = ZERO
        if needs[0]:
            fw, push = engine.value_and_pushforward(call_of, func, w)
            slopes = materialize(push(ZERO, np.ones_like(w)), like=fw)
            inside = conj(divided(w, fw, slopes)) * seed
            a_bar = np.linalg.solve(adjoint(v), np.matmul(inside, adjoint(v)))
        if needs[1]:
            _, back = engine.value_and_pullback(call_of, func, w)
            func_bar = back(np.diagonal(seed))[0]
        return a_bar, func_bar

    return y, funm_pullback


def call_of(func: Any, w: Any) -> Any:
    """The function at the eigenvalues."""
    return func(w)
