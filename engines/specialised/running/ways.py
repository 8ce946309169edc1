"""Ways: how a root or a minimum moves, by specialised programs of its residual or objective.

A way answers with the Jacobian at the solution, or its products, and with a pullback by the parameters
(roots.py, minima.py). Of one number, one run gives both; so does one of a minimum, along all directions of
few unknowns.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

import numpy as np
from scipy.linalg.lapack import dgetrf, dgetri, dgetrs

from ....core.refining import as_given
from ....core.residuals import Excess, Gradient, is_number
from ....core.solutions import fault_of_number
from ....core.systems import DENSE, iterated, nearly_solved, refuse_unsolved, unit
from ....tangents import ZERO, Composite, inner, is_zero, materialize
from ..reading.lifting import Lifted
from ..reading.taken import is_floating
from .entry import specialised, variant_now
from .linear_at import product_at

PLAIN = frozenset({float, np.float64, np.ndarray})


def program_at(f: Any, way: Any, x: tuple[Any, ...]) -> Any:
    """The program of a function for these arguments; None where there is none, or it does not hold."""
    variant = variant_now(f, way, x)
    program = None if variant is None else variant.program
    if program is None or program.written or getattr(program, "commits", False) or not program.holds():
        return None
    return program


class Kept:
    """What is the same for all functions of one code that hold values of the same kinds."""

    def __init__(self, at: tuple[Any, ...], asked: Container[int | None] | None = None) -> None:
        """`asked`: the places of what a cotangent is asked for; all where that is not said."""
        wanted = range(len(at)) if asked is None else (0, *[i for i in range(1, len(at)) if i in asked])
        self.floating = tuple([i for i in wanted if is_floating(at[i])])
        self.others = tuple([i + 1 for i in self.floating[1:]])  # the parameters, behind weights
        self.all = (1, *self.others)
        places = {i: k for k, i in enumerate(self.floating) if i}
        self.order = tuple([places.get(i) for i in range(len(at))])  # among those, None of what is not
        self.lifted: dict[str, Any] = {}  # what the function is lifted to, by what is around it
        self.variants: dict[Any, Any] | None = None
        """The programs by what they are of, where each call is given values of the same kinds."""


class Way:
    """How a solution moves."""

    products: Any = None

    def __init__(
        self,
        residual: Any,
        made: Lifted,
        at: tuple[Any, ...],
        count: int,
        jacobian: Any,
        y: Any = None,
        kept: Kept | None = None,
    ) -> None:
        """`y`: what the residual, or the function whose fixed point it is, gives at x, if that is known."""
        self.residual, self.made, self.f, self.at = residual, made, made.f, at
        self.jacobian, self.y = jacobian, y
        self.count = count  # of the parameters that were given, not captured
        self.kept = Kept(at) if kept is None else kept
        self.floating = self.kept.floating

    def variant(self, way: Any, x: tuple[Any, ...]) -> Any:
        """The program of this kind for arguments like x, looked for once; None where there is none."""
        known = self.kept.variants
        if known is None:
            return variant_now(self.f, way, x)
        if known.get(way) is None:
            known[way] = variant_now(self.f, way, x)
        return known[way]

    def answer(self, places: Any, x: tuple[Any, ...]) -> Any:
        """Value and gradients by these arguments of the program; None where it does not fit."""
        if self.kept.variants is None:
            return specialised(self.f, places, x, {}, True)
        variant = self.variant(places, x)
        program = None if variant is None else variant.program
        if program is None or program.written or program.commits or program.unused:
            return None
        try:
            return variant.answer(*x)
        except Exception:  # it does not fit
            return None

    def start(self) -> Any:
        """The residual at x."""
        return self.value(self.at[0])

    def value(self, x: Any) -> Any:
        """The residual at another x."""
        raise NotImplementedError

    def product(self, v: Any) -> Any:
        """Jᴴ v, by what is computed at x alone where its text has such a half"""
        if self.products is None:
            program = self.program_of_products()
            x = self.at[0]
            found = None if program is None else product_at(program, self.at, x, self.whole_product)
            self.products = self.whole_product if found is None else found
        try:
            return self.products(v)
        except Exception:
            if self.products == self.whole_product:
                raise
            self.products = self.whole_product
            return self.products(v)

    def whole_product(self, v: Any) -> Any:
        """The same by the whole text."""
        raise NotImplementedError

    def program_of_products(self) -> Any:
        """The program of this text; None where there is none."""
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

    def pushforward(self, moved: Any, tangents: Any) -> Any:
        """ẋ of a number or a few: the j-th is ⟨θ̄, θ̇⟩, with the cotangents θ̄ for a seed of 1 there

        `moved`, `tangents`: those of the residual and of the parameters. None where something moves that is
        not floating, as an array of whole numbers.
        """
        held: list[Any] = [ZERO] * len(self.made.held)
        self.made.tangents(self.of_function(moved), held)
        every, x = (*tangents, *held), self.at[0]
        if any(not is_zero(t) for i, t in enumerate(every) if i + 1 not in self.floating):
            return None

        def entry(x_bar: Any) -> float:
            return sum(map(inner, self.cotangents(x_bar)[1:], every))

        return entry(1.0) if is_number(x) else np.array([entry(unit(x, j)) for j in range(len(x))])

    def of_function(self, moved: Any) -> Any:
        """The tangent of the function that the residual is made of, from that of the residual."""
        kind = type(self.residual)
        if is_zero(moved) or kind not in (Gradient, Excess):
            return moved
        return getattr(moved, "objective" if kind is Gradient else "function", ZERO)

    def multiples(self, x_bar: Any) -> list[Any]:
        """θ̄ = −F_θ x̄ / F_x of a root of one number"""
        y, slopes = self.slopes_at()
        x, slope = self.at[0], slopes[0]
        if fault_of_number(self.value, float(slope), float(y), x)[0] is not None:
            refuse_unsolved(self.residual, self.value, slope, y, x)
        weight = -(x_bar if type(x_bar) in PLAIN else materialize(x_bar, like=x)) / slope
        return [ZERO if k is None else weight * slopes[k] for k in self.kept.order]

    def slopes_at(self) -> tuple[Any, Any]:
        """The residual and its derivatives by what is floating, where x is a number."""
        raise NotImplementedError

    def cotangents(self, x_bar: Any) -> list[Any]:
        """Those of all that the programs are given; that of x is zero."""
        if is_number(self.at[0]):
            return self.multiples(x_bar)
        b = x_bar if type(x_bar) in PLAIN else materialize(x_bar, like=self.at[0])
        weights = self.solved(-b, self.matrix() if len(self.at[0]) <= DENSE else None)
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

    def hold(self, *bounds: Any) -> bool:
        """Note the bounds of a minimum; whether they are what the programs take."""
        raise NotImplementedError

    def solution(self) -> Any:
        """What was found."""
        return self.at[0]

    def unknown(self) -> Any:
        """What is solved for."""
        return self.at[0]

    def solved(self, b: Any, matrix: Any) -> Any:
        """The w with Jᴴ w = b; `matrix`: J, or None."""
        x = self.unknown()
        if not self.fits():
            raise ValueError("a residual that is not like x here")
        if matrix is not None:
            factors, pivots, singular = dgetrf(matrix)
            inverse = None if singular else dgetri(factors, pivots)[0]
            refuse_unsolved(self.residual, self.value, matrix, self.start(), x, inverse)
            return dgetrs(factors, pivots, b, trans=1)[0]
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

    def matrix(self) -> Any:
        """The Jacobian, where a program gives it for little more than the residual; None elsewhere."""
        return None

    def as_given(self) -> Any:
        """The Jacobian that the user gives."""
        x, *parameters = self.at[: 1 + self.count]
        return as_given(self.jacobian, x, tuple(parameters), x)
