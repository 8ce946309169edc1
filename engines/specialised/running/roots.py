"""Roots: how a root of F moves, by programs of w·F."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np

from ....core.residuals import Excess, is_number, is_vector
from ..reading.lifting import lifted
from .columns import jacobian_at_once
from .entry import specialised
from .rows import rows_of
from .teaching import taught
from .ways import Way, program_at


class OfRoot(Way):
    """How a root moves; f is w·F(x, …), of w and all arguments of F."""

    slopes: Any = None
    """The derivatives by the parameters, where x is a vector of one number."""
    rest: Any = None
    """The same as columns of one matrix, where the unknowns are few."""
    first: Any = None
    """F at the solution."""

    def is_taught(self) -> bool:
        """Write the programs, each compared with the ordinary one; whether all of them could be."""
        from ...jacobians import jacfwd
        from ...operators import grad

        ones, others = self.at[0] * 0.0 + 1.0, self.kept.others
        wanted: list[Any] = [(1, *others)] if np.size(ones) == 1 else [1, others] if others else [1]

        def run() -> None:
            for places in wanted:
                grad(self.f, places)(ones, *self.at)

        if not taught(run) or specialised(self.f, wanted[0], (ones, *self.at), {}, True) is None:
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
        known = self.kept.lifted
        if around not in known:
            made = lifted(self.function(), 1 + self.count, around, size)
            known[around] = None if made is None else made.f
        return known[around]

    def function(self) -> Any:
        """The residual, or the function whose fixed point is looked for."""
        return self.residual.function if type(self.residual) is Excess else self.residual

    def slopes_at(self) -> tuple[Any, Any]:
        """F, and F_x and F_θ"""
        y, slopes = self.valued(self.kept.all, self.at[0] * 0.0 + 1.0)
        return y, slopes

    def matrix(self) -> Any:
        """∂F/∂x by runs along many directions at once."""
        if len(self.at[0]) == 1:
            y, (slope, *self.slopes) = self.slopes_at()
            self.first = np.array([y])
            return slope[None]
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
        found = [there.by(self.kept.all, unit) for unit in np.eye(len(x[0]))]
        rows = np.stack([np.concatenate([*map(np.ravel, row)]) for row in found])
        rows[:, : len(x[0])] += np.eye(len(x[0])) * excess
        return np.array(self.function()(*x)), rows

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

    def whole_product(self, v: Any) -> Any:
        """Jᵀ v"""
        return self.by(1, v)

    def program_of_products(self) -> Any:
        """The gradient of w·F by x."""
        return program_at(self.f, 1, (self.at[0], *self.at))

    def by_parameters(self, weights: Any) -> Any:
        """∂(λ·F)/∂θ"""
        if self.rest is not None:
            values = [self.at[i] for i in self.floating[1:]]
            parts = np.split(weights @ self.rest, np.cumsum([*map(np.size, values)])[:-1])
            return [np.reshape(t, np.shape(v))[()] for t, v in zip(parts, values, strict=True)]
        if self.slopes is None:
            return self.by(self.kept.others, weights)
        return [weights[0] * t for t in self.slopes]

    def by(self, places: Any, weights: Any) -> Any:
        """The gradients of w·F by some of its arguments."""
        return self.valued(places, weights)[1]

    def valued(self, places: Any, weights: Any) -> Any:
        """w·F and its gradients by some of its arguments."""
        known = self.answer(places, (weights, *self.at))
        if known is not None:
            return known
        from ...operators import value_and_grad

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return value_and_grad(self.f, places)(weights, *self.at)
