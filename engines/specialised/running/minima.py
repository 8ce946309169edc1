"""Minima: how the minimum of an objective moves, by programs of its gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from .mixed import gradients_along, gradients_at_once, learn_mixed, which
from .seconds import product_of
from .teaching import taught
from .ways import Way, program_at

MANY = 4096
"""Up to how many second derivatives by an unknown and a parameter are computed with the Hessian."""


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

        if not taught(run) or product_of(self.f, self.at, along, self.floating) is None:
            return False
        learn_mixed(self.f, self.at, self.floating)
        return True

    def along(self, v: Any, others: float) -> tuple[Any, ...]:
        """A direction of what is floating."""
        return (v, *[self.at[i] * 0.0 + others for i in self.floating[1:]])

    def start(self) -> Any:
        """∂f/∂x at the solution"""
        return self.value(self.at[0]) if self.gradient is None else self.gradient

    def value(self, x: Any) -> Any:
        """∂f/∂x"""
        known = self.answer(0, (x, *self.at[1:]))
        return self.residual(x, *self.at[1 : 1 + self.count]) if known is None else known[1]

    def whole_product(self, v: Any) -> Any:
        """H v"""
        return self.by((0,), (v,))[0]

    def program_of_products(self) -> Any:
        """The pushforward of the gradient by x."""
        return program_at(self.f, ("gradient", (0,)), self.at)

    def slopes_at(self) -> tuple[Any, Any]:
        """∂f/∂x, and f_xx and ∂²f/∂x∂θ"""
        slopes = self.moved(1.0)
        return self.start(), slopes

    def moved(self, v: Any) -> Any:
        """How the gradient by what is floating moves with x along v, in a run with ∂f/∂x."""
        known = gradients_along(self.variant(which(self.floating), self.at), self.at, v)
        if known is None:
            return self.by(self.floating, self.along(v, 0.0))
        (self.gradient, *_), products = known
        return products

    def matrix(self) -> Any:
        """The Hessian by x by runs along many directions at once."""
        x, others = self.at[0], [np.size(self.at[i]) for i in self.floating[1:]]
        if len(x) == 1:
            column, *mixed = self.moved(np.ones(1))
            self.mixed = [np.asarray(t)[None] for t in mixed]
            return column[None]
        few = len(x) * sum(others) <= MANY
        places = self.floating if few else self.floating[:1]
        found = gradients_at_once(self.variant(which(places), self.at), self.at)
        if found is None:
            return None
        self.gradient, hessian, mixed = found
        self.mixed = mixed if few else None
        return hessian

    def by_parameters(self, weights: Any) -> Any:
        """∂(λ·∂f/∂x)/∂θ, as second derivatives are symmetric"""
        if self.mixed is None:
            return self.moved(weights)[1:]
        n = len(weights)
        return [(weights @ t.reshape(n, -1)).reshape(t.shape[1:])[()] for t in self.mixed]

    def by(self, places: tuple[int, ...], along: tuple[Any, ...]) -> Any:
        """The Hessian by some arguments times a vector."""
        known = product_of(self.f, self.at, along, places)
        if known is not None:
            return known
        from ...hessians import hvp

        return hvp(self.f, self.at, along, places)
