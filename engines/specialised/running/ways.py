"""Ways: how a root or a minimum moves, by specialised programs of its residual or objective.

A way answers with the Jacobian at the solution, or its products, and with a pullback by the parameters. Of
one number, one run gives both; so does one of a minimum, along all directions of few unknowns.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import debug
from ....core.refining import as_given
from ....core.residuals import Excess, Gradient, is_number, is_vector
from ....core.systems import DENSE, iterated, nearly_solved, refuse_unsolved, unit
from ....tangents import ZERO, Composite, is_zero, materialize
from ...following.here import here
from ..reading.capturing import is_floating, is_held
from ..reading.lifting import Lifted, lifted
from .columns import jacobian_at_once
from .entry import Settings, specialised
from .rows import rows_of
from .seconds import gradient_and_product, hessian_at_once, product_of, seconds_at_once
from .teaching import taught

_PLAIN = frozenset({float, np.float64, np.ndarray})
MANY = 4096
"""Up to how many second derivatives by an unknown and a parameter are computed with the Hessian."""


def gradient_of(f: Any, x: Any, parameters: tuple[Any, ...]) -> Any:
    """The gradient of f by x, by the program that f has as a function of what it captured, too.

    None where f is not taken apart, or others look on.
    """
    from ...operators import grad

    if not Settings.on or Settings.compared or debug.is_on() or here.runs:
        return None
    made = lifted(f, 1 + len(parameters)) if all(map(is_held, (x, *parameters))) else None
    if made is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return grad(made.f)(x, *parameters, *made.held)


class Way:
    """How a solution moves."""

    def __init__(
        self,
        residual: Any,
        made: Lifted,
        at: tuple[Any, ...],
        count: int,
        jacobian: Any,
        y: Any = None,
        lifts: dict[Any, Any] | None = None,
    ) -> None:
        """`y`: what the residual, or the function whose fixed point it is, gives at x, if that is known.

        `lifts`: what its function is lifted to, if another one of this code was.
        """
        self.residual, self.made, self.f, self.at = residual, made, made.f, at
        self.jacobian, self.y = jacobian, y
        self.count = count  # of the parameters that were given, not captured
        self.floating = tuple([i for i, v in enumerate(at) if is_floating(v)])
        self.lifts = {} if lifts is None else lifts

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

    def fits(self) -> bool:
        """Whether the residual is like x, as that of a minimum is."""
        return True

    def pullback(self) -> Callable[[Any], Any] | None:
        """Jᴴ λ = x̄        θ̄ = −F_θᴴ λ; None where the residual is not like x"""
        if not self.fits():
            return None

        def ready_root_pullback(x_bar: Any) -> Any:
            every = self.cotangents(x_bar)
            return self.of_residual(every[1 + self.count :]), ZERO, *every[1 : 1 + self.count]

        return ready_root_pullback

    def cotangents(self, x_bar: Any) -> list[Any]:
        """Those of all that the programs are given; that of x is zero."""
        b = x_bar if type(x_bar) in _PLAIN else materialize(x_bar, like=self.at[0])
        weights = self.solved(-b)
        moved = self.by_parameters(weights) if len(self.floating) > 1 else ()
        every = [ZERO] * len(self.at)
        for i, t in zip(self.floating[1:], moved, strict=True):
            every[i] = t
        return every

    def of_residual(self, held: Any) -> Any:
        """The cotangent of the residual, from those of what was captured."""
        of_f = self.made.cotangent(held)
        if type(self.residual) is Gradient and not is_zero(of_f):
            return Composite[Gradient](objective=of_f)
        if type(self.residual) is Excess and not is_zero(of_f):
            return Composite[Excess](function=of_f)
        return of_f

    def solved(self, b: Any) -> Any:
        """The w with Jᴴ w = b"""
        x = self.at[0]
        if is_number(x):
            slope = self.slope()
            refuse_unsolved(self.residual, self.value, slope, self.start(), x)
            return b / slope
        matrix = self.matrix() if len(x) <= DENSE else None
        if not self.fits():
            raise ValueError("a residual that is not like x here")
        if matrix is not None:
            refuse_unsolved(self.residual, self.value, matrix, self.start(), x)
            return b / matrix[0, 0] if len(x) == 1 else np.linalg.solve(matrix.T, b)
        if len(x) > DENSE and self.jacobian is None:
            return iterated(self.residual, self.product, b, None)
        y, given = self.start(), (self.jacobian, self.as_given)
        w = nearly_solved(self.residual, self.value, self.product, b, y, x, *given, adjoint=True)
        if w is not None:
            return w
        if len(x) > DENSE:
            return iterated(self.residual, self.product, b, None)
        adjoint = np.stack([self.product(unit(b, k)) for k in range(len(b))], axis=1)
        refuse_unsolved(self.residual, self.value, adjoint.T, y, x)
        return np.linalg.solve(adjoint, b)

    def slope(self) -> Any:
        """The derivative of the residual, where it is a number."""
        raise NotImplementedError

    def matrix(self) -> Any:
        """The Jacobian, where a program gives it for little more than the residual; None elsewhere."""
        return None

    def as_given(self) -> Any:
        """The Jacobian that the user gives."""
        x, *parameters = self.at[: 1 + self.count]
        return as_given(self.jacobian, x, tuple(parameters), x)


class OfMinimum(Way):
    """How the minimum of an objective moves."""

    gradient: Any = None
    mixed: Any = None
    """What a run along the numbers of x gave: the gradient, and how it moves with each parameter by them."""

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

        return taught(run) and product_of(self.f, self.at, along, self.floating) is not None

    def along(self, v: Any, others: float) -> tuple[Any, ...]:
        """A direction of what is floating."""
        return (v, *[self.at[i] * 0.0 + others for i in self.floating[1:]])

    def start(self) -> Any:
        """∂f/∂x at the solution"""
        return self.value(self.at[0]) if self.gradient is None else self.gradient

    def value(self, x: Any) -> Any:
        """∂f/∂x"""
        known = specialised(self.f, 0, (x, *self.at[1:]), {})
        return self.residual(x, *self.at[1 : 1 + self.count]) if known is None else known[1]

    def product(self, v: Any) -> Any:
        """H v"""
        return self.by((0,), (v,))[0]

    def slope(self) -> Any:
        """f_xx, in a run with ∂f/∂x and ∂²f/∂x∂θ"""
        slope, *self.mixed = self.moved(self.along(1.0, 0.0))
        return slope

    def moved(self, along: tuple[Any, ...]) -> Any:
        """How the gradient by what is floating moves with that, in a run with ∂f/∂x."""
        known = gradient_and_product(self.f, self.at, along, self.floating)
        if known is None:
            return self.by(self.floating, along)
        (self.gradient, *_), products = known
        return products

    def matrix(self) -> Any:
        """The Hessian by x by runs along many directions at once."""
        x, others = self.at[0], [np.size(self.at[i]) for i in self.floating[1:]]
        if len(x) == 1:
            column, *mixed = self.moved(self.along(np.ones(1), 0.0))
            self.mixed = [np.asarray(t)[None] for t in mixed]
            return column[None]
        if len(x) * sum(others) > MANY:
            return hessian_at_once(self.f, self.at)
        found = seconds_at_once(self.f, self.at, self.floating)
        if found is None:
            return None
        self.gradient, hessian, self.mixed = found
        return hessian

    def by_parameters(self, weights: Any) -> Any:
        """∂(λ·∂f/∂x)/∂θ, as second derivatives are symmetric"""
        if self.mixed is None:
            return self.by(self.floating, self.along(weights, 0.0))[1:]
        if is_number(weights):
            return [weights * t for t in self.mixed]
        return [np.tensordot(weights, t, 1)[()] for t in self.mixed]

    def by(self, places: tuple[int, ...], along: tuple[Any, ...]) -> Any:
        """The Hessian by some arguments times a vector."""
        from ...hessians import hvp

        known = product_of(self.f, self.at, along, places)
        return hvp(self.f, self.at, along, places) if known is None else known


class OfRoot(Way):
    """How a root moves; f is w·F(x, …), of w and all arguments of F."""

    slopes: Any = None
    """The derivatives by the parameters, where there is one unknown."""
    rest: Any = None
    """The same as columns of one matrix, where the unknowns are few."""
    first: Any = None
    """F at the solution."""

    def is_taught(self) -> bool:
        """Write the programs, each compared with the ordinary one; whether all of them could be."""
        from ...jacobians import jacfwd
        from ...operators import grad

        ones, others = self.at[0] * 0.0 + 1.0, self.others()
        wanted: list[Any] = [(1, *others)] if np.size(ones) == 1 else [1, others] if others else [1]

        def run() -> None:
            for places in wanted:
                grad(self.f, places)(ones, *self.at)

        if not taught(run) or specialised(self.f, wanted[0], (ones, *self.at), {}) is None:
            return False
        if self.by_rows() is not None:
            return True
        plain, forward = self.plain(), jacfwd
        if plain is not None and taught(lambda: forward(plain)(*self.at)):
            self.matrix()
        return True

    def plain(self) -> Any:
        """The residual itself as a function of all that f has after the weights; None where there is none."""
        x, excess = self.at[0], type(self.residual) is Excess
        around = ("np.array({})" if type(self.y) is list else "{}") + (" - given0_" if excess else "")
        return self.lifted(around, np.size(x)) if is_vector(x) else None

    def lifted(self, around: str, size: int | None = None) -> Any:
        """What is lifted of the residual's function with this around it; None where that is not done."""
        if around not in self.lifts:
            made = lifted(self.function(), 1 + self.count, around, size)
            self.lifts[around] = None if made is None else made.f
        return self.lifts[around]

    def function(self) -> Any:
        """The residual, or the function whose fixed point is looked for."""
        return self.residual.function if type(self.residual) is Excess else self.residual

    def slope(self) -> Any:
        """F_x, in a run with F and F_θ"""
        x = self.at[0]
        y, (slope, *self.slopes) = self.valued((1, *self.others()), x * 0.0 + 1.0)
        self.first = y if is_number(x) else np.array([y])
        return slope

    def matrix(self) -> Any:
        """∂F/∂x by runs along many directions at once."""
        if len(self.at[0]) == 1:
            return self.slope()[None]
        rows = self.by_rows()
        if rows is not None:
            return rows
        plain = self.plain()
        found = None if plain is None else jacobian_at_once(plain, self.at)
        if found is None:
            return None
        self.first, matrix = found
        return matrix

    def by_rows(self) -> Any:
        """∂F/∂x, and ∂F/∂θ in the same run, of few unknowns; None where columns cost less."""
        x, excess = self.at[0], type(self.residual) is Excess
        f = self.lifted("{}") if is_vector(x) and len(x) > 1 else None
        given = self.at[: 1 + self.count]
        known = f and rows_of(f, given, self.at[1 + self.count :], self.floating, self.asked)
        if not known:
            return None
        try:
            y, rows = known.run(*self.at)
        except Exception:  # it does not fit here
            return None
        self.first = y - x if excess else y
        self.rest = rows[:, len(x) :]
        return rows[:, : len(x)] - np.eye(len(x)) * excess

    def asked(self, x: tuple[Any, ...]) -> Any:
        """The function's value and its rows at given arguments, by the gradients of w·F."""
        excess, there = type(self.residual) is Excess, copy.copy(self)
        there.at = (*x, *self.at[len(x) :])
        found = [there.by((1, *self.others()), unit) for unit in np.eye(len(x[0]))]
        rows = np.stack([np.concatenate([*map(np.ravel, row)]) for row in found])
        rows[:, : len(x[0])] += np.eye(len(x[0])) * excess
        return np.array(self.function()(*x)), rows

    def others(self) -> tuple[int, ...]:
        """The places of the parameters among f's arguments."""
        return tuple([i + 1 for i in self.floating[1:]])

    def fits(self) -> bool:
        """Whether F is like x."""
        x, y = self.at[0], self.start()
        return (is_vector(x) and is_vector(y) and len(y) == len(x)) or (is_number(x) and is_number(y))

    def start(self) -> Any:
        """F"""
        if self.first is None:
            if self.y is None:
                self.y = self.function()(*self.at[: 1 + self.count])
            y = np.asarray(self.y, float) if type(self.y) is list else self.y
            self.first = y - self.at[0] if type(self.residual) is Excess else y
        return self.first

    def value(self, x: Any) -> Any:
        """F"""
        y = self.residual(x, *self.at[1 : 1 + self.count])
        return np.asarray(y, float) if type(y) is list else y

    def product(self, v: Any) -> Any:
        """Jᵀ v"""
        return self.by(1, v)

    def by_parameters(self, weights: Any) -> Any:
        """∂(λ·F)/∂θ"""
        if self.rest is not None:
            values = [self.at[i] for i in self.floating[1:]]
            parts = np.split(weights @ self.rest, np.cumsum([*map(np.size, values)])[:-1])
            return [np.reshape(t, np.shape(v))[()] for t, v in zip(parts, values, strict=True)]
        if self.slopes is None:
            return self.by(self.others(), weights)
        weight = weights if is_number(weights) else weights[0]
        return [weight * t for t in self.slopes]

    def by(self, places: Any, weights: Any) -> Any:
        """The gradients of w·F by some of its arguments."""
        return self.valued(places, weights)[1]

    def valued(self, places: Any, weights: Any) -> Any:
        """w·F and its gradients by some of its arguments."""
        from ...operators import value_and_grad

        known = specialised(self.f, places, (weights, *self.at), {})
        if known is not None:
            return known
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return value_and_grad(self.f, places)(weights, *self.at)
