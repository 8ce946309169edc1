"""Solutions: how a root or a minimum moves, by specialised programs.

The implicit function theorem asks for the Jacobian at the solution and for one pullback by the parameters.
Of a minimum both are in products with the Hessian: along unit vectors for the Jacobian, along λ for the
parameters, because second derivatives are symmetric. Of a root they are gradients of λ·F(x, θ). What a
function captured is among the parameters (`lifting`).

As for gradients: the first runs use the ordinary program. Parameters and captured values that are not floats
or arrays of them stay with it, and so does everything that is differentiated again.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import debug
from ....core.recording import is_recording
from ....core.refining import as_given
from ....core.residuals import Excess, Gradient, is_number, is_vector
from ....core.systems import DENSE, iterated, nearly_solved, refuse_unsolved, unit
from ....tangents import ZERO, Composite, is_zero, materialize
from ...boundary import LARGE
from ..reading.capturing import is_floating, is_held
from ..reading.lifting import Lifted, lifted
from .columns import jacobian_at_once
from .entry import Settings, specialised
from .seconds import hessian_at_once, product_of

_COUNTS = "__chainrules_solutions__"


def root_pullback(
    residual: Any, x: Any, parameters: tuple[Any, ...], jacobian: Any = None
) -> Callable[[Any], Any] | None:
    """The pullback of a root by specialised programs; None where there are none yet, or none that fit."""
    if not Settings.on or Settings.compared or debug.is_on() or is_recording():
        return None
    if not (is_number(x) or (is_vector(x) and 0 < len(x) < LARGE)) or not all(map(is_held, parameters)):
        return None
    kind = type(residual)
    f = residual.objective if kind is Gradient else residual.function if kind is Excess else residual
    y = None if kind is Gradient else f(x, *parameters)
    around = "{}" if kind is Gradient else weighted(y, x, excess=kind is Excess)
    size = np.size(x) if np.ndim(x) else None
    made = None if around is None else lifted(f, 1 + len(parameters), around, size)
    if made is None or any(np.size(v) >= LARGE for v in made.held):
        return None
    at = (x, *parameters, *made.held)
    counts = made.f.__dict__.setdefault(_COUNTS, {})
    key = (made.f.__code__, kind, *[(type(v), np.ndim(v)) for v in at])
    counts[key] = count = counts.get(key, 0) + 1
    if count < Settings.runs:
        return None
    way = (_Minimum if kind is Gradient else _Root)(residual, made, at, len(parameters), jacobian, y)
    if count == Settings.runs and not way.is_taught():
        counts[key] = -AFTER_REFUSAL
        return None
    return way.pullback()


def weighted(y: Any, x: Any, *, excess: bool) -> str | None:
    """The text of w·F(x), or w·(g(x) − x), for a value of the function; None where that is not like x."""
    listed = type(y) is list and all(map(is_number, y))
    if not (listed or is_vector(y) or is_number(y)) or np.shape(y) != np.shape(x):
        return None
    value = "np.array({})" if listed else "{}"
    if is_number(y):
        return "weight_ * ({} - given0_)" if excess else "weight_ * {}"
    return f"np.sum(weight_ * ({value} - given0_))" if excess else f"np.sum(weight_ * {value})"


AFTER_REFUSAL = 10**6
"""How many calls pass before a function that was declined is tried again."""


class _Way:
    """How a solution moves."""

    def __init__(
        self, residual: Any, made: Lifted, at: tuple[Any, ...], count: int, jacobian: Any, y: Any
    ) -> None:
        """`y`: what the residual, or the function whose fixed point it is, gives at x."""
        self.residual, self.made, self.f, self.at = residual, made, made.f, at
        self.jacobian, self.y = jacobian, y
        self.count = count  # of the parameters that were given, not captured
        self.floating = tuple([i for i, v in enumerate(at) if is_floating(v)])

    def start(self) -> Any:
        """The residual at x."""
        return self.value(self.at[0])

    def value(self, x: Any) -> Any:
        """The residual at another x."""
        raise NotImplementedError

    def product(self, v: Any) -> Any:
        """Jᴴ v"""
        raise NotImplementedError

    def by_parameters(self, weights: Any) -> Any:
        """F_θᴴ λ for what is floating, but for x"""
        raise NotImplementedError

    def is_taught(self) -> bool:
        """Write the programs, each compared with the ordinary one; whether all of them could be."""
        raise NotImplementedError

    def taught_by(self, run: Callable[[], None]) -> bool:
        """Run what asks for the programs until they are written; whether nothing was raised."""
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                for _ in range(Settings.runs + 1):
                    run()
        except Exception:  # the ordinary rule says what is wrong
            return False
        return True

    def pullback(self) -> Callable[[Any], Any] | None:
        """Jᴴ λ = x̄        θ̄ = −F_θᴴ λ; None where the residual is not like x"""
        x, y = self.at[0], self.start()
        if not (is_vector(x) and is_vector(y) and len(y) == len(x)) and not (is_number(x) and is_number(y)):
            return None

        def ready_root_pullback(x_bar: Any) -> Any:
            weights = self.solved(y, -materialize(x_bar, like=x))
            moved = self.by_parameters(weights) if len(self.floating) > 1 else ()
            every = [ZERO] * len(self.at)
            for i, t in zip(self.floating[1:], moved, strict=True):
                every[i] = t
            return self.of_residual(every[1 + self.count :]), ZERO, *every[1 : 1 + self.count]

        return ready_root_pullback

    def of_residual(self, held: Any) -> Any:
        """The cotangent of the residual, from those of what was captured."""
        of_f = self.made.cotangent(held)
        if type(self.residual) is Gradient and not is_zero(of_f):
            return Composite[Gradient](objective=of_f)
        if type(self.residual) is Excess and not is_zero(of_f):
            return Composite[Excess](function=of_f)
        return of_f

    def solved(self, y: Any, b: Any) -> Any:
        """The w with Jᴴ w = b"""
        x = self.at[0]
        if is_number(x):
            slope = self.product(1.0)
            refuse_unsolved(self.residual, self.value, slope, y, x)
            return b / slope
        matrix = self.matrix() if 1 < len(x) <= DENSE else None
        if matrix is not None:
            refuse_unsolved(self.residual, self.value, matrix, y, x)
            return np.linalg.solve(matrix.T, b)
        if len(x) <= DENSE or self.jacobian is not None:
            given = self.jacobian, self.as_given
            w = nearly_solved(self.residual, self.value, self.product, b, y, x, *given, adjoint=True)
            if w is not None:
                return w
        if len(x) > DENSE:
            return iterated(self.residual, self.product, b, None)
        adjoint = np.stack([self.product(unit(b, k)) for k in range(len(b))], axis=1)
        refuse_unsolved(self.residual, self.value, adjoint.T, y, x)
        return np.linalg.solve(adjoint, b)

    def matrix(self) -> Any:
        """The Jacobian, where a program gives it for little more than the residual; None elsewhere."""
        return None

    def as_given(self) -> Any:
        """The Jacobian that the user gives."""
        x, *parameters = self.at[: 1 + self.count]
        return as_given(self.jacobian, x, tuple(parameters), x)


class _Minimum(_Way):
    """How the minimum of an objective moves."""

    def is_taught(self) -> bool:
        """Write the programs, each compared with the ordinary one; whether all of them could be."""
        from ...hessians import hvp
        from ...operators import grad

        gradient = grad(self.f)
        along = self.along(self.at[0] * 0.0 + 1.0, 1.0)

        def run() -> None:
            gradient(*self.at)
            hvp(self.f, self.at, along[:1], (0,))
            hvp(self.f, self.at, along, self.floating)

        return self.taught_by(run) and product_of(self.f, self.at, along, self.floating) is not None

    def along(self, v: Any, others: float) -> tuple[Any, ...]:
        """A direction of what is floating."""
        return (v, *[self.at[i] * 0.0 + others for i in self.floating[1:]])

    def value(self, x: Any) -> Any:
        """∂f/∂x"""
        known = specialised(self.f, 0, (x, *self.at[1:]), {})
        return self.residual(x, *self.at[1 : 1 + self.count]) if known is None else known[1]

    def product(self, v: Any) -> Any:
        """H v"""
        return self.by((0,), (v,))[0]

    def matrix(self) -> Any:
        """The Hessian by x by runs along many directions at once."""
        return hessian_at_once(self.f, self.at)

    def by_parameters(self, weights: Any) -> Any:
        """∂(λ·∂f/∂x)/∂θ, as second derivatives are symmetric"""
        return self.by(self.floating, self.along(weights, 0.0))[1:]

    def by(self, places: tuple[int, ...], along: tuple[Any, ...]) -> Any:
        """The Hessian by some arguments times a vector."""
        from ...hessians import hvp

        known = product_of(self.f, self.at, along, places)
        return hvp(self.f, self.at, along, places) if known is None else known


class _Root(_Way):
    """How a root moves; f is w·F(x, …), of w and all arguments of F."""

    def is_taught(self) -> bool:
        """Write the programs, each compared with the ordinary one; whether all of them could be."""
        from ...jacobians import jacfwd
        from ...operators import grad

        by_x, by_others = grad(self.f, 1), grad(self.f, self.others())
        ones = self.at[0] * 0.0 + 1.0

        def run() -> None:
            by_x(ones, *self.at)
            if self.others():
                by_others(ones, *self.at)

        if not self.taught_by(run) or specialised(self.f, 1, (ones, *self.at), {}) is None:
            return False
        plain, forward = self.plain(), jacfwd
        if plain is not None and self.taught_by(lambda: forward(plain.f)(*self.at)):
            self.matrix()
        return True

    def plain(self) -> Lifted | None:
        """The residual itself as a function of all that f has after the weights."""
        x, excess = self.at[0], type(self.residual) is Excess
        f = self.residual.function if excess else self.residual
        around = ("np.array({})" if type(self.y) is list else "{}") + (" - given0_" if excess else "")
        return lifted(f, 1 + self.count, around, np.size(x)) if is_vector(x) else None

    def matrix(self) -> Any:
        """∂F/∂x by runs along many directions at once."""
        plain: Any = self.plain()
        return None if plain is None else jacobian_at_once(plain.f, self.at)

    def others(self) -> tuple[int, ...]:
        """The places of the parameters among f's arguments."""
        return tuple([i + 1 for i in self.floating[1:]])

    def start(self) -> Any:
        """F"""
        y = np.asarray(self.y, float) if type(self.y) is list else self.y
        return y - self.at[0] if type(self.residual) is Excess else y

    def value(self, x: Any) -> Any:
        """F"""
        y = self.residual(x, *self.at[1 : 1 + self.count])
        return np.asarray(y, float) if type(y) is list else y

    def product(self, v: Any) -> Any:
        """Jᵀ v"""
        return self.by(1, v)

    def by_parameters(self, weights: Any) -> Any:
        """∂(λ·F)/∂θ"""
        return self.by(self.others(), weights)

    def by(self, places: Any, weights: Any) -> Any:
        """The gradients of w·F by some of its arguments."""
        from ...operators import value_and_grad

        known = specialised(self.f, places, (weights, *self.at), {})
        if known is not None:
            return known[1]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return value_and_grad(self.f, places)(weights, *self.at)[1]
