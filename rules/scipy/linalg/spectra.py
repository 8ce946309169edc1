"""Eigenvalues and vectors of general matrices and of pairs of matrices: eig, eigvals, left and right.

The vectors are SciPy's, of length one. Those of one matrix have a real largest entry, as NumPy's have;
complex ones of a pair have a phase that nothing fixes: what depends on it is refused. Left vectors are those
of the adjoint problem. A defective matrix is refused, and a pair whose second matrix is singular, which has
infinite eigenvalues. Homogeneous eigenvalues are not differentiated. Coinciding eigenvalues: see `gaps`.

See [Stewart & Sun 1990] and [Boeddeker et al. 2017].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import NotDifferentiableError, UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import NO_TANGENT, ZERO, NotImplementedTangent, from_fields, is_zero
from ...numpy.adjoints import adjoint, conj
from ...numpy.linalg.gaps import has_repeats, refuse_part, settled
from ...numpy.linalg.phases import turning
from ...numpy.linalg.spectra import from_pairs, moved_pairs, refuse_defective
from ...numpy.nesting import nest
from ...written import own, written_out
from .rounding import against
from .stacks import over_stacks

FREE = NotImplementedTangent("complex eigenvectors of a pair of matrices have a phase that nothing fixes")
NEXT = "use what does not depend on the phase of a vector, as the modulus of its entries"


def general_pairs(f: Any, a: Any, w: Any, v: Any, as_found: bool) -> Any:
    """(w, v), eigenvalues and vectors of a that SciPy found."""
    return w, v


@frule(general_pairs)
def general_pairs_frule(tangents, f: object, a: np.ndarray, w: np.ndarray, v: np.ndarray, *, as_found):
    """a v = v w        ẇ = diag v⁻¹ ȧ v        v̇ = v (F ∘ v⁻¹ ȧ v), Fᵢⱼ = 1 / (wⱼ − wᵢ), length and phase"""
    y = general_pairs(f, a, w, v, as_found)
    w, v = y[0], settled(y[1], has_repeats(y[0]))
    refuse_defective(v)
    dw, dv = moved_pairs(tangents[1], w, v)
    dw = dw + np.zeros_like(w)  # SciPy's values are complex where they are real numbers too
    return y, from_fields(tuple, (dw, dv if as_found or is_real(v) else FREE))


@rrule(general_pairs)
def general_pairs_rrule(f: object, a: np.ndarray, w: np.ndarray, v: np.ndarray, *, as_found):
    """a v = v w        ā = v⁻ᴴ (diag w̄ + conj(F) ∘ vᴴ v̄) vᴴ        v̄ less lengths, phases"""
    y = general_pairs(f, a, w, v, as_found)
    w, v = y[0], settled(y[1], has_repeats(y[0]))

    def general_pairs_pullback(y_bar):
        refuse_defective(v)
        if not as_found and not is_zero(y_bar[1]) and not is_real(v):
            v_bar = nest(y_bar[1], np.shape(v))
            turned = np.where(real_columns(v), 0.0, turning(v, v_bar))
            refuse_part(f, against(turned, v_bar), "a vector has a phase that nothing fixes", NEXT)
        return NO_TANGENT, from_pairs(f, y_bar, w, v), ZERO, ZERO

    return y, general_pairs_pullback


def real_columns(v: Any) -> Any:
    """Which vectors are real."""
    return np.all(np.imag(v) == 0, axis=-2)


def is_real(v: Any) -> bool:
    """Whether all vectors are real."""
    return bool(np.all(np.imag(v) == 0))


def check_form(f: Any, homogeneous_eigvals: Any) -> None:
    """Refuse eigenvalues as quotients, of which only the quotient is determined."""
    if homogeneous_eigvals:
        raise UnsupportedArgument(f, "homogeneous_eigvals", homogeneous_eigvals, supported=[False])


def refuse_infinite(f: Any, w: Any, b: Any) -> None:
    """Refuse a singular second matrix."""
    if not np.all(np.isfinite(w)) or (b.size and np.linalg.cond(b, 2) > 1e-2 / np.finfo(b.dtype).eps):
        raise NotDifferentiableError(
            "the eigenvalues of a pair of matrices have no derivative where the second is singular",
            next="exchange the matrices, whose eigenvalues are then the inverse ones",
        )


non_differentiable(real_columns, is_real, why="looks at a value")
non_differentiable(check_form, refuse_infinite, why="checks an argument")


@written_out(linalg.eig)
def eig(
    a: np.ndarray, b: np.ndarray | None = None, *, left=False, right=True, overwrite_a=False,
    overwrite_b=False, check_finite=True, homogeneous_eigvals=False,
):  # fmt: skip
    """a v = v w, or a v = b v w; left: uᴴ a = w uᴴ, or uᴴ a = w uᴴ b"""
    check_form(linalg.eig, homogeneous_eigvals)
    if np.ndim(a) > 2 or (b is not None and np.ndim(b) > 2):
        if b is None:
            return over_stacks(linalg.eig, a, left=left, right=right)
        return over_stacks(linalg.eig, a, b, left=left, right=right)
    w, low, high = own(linalg.eig, a, b, left=True, right=True, check_finite=check_finite)
    if b is None:
        matrix, turned = a, adjoint(a)
    else:
        refuse_infinite(linalg.eig, w, b)
        matrix = np.linalg.solve(b, a)
        turned = np.linalg.solve(adjoint(b), adjoint(a)) if left else None
    alone = not (left or right)  # a phase has no part in the values
    values, v = general_pairs(linalg.eig, matrix, w, high, as_found=b is None or alone)
    if left:
        _, u = general_pairs(linalg.eig, turned, own(conj, w), low, as_found=b is None)
        return (values, u, v) if right else (values, u)
    return (values, v) if right else values


@written_out(linalg.eigvals)
def eigvals(
    a: np.ndarray, b: np.ndarray | None = None, *, overwrite_a=False, check_finite=True,
    homogeneous_eigvals=False,
):  # fmt: skip
    """w of `eig`"""
    check_form(linalg.eigvals, homogeneous_eigvals)
    return linalg.eig(a, b, left=False, right=False, check_finite=check_finite)
