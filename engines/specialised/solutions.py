"""Solutions: how a root or a minimum moves, by specialised programs.

The implicit function theorem asks for the Jacobian at the solution and for one pullback by the parameters.
Of a minimum both are in products with the Hessian: along unit vectors for the Jacobian, along λ for the
parameters, because second derivatives are symmetric. Of a root they are gradients of λ·F(x, θ), a function
that is kept with F.

As for gradients: the first runs use the ordinary program. Functions that captured something, and parameters
that are not floats or arrays of them, stay with it, and so does everything that is differentiated again.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from ...core import debug
from ...core.callables import captures_nothing
from ...core.implicit import DENSE, Gradient, is_number, is_vector, refuse_unsolved
from ...core.recording import is_recording
from ...tangents import ZERO, materialize
from ..boundary import LARGE
from .entry import Settings, specialised
from .seconds import hessian_of, product_of

_COUNTS, _WEIGHTED = "__chainrules_solutions__", "__chainrules_weighted__"


def root_pullback(residual: Any, x: Any, parameters: tuple[Any, ...]) -> Callable[[Any], Any] | None:
    """The pullback of a root by specialised programs; None where there are none yet, or none that fit."""
    f = residual.objective if type(residual) is Gradient else residual
    if not captures_nothing(f) or not Settings.on or Settings.compared or debug.is_on() or is_recording():
        return None
    at = (x, *parameters)
    if not all(map(_is_floating, at)) or f.__code__.co_argcount != len(at) or np.size(x) > DENSE:
        return None
    if not (is_number(x) or (is_vector(x) and len(x))):
        return None
    counts = f.__dict__.setdefault(_COUNTS, {})
    key = (f.__code__, type(residual) is Gradient, *[np.ndim(v) for v in at])
    counts[key] = count = counts.get(key, 0) + 1
    if count < Settings.runs:
        return None
    way = _Minimum if type(residual) is Gradient else _Root
    made = way(f, at)
    if count == Settings.runs and not made.is_taught():
        counts[key] = -AFTER_REFUSAL
        return None
    return made.pullback()


AFTER_REFUSAL = 10**6
"""How many calls pass before a function that was declined is tried again."""


def _is_floating(v: Any) -> bool:
    return is_number(v) or (type(v) is np.ndarray and v.dtype == float and 0 < v.size < LARGE)


class _Minimum:
    """How the minimum of an objective moves."""

    def __init__(self, f: FunctionType, at: tuple[Any, ...]) -> None:
        self.f, self.at = f, at
        self.all = tuple(range(len(at)))

    def is_taught(self) -> bool:
        """Write the programs, each compared with the ordinary one; whether all of them could be."""
        from ..hessians import hessian, hvp
        from ..operators import grad

        by_first, along = hessian(self.f), tuple([v * 0.0 + 1.0 for v in self.at])
        gradient = grad(self.f)

        def run() -> None:
            by_first(*self.at)
            gradient(*self.at)
            hvp(self.f, self.at, along, self.all)

        return (
            _taught(run)
            and self.pullback() is not None
            and product_of(self.f, self.at, along, self.all) is not None
        )

    def product(self, along: tuple[Any, ...]) -> Any:
        """The Hessian by all arguments times a vector"""
        from ..hessians import hvp

        known = product_of(self.f, self.at, along, self.all)
        return hvp(self.f, self.at, along, self.all) if known is None else known

    def gradient(self, x: Any, *parameters: Any) -> Any:
        """∂f/∂x"""
        known = specialised(self.f, 0, (x, *parameters), {})
        return Gradient(self.f)(x, *parameters) if known is None else known[1]

    def pullback(self) -> Callable[[Any], Any] | None:
        """H λ = x̄        θ̄ = −∂(λ·∂f/∂x)/∂θ"""
        matrix = hessian_of(self.f, 0, self.at)
        if matrix is None:
            return None
        x, still = self.at[0], tuple([v * 0.0 for v in self.at[1:]])

        def minimum_pullback(x_bar: Any) -> Any:
            y = self.gradient(*self.at)
            refuse_unsolved(_Ready(self), matrix, (y, x, None, self.at[1:]), False)
            weights = _over(matrix, -materialize(x_bar, like=x))
            moved = self.product((weights, *still))
            return ZERO, ZERO, *moved[1:]

        return minimum_pullback


class _Ready(Gradient):
    """The gradient of an objective, by its specialised program."""

    def __init__(self, ready: _Minimum) -> None:
        super().__init__(ready.f)
        self.ready = ready

    def __call__(self, x: Any, *parameters: Any) -> Any:
        return self.ready.gradient(x, *parameters)


class _Root:
    """How a root moves."""

    def __init__(self, f: FunctionType, at: tuple[Any, ...]) -> None:
        self.f, self.at = f, at
        self.weighted = weighted_by(f, len(at))
        self.others = tuple(range(2, len(at) + 1))

    def is_taught(self) -> bool:
        """Write the programs, each compared with the ordinary one; whether all of them could be."""
        from ..operators import grad

        if self.weighted is None or np.shape(self.f(*self.at)) != np.shape(self.at[0]):
            return False
        by_x, by_others = grad(self.weighted, 1), grad(self.weighted, self.others)
        ones = self.at[0] * 0.0 + 1.0

        def run() -> None:
            by_x(ones, *self.at)
            if self.others:
                by_others(ones, *self.at)

        return _taught(run) and self.pullback() is not None

    def pullback(self) -> Callable[[Any], Any] | None:
        """Jᵀ λ = x̄        θ̄ = −∂(λ·F)/∂θ"""
        x, parameters = self.at[0], self.at[1:]
        matrix = self.jacobian()
        y = None if matrix is None else self.f(*self.at)
        if matrix is None or type(y) is not type(x) or np.shape(y) != np.shape(x):  # type: ignore[arg-type]  # y is known here
            return None

        def ready_root_pullback(x_bar: Any) -> Any:
            refuse_unsolved(self.f, matrix, (y, x, None, parameters), False)
            weights = _over(matrix.T, -materialize(x_bar, like=x))
            if not parameters:
                return ZERO, ZERO
            known = specialised(self.weighted, self.others, (weights, *self.at), {})
            if known is None:
                known = self.ordinary(weights)
            return ZERO, ZERO, *known[1]

        return ready_root_pullback

    def ordinary(self, weights: Any) -> Any:
        """Value and gradients of λ·F where the specialised program does not fit λ."""
        from ..operators import value_and_grad

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return value_and_grad(self.weighted, self.others)(weights, *self.at)

    def jacobian(self) -> Any:
        """J, row by row; None where there is no program."""
        x = self.at[0]
        if is_number(x):
            known = specialised(self.weighted, 1, (1.0, *self.at), {})
            return None if known is None else np.float64(known[1])
        matrix, unit = np.empty((len(x), len(x))), np.zeros(len(x))
        for k in range(len(x)):
            unit[k] = 1.0
            known = specialised(self.weighted, 1, (unit, *self.at), {})
            if known is None:
                return None
            matrix[k] = known[1]
            unit[k] = 0.0
        return matrix


def _over(matrix: Any, b: Any) -> Any:
    return b / matrix if np.ndim(matrix) == 0 else np.linalg.solve(matrix, b)


def _taught(run: Callable[[], None]) -> bool:
    """Run the operators until they have written programs; whether nothing was raised."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for _ in range(Settings.runs + 1):
                run()
    except Exception:  # the ordinary rule says what is wrong
        return False
    return True


def weighted_by(f: FunctionType, count: int) -> Any:
    """w·f(…) as a function of so many arguments after w, the same each time; None for too many."""
    kept = f.__dict__.get(_WEIGHTED)
    if kept is None or kept[0] is not f.__code__:
        kept = f.__dict__[_WEIGHTED] = f.__code__, _MAKERS[count](f) if count in _MAKERS else None
    return kept[1]


def _of_one(f: Any) -> Any:
    def weighted(w: Any, x: Any) -> Any:
        return np.sum(w * f(x))

    return weighted


def _of_two(f: Any) -> Any:
    def weighted(w: Any, x: Any, a: Any) -> Any:
        return np.sum(w * f(x, a))

    return weighted


def _of_three(f: Any) -> Any:
    def weighted(w: Any, x: Any, a: Any, b: Any) -> Any:
        return np.sum(w * f(x, a, b))

    return weighted


def _of_four(f: Any) -> Any:
    def weighted(w: Any, x: Any, a: Any, b: Any, c: Any) -> Any:
        return np.sum(w * f(x, a, b, c))

    return weighted


_MAKERS = {1: _of_one, 2: _of_two, 3: _of_three, 4: _of_four}
