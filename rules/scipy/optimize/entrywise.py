"""Roots and minima of many functions of one number at once: `optimize.elementwise`.

Each entry moves by its own slope, ẋ = −f_θ θ̇ / f_x, so that one product with the Jacobian, which is
diagonal, gives all the slopes. An entry whose root is multiple, as far as it is known, is refused as that of
one function is (core/solutions.py).

See [Griewank & Walther 2008].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import elementwise

from ....core import NotDifferentiableError, implicit
from ....core.residuals import Gradient, as_vectors, named, numbers_of
from ....core.solutions import LONGER, NEAR, STRAIGHT
from ....core.systems import iterated
from ...written import written_out
from ..results import with_entries
from .solving import as_tuple, own, refuse_unconverged


class Diagonal:
    """A solver for systems whose matrix is diagonal: of a residual that works entry by entry."""

    def __init__(self, residual: Any, x: Any, *parameters: Any) -> None:
        self.residual, self.x, self.parameters = residual, x, parameters

    def __call__(self, product: Any, b: Any) -> Any:
        slopes = product(np.ones_like(b))
        mixed = np.random.default_rng(0).uniform(0.5, 1.5, len(b)).astype(b.dtype)
        if not np.allclose(product(mixed), slopes * mixed, rtol=1e-6, atol=1e-9 * np.max(np.abs(slopes))):
            return iterated(self.residual, product, b, None)
        self.refuse_multiple(slopes)
        return b / slopes

    def refuse_multiple(self, slopes: Any) -> None:
        """Raise where an entry is no root, or where the residual nowhere confirms its slope."""
        name = named(self.residual)
        v, unravel = numbers_of(self.x)

        def f(w: Any) -> Any:
            return as_vectors(self.residual, unravel, w, *self.parameters)

        y = f(v)
        bad = ~np.isfinite(slopes) | (slopes == 0) | ~np.isfinite(y)
        with np.errstate(all="ignore"):
            newton = np.where(bad, np.inf, -y / slopes)
            bad |= ~(np.abs(newton) <= NEAR * (1 + np.abs(v))) | ~confirmed(f, v, y, slopes, newton)
        if np.any(bad):
            raise NotDifferentiableError(
                f"entry {int(np.argmax(bad))} of the solution of {name} has no derivative: its slope there "
                f"is zero or not finite, or the entry is no root, or a multiple one as far as it is known",
                next="state the problem so that its solutions are simple roots, or solve to a tighter "
                "tolerance",
            )


def confirmed(f: Any, v: Any, y: Any, slopes: Any, newton: Any) -> Any:
    """Of each entry whether the residual runs along its tangent over some distance, forward and back."""
    last = np.finfo(v.dtype).eps * np.abs(v)
    step = np.where(np.abs(2.0 * newton) > last, 2.0 * newton, last)
    good = step == 0
    for longer in LONGER:
        straight = np.ones(len(v), bool)
        for at in (v + longer * step, v - longer * step):
            departure = (f(at) - y) / slopes - (at - v)
            straight &= np.abs(departure) <= STRAIGHT * longer * np.abs(step)
        good |= straight
        if np.all(good):
            break
    return good


class Total:
    """The sum of a function's entries."""

    def __init__(self, f: Any) -> None:
        self.f = f

    def __call__(self, x: Any, *parameters: Any) -> Any:
        return np.sum(self.f(x, *parameters))


@written_out(elementwise.find_root)
def find_root(f: Callable, init: object, args: object = (), *, tolerances=None, maxiter=None, callback=None):
    """f(x, θ) = 0, entry by entry        ẋ = −f_θ θ̇ / f_x"""
    given = as_tuple(args)
    result = own(
        elementwise.find_root, f, init, args=given, tolerances=tolerances, maxiter=maxiter, callback=callback
    )
    refuse_unconverged(elementwise.find_root, result.success, "some entries have no root in their brackets")
    return with_entries(
        result, ("x",), implicit.root(f, result.x, *given, solver=own(Diagonal, f, result.x, *given))
    )


@written_out(elementwise.find_minimum)
def find_minimum(
    f: Callable, init: object, args: object = (), *, tolerances=None, maxiter=100, callback=None
):
    """f_x(x, θ) = 0, entry by entry        ẋ = −f_xθ θ̇ / f_xx, f at x by the envelope"""
    given = as_tuple(args)
    result = own(
        elementwise.find_minimum, f, init, args=given, tolerances=tolerances, maxiter=maxiter,
        callback=callback,
    )  # fmt: skip
    refuse_unconverged(
        elementwise.find_minimum, result.success, "some entries have no minimum that was found"
    )
    slope = Gradient(Total(f))
    x = implicit.root(slope, result.x, *given, solver=own(Diagonal, slope, result.x, *given))
    return with_entries(result, ("x", "f_x"), x, f(x, *given))
